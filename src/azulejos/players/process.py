"""Another program as a player: `process:COMMAND`, any program that speaks the engine protocol."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from azulejos.game.game import Game
from azulejos.game.moves import Move
from azulejos.players.engine_process import START_SECONDS, Answer, EngineProcess, go_line
from azulejos.players.player import Choice, Limits, check_can_choose

PREFIX: Final = "process:"
"""How the spec of a program begins."""
GRACE_SECONDS: Final = 5.0
"""How much longer than twice its limit a program may take."""
SECONDS_PER_NODE: Final = 0.01
"""The time that is given for each position where only these are limited."""
DEFAULT_MILLISECONDS: Final = 1000
"""How long it thinks if nobody sets a limit."""


class ProcessPlayer:
    """A program started once and asked for every move; whatever goes wrong with it is a `PlayerFailed` in time."""

    def __init__(
        self, command: str, seed: int = 0, *, start_seconds: float = START_SECONDS, grace_seconds: float = GRACE_SECONDS
    ) -> None:
        spec = PREFIX + command
        self._start_seconds, self._grace_seconds = start_seconds, grace_seconds
        self._engine = EngineProcess(split_command(command), spec, options={"Seed": seed}, start_seconds=start_seconds)
        self._engine.start()
        self.name = self._engine.title or spec
        """How tables and records call it: as the program calls itself, or by what starts it."""

    def choose(self, game: Game, limits: Limits) -> Choice:
        """What the program answers, if it is a legal move in time."""
        return replace(self.ask(game, limits).choice, why=f"said by {self.name}")

    def ask(self, game: Game, limits: Limits, count: int = 1, required: Sequence[Move] = ()) -> Answer:
        """What the program says about its best moves, so many if it can, and about those required."""
        check_can_choose(game)
        limits = limits if limits != Limits() else Limits(milliseconds=DEFAULT_MILLISECONDS)
        go = go_line(limits, required)
        return self._engine.ask(game, go, self._patience(limits), {"MultiPV": count}, required)

    def close(self) -> None:
        """End the program: ask it to quit, then make it."""
        self._engine.close()

    def _patience(self, limits: Limits) -> float:
        if limits.milliseconds is not None:
            return self._grace_seconds + 2 * limits.milliseconds / 1000
        return self._start_seconds + SECONDS_PER_NODE * (limits.nodes or 0)


def make(rest: str, seed: int) -> ProcessPlayer:
    """The player `process`; behind the colon stands the command that starts the program."""
    return ProcessPlayer(rest, seed)


def split_command(command: str) -> list[str]:
    """The words of a command, as a shell would split it.

    >>> split_command("python 'my engine.py'")
    ['python', 'my engine.py']
    """
    try:
        words = shlex.split(command)
    except ValueError as fault:
        raise ValueError(f"cannot read the command {command!r} of the player 'process': {fault}") from fault
    if not words:
        raise ValueError("the player 'process' needs a command, as in 'process:python engine.py'")
    return words
