"""Why an action or a deal is not allowed, as numbers: a reason and what its sentence has to name."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from azulejos.rules.actions import color_of, column_of, line_of, row_of, source_of
from azulejos.rules.compiled import compiled, int64
from azulejos.rules.state import (
    ACTIONS,
    COLORS,
    COLUMNS,
    DEAL_DUE,
    DISPLAY_SIZE,
    DRAFTING,
    DRAFTS,
    OVER,
    ROWS,
    TILING,
    State,
)
from azulejos.rules.supply import bag_size
from azulejos.rules.tiling import occupied_cells
from azulejos.rules.turn import tiling_choice

RefusalNumbers = tuple[int, int, int, int]
"""A reason and up to three numbers that its sentence names, each counted from 0; what is not needed is 0."""

ALLOWED: Final = 0
"""Nothing speaks against the move."""
GAME_OVER: Final = 1
"""The game is over."""
WAITS_FOR_DEAL: Final = 2
"""A deal is due before the next move."""
NO_DEAL_DUE: Final = 3
"""No deal is due."""
TILE_FIRST: Final = 4
"""A tile of another row has to be placed first; names the row."""
NOTHING_TO_TILE: Final = 5
"""No tile is waiting to be placed."""
NO_SUCH_DISPLAY: Final = 6
"""There is no such display; names how many there are."""
COLOR_NOT_THERE: Final = 7
"""The source has no tile of the color; names color and source."""
LINE_FULL: Final = 8
"""The line is full; names the line."""
OTHER_COLOR: Final = 9
"""The line holds another color; names the line and that color."""
COLOR_ON_ROW: Final = 10
"""The color is on that row of the wall already; names color and row."""
CELL_TAKEN: Final = 11
"""The cell is taken; names row and column."""
COLOR_IN_COLUMN: Final = 12
"""The color is in that column already; names color and column."""
DEAL_DISPLAYS: Final = 13
"""The deal has another number of displays; names both numbers."""
DEAL_SIZE: Final = 14
"""A display gets another number of tiles than it should; names the display and both numbers."""
DEAL_TOO_MANY: Final = 15
"""The deal has more tiles of a color than can come; names how many, the color, and how many can come."""
DEAL_LEAVES_BAG: Final = 16
"""The deal needs the lid although tiles stay in the bag; names a color that stays."""
NO_SUCH_ACTION: Final = 17
"""The number is not that of an action."""


@compiled
def refusal(state: State, action: int) -> RefusalNumbers:
    """Why an action number, any integer, may not be played now."""
    if action < 0 or action >= ACTIONS:
        return NO_SUCH_ACTION, 0, 0, 0
    if state.phase == OVER:
        return GAME_OVER, 0, 0, 0
    if state.phase == DEAL_DUE:
        return WAITS_FOR_DEAL, 0, 0, 0
    if state.phase == TILING:
        return tiling_refusal(state, action)
    if action >= DRAFTS:
        return NOTHING_TO_TILE, 0, 0, 0
    return draft_refusal(state, source_of(action), color_of(action), line_of(action))


@compiled
def draft_refusal(state: State, source: int, color: int, line: int) -> RefusalNumbers:
    """Why a draft may not be made (R9, R15-R17)."""
    displays = 2 * int64(state.players) + 1
    if source > displays:
        return NO_SUCH_DISPLAY, displays, 0, 0
    if state.displays[source, color] == 0:
        return COLOR_NOT_THERE, color, source, 0
    return line_refusal(state, color, line)


@compiled
def line_refusal(state: State, color: int, line: int) -> RefusalNumbers:
    """Why a line of the seat to act does not accept a color (R15-R17)."""
    seat = int64(state.seat)
    if int64(state.open[seat, color]) >> line & 1:
        return ALLOWED, 0, 0, 0
    count = int64(state.line_count[seat, line])
    there = int64(state.line_color[seat, line])
    if count > line:
        return LINE_FULL, line, 0, 0
    if count > 0 and there != color:
        return OTHER_COLOR, line, there, 0
    return COLOR_ON_ROW, color, line, 0


@compiled
def tiling_refusal(state: State, action: int) -> RefusalNumbers:
    """Why an action may not be played while a tile has to be placed (G2-G5)."""
    row, columns = tiling_choice(state)
    if action < DRAFTS or row_of(action) != row:
        return TILE_FIRST, row, 0, 0
    column = column_of(action)
    if columns >> column & 1:
        return ALLOWED, 0, 0, 0
    seat = int64(state.seat)
    if occupied_cells(state, seat) >> (COLUMNS * row + column) & 1:
        return CELL_TAKEN, row, column, 0
    return COLOR_IN_COLUMN, int64(state.line_color[seat, row]), column, 0


@compiled
def closed_lines(state: State, found: NDArray[np.int16]) -> int:
    """For the seat that drafts, why each color on offer may not go to each line; returns how many rows were written.

    A row of `found` is color, line, and the reason with its numbers.
    """
    count = 0
    if state.phase == DRAFTING:
        for color in range(COLORS):
            for line in range(ROWS if state.holds[color] else 0):
                reason, first, second, _ = line_refusal(state, color, line)
                if reason != ALLOWED:
                    found[count, 0] = color
                    found[count, 1] = line
                    found[count, 2] = reason
                    found[count, 3] = first
                    found[count, 4] = second
                    count += 1
    return count


@compiled
def deal_refusal(state: State, tiles: NDArray[np.int8], displays: int) -> RefusalNumbers:
    """Why these tiles, `tiles[display, color]` of so many displays from 1, cannot be dealt now (R39-R41, D5)."""
    if state.phase == OVER:
        return GAME_OVER, 0, 0, 0
    if state.phase != DEAL_DUE:
        return NO_DEAL_DUE, 0, 0, 0
    if displays != 2 * int64(state.players) + 1:
        return DEAL_DISPLAYS, displays, 2 * int64(state.players) + 1, 0
    left = bag_size(state)
    for color in range(COLORS):
        left += int64(state.lid[color])
    dealt = 0
    for display in range(1, displays + 1):
        given = 0
        for color in range(COLORS):
            given += int64(tiles[display, color])
        expected = min(left, DISPLAY_SIZE)
        if given != expected:
            return DEAL_SIZE, display - 1, given, expected
        left -= expected
        dealt += given
    return tiles_refusal(state, tiles, displays, dealt > bag_size(state))


@compiled
def tiles_refusal(state: State, tiles: NDArray[np.int8], displays: int, needs_lid: bool) -> RefusalNumbers:
    """Why bag and lid cannot give these tiles: the bag comes first, and to its last tile (R40, D5)."""
    for color in range(COLORS):
        count = 0
        for display in range(1, displays + 1):
            count += int64(tiles[display, color])
        bag = int64(state.bag[color])
        available = bag + (int64(state.lid[color]) if needs_lid else 0)
        if count > available:
            return DEAL_TOO_MANY, count, color, available
        if needs_lid and count < bag:
            return DEAL_LEAVES_BAG, color, 0, 0
    return ALLOWED, 0, 0, 0
