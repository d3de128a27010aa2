"""What every legal move would do, in one compiled call: a page is told all of it after each move."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from azulejos.game.game import MOST_MOVES
from azulejos.rules import state as s
from azulejos.rules.compiled import compiled, int64
from azulejos.rules.offer import floor_penalty
from azulejos.rules.state import CENTER, COLORS, COLUMNS, DRAFTS, FLOOR, NOBODY
from azulejos.rules.tiling import legal_columns, line_worth
from azulejos.rules.turn import LINES, act, legal_actions

NUMBERS: Final = 8
"""Action number, taken, placed, marker, cost, completes, columns (one bit each), points: as in `happening.Preview`."""


def previews_of(states: s.States) -> list[list[int]]:
    """The numbers of each legal move of the first state, by rising action number."""
    found = np.zeros((MOST_MOVES, NUMBERS), np.int64)
    actions = np.zeros(MOST_MOVES, np.int16)
    count = preview_each(states, np.zeros(1, s.STATE), actions, found)
    numbers: list[list[int]] = found[:count].tolist()
    return numbers


@compiled
def preview_each(states: s.States, after: s.States, actions: NDArray[np.int16], found: NDArray[np.int64]) -> int:
    """Try each legal action on a copy and note what it did; returns how many there are."""
    count = legal_actions(states[0], actions)
    for at in range(count):
        after[0] = states[0]
        action = int64(actions[at])
        first, second, _ = act(after[0], action)
        found[at, 0] = action
        if action < DRAFTS:
            note_draft(states, after, action, first, second, found[at])
        else:
            found[at, 5] = 1
            found[at, 6] = 1 << (action - DRAFTS) % COLUMNS
            found[at, 7] = first + second
    return count


@compiled
def note_draft(
    states: s.States, after: s.States, action: int, taken: int, placed: int, note: NDArray[np.int64]
) -> None:
    """The numbers of a draft that was just tried."""
    seat = int64(states[0].seat)
    row = action % LINES
    note[1] = taken
    note[2] = placed
    note[3] = 1 if action // (COLORS * LINES) == CENTER and states[0].marker == NOBODY else 0
    note[4] = floor_penalty(after[0], seat) - floor_penalty(states[0], seat)
    if row != FLOOR and after[0].line_count[seat, row] > row:
        note[5] = 1
        note[6] = legal_columns(after[0], seat, row, action // LINES % COLORS)
        note[7] = line_worth(after[0], seat, row)
