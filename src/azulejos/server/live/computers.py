"""The computer seats of a table: one question to the computers at a time, and answers that come too late dropped."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

from azulejos.game.moves import Move
from azulejos.server import traces
from azulejos.server.tables.setup import WATCHING_PACE_MS
from azulejos.server.tables.table import Table

RETRY_SECONDS: Final = 1.0
"""The pause before a question that failed is asked again."""
MOST_RETRY_SECONDS: Final = 30.0
"""The longest pause before a question is asked again: the pause doubles each time."""

log = logging.getLogger(__name__)
"""The logger of this module."""


class Chosen(Protocol):
    """What a computer answers."""

    @property
    def move(self) -> Move | str:
        """The move that it plays."""
        ...


class Computers(Protocol):
    """Whoever thinks for the computers: a `Pool`."""

    async def choose(self, position: str, player: str, seed: int) -> Chosen:
        """The move of a player in a position."""
        ...


class Turn(NamedTuple):
    """A decision that a computer has to make; another one as soon as anything changes that matters to it."""

    seat: int
    """The seat that decides."""
    player: str
    """Which player decides."""
    since: int
    """The version of the table from which on this is its question."""


class ComputerMove(NamedTuple):
    """What a computer wants to play."""

    turn: Turn
    """The question that it answers."""
    move: str
    """The move that it wants to play."""


def turn_of(table: Table) -> Turn | None:
    """The next decision that a computer has to make, if there is one."""
    for seat in table.waiting:
        player = table.computer_of(seat)
        if player is not None:
            return Turn(seat, player, table.fresh_since[seat])
    return None


class ComputerSeats:
    """Asks the computers on behalf of a table."""

    def __init__(self, computers: Computers, pace_ms: int | None, answer: Callable[[ComputerMove], None]) -> None:
        self._computers, self._pace_ms, self._answer = computers, pace_ms, answer
        self._turn: Turn | None = None
        self._task: asyncio.Task[None] | None = None
        self._failures = 0

    @property
    def are_busy(self) -> bool:
        """Whether a computer is being asked."""
        return self._task is not None

    def follow(self, table: Table, *, wanted: bool) -> None:
        """Ask for the decision that is due, unless that is being done; give up a question that is no longer due."""
        turn = turn_of(table) if wanted else None
        if turn == self._turn and (turn is None or self._task is not None):
            return
        self.stop()
        if turn is not None:
            self._turn = turn
            position = table.game.seen_by(turn.seat).position
            self._task = asyncio.create_task(self._think(turn, position, self._pause(table)), name="thinking")

    def accept(self, turn: Turn) -> bool:
        """Whether an answer is to the question that was asked last; the question is then closed."""
        if turn != self._turn:
            return False
        self._turn = self._task = None
        return True

    def failed(self) -> None:
        """What was answered could not be played: wait longer before the next question."""
        self._failures += 1

    def worked(self) -> None:
        """What was answered was played: the next failure is the first again."""
        self._failures = 0

    def stop(self) -> None:
        """Give up the question that is being asked, if there is one."""
        if self._task is not None:
            self._task.cancel()
        self._turn = self._task = None

    def _pause(self, table: Table) -> float:
        people = any(table.is_person(seat) for seat in range(table.players))
        pace = self._pace_ms if self._pace_ms is not None else 0 if people else WATCHING_PACE_MS
        return pace / 1000 + self._retry_pause()

    def _retry_pause(self) -> float:
        return min(RETRY_SECONDS * 2 ** (self._failures - 1), MOST_RETRY_SECONDS) if self._failures else 0.0

    async def _think(self, turn: Turn, position: str, pause: float) -> None:
        asleep = asyncio.create_task(asyncio.sleep(pause))
        try:
            while True:
                try:
                    with traces.span("think", player=turn.player):
                        chosen = await self._computers.choose(position, turn.player, secrets.randbits(32))
                except Exception as fault:
                    self._failures += 1
                    log.warning("the computer %s does not answer: %s", turn.player, fault)
                    await asyncio.sleep(self._retry_pause())
                else:
                    break
            await asleep
        finally:
            asleep.cancel()
        self._answer(ComputerMove(turn, str(chosen.move)))
