"""Another program as a player: `process:COMMAND`, any program that speaks the engine protocol."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import Final

from azulejos.game.game import Game
from azulejos.players.engine_process import START_SECONDS, EngineProcess, go_line
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
        self.name = PREFIX + command
        """How tables and records call it."""
        self._start_seconds, self._grace_seconds = start_seconds, grace_seconds
        self._engine = EngineProcess(
            split_command(command), self.name, options={"Seed": seed}, start_seconds=start_seconds
        )
        self._engine.start()

    def choose(self, game: Game, limits: Limits) -> Choice:
        """What the program answers, if it is a legal move in time."""
        check_can_choose(game)
        limits = limits if limits != Limits() else Limits(milliseconds=DEFAULT_MILLISECONDS)
        answer = self._engine.ask(game, go_line(limits), self._patience(limits))
        return replace(answer.choice, why=f"said by {self.name}")

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
