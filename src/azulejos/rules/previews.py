"""What legal actions would do, without doing them: tiles, what the floor would cost, points."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from azulejos.rules.actions import color_of, column_of, line_of, row_of, source_of
from azulejos.rules.compiled import compiled, int64
from azulejos.rules.offer import floor_tiles, penalty_for
from azulejos.rules.state import CENTER, DRAFTS, FLOOR, NOBODY, State
from azulejos.rules.tiling import best_cell_points, cell_points, legal_columns, occupied_cells
from azulejos.rules.turn import legal_actions

PreviewNumbers = tuple[int, int, int, int, int, int, int]
"""Taken, placed, marker (0 or 1), cost of the floor, completes (0 or 1), columns (one bit each), points."""
NUMBERS: Final = 8
"""Numbers of a row that `preview_all` writes: the action, and the seven of `PreviewNumbers`."""


@compiled
def preview(state: State, action: int) -> PreviewNumbers:
    """What a legal action would do for the seat to act."""
    if action < DRAFTS:
        return preview_draft(state, source_of(action), color_of(action), line_of(action))
    row, column = row_of(action), column_of(action)
    horizontal, vertical = cell_points(occupied_cells(state, int64(state.seat)), row, column)
    return 0, 0, 0, 0, 1, 1 << column, horizontal + vertical


@compiled
def preview_draft(state: State, source: int, color: int, line: int) -> PreviewNumbers:
    """What a legal draft would do; points are those of the line if the round ended now, in its best column."""
    seat = int64(state.seat)
    taken = int64(state.displays[source, color])
    marker = 1 if source == CENTER and state.marker == NOBODY else 0
    room = 0 if line == FLOOR else line + 1 - int64(state.line_count[seat, line])
    placed = min(taken, room)
    fallen = floor_tiles(state, seat) + (1 if state.marker == seat else 0)
    cost = penalty_for(fallen + marker + taken - placed) - penalty_for(fallen)
    if line == FLOOR or placed < room:
        return taken, placed, marker, cost, 0, 0, 0
    columns = legal_columns(state, seat, line, color)
    return taken, placed, marker, cost, 1, columns, best_cell_points(state, seat, line, columns)


@compiled
def preview_all(state: State, actions: NDArray[np.int16], found: NDArray[np.int16]) -> int:
    """Write the action number and the preview of each legal action, a row each; returns how many there are."""
    count = legal_actions(state, actions)
    for at in range(count):
        found[at, 0] = actions[at]
        numbers = preview(state, int64(actions[at]))
        for number in range(NUMBERS - 1):
            found[at, number + 1] = numbers[number]
    return count
