"""A position and what happened on it, as they are sent.

Seats, rows and columns are counted from 0. Tiles are counted by color in the order blue, yellow, red, black, white; a
single color is a letter of `BYRKW`.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct, field

from azulejos.server.protocol.shared import Wall

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
    """The letter of its color."""
    count: int
    """How many tiles lie in it."""


class Board(Plain, frozen=True):
    """One player's board."""

    score: int
    """Points so far."""
    lines: list[Line]
    """The five pattern lines."""
    wall: list[str]
    """Five rows of five: a color's letter, or a dot for an empty cell."""
    floor: Counts
    """Tiles on the floor, the marker not among them."""
    marker: bool
    """Whether this player holds the starting-player marker (it takes the floor's first free space)."""
    penalty: int
    """What the floor costs now, as a positive number."""


class Option(Plain, frozen=True):
    """A legal move and what it would do."""

    move: str
    """As it is sent back."""
    taken: int = 0
    """Tiles that are taken."""
    placed: int = 0
    """Tiles that the line takes."""
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
    """The reason."""
    arguments: dict[str, str | int] = field(default_factory=dict)
    """What its sentence has to name."""


class Position(Plain, frozen=True):
    """Everything that can be seen on the table, and what may be played."""

    line: str
    """The position line."""
    wall: Wall
    """The colored wall or the gray one."""
    pattern: list[str] | None
    """The colors printed on the colored wall, five rows; none on the gray wall."""
    penalties: list[int]
    """The costs printed on the floor's spaces."""
    displays: list[Counts]
    """What lies on each display."""
    center: Counts
    """What lies in the center."""
    marker: bool
    """Whether the starting-player marker lies in the center."""
    boards: list[Board]
    """The boards, by seat."""
    bag: Counts
    """What is in the bag."""
    lid: Counts
    """What is in the lid."""
    phase: Literal["d", "t", "r", "e"]
    """Drafting, a tiling choice, a deal is due, over."""
    seat: int | None
    """Who acts; none when the game is over."""
    round: int
    """The number of the round, from 1."""
    starter: int
    """Who started this round."""
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
    """Its letter."""
    line: int
    """0 to 4, or 5 for the floor."""
    taken: int
    """Tiles that were taken."""
    placed: int
    """Tiles that the line took."""
    dropped: int
    """Tiles that did not fit."""
    to_lid: int
    """How many of these found no space on the floor."""
    marker: bool
    """Whether the starting-player marker came along."""


class Tiled(Plain, frozen=True, tag="tiled", tag_field="type"):
    """A tile went to the wall."""

    seat: int
    """Whose wall."""
    row: int
    """The row of line and wall."""
    column: int
    """The column of the wall."""
    color: str
    """Its letter."""
    horizontal: int
    """Points along the row."""
    vertical: int
    """Points along the column."""
    points: int
    """Both together."""


class Fell(Plain, frozen=True, tag="fell", tag_field="type"):
    """A complete line that no column could take fell to the floor (gray wall)."""

    seat: int
    """Whose line."""
    row: int
    """Which line."""
    color: str
    """Its letter."""
    count: int
    """How many tiles fell."""
    to_lid: int
    """How many of them found no space on the floor."""


class FloorScored(Plain, frozen=True):
    """A floor was scored and cleared."""

    seat: int
    """Whose floor."""
    penalty: int
    """The printed cost of the occupied spaces."""
    lost: int
    """Points really lost: a score stops at 0."""


class Bonus(Plain, frozen=True):
    """What a wall added at the end of the game."""

    seat: int
    """Whose wall."""
    rows: int
    """Complete rows."""
    columns: int
    """Complete columns."""
    colors: int
    """Colors that lie in every row."""
    points: int
    """What they brought in all."""


class Happening(Plain, frozen=True):
    """All that one move did."""

    move: str
    """What was played."""
    seat: int | None
    """Nobody's: a deal."""
    drafted: Drafted | None = None
    """What was taken, if it was a draft."""
    tiling: list[Tiled | Fell] = field(default_factory=list)
    """Lines that left their place, in order."""
    floors: list[FloorScored] = field(default_factory=list)
    """Floors that were scored."""
    bonuses: list[Bonus] = field(default_factory=list)
    """What the walls added at the end of the game."""
    deal: list[Counts] | None = None
    """The displays of the next round, dealt after all this."""
