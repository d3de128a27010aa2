"""What happened when a move was played, as data: for logs, animations, announcements, tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from azulejos.game.moves import Deal, Move
from azulejos.rules import happenings, turn


@dataclass(frozen=True, slots=True)
class Drafted:
    """Tiles taken from the offer."""

    source: int
    """0 for the center, or the number of the display."""
    color: int
    """Which color, 0 to 4."""
    line: int
    """0 to 4, or 5 for the floor."""
    taken: int
    """How many tiles were taken."""
    placed: int
    """Tiles that went to the pattern line."""
    dropped: int
    """Tiles that did not: to the floor, and past its last space to the lid."""
    to_lid: int
    """How many of the dropped tiles found no space on the floor."""
    marker: bool
    """Whether the starting-player marker came with them."""


@dataclass(frozen=True, slots=True)
class Tiled:
    """A complete line moved to the wall."""

    seat: int
    """Whose wall it is."""
    row: int
    """The row of line and wall, 0 to 4."""
    column: int
    """The column of the wall, 0 to 4."""
    color: int
    """Which color, 0 to 4."""
    horizontal: int
    """Points along the row; 1 for a tile without neighbors."""
    vertical: int
    """Points along the column."""

    @property
    def points(self) -> int:
        """What the tile scored."""
        return self.horizontal + self.vertical


@dataclass(frozen=True, slots=True)
class Fell:
    """A complete line that no column of the gray wall could take fell to the floor."""

    seat: int
    """Whose line it was."""
    row: int
    """Which line, 0 to 4."""
    color: int
    """Which color, 0 to 4."""
    count: int
    """How many tiles fell."""
    to_lid: int
    """How many of them found no space on the floor."""


@dataclass(frozen=True, slots=True)
class FloorScored:
    """A floor was scored and cleared."""

    seat: int
    """Whose floor was scored."""
    penalty: int
    """The printed cost of the occupied spaces."""
    lost: int
    """Points really lost: the score stops at 0."""


@dataclass(frozen=True, slots=True)
class Bonus:
    """What a wall added at the end of the game."""

    seat: int
    """Whose wall it is."""
    rows: int
    """How many rows are complete."""
    columns: int
    """How many columns are complete."""
    colors: int
    """How many colors lie in every row."""
    points: int
    """The points of all of these."""


@dataclass(frozen=True, slots=True)
class Happening:
    """All that one call of `Game.play` did."""

    move: Move | Deal
    """What was played."""
    seat: int | None
    """Who played it; None for a deal."""
    drafted: Drafted | None = None
    """What was taken, if it was a draft."""
    tiling: tuple[Tiled | Fell, ...] = ()
    """Every line that left its place, in the order in which they did."""
    floors: tuple[FloorScored, ...] = ()
    """The floors that were scored, at the end of a round."""
    bonuses: tuple[Bonus, ...] = ()
    """What the walls added, at the end of the game."""
    deal: Deal | None = None
    """The deal that followed, where the game deals itself."""


def happening_of(move: Move, noted: Sequence[Sequence[int]]) -> Happening:
    """What a move did, from the rows that `rules.happenings.step_noted` wrote."""
    drafted: Drafted | None = None
    tiling: list[Tiled | Fell] = []
    floors: list[FloorScored] = []
    bonuses: list[Bonus] = []
    for kind, seat, a, b, c, d, e, f, g in noted:
        if kind == happenings.DRAFTED:
            drafted = Drafted(a, b, c, d, e, d - e, d - e - f, bool(g))
        elif kind == turn.TILED:
            tiling.append(Tiled(seat, a, b, c, d, e))
        elif kind == turn.FELL:
            tiling.append(Fell(seat, a, c, a + 1, a + 1 - b))
        elif kind == turn.FLOOR_SCORED:
            floors.append(FloorScored(seat, a, b))
        else:
            bonuses.append(Bonus(seat, a, b, c, d))
    return Happening(move, noted[0][1], drafted, tuple(tiling), tuple(floors), tuple(bonuses))
