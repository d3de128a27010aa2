"""R38, R42, R43, D9, D13: is the game over, what the wall adds at the end, who has won."""

from __future__ import annotations

from azulejos.rules.compiled import compiled, int64
from azulejos.rules.state import (
    COLOR_BONUS,
    COLORS,
    COLUMN_BITS,
    COLUMN_BONUS,
    COLUMNS,
    DRAFTING,
    ENDED_BY_LIMIT,
    ENDED_BY_ROW,
    ENDED_STALLED,
    ROW_BITS,
    ROW_BONUS,
    ROWS,
    TILING,
    State,
)
from azulejos.rules.tiling import columns_with, legal_columns, occupied_cells


@compiled
def complete_rows(state: State, seat: int) -> int:
    """How many rows of a wall are complete."""
    cells = occupied_cells(state, seat)
    rows = 0
    for row in range(ROWS):
        if cells >> (COLUMNS * row) & ROW_BITS == ROW_BITS:
            rows += 1
    return rows


@compiled
def complete_columns(state: State, seat: int) -> int:
    """How many columns of a wall are complete."""
    cells = occupied_cells(state, seat)
    columns = 0
    for column in range(COLUMNS):
        if cells >> column & COLUMN_BITS == COLUMN_BITS:
            columns += 1
    return columns


@compiled
def complete_colors(state: State, seat: int) -> int:
    """How many colors have all five tiles on a wall; no color is twice in a column, so five columns are enough."""
    colors = 0
    for color in range(COLORS):
        if columns_with(int64(state.wall[seat, color])) == ROW_BITS:
            colors += 1
    return colors


@compiled
def bonus(state: State, seat: int) -> int:
    """R42: what a wall adds to the score at the end."""
    return (
        ROW_BONUS * complete_rows(state, seat)
        + COLUMN_BONUS * complete_columns(state, seat)
        + COLOR_BONUS * complete_colors(state, seat)
    )


@compiled
def a_row_is_complete(state: State) -> bool:
    """R38: whether any player has completed a row."""
    for seat in range(int64(state.players)):
        if complete_rows(state, seat) > 0:
            return True
    return False


@compiled
def rows_to_complete(state: State, seat: int) -> int:
    """R38: the rows whose line is complete and brings the one tile that the wall row lacks, one bit each; not by G6."""
    cells = occupied_cells(state, seat)
    rows = 0
    for row in range(ROWS):
        free = ~(cells >> (COLUMNS * row)) & ROW_BITS
        if int64(state.line_count[seat, row]) > row and free != 0 and free & (free - 1) == 0:
            color = int64(state.line_color[seat, row])
            if columns_with(int64(state.wall[seat, color])) & free == 0:
                rows |= 1 << row
    return rows


@compiled
def is_last_round(state: State) -> bool:
    """R38: whether this round completes a row as things are, which ends the game."""
    if state.phase in (DRAFTING, TILING):
        for seat in range(int64(state.players)):
            if rows_to_complete(state, seat) != 0:
                return True
    return False


@compiled
def can_be_last_round(state: State) -> bool:
    """R38, D11: whether this round could end the game: a row gets one tile in a round. That it stalls is left aside."""
    if state.round_number >= state.max_rounds:
        return True
    for seat in range(int64(state.players)):
        cells = occupied_cells(state, seat)
        for row in range(ROWS):
            free = ~(cells >> (COLUMNS * row)) & ROW_BITS
            if free & (free - 1) == 0:
                return True
    return False


@compiled
def row_is_dead(state: State, seat: int, row: int) -> bool:
    """D9: whether no tile that can still be dealt will ever change this row."""
    if state.line_count[seat, row] > 0:
        color = int64(state.line_color[seat, row])
        if state.bag[color] + state.lid[color] == 0:
            return True
    for color in range(COLORS):
        on_row = int64(state.wall[seat, color]) >> (COLUMNS * row) & ROW_BITS
        if on_row == 0 and state.bag[color] + state.lid[color] > 0 and legal_columns(state, seat, row, color):
            return False
    return True


@compiled
def is_stalled(state: State) -> bool:
    """D9: whether every row of every player is dead."""
    for seat in range(int64(state.players)):
        for row in range(ROWS):
            if not row_is_dead(state, seat, row):
                return False
    return True


@compiled
def end_reason(state: State) -> int:
    """R38, D9, D11: why a finished game ended."""
    if a_row_is_complete(state):
        return ENDED_BY_ROW
    if is_stalled(state):
        return ENDED_STALLED
    return ENDED_BY_LIMIT


@compiled
def rank_key(state: State, seat: int) -> int:
    """R43, D13: a number that orders the players; equal numbers share the victory."""
    return int64(state.score[seat]) * (ROWS + 1) + complete_rows(state, seat)


@compiled
def winners_among(state: State, among: int) -> int:
    """R43, D13: the winning seats among some seats, one bit each."""
    best = -1
    seats = 0
    for seat in range(int64(state.players)):
        if among >> seat & 1 == 0:
            continue
        key = rank_key(state, seat)
        if key > best:
            best = key
            seats = 0
        if key == best:
            seats |= 1 << seat
    return seats


@compiled
def winners(state: State) -> int:
    """R43, D13: the winning seats, one bit each."""
    return winners_among(state, (1 << int64(state.players)) - 1)
