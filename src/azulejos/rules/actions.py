"""The numbers of actions: which draft, or which cell of the gray wall, a number stands for."""

from __future__ import annotations

from azulejos.rules.compiled import compiled
from azulejos.rules.state import COLORS, COLUMNS, DRAFTS, LINES


@compiled
def draft_number(source: int, color: int, line: int) -> int:
    """The number of the draft that takes a color from a source to a line."""
    return (source * COLORS + color) * LINES + line


@compiled
def cell_number(row: int, column: int) -> int:
    """The number of the tiling choice of a cell."""
    return DRAFTS + row * COLUMNS + column


@compiled
def source_of(action: int) -> int:
    """The source that a draft takes from."""
    return action // (COLORS * LINES)


@compiled
def color_of(action: int) -> int:
    """The color that a draft takes."""
    return action // LINES % COLORS


@compiled
def line_of(action: int) -> int:
    """The line that a draft goes to, or `FLOOR`."""
    return action % LINES


@compiled
def row_of(action: int) -> int:
    """The row of a tiling choice."""
    return (action - DRAFTS) // COLUMNS


@compiled
def column_of(action: int) -> int:
    """The column of a tiling choice."""
    return (action - DRAFTS) % COLUMNS
