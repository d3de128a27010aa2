"""What a step did, as a list of numbers: tiles taken, lines tiled or fallen, floors scored, bonuses."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from azulejos.rules.actions import color_of, column_of, line_of, row_of, source_of
from azulejos.rules.compiled import compiled, int64
from azulejos.rules.ending import bonus, complete_colors, complete_columns, complete_rows
from azulejos.rules.state import CENTER, DRAFTING, DRAFTS, NOBODY, OVER, State
from azulejos.rules.turn import NOTHING, PASSED_ON, TILED, act, advance

DRAFTED: Final = 5
"""Source, color, line, taken, placed, tiles that found a space on the floor, marker (0 or 1)."""
BONUS: Final = 6
"""Complete rows, columns, colors, points; of a seat at the end of the game."""
NUMBERS: Final = 9
"""Numbers of a row: the kind (`DRAFTED`, `BONUS`, or one of `turn.advance`), the seat, and seven more."""
MOST_HAPPENINGS: Final = 32
"""Room for what one step can do: a draft, twenty lines, four floors, four bonuses."""


@compiled
def step_noted(state: State, action: int, noted: NDArray[np.int16]) -> int:
    """`turn.step`, with a row for each thing that it did; returns how many there are."""
    note_decision(state, action, noted[0])
    count = 1
    if state.phase == DRAFTING:
        return count
    while True:
        kind, seat, first, second, third, fourth, fifth = advance(state)
        if kind == NOTHING:
            break
        if kind != PASSED_ON:
            note(noted[count], kind, seat, first, second, third, fourth, fifth, 0, 0)
            count += 1
    if state.phase == OVER:
        for seat in range(int64(state.players)):
            rows, columns = complete_rows(state, seat), complete_columns(state, seat)
            note(noted[count], BONUS, seat, rows, columns, complete_colors(state, seat), bonus(state, seat), 0, 0, 0)
            count += 1
    return count


@compiled
def note_decision(state: State, action: int, row: NDArray[np.int16]) -> None:
    """`turn.act`, noted: a draft, or a tile that was placed by choice."""
    seat = int64(state.seat)
    if action < DRAFTS:
        source = source_of(action)
        marker = 1 if source == CENTER and state.marker == NOBODY else 0
        taken, placed, kept = act(state, action)
        note(row, DRAFTED, seat, source, color_of(action), line_of(action), taken, placed, kept, marker)
    else:
        color = int64(state.line_color[seat, row_of(action)])
        horizontal, vertical, _ = act(state, action)
        note(row, TILED, seat, row_of(action), column_of(action), color, horizontal, vertical, 0, 0)


@compiled
def note(row: NDArray[np.int16], kind: int, seat: int, a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> None:
    """Write one row."""
    row[0] = kind
    row[1] = seat
    row[2] = a
    row[3] = b
    row[4] = c
    row[5] = d
    row[6] = e
    row[7] = f
    row[8] = g
