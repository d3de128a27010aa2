"""Symmetries of the gray wall: the colors change their names, the columns of all walls are mirrored; the game stays the
same. As tables: from where in the features, and from which action, the numbers of the changed position come.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from azulejos.net import features as f
from azulejos.rules.state import ACTIONS, COLORS, COLUMNS, DISPLAY_SIZE, DRAFTS, LINES, MAX_PLAYERS, ROWS, SOURCES

Order = Sequence[int]
"""For each place of a row the place that its content comes from."""

GRAY_AT: Final = f.TABLE_AT + 2 * COLORS + f.ROUNDS_SEEN + 5
"""The column of the features that says whether the wall is gray."""
SIDEWAYS: Final[tuple[Order, Order]] = (range(COLUMNS), range(COLUMNS)[::-1])
"""Columns as they are, and mirrored."""
NAMES: Final[tuple[tuple[Order, Order], ...]] = tuple(
    itertools.product(itertools.permutations(range(COLORS)), SIDEWAYS)
)
"""The symmetries: where each color and each column comes from. The first changes nothing."""


def _move(table: NDArray[Any], at: int, shape: tuple[int, ...], orders: dict[int, Order]) -> int:
    """Rearrange a block of a table, along each axis that has an order; returns where the next block begins."""
    end = at + int(np.prod(shape))
    block = table[at:end].reshape(shape)
    for axis, order in orders.items():
        block = block.take(order, axis)
    table[at:end] = block.ravel()
    return end


def _feature_row(colors: Order, columns: Order) -> NDArray[Any]:
    row = np.arange(f.FEATURES)
    _move(row, f.DISPLAYS_AT, (f.DISPLAYS, COLORS, DISPLAY_SIZE), {1: colors})
    _move(row, f.CENTER_AT, (COLORS, f.CENTER_COUNTS), {0: colors})
    _move(row, f.TABLE_AT, (2, COLORS), {1: colors})  # bag and lid
    for board in range(MAX_PLAYERS):
        at = f.BOARDS_AT + board * f.BOARD_WIDTH
        for _line in range(ROWS):
            at = _move(row, at, (COLORS,), {0: colors}) + f.LINE_WIDTH - COLORS
        at = _move(row, at, (ROWS, COLUMNS), {1: columns})  # cells
        at = _move(row, at, (ROWS, COLORS), {1: colors})  # color on row
        at = _move(row, at, (COLUMNS, COLORS), {0: columns, 1: colors})  # color in column
        at = _move(row, at, (ROWS, COLUMNS), {1: columns}) + ROWS  # worths; tiles of each row
        at = _move(row, at, (COLUMNS,), {0: columns})
        _move(row, at, (COLORS,), {0: colors})
    return row


def _action_row(colors: Order, columns: Order) -> NDArray[Any]:
    row = np.arange(ACTIONS)
    _move(row, 0, (SOURCES, COLORS, LINES), {1: colors})
    _move(row, DRAFTS, (ROWS, COLUMNS), {1: columns})
    return row


def feature_table() -> NDArray[np.int16]:
    """`changed[i]` is `features[table[symmetry, i]]`."""
    return np.array([_feature_row(*names) for names in NAMES], np.int16)


def action_table() -> NDArray[np.int16]:
    """What stands at action `a` of the changed position stood at `table[symmetry, a]`."""
    return np.array([_action_row(*names) for names in NAMES], np.int16)
