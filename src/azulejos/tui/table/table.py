"""A table as the screen sees it: somewhere moves are made, by people here, computers, or people elsewhere."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from azulejos.game.happening import Happening
from azulejos.game.preview import Preview
from azulejos.game.view import View


class Refused(Exception):
    """Something that is not allowed now; the text says why in the person's language."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A decision that a person here has to make."""

    seat: int
    """Who decides."""
    options: Mapping[str, Preview]
    """What may be played, with what it would do."""
    tiling_row: int | None = None
    """On the gray wall: the row whose tile has to be placed."""


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


@dataclass(frozen=True, slots=True)
class Ending:
    """How the game ended."""

    reason: str
    """Why it ended."""
    winners: Sequence[int]
    """The seats that won."""
    scores: Sequence[int]
    """The final scores by seat."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What a hint recommends."""

    move: str
    """The best move."""
    margin: float | None = None
    """By how many points it is expected to win."""
    win: float | None = None
    """The chance to win of whoever is to move."""


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that one may do at a table besides playing."""

    words: str
    """How a menu names it."""
    do: Callable[[], Awaitable[object]]
    """Does it; raises `Refused`."""
    question: str = ""
    """What is asked first; nothing where it can be taken back."""
    consequence: str = ""
    """What to tell before it is done."""
    refusal: str = ""
    """The other answer to the question."""


class Table(Protocol):
    """What a screen needs of a table."""

    @property
    def names(self) -> Sequence[str]:
        """The name of each seat."""
        ...

    @property
    def view(self) -> View:
        """The position, with what only the people here know."""
        ...

    @property
    def turn(self) -> Turn | None:
        """The decision that a person here has to make now, if there is one."""
        ...

    @property
    def ending(self) -> Ending | None:
        """How the game ended, once it has."""
        ...

    @property
    def own_seats(self) -> Sequence[int]:
        """The seats of the people here."""
        ...

    @property
    def is_here_alone(self) -> bool:
        """Whether one person sits here, whom the screen calls you."""
        ...

    @property
    def remarks(self) -> Sequence[str]:
        """A word beside each name: away, or what the clock says."""
        ...

    @property
    def notice(self) -> str:
        """What keeps the people here from playing: no connection, somebody away; nothing while all is well."""
        ...

    @property
    def waiting(self) -> Sequence[int]:
        """The seats that have to decide."""
        ...

    @property
    def deeds(self) -> Sequence[Deed]:
        """What one may do now besides playing: resign, let a computer play."""
        ...

    @property
    def signs(self) -> Sequence[Deed]:
        """The small signs that one may show the others."""
        ...

    @property
    def forgets(self) -> bool:
        """Whether a game that one leaves is gone."""
        ...

    async def next(self) -> Change:
        """Wait for the next thing that happens; computers here think meanwhile."""
        ...

    async def play(self, move: str) -> None:
        """Play a move of the person whose turn it is; raises `Refused`."""
        ...

    async def undo(self) -> None:
        """Take back the last decision; raises `Refused`."""
        ...

    async def hint(self) -> Advice:
        """The best move; raises `Refused`."""
        ...

    async def again(self) -> None:
        """After the game: another one with the same players; raises `Refused`."""
        ...

    async def record(self) -> str:
        """The game so far as the text of a record; raises `Refused`."""
        ...

    def why_not(self, move: str) -> str:
        """Why a move may not be played."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...
