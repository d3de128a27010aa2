"""A worker: the processes that answer one question at a time for the computers of a server."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from azulejos.arena.processes import ONE_THREAD
from azulejos.game.game import Game
from azulejos.players.engine_process import START_SECONDS, Answer, EngineProcess, go_line
from azulejos.players.levels import FULL_STRENGTH, LEVELS
from azulejos.players.player import Limits
from azulejos.players.process import PREFIX, split_command
from azulejos.players.registry import is_of_others

ENGINE: Final = (sys.executable, "-m", "azulejos.engine")
"""What starts an engine of ours; behind it stands its player."""
COMMAND: Final = (*ENGINE, FULL_STRENGTH.spec)
"""What starts the process with our own players."""
LOADED: Final = (LEVELS[0].spec, LEVELS[-1].spec)
"""Players that it has at hand before it is asked, one by hand and one with the network, besides the strongest."""
OWN_START_SECONDS: Final = 300.0
"""At its very first start it compiles the search."""

log = logging.getLogger(__name__)
"""The logger of this module."""


@dataclass(frozen=True, slots=True)
class Question:
    """The move that a worker is asked for."""

    game: Game
    """The position."""
    spec: str
    """Who is to answer: any player of the registry."""
    seconds: float
    """How long a worker may take before it is taken for stalled."""
    seed: int = 0
    """For what the player decides by lot."""
    milliseconds: int | None = None
    """The time for a move; None: as long as the player thinks by itself."""

    @property
    def who(self) -> str:
        """The name of the player without its options: the word under which answers are timed."""
        return self.spec.partition(":")[0]


class Worker:
    """A process that thinks with our players, and one for each program or class of others that it is asked about."""

    def __init__(self, command: Sequence[str], patience: float) -> None:
        self._patience = patience
        self.own = self._engine(command, "worker", OWN_START_SECONDS)
        """The process with our players."""
        self._programs: dict[str, EngineProcess] = {}
        self._loaded = False

    @property
    def ready(self) -> bool:
        """Whether our own process runs and has everything loaded."""
        return self._loaded and self.own.is_running

    def start(self) -> None:
        """Start our own process if it does not run, and wait until it has everything loaded."""
        if not self.own.is_running:
            self._loaded = False
            self.own.start()
            for spec in LOADED:
                self.own.configure({"Player": spec})
            self._loaded = True

    def ask(self, question: Question) -> Answer:
        """The answer to a question."""
        engine, seconds = self.engine_for(question.spec), question.seconds * self._patience
        go = go_line(Limits(milliseconds=question.milliseconds))
        if engine is not self.own:
            return engine.ask(question.game, go, seconds)
        return engine.ask(question.game, f"{go} seed {question.seed}", seconds, {"Player": question.spec})

    def engine_for(self, spec: str) -> EngineProcess:
        """The process that has this player."""
        if not is_of_others(spec):
            return self.own
        if spec not in self._programs:
            is_program = spec.startswith(PREFIX)
            command = split_command(spec.removeprefix(PREFIX)) if is_program else [*ENGINE, spec]
            self._programs[spec] = self._engine(command, spec, START_SECONDS if is_program else OWN_START_SECONDS)
        return self._programs[spec]

    def kill(self) -> None:
        """End all processes: they keep nothing that could be lost, and a stopped one would hear nothing milder."""
        for engine in (self.own, *self._programs.values()):
            engine.kill()

    def _engine(self, command: Sequence[str], name: str, seconds: float) -> EngineProcess:
        environment = os.environ | ONE_THREAD
        return EngineProcess(command, name, start_seconds=seconds * self._patience, environment=environment, hear=_hear)


def _hear(line: str) -> None:
    log.info("a worker says: %s", line)
