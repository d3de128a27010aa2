"""A hand-made evaluation of the end of a round: what each seat's board promises, and who is likely to win.

The features are made by hand, their weights fitted to games of the quick policy by `benchmarks/fit_evaluation.py`: one
row for each number of players, wall and round. The prediction is a final score for each seat; the shares of the victory
are the softmax of these scores.
"""

from __future__ import annotations

import functools
import math
from importlib import resources
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from azulejos.rules.compiled import compiled, int64
from azulejos.rules.random_play import bit_count
from azulejos.rules.state import COLUMN_BITS, COLUMNS, ROW_BITS, ROWS, State
from azulejos.rules.tiling import cell_points, legal_columns, occupied_cells
from azulejos.search.policy import line_value

ROUND_ROWS: Final = 7
"""Rounds 1 to 6 have weights of their own, all later ones share the last."""
CONSTANT: Final = 0
"""The column that is always one."""
ROWS_WITH: Final = 1
"""The first of four columns: how many rows have 1, 2, 3, 4 tiles."""
COLUMNS_WITH: Final = 5
"""The first of four columns: how many columns of the wall have 1, 2, 3, 4 tiles."""
COLORS_WITH: Final = 9
"""The first of four columns: how many colors have 1, 2, 3, 4 tiles."""
PROSPECT: Final = 13
"""What the best free cell of each row would score, summed."""
LINES_FILLED: Final = 14
"""The filled part of each line."""
LINES_PROMISE: Final = 19
"""What the started lines are worth, by their filled part."""
STARTS: Final = 20
"""Whether the seat begins the next round."""
LONGEST_ROW: Final = 21
"""Tiles in its fullest row."""
OTHERS_LONGEST_ROW: Final = 22
"""Tiles in the fullest row of anybody else."""
STUCK: Final = 23
"""Started lines that no column can take (gray wall)."""
SEAT_FEATURES: Final = 24
"""How many there are."""
TEMPERATURE: Final = SEAT_FEATURES
"""Behind the weights of a row: the temperature of the softmax."""


@compiled
def longest_row(cells: int) -> int:
    """The number of tiles in the fullest row of a wall."""
    most = 0
    for row in range(ROWS):
        most = max(most, bit_count(cells >> (COLUMNS * row) & ROW_BITS))
    return most


@compiled
def seat_features(state: State, seat: int, row: Any) -> None:
    """Write what matters of a board at the end of a round into a row of `SEAT_FEATURES` numbers."""
    for at in range(SEAT_FEATURES):
        row[at] = 0.0
    row[CONSTANT] = 1.0
    cells = occupied_cells(state, seat)
    for line in range(ROWS):
        in_row = bit_count(cells >> (COLUMNS * line) & ROW_BITS)
        in_column = bit_count(cells >> line & COLUMN_BITS)
        of_color = bit_count(int64(state.wall[seat, line]))
        if 0 < in_row < COLUMNS:
            row[ROWS_WITH + in_row - 1] += 1.0
        if 0 < in_column < ROWS:
            row[COLUMNS_WITH + in_column - 1] += 1.0
        if 0 < of_color < ROWS:
            row[COLORS_WITH + of_color - 1] += 1.0
        row[PROSPECT] += best_cell(cells, line)
        count = int64(state.line_count[seat, line])
        if count > 0:
            color = int64(state.line_color[seat, line])
            row[LINES_FILLED + line] = count / (line + 1)
            row[LINES_PROMISE] += count / (line + 1) * line_value(state, seat, cells, line, color)
            if legal_columns(state, seat, line, color) == 0:
                row[STUCK] += 1.0
    row[STARTS] = 1.0 if state.seat == seat else 0.0
    row[LONGEST_ROW] = longest_row(cells)
    for other in range(int64(state.players)):
        if other != seat:
            row[OTHERS_LONGEST_ROW] = max(row[OTHERS_LONGEST_ROW], longest_row(occupied_cells(state, other)))


@compiled
def best_cell(cells: int, row: int) -> int:
    """What the best free cell of a row would score."""
    best = 0
    for column in range(COLUMNS):
        cell = 1 << (COLUMNS * row + column)
        if cells & cell == 0:
            horizontal, vertical = cell_points(cells | cell, row, column)
            best = max(best, horizontal + vertical)
    return best


@compiled
def weights_row(state: State) -> int:
    """The row of weights for a state."""
    config = (int64(state.players) - 2) * 2 + int64(state.gray)
    return config * ROUND_ROWS + min(int64(state.round_number), ROUND_ROWS) - 1


@compiled
def predict(state: State, weights: NDArray[np.float32], scratch: Any, outcome: Any) -> None:
    """Write shares of the victory and margins of a round's end into `outcome`, the acting seat's turn first."""
    players = int64(state.players)
    which = weights_row(state)
    for turn in range(players):
        seat = (int64(state.seat) + turn) % players
        seat_features(state, seat, scratch)
        final = float(state.score[seat])
        for at in range(SEAT_FEATURES):
            final += weights[which, at] * scratch[at]
        outcome[1, turn] = final
    finish_outcome(outcome, players, float(weights[which, TEMPERATURE]))


@compiled
def finish_outcome(outcome: Any, players: int, temperature: float) -> None:
    """Turn expected scores in `outcome[1]` into shares of the victory and margins."""
    leader = 0
    for turn in range(1, players):
        if outcome[1, turn] > outcome[1, leader]:
            leader = turn
    highest = float(outcome[1, leader])
    second = -1e30
    total = 0.0
    for turn in range(players):
        if turn != leader:
            second = max(second, float(outcome[1, turn]))
        outcome[0, turn] = math.exp((float(outcome[1, turn]) - highest) / temperature)
        total += outcome[0, turn]
    for turn in range(players):
        outcome[0, turn] /= total
        outcome[1, turn] -= second if turn == leader else highest


@functools.cache
def evaluation_weights() -> NDArray[np.float32]:
    """The fitted weights."""
    with resources.files("azulejos.search").joinpath("evaluation.npy").open("rb") as file:
        weights: NDArray[np.float32] = np.load(file, allow_pickle=False)
    return weights
