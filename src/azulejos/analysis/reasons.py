"""Why a move was worse than another: what both rounds bring if everybody goes on as well as they can.

Two ways to the end of the round are played and noted, and the differences that speak for the better one are the
reasons, those that bring most points first.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from azulejos.rules.compiled import compiled, int64
from azulejos.rules.happenings import BONUS, MOST_HAPPENINGS, NUMBERS, step_noted
from azulejos.rules.state import MAX_PLAYERS, NOBODY, OVER, ROWS
from azulejos.rules.turn import FLOOR_SCORED, TILED
from azulejos.search.tree import record_of

SHEET: Final = record_of(
    ("rows", "i2", (MAX_PLAYERS, ROWS)),  # what each line scored on the wall
    ("floor", "i2", (MAX_PLAYERS,)),  # what the floor cost
    ("bonus", "i2", (MAX_PLAYERS,)),  # what the wall added at the end of the game
    ("starter", "i2"),  # who starts the next round, or NOBODY
    ("over", "i2"),  # 1 if the game ended
)
"""The record of what a round brought."""
REASON: Final = record_of(
    ("code", "i2"),
    ("seat", "i2"),  # whom it concerns
    ("row", "i2"),  # the line and row of the wall, if it concerns one
    ("points", "i2"),  # how many fewer for that seat; negative if more
)
"""The record of a reason."""
CODES: Final = (
    "line_open", "line_less", "floor", "bonus", "start", "other_line", "other_floor", "other_bonus", "ends", "goes_on",
    "later",
)  # fmt: skip
"""What the numbers of reasons mean: a line of one's own stays open, or scores less; more falls to one's floor; a bonus
is missed; somebody else starts the next round; another seat scores a line (more), loses less on its floor, gets a
bonus; the game ends now, or does not; nothing this round, but the position is worse."""
LINE_OPEN, LINE_LESS, FLOOR, BONUS_MISSED, START, OTHER_LINE, OTHER_FLOOR, OTHER_BONUS, ENDS, GOES_ON, LATER = range(
    len(CODES)
)
START_POINTS: Final = 1
"""What the first pick of the next round counts beside points, to bring the reasons into an order."""
END_POINTS: Final = 3
"""What the end of the game counts beside points, to bring the reasons into an order."""
MOST_REASONS: Final = 3
"""The most reasons that are given for one move."""
ROOM: Final = 2 * MAX_PLAYERS * ROWS
"""More than there can be."""


@compiled
def note_round(state: Any, line: Any, length: int, noted: NDArray[np.int16], sheet: Any) -> None:
    """Play actions and note on a sheet what they bring; the state is changed."""
    for seat in range(MAX_PLAYERS):
        sheet.floor[seat] = 0
        sheet.bonus[seat] = 0
        for row in range(ROWS):
            sheet.rows[seat, row] = 0
    for at in range(length):
        for happened in range(step_noted(state, int64(line[at]), noted)):
            kind, seat = int64(noted[happened, 0]), int64(noted[happened, 1])
            if kind == TILED:
                sheet.rows[seat, noted[happened, 2]] = noted[happened, 5] + noted[happened, 6]
            elif kind == FLOOR_SCORED:
                sheet.floor[seat] = noted[happened, 3]
            elif kind == BONUS:
                sheet.bonus[seat] = noted[happened, 5]
    sheet.over = 1 if state.phase == OVER else 0
    sheet.starter = NOBODY if state.phase == OVER else state.starter


@compiled
def find_reasons(played: Any, best: Any, mover: int, players: int, found: Any) -> int:
    """Compare what a round brought after the move that was played and after the best one; returns how many reasons.

    `found` has room for `ROOM`; the first `MOST_REASONS` of them are those that weigh most.
    """
    count = 0
    for seat in range(players):
        own = seat == mover
        sign = 1 if own else -1
        for row in range(ROWS):
            fewer = int64(best.rows[seat, row]) - int64(played.rows[seat, row])
            code = (LINE_OPEN if played.rows[seat, row] == 0 else LINE_LESS) if own else OTHER_LINE
            count = add_reason(found, count, code, seat, row, fewer, sign)
        fewer = int64(played.floor[seat]) - int64(best.floor[seat])
        count = add_reason(found, count, FLOOR if own else OTHER_FLOOR, seat, 0, fewer, sign)
        fewer = int64(best.bonus[seat]) - int64(played.bonus[seat])
        count = add_reason(found, count, BONUS_MISSED if own else OTHER_BONUS, seat, 0, fewer, sign)
    if played.over != best.over:
        count = add_reason(found, count, ENDS if played.over else GOES_ON, mover, 0, END_POINTS, 1)
    elif best.starter == mover and played.starter != mover and not played.over:
        count = add_reason(found, count, START, mover, 0, START_POINTS, 1)
    if count == 0:
        count = add_reason(found, count, LATER, mover, 0, 1, 1)
    sort_reasons(found, count)
    return min(count, MOST_REASONS)


@compiled
def add_reason(found: Any, count: int, code: int, seat: int, row: int, fewer: int, sign: int) -> int:
    """Write down a reason if it speaks against the move that was played; returns how many there are then."""
    if fewer * sign <= 0:
        return count
    reason = found[count]
    reason.code = code
    reason.seat = seat
    reason.row = row
    reason.points = fewer
    return count + 1


@compiled
def sort_reasons(found: Any, count: int) -> None:
    """Bring those that weigh most forward; those that weigh the same stay as they were."""
    for at in range(min(count, MOST_REASONS)):
        most = at
        for other in range(at + 1, count):
            if abs(int64(found[other].points)) > abs(int64(found[most].points)):
                most = other
        code, seat, row, points = found[most].code, found[most].seat, found[most].row, found[most].points
        for moved in range(most, at, -1):
            before = found[moved - 1]
            found[moved].code = before.code
            found[moved].seat = before.seat
            found[moved].row = before.row
            found[moved].points = before.points
        found[at].code = code
        found[at].seat = seat
        found[at].row = row
        found[at].points = points


def empty_notes() -> NDArray[np.int16]:
    """Room for what one step does."""
    return np.zeros((MOST_HAPPENINGS, NUMBERS), np.int16)
