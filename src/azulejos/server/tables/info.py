"""What everybody may know of a table besides the position: told to clients as it stands here."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from azulejos.game.view import Wall
from azulejos.server.tables.setup import Clock, SeatKind


class SeatInfo(Struct, frozen=True, omit_defaults=True):
    """Who sits there."""

    kind: SeatKind
    """A person or a computer."""
    name: str
    """What the person is called."""
    level: int | None = None
    """The level of a computer."""
    substitute: int | None = None
    """The level of the computer that plays for an absent person."""
    resigned: bool = False
    """Whether this seat gave up."""
    joined: bool = False
    """Whether the person has ever been here."""
    claimed: bool = False
    """Whether the person came from the lobby: the link of the seat opens it no longer."""
    assisted: bool = False
    """Whether this seat took a hint, or took back more than a move of its own."""


class Result(Struct, frozen=True, omit_defaults=True):
    """How the game ended."""

    reason: Literal["row", "stalled", "round_limit", "resigned", "time"]
    """What ended it."""
    winners: list[int]
    """The seats that won, several if they share the victory."""
    scores: list[int]
    """The final scores by seat."""


class TableInfo(Struct, frozen=True, omit_defaults=True):
    """A table, apart from the position on it."""

    id: str
    """What stands in its address."""
    wall: Wall
    """The colored wall or the gray one."""
    created: str
    """When it was made."""
    seats: list[SeatInfo]
    """Who sits there, in turn order."""
    commitment: str
    """Fixes all deals before the game; see `secret`."""
    clock: Clock | None = None
    """How much time everybody has, if there is a limit."""
    assisted: bool = False
    """Whether any seat is."""
    result: Result | None = None
    """How the game ended, if it has."""
    secret: str | None = None
    """After the game: what the deals followed from."""
    next: str | None = None
    """The table of the rematch."""
    same_tiles: bool = False
    """Whether the tiles of an earlier game are dealt again."""
    hints: bool = True
    """Whether people may take hints."""
    open: bool = False
    """Whether it is in the lobby: anybody may take a seat that is free, or watch."""


class Listing(Struct, frozen=True, omit_defaults=True):
    """A table in the lobby."""

    id: str
    """What stands in its address."""
    wall: Wall
    """The colored wall or the gray one."""
    created: str
    """When it was made."""
    seats: list[SeatInfo]
    """Who sits there, in turn order."""
    free: list[int]
    """The seats that anybody may take; none: it can be watched."""
    clock: Clock | None = None
    """How much time everybody has, if there is a limit."""
    hints: bool = True
    """Whether people may take hints."""


class Summary(Struct, frozen=True, omit_defaults=True):
    """A game in the list of past games."""

    id: str
    """The id of its table."""
    wall: Wall
    """The colored wall or the gray one."""
    created: str
    """When it was made."""
    names: list[str]
    """Who played, by seat."""
    result: Result
    """How it ended."""


class ClockTime(Struct, frozen=True, omit_defaults=True):
    """What is left on the clocks, in milliseconds, and whose are running."""

    left: list[int]
    """Milliseconds left, by seat."""
    running: list[int]
    """The seats whose clocks run; several while the tiling choices of the gray wall are made."""
