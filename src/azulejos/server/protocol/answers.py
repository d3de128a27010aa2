"""What the server answers to requests over HTTP, besides `TableInfo`, `Summary` and `Refusal`."""

from __future__ import annotations

from azulejos.game.view import Wall
from azulejos.server.protocol.position import HappeningInfo, MessagePart, Position
from azulejos.server.tables.info import TableInfo


class Created(MessagePart, frozen=True):
    """A new table, and the secrets of its people's seats (none for a computer's)."""

    table: TableInfo
    """The table."""
    secrets: list[str | None]
    """The secret of each seat."""


class LevelInfo(MessagePart, frozen=True):
    """A computer opponent."""

    level: int
    """Its number: of a level from 1, or 100 for full strength."""
    name: str
    """Its name, to be worded."""
    rating: int | None = None
    """Its measured strength, if it was measured."""


class Looked(MessagePart, frozen=True):
    """A position as asked for, and what the moves to it did."""

    position: Position
    """The position."""
    happenings: list[HappeningInfo]
    """What each move did, in order."""


class Step(MessagePart, frozen=True):
    """A step of a replay: what happened, and the position after it."""

    happening: HappeningInfo | None
    """What happened; None before the first move."""
    position: Position
    """The position after it."""


class Replay(MessagePart, frozen=True):
    """A whole game."""

    wall: Wall
    """The colored wall or the gray one."""
    names: list[str]
    """Who played, by seat."""
    steps: list[Step]
    """The steps from the first position to the last."""
    result: list[int] | None
    """The final scores, if the record tells them."""
    table: str | None = None
    """The id of the table it was played at, if it was played here."""
