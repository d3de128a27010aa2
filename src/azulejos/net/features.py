"""What the network sees: a state from the acting seat's view as one row of small integers.

Boards stand in turn order, the acting seat's first; seats that nobody has are zero. Everything here is public (D12).
`SCALE` brings the numbers that are not 0 or 1 into that range. The version changes with the meaning of any column.

A wall is given by three 5 x 5 tables: which cells are occupied, which color lies on which row, which color in which
column. The rules ask for nothing else, on the colored wall nor on the gray one.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejos.rules.compiled import compiled, int64
from azulejos.rules.offer import floor_tiles
from azulejos.rules.state import (
    COLORS,
    COLUMNS,
    DEAL_DUE,
    DISPLAY_SIZE,
    FLOOR_SPACES,
    MAX_PLAYERS,
    NOBODY,
    ROW_BITS,
    ROWS,
    SOURCES,
    TILING,
    State,
    displays_for,
)
from azulejos.rules.tiling import cell_points, columns_with, complete_line, occupied_cells

FEATURES_VERSION: Final = 1
"""Rises with every change of the meaning of a column."""

DISPLAYS: Final = SOURCES - 1
"""Room for the displays of four players."""
DISPLAY_WIDTH: Final = COLORS * DISPLAY_SIZE
"""One column for each color and count of 1 to 4."""
CENTER_COUNTS: Final = 8
"""Counts of one color in the center that are told apart."""
CENTER_WIDTH: Final = COLORS * CENTER_COUNTS + 1
"""For each color "at least n" for n of 1 to 8; and the marker."""
LINE_WIDTH: Final = COLORS + 2
"""Columns of a pattern line: its color, free spaces, complete."""
BOARD_WIDTH: Final = ROWS * LINE_WIDTH + 4 * ROWS * COLUMNS + 3 * ROWS + FLOOR_SPACES + 3
"""Columns of a board."""
ROUNDS_SEEN: Final = 8
"""Later rounds look like this one."""
TABLE_WIDTH: Final = 2 * COLORS + ROUNDS_SEEN + 2 + 3 + 1 + ROWS
"""Columns of what belongs to nobody: bag, lid, round, what is due, players, wall, row."""


class Columns(NamedTuple):
    """The first columns of the parts of a row that has room for some displays and boards; the displays begin at 0."""

    center: int
    """The first column of the center."""
    table: int
    """The first column of bag, lid and the rest of the table."""
    boards: int
    """The first column of the boards."""
    width: int
    """All columns."""


def layout(players: int) -> Columns:
    """Where things are in a row for exactly so many players.

    >>> layout(2), layout(4).width == FEATURES
    (Columns(center=100, table=141, boards=170, width=490), True)
    """
    center = displays_for(players) * DISPLAY_WIDTH
    table = center + CENTER_WIDTH
    boards = table + TABLE_WIDTH
    return Columns(center, table, boards, boards + players * BOARD_WIDTH)


_DISPLAYS_FOR: Final = tuple(map(displays_for, range(MAX_PLAYERS + 1)))
DISPLAYS_AT: Final = 0
"""The first column of the displays."""
CENTER_AT, TABLE_AT, BOARDS_AT, FEATURES = layout(MAX_PLAYERS)
"""Where things are in the network's row, which has room for four players."""
PHASE_AT: Final = TABLE_AT + 2 * COLORS + ROUNDS_SEEN
"""The column that says tiling is due; the next one says a deal is."""


def columns_for(players: int) -> NDArray[np.int64]:
    """Which columns of the network's row one for exactly so many players has, in their order."""
    kept = layout(players)
    parts = (range(kept.center), range(CENTER_AT, BOARDS_AT + players * BOARD_WIDTH))
    return np.concatenate([np.arange(part.start, part.stop) for part in parts])


def _scales() -> NDArray[np.float32]:
    scale = np.ones(FEATURES, np.float32)
    scale[TABLE_AT : TABLE_AT + 2 * COLORS] = 1 / 20
    for board in range(MAX_PLAYERS):
        at = BOARDS_AT + board * BOARD_WIDTH
        for row in range(ROWS):
            scale[at + row * LINE_WIDTH + COLORS] = 1 / 5
        worths = at + ROWS * LINE_WIDTH + 3 * ROWS * COLUMNS
        scale[worths : worths + ROWS * COLUMNS] = 1 / 5
        counts = worths + ROWS * COLUMNS
        scale[counts : counts + 3 * ROWS] = 1 / 5
        scale[at + BOARD_WIDTH - 1] = 1 / 50
    return scale


SCALE: Final = _scales()
"""What each column of the network's row is multiplied with; `SCALE[columns_for(2)]` is that of a row for two."""


@compiled
def write_features(state: State, row: NDArray[Any]) -> None:
    """Write the features of a state into a row of `FEATURES` small integers."""
    _write_row(state, row, DISPLAYS, MAX_PLAYERS)


@compiled
def write_exact_features(state: State, row: NDArray[Any]) -> None:
    """Write the features of a state into a row for exactly its players: no displays and boards that nobody has."""
    players = int64(state.players)
    _write_row(state, row, _DISPLAYS_FOR[players], players)


@compiled
def _write_row(state: State, row: NDArray[Any], displays: int, boards: int) -> None:
    for source in range(1, displays + 1):
        for color in range(COLORS):
            at = (source - 1) * DISPLAY_WIDTH + color * DISPLAY_SIZE
            for count in range(DISPLAY_SIZE):
                row[at + count] = 1 if state.displays[source, color] == count + 1 else 0
    center = displays * DISPLAY_WIDTH
    for color in range(COLORS):
        for count in range(CENTER_COUNTS):
            row[center + color * CENTER_COUNTS + count] = 1 if state.displays[0, color] > count else 0
    row[center + CENTER_WIDTH - 1] = 1 if state.marker == NOBODY else 0
    _write_table(state, row, center + CENTER_WIDTH)
    players = int64(state.players)
    for turn in range(boards):
        at = center + CENTER_WIDTH + TABLE_WIDTH + turn * BOARD_WIDTH
        if turn < players:
            _write_board(state, (int64(state.seat) + turn) % players, row, at)
        else:
            for column in range(at, at + BOARD_WIDTH):
                row[column] = 0


@compiled
def _write_table(state: State, row: NDArray[Any], at: int) -> None:
    for color in range(COLORS):
        row[at + color] = state.bag[color]
        row[at + COLORS + color] = state.lid[color]
    at += 2 * COLORS
    for number in range(ROUNDS_SEEN):
        row[at + number] = 1 if state.round_number > number + 1 else 0
    at += ROUNDS_SEEN
    row[at] = 1 if state.phase == TILING else 0
    row[at + 1] = 1 if state.phase == DEAL_DUE else 0
    for players in range(3):
        row[at + 2 + players] = 1 if state.players == players + 2 else 0
    row[at + 5] = state.gray
    at += 6
    tiled = complete_line(state, int64(state.seat)) if state.phase == TILING else ROWS
    for line in range(ROWS):
        row[at + line] = 1 if line == tiled else 0


@compiled
def _write_board(state: State, seat: int, row: NDArray[Any], at: int) -> None:
    for line in range(ROWS):
        count = int64(state.line_count[seat, line])
        for color in range(COLORS):
            row[at + color] = 1 if count > 0 and state.line_color[seat, line] == color else 0
        row[at + COLORS] = line + 1 - count
        row[at + COLORS + 1] = 1 if count > line else 0
        at += LINE_WIDTH
    cells = occupied_cells(state, seat)
    for cell in range(ROWS * COLUMNS):
        row[at + cell] = cells >> cell & 1
    at += ROWS * COLUMNS
    for color in range(COLORS):
        mine = int64(state.wall[seat, color])
        columns = columns_with(mine)
        for line in range(ROWS):
            row[at + line * COLORS + color] = 1 if mine >> (COLUMNS * line) & ROW_BITS else 0
            row[at + ROWS * COLORS + line * COLORS + color] = columns >> line & 1
    at += 2 * ROWS * COLORS
    _write_worths(cells, row, at)
    at += ROWS * COLUMNS
    _write_counts(state, seat, cells, row, at)
    at += 3 * ROWS
    fallen = floor_tiles(state, seat) + (1 if state.marker == seat else 0)
    for space in range(FLOOR_SPACES):
        row[at + space] = 1 if fallen > space else 0
    at += FLOOR_SPACES
    row[at] = 1
    row[at + 1] = 1 if state.marker == seat else 0
    row[at + 2] = min(int64(state.score[seat]), 120)


@compiled
def _write_worths(cells: int, row: NDArray[Any], at: int) -> None:
    """What a tile on each free cell would score now."""
    for line in range(ROWS):
        for column in range(COLUMNS):
            cell = COLUMNS * line + column
            worth = 0
            if cells >> cell & 1 == 0:
                horizontal, vertical = cell_points(cells | 1 << cell, line, column)
                worth = horizontal + vertical
            row[at + cell] = worth


@compiled
def _write_counts(state: State, seat: int, cells: int, row: NDArray[Any], at: int) -> None:
    """How many tiles each row, column and color of the wall has."""
    for line in range(ROWS):
        in_row = 0
        in_column = 0
        for other in range(COLUMNS):
            in_row += cells >> (COLUMNS * line + other) & 1
            in_column += cells >> (COLUMNS * other + line) & 1
        row[at + line] = in_row
        row[at + ROWS + line] = in_column
    for color in range(COLORS):
        mine = int64(state.wall[seat, color])
        tiles = 0
        for line in range(ROWS):
            tiles += 1 if mine >> (COLUMNS * line) & ROW_BITS else 0
        row[at + 2 * ROWS + color] = tiles
