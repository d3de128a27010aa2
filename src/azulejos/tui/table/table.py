"""A table as the screen sees it: somewhere moves are made, by people here, computers, or people elsewhere."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from azulejos.game.happening import Happening
from azulejos.game.moves import Move
from azulejos.game.preview import Preview
from azulejos.game.view import View
from azulejos.players.player import Choice
from azulejos.server.tables.info import Result


class NotAllowed(Exception):
    """Something that is not allowed now; the text says why in the person's language."""

    def __init__(self, told: str, code: str = "") -> None:
        super().__init__(told)
        self.code = code
        """The reason as a word for programs, where the server has refused it or is not there."""


@dataclass(frozen=True, slots=True)
class PendingDecision:
    """A decision that a person here has to make."""

    seat: int
    """Who decides."""
    options: Mapping[Move, Preview]
    """What may be played, with what it would do."""

    @property
    def tiling_row(self) -> int | None:
        """On the gray wall, the row whose tile has to be placed; None while tiles are drafted."""
        move = next(iter(self.options))
        return move.row if move.is_tiling else None


@dataclass(frozen=True, slots=True)
class Change:
    """Something that happened at the table."""

    before: View
    """The position before it."""
    after: View
    """The position after it."""
    happenings: tuple[Happening, ...] = ()
    """What happened in between."""
    note: str = ""
    """What happened besides: somebody came, a move was taken back."""

    @property
    def moves_something(self) -> bool:
        """Whether the table is another one afterwards; somebody who comes, or a reaction, moves nothing."""
        return bool(self.happenings) or self.before != self.after


class Changes:
    """The changes that were not shown yet, in order."""

    def __init__(self) -> None:
        self._waiting: deque[Change] = deque()
        self._stirred = asyncio.Event()

    def put(self, change: Change) -> None:
        """Add what has just happened."""
        self._waiting.append(change)
        self._stirred.set()

    async def next(self) -> Change:
        """Take the next change, as soon as there is one."""
        while not self._waiting:
            self._stirred.clear()
            await self._stirred.wait()
        return self._waiting.popleft()

    @property
    def move_something(self) -> bool:
        """Whether any of them makes the table another one."""
        return any(change.moves_something for change in self._waiting)

    def __bool__(self) -> bool:
        return bool(self._waiting)


@dataclass(frozen=True, slots=True)
class Action:
    """Something that one may do at a table besides playing."""

    words: str
    """How a menu names it."""
    do: Callable[[], Awaitable[object]]
    """What is called to do it; raises `NotAllowed`."""
    question: str = ""
    """What is asked first; nothing where it can be taken back."""
    consequence: str = ""
    """What to tell before it is done."""
    refusal: str = ""
    """The other answer to the question."""


class AnyTable(Protocol):
    """What the screen and the plain front end need of a table, here or on a server."""

    @property
    def names(self) -> Sequence[str]:
        """The name of each seat."""

    @property
    def view(self) -> View:
        """The position, with what only the people here know."""

    @property
    def turn(self) -> PendingDecision | None:
        """The decision that a person here has to make now, if there is one."""

    @property
    def ending(self) -> Result | None:
        """How the game ended, once it has."""

    @property
    def own_seats(self) -> Sequence[int]:
        """The seats of the people here."""

    @property
    def remarks(self) -> Sequence[str]:
        """A word beside each name: away, or what the clock says."""

    @property
    def notice(self) -> str:
        """What keeps the people here from playing: no connection, somebody away; nothing while all is well."""

    @property
    def waiting(self) -> Sequence[int]:
        """The seats that have to decide."""

    @property
    def actions(self) -> Sequence[Action]:
        """What one may do now besides playing: resign, let a computer play."""

    @property
    def reactions(self) -> Sequence[Action]:
        """The reactions that one may send to the others."""

    @property
    def is_local(self) -> bool:
        """Whether the game is played in this program and ends with it."""

    @property
    def forgets(self) -> bool:
        """Whether something is lost when one leaves now."""

    async def next(self) -> Change:
        """Wait for the next thing that happens; computers here think meanwhile."""

    async def play(self, move: Move) -> None:
        """Play a move of the person whose turn it is; raises `NotAllowed`."""

    async def undo(self) -> None:
        """Take back the last decision; raises `NotAllowed`."""

    async def hint(self) -> Choice:
        """The best move; raises `NotAllowed`."""

    async def again(self) -> None:
        """After the game: another one with the same players; raises `NotAllowed`."""

    async def record(self) -> str:
        """The game so far as the text of a record; raises `NotAllowed`."""

    def why_not(self, move: Move) -> str:
        """Why a move may not be played."""

    def close(self) -> None:
        """Leave the table and let go of everything."""
