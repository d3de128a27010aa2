"""What happened when a move was played, as data: for logs, animations, announcements, tables."""

from __future__ import annotations

from dataclasses import dataclass

from azulejos.game.moves import Deal, Move


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
    """How many tiles."""
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
    """Whose wall."""
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
    """Whose line."""
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
    """Whose floor."""
    penalty: int
    """The printed cost of the occupied spaces."""
    lost: int
    """Points really lost: the score stops at 0."""


@dataclass(frozen=True, slots=True)
class Bonus:
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


@dataclass(frozen=True, slots=True)
class Preview:
    """What a move would do."""

    taken: int
    """Tiles that would be taken."""
    placed: int
    """Tiles that the line would take."""
    dropped: int
    """Tiles that would fall to the floor."""
    marker: bool
    """Whether the starting-player marker would come along."""
    cost: int
    """Points that the floor would cost more than before."""
    completes: bool
    """Whether the line would be complete."""
    columns: tuple[int, ...]
    """The wall columns open to it if it is; none: the line would fall to the floor (gray wall)."""
    points: int
    """What the line would score if the round ended now, at best; of a tiling choice, what it scores."""
