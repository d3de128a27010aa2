"""What the server answers to requests over HTTP."""

from __future__ import annotations

from msgspec import field

from azulejos.server.protocol.outgoing import Result, TableInfo
from azulejos.server.protocol.position import Code, Happening, Plain, Position
from azulejos.server.protocol.shared import Wall


class Created(Plain, frozen=True):
    """A new table, and the secrets of its people's seats (none for a computer's)."""

    table: TableInfo
    """The table."""
    secrets: list[str | None]
    """By seat."""


class LevelInfo(Plain, frozen=True):
    """A computer opponent."""

    level: int
    """Its number: of a level from 1, or the one after the last level for full strength."""
    name: Code
    """Its name, to be worded."""
    rating: int | None = None
    """Its measured strength, if it was measured."""


class Summary(Plain, frozen=True):
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


class Looked(Plain, frozen=True):
    """A position as asked for, and what the moves to it did."""

    position: Position
    """The position."""
    happenings: list[Happening]
    """What each move did, in order."""


class Step(Plain, frozen=True):
    """A step of a replay: what happened, and the position after it."""

    happening: Happening | None
    """None before the first move."""
    position: Position
    """The position after it."""


class Replay(Plain, frozen=True):
    """A whole game."""

    wall: Wall
    """The colored wall or the gray one."""
    names: list[str]
    """Who played, by seat."""
    steps: list[Step]
    """From the first position to the last."""
    result: list[int] | None
    """The final scores, if the record tells them."""
    table: str | None = None
    """The id of the table it was played at, if it was played here."""


class Failure(Plain, frozen=True):
    """Why a request was refused."""

    code: Code
    """The reason."""
    arguments: dict[str, str | int] = field(default_factory=dict)
    """What its sentence has to name."""
