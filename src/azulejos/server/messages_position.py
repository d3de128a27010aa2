"""A position and what happened on it, as they are sent.

Seats, rows and columns are counted from 0. Tiles are counted by color in the order blue, yellow, red, black, white; a
single color is a letter of `BYRKW`.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct, field

from azulejos.server.messages_shared import Wall

Counts: TypeAlias = list[int]
"""Tiles by color: blue, yellow, red, black, white."""
Code: TypeAlias = str
"""Names a sentence that the client words in its own language."""


class Plain(Struct, frozen=True, omit_defaults=True):
    """A part of a message. Fields that have their default value are left out."""


# ---- a position ----


class Line(Plain, frozen=True):
    """A pattern line; no color while it is empty."""

    color: str | None
    count: int


class Board(Plain, frozen=True):
    """One player's board."""

    score: int
    lines: list[Line]
    wall: list[str]
    """Five rows of five: a color's letter, or a dot for an empty cell."""
    floor: Counts
    marker: bool
    """Whether this player holds the starting-player marker (it takes the floor's first free space)."""
    penalty: int
    """What the floor costs now, as a positive number."""


class Option(Plain, frozen=True):
    """A legal move and what it would do."""

    move: str
    taken: int = 0
    placed: int = 0
    dropped: int = 0
    """Tiles that fall to the floor."""
    marker: bool = False
    """Whether the starting-player marker comes along."""
    cost: int = 0
    """What the floor would cost more than now."""
    completes: bool = False
    """Whether the line becomes complete."""
    columns: list[int] = field(default_factory=list)
    """Wall columns open to the complete line; none: it would fall to the floor at the round's end (gray wall)."""
    points: int = 0
    """What the complete line would score if the round ended now."""


class Refusal(Plain, frozen=True):
    """Why something is not allowed: a code to be worded, with its arguments."""

    code: Code
    arguments: dict[str, str | int] = field(default_factory=dict)


class Position(Plain, frozen=True):
    """Everything that can be seen on the table, and what may be played."""

    line: str
    """The position line."""
    wall: Wall
    pattern: list[str] | None
    """The colors printed on the colored wall, five rows; none on the gray wall."""
    penalties: list[int]
    """The costs printed on the floor's spaces."""
    displays: list[Counts]
    center: Counts
    marker: bool
    """Whether the starting-player marker lies in the center."""
    boards: list[Board]
    bag: Counts
    lid: Counts
    phase: Literal["d", "t", "r", "e"]
    """Drafting, a tiling choice, a deal is due, over."""
    seat: int | None
    """Who acts; none when the game is over."""
    round: int
    starter: int
    last_round: bool
    """Whether a row will be complete when this round is tiled."""
    options: list[Option]
    """The legal moves of the seat to act."""
    refusals: dict[str, dict[str, Refusal]]
    """For the seat to act, why a color may not go to a line: by the color's letter and the line's number from 1."""


# ---- what happened ----


class Drafted(Plain, frozen=True):
    """Tiles were taken."""

    source: int
    """0 for the center, or the number of the display."""
    color: str
    line: int
    """0 to 4, or 5 for the floor."""
    taken: int
    placed: int
    dropped: int
    to_lid: int
    marker: bool


class Tiled(Plain, frozen=True, tag="tiled", tag_field="type"):
    """A tile went to the wall."""

    seat: int
    row: int
    column: int
    color: str
    horizontal: int
    vertical: int
    points: int


class Fell(Plain, frozen=True, tag="fell", tag_field="type"):
    """A complete line that no column could take fell to the floor (gray wall)."""

    seat: int
    row: int
    color: str
    count: int
    to_lid: int


class FloorScored(Plain, frozen=True):
    """A floor was scored and cleared."""

    seat: int
    penalty: int
    lost: int
    """Points really lost: a score stops at 0."""


class Bonus(Plain, frozen=True):
    """What a wall added at the end of the game."""

    seat: int
    rows: int
    columns: int
    colors: int
    points: int


class Happening(Plain, frozen=True):
    """All that one move did."""

    move: str
    seat: int | None
    """Nobody's: a deal."""
    drafted: Drafted | None = None
    tiling: list[Tiled | Fell] = field(default_factory=list)
    floors: list[FloorScored] = field(default_factory=list)
    bonuses: list[Bonus] = field(default_factory=list)
    deal: list[Counts] | None = None
    """The displays of the next round, dealt after all this."""
