"""R4: one step of the game. The phases glued together, and the legal actions of a state."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from azulejos.rules.actions import cell_number, color_of, column_of, draft_number, line_of, row_of, source_of
from azulejos.rules.compiled import compiled, int64
from azulejos.rules.ending import a_row_is_complete, bonus, is_stalled
from azulejos.rules.offer import draft, floor_penalty, legal_lines, offer_is_over
from azulejos.rules.state import (
    ACTIONS,
    COLORS,
    COLUMNS,
    DEAL_DUE,
    DRAFTING,
    DRAFTS,
    FLOORS,
    LINES,
    NOBODY,
    OVER,
    ROWS,
    SOURCES,
    TILING,
    State,
)
from azulejos.rules.tiling import complete_line, drop_line, legal_columns, lowest_bit, score_floor, tile_line

Advance = tuple[int, int, int, int, int, int, int]
"""What `advance` did: a kind, the seat, and up to five numbers."""
NOTHING: Final = 0
"""A decision or a deal is due, or the game is over."""
PASSED_ON: Final = 1
"""The seat has no complete line (any more)."""
TILED: Final = 2
"""Row, column, color, horizontal points, vertical points."""
FELL: Final = 3
"""Row, tiles that found a space on the floor, color."""
FLOOR_SCORED: Final = 4
"""Printed penalty, points really lost."""


@compiled
def act(state: State, action: int) -> tuple[int, int, int]:
    """Carry out one legal decision and nothing that follows from it by itself.

    Returns what `draft` returns, or for a tiling choice what `tile_line` returns and a 0.
    """
    if action < DRAFTS:
        happened = draft(state, source_of(action), color_of(action), line_of(action))
        if offer_is_over(state):
            state.phase = TILING
            state.seat = 0
        return happened
    horizontal, vertical = tile_line(state, int64(state.seat), row_of(action), column_of(action))
    return horizontal, vertical, 0


@compiled
def advance(state: State) -> Advance:
    """Do the next thing that happens without a decision, and say what it was.

    R23-R38, D7: the lines of seat 1, then seat 2, ...; then every floor; then the end of the round.
    """
    if state.phase == TILING:
        return advance_tiling(state, int64(state.seat))
    if state.phase == FLOORS:
        return advance_floors(state, int64(state.seat))
    return NOTHING, 0, 0, 0, 0, 0, 0


@compiled
def advance_tiling(state: State, seat: int) -> Advance:
    """R24-R28, G6, D14: one complete line of this seat, or on to the next seat; a choice is waited for."""
    row = complete_line(state, seat)
    if row == ROWS:
        if seat + 1 < state.players:
            state.seat = seat + 1
        else:
            state.phase = FLOORS
            state.seat = 0
        return PASSED_ON, seat, 0, 0, 0, 0, 0
    color = int64(state.line_color[seat, row])
    columns = legal_columns(state, seat, row, color)
    if columns == 0:
        return FELL, seat, row, drop_line(state, seat, row), color, 0, 0
    if columns & (columns - 1):
        return NOTHING, 0, 0, 0, 0, 0, 0
    column = lowest_bit(columns)
    horizontal, vertical = tile_line(state, seat, row, column)
    return TILED, seat, row, column, color, horizontal, vertical


@compiled
def advance_floors(state: State, seat: int) -> Advance:
    """R35-R39: the floor of this seat; after the last one the round is over."""
    penalty = floor_penalty(state, seat)
    lost = score_floor(state, seat)
    if seat + 1 < state.players:
        state.seat = seat + 1
    else:
        close_round(state)
    return FLOOR_SCORED, seat, penalty, lost, 0, 0, 0


@compiled
def close_round(state: State) -> None:
    """R38-R39, R42, D4, D9, D11: end the game or name the next starter; the marker goes back to the center."""
    starter = int64(state.starter) if state.marker == NOBODY else int64(state.marker)
    state.marker = NOBODY
    if a_row_is_complete(state) or is_stalled(state) or state.round_number >= state.max_rounds:
        for seat in range(int64(state.players)):
            state.score[seat] += bonus(state, seat)
        state.phase = OVER
        state.seat = 0
    else:
        state.phase = DEAL_DUE
        state.round_number += 1
        state.starter = starter
        state.seat = starter


@compiled
def step(state: State, action: int) -> None:
    """One legal decision and all that follows from it, up to the next decision, a due deal, or the end."""
    act(state, action)
    if state.phase != DRAFTING:
        while advance(state)[0] != NOTHING:
            pass


@compiled
def tiling_choice(state: State) -> tuple[int, int]:
    """G2-G5: the row whose tile the acting seat has to place, and its legal columns, one bit each."""
    seat = int64(state.seat)
    row = complete_line(state, seat)
    if row == ROWS:
        return row, 0
    return row, legal_columns(state, seat, row, int64(state.line_color[seat, row]))


@compiled
def legal_actions(state: State, actions: NDArray[np.int16]) -> int:
    """Write the legal action numbers in rising order; returns how many there are."""
    found = 0
    if state.phase == DRAFTING:
        for source in range(SOURCES):
            for color in range(COLORS):
                lines = legal_lines(state, source, color)
                for line in range(LINES):
                    if lines >> line & 1:
                        actions[found] = draft_number(source, color, line)
                        found += 1
    elif state.phase == TILING:
        row, columns = tiling_choice(state)
        for column in range(COLUMNS):
            if columns >> column & 1:
                actions[found] = cell_number(row, column)
                found += 1
    return found


@compiled
def legal_mask(state: State, mask: NDArray[np.uint8]) -> None:
    """Set `mask[action]` to 1 for every legal action and to 0 for all others."""
    for action in range(ACTIONS):
        mask[action] = 0
    mark_legal(state, mask)


@compiled
def mark_legal(state: State, mask: NDArray[np.uint8]) -> None:
    """Set `mask[action]` to 1 for every legal action, in a mask of zeros."""
    if state.phase == DRAFTING:
        for color in range(COLORS):
            held = int64(state.holds[color])
            source = 0
            while held >> source:  # where the color is not, no line is legal
                if held >> source & 1:
                    lines = legal_lines(state, source, color)
                    first = draft_number(source, color, 0)
                    for line in range(LINES):
                        mask[first + line] = lines >> line & 1
                source += 1
    elif state.phase == TILING:
        row, columns = tiling_choice(state)
        for column in range(COLUMNS):
            mask[cell_number(row, column)] = columns >> column & 1


@compiled
def is_legal(state: State, action: int) -> bool:
    """Whether an action number, any integer, is a legal action now."""
    if action < 0 or action >= ACTIONS:
        return False
    if state.phase == DRAFTING and action < DRAFTS:
        return legal_lines(state, source_of(action), color_of(action)) >> line_of(action) & 1 == 1
    if state.phase == TILING and action >= DRAFTS:
        row, columns = tiling_choice(state)
        return row_of(action) == row and columns >> column_of(action) & 1 == 1
    return False
