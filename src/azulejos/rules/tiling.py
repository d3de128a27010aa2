"""R23-R37, G1-G11, D14: the wall. Where a tile may go, what it scores, and what the floor costs.

A wall is five bitboards, one a color: bit `5 * row + column` says that the color lies on that cell.
"""

from __future__ import annotations

from azulejos.rules.compiled import compiled, int64
from azulejos.rules.offer import drop, floor_penalty
from azulejos.rules.state import COLORS, COLUMN_BITS, COLUMNS, ROW_BITS, ROWS, State


@compiled
def occupied_cells(state: State, seat: int) -> int:
    """The cells of a wall that hold a tile, as a bitboard."""
    cells = 0
    for color in range(COLORS):
        cells |= int64(state.wall[seat, color])
    return cells


@compiled
def columns_with(cells: int) -> int:
    """The columns in which a bitboard has a cell, one bit each."""
    return (cells | cells >> 5 | cells >> 10 | cells >> 15 | cells >> 20) & ROW_BITS


@compiled
def printed_column(row: int, color: int) -> int:
    """R26: the column of a color in a row of the colored wall."""
    return (color + row) % COLUMNS


@compiled
def legal_columns(state: State, seat: int, row: int, color: int) -> int:
    """R26, G2-G5: where a tile of this color may go in this row, one bit a column."""
    if state.gray:
        free = ~(occupied_cells(state, seat) >> (COLUMNS * row)) & ROW_BITS
        return free & ~columns_with(int64(state.wall[seat, color]))
    return 1 << printed_column(row, color)


@compiled
def lowest_bit(bits: int) -> int:
    """The number of the lowest set bit."""
    at = 0
    while bits >> at & 1 == 0:
        at += 1
    return at


@compiled
def column_of_cells(cells: int, column: int) -> int:
    """The cells of one column as five bits, the top row lowest."""
    cells = cells >> column & COLUMN_BITS
    return (cells | cells >> 4 | cells >> 8 | cells >> 12 | cells >> 16) & ROW_BITS


@compiled
def run_points(cells: int, at: int) -> int:
    """R32-R34: the length of the unbroken run through a place among five, or 0 if it has no neighbor."""
    low = at
    while low > 0 and cells >> (low - 1) & 1:
        low -= 1
    high = at
    while cells >> (high + 1) & 1:
        high += 1
    return high - low + 1 if high > low else 0


@compiled
def cell_points(cells: int, row: int, column: int) -> tuple[int, int]:
    """R31-R34: what a tile on this cell, there or to come, scores along row and column; a lonely one has one."""
    horizontal = run_points(cells >> (COLUMNS * row) & ROW_BITS, column)
    vertical = run_points(column_of_cells(cells, column), row)
    if horizontal + vertical == 0:
        horizontal = 1
    return horizontal, vertical


@compiled
def empty_line(state: State, seat: int, row: int) -> None:
    """A line becomes free again for every color that its wall row does not hold (R17)."""
    state.line_count[seat, row] = 0
    state.line_color[seat, row] = 0
    for color in range(COLORS):
        if int64(state.wall[seat, color]) >> (COLUMNS * row) & ROW_BITS == 0:
            state.open[seat, color] |= 1 << row


@compiled
def tile_line(state: State, seat: int, row: int, column: int) -> tuple[int, int]:
    """R25-R28, R31-R34: a complete line moves to the wall and scores at once.

    Returns what `cell_points` returns.
    """
    color = int64(state.line_color[seat, row])
    state.wall[seat, color] |= 1 << (COLUMNS * row + column)
    state.lid[color] += row
    empty_line(state, seat, row)
    horizontal, vertical = cell_points(occupied_cells(state, seat), row, column)
    state.score[seat] += horizontal + vertical
    return horizontal, vertical


@compiled
def drop_line(state: State, seat: int, row: int) -> int:
    """G6, G9: a complete line without a legal column falls to the floor; returns how many tiles found a space."""
    kept = drop(state, seat, int64(state.line_color[seat, row]), row + 1)
    empty_line(state, seat, row)
    return kept


@compiled
def complete_line(state: State, seat: int) -> int:
    """R24: the topmost complete line of a seat, or `ROWS` if it has none."""
    row = 0
    while row < ROWS and state.line_count[seat, row] <= row:
        row += 1
    return row


@compiled
def best_cell_points(state: State, seat: int, row: int, columns: int) -> int:
    """What a tile of this row would score at the round's end in the best of these columns, 0 if there is none.

    On the colored wall the complete lines above it count as tiled (R24); on the gray wall, where they are still to
    be decided, they do not.
    """
    cells = occupied_cells(state, seat)
    if not state.gray:
        for upper in range(row):
            if state.line_count[seat, upper] > upper:
                color = int64(state.line_color[seat, upper])
                cells |= legal_columns(state, seat, upper, color) << (COLUMNS * upper)
    best = 0
    for column in range(COLUMNS):
        if columns >> column & 1:
            horizontal, vertical = cell_points(cells, row, column)
            best = max(best, horizontal + vertical)
    return best


@compiled
def score_floor(state: State, seat: int) -> int:
    """R35-R37, D6: subtract what the floor costs, never below 0, and clear it; returns what was lost."""
    lost = min(floor_penalty(state, seat), int64(state.score[seat]))
    state.score[seat] -= lost
    for color in range(COLORS):
        state.lid[color] += state.floor[seat, color]
        state.floor[seat, color] = 0
    return lost
