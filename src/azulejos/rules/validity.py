"""Can this position be? Every fault of a state as numbers: which one, whose board, and what its sentence names.

A state that somebody wrote down lacks what follows from its other fields; `complete` sets that, if nothing is wrong.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from azulejos.rules.compiled import compiled, inlined, int64
from azulejos.rules.ending import is_stalled
from azulejos.rules.offer import derive_open, floor_tiles
from azulejos.rules.random_play import bit_count
from azulejos.rules.state import (
    CENTER,
    COLORS,
    COLUMN_BITS,
    COLUMNS,
    DEAL_DUE,
    DISPLAY_SIZE,
    DRAFTING,
    FLOOR_SPACES,
    MAX_PLAYERS,
    NO_ROUND_LIMIT,
    NOBODY,
    OVER,
    ROW_BITS,
    ROWS,
    SOURCES,
    TILES_PER_COLOR,
    TILING,
    State,
)
from azulejos.rules.supply import bag_size
from azulejos.rules.tiling import complete_line, occupied_cells, printed_column
from azulejos.rules.turn import tiling_choice

HIGHEST_SCORE: Final = 240
"""No score can be higher."""
NUMBERS: Final = 5
"""Numbers in the row of a fault: its code, the seat whose board has it or `NOBODY`, and what its sentence names."""
MOST_FAULTS: Final = 512
"""Room for more faults than a state can have."""

TOO_MANY_TILES: Final = 0
"""There are more tiles of a color than the game has; names tiles and color."""
NO_MARKER: Final = 1
"""The starting-player marker is nowhere."""
SEVERAL_MARKERS: Final = 2
"""There are several starting-player markers; names how many."""
FULL_DISPLAY: Final = 3
"""A display holds more tiles than it has room for; names display and tiles."""
NO_SUCH_ROUND: Final = 4
"""The number of the round is too high; names it."""
NO_SUCH_SEAT: Final = 5
"""The seat to act is not in the game; names the seat, and how many there are."""
NO_SUCH_STARTER: Final = 6
"""The starter is not in the game; names the seat, and how many there are."""
SCORE_TOO_HIGH: Final = 7
"""A score is higher than any can be; names it."""
FULL_FLOOR: Final = 8
"""A floor has more tiles than spaces; names the tiles."""
TWICE_IN_ROW: Final = 9
"""A color lies twice in a row of a wall; names color and row."""
TWICE_IN_COLUMN: Final = 10
"""A color lies twice in a column of a wall; names color and column."""
WRONG_CELL: Final = 11
"""A tile lies on a cell of the colored wall that has another color; names color, row and column."""
FULL_LINE: Final = 12
"""A line has more tiles than spaces; names tiles and line."""
COLOR_ON_ROW: Final = 13
"""A line holds a color that is on its row of the wall; names color, line and row."""
LINE_NOT_TILED: Final = 14
"""A line is complete but not tiled; names the line."""
ROW_TOO_SOON: Final = 15
"""A row of a wall is complete before the end of the round; names the row."""
ROW_TOO_FAST: Final = 16
"""A row of a wall has more tiles than rounds could bring; names tiles, row and rounds."""
ROW_TOO_FAST_FOR_ONE: Final = 17
"""A row of a wall has more tiles than a single round could bring; names tiles and row."""
NOTHING_TO_DRAFT: Final = 18
"""There is nothing to draft, so the round is over."""
SHORT_DISPLAY: Final = 19
"""A display holds fewer tiles than it was filled with; names display and tiles."""
UNFILLED_DISPLAY: Final = 20
"""A display is short although there were tiles to fill it; names the display."""
FULL_CENTER: Final = 21
"""The center has more tiles than the emptied displays left; names tiles and emptied displays."""
NOT_STARTED: Final = 22
"""Another seat than the starter is to act before the first draft; names both seats."""
MARKER_TAKEN: Final = 23
"""The starting-player marker is taken before the first draft."""
FALLEN_TOO_SOON: Final = 24
"""Tiles lie on a floor before the first draft."""
LINE_TOO_SOON: Final = 25
"""A line is complete before the first draft; names the line."""
TILES_LEFT: Final = 26
"""Tiles lie on displays or in the center after the round."""
MARKER_AWAY: Final = 27
"""The starting-player marker is not in the center when a deal is due."""
FLOOR_NOT_EMPTY: Final = 28
"""Tiles lie on a floor that has been scored."""
CHOICE_ON_COLORED: Final = 29
"""A tiling choice is due on the colored wall, which leaves none."""
NO_CHOICE: Final = 30
"""The seat to act has no complete line with a choice of columns; names the seat."""
OTHER_STARTER: Final = 31
"""Another seat than the next starter is to act while a deal is due; names both seats."""
STALLED: Final = 32
"""Nothing can change any more, so the game is over."""


@compiled
def complete(state: State, round_number: int, markers: int, found: NDArray[np.int32]) -> int:
    """Write every fault of a state, or set its `lid`, `holds` and `open` if it has none; returns how many there are.

    The number of the round and the count of the markers may be more than the state can hold.
    """
    count = tile_faults(state, markers, found)
    count = turn_faults(state, round_number, found, count)
    for seat in range(int64(state.players)):
        count = board_faults(state, seat, round_number, found, count)
    if count > 0:
        return count
    derive_lid(state)
    derive_open(state)
    if state.phase == DRAFTING:
        return drafting_faults(state, found)
    return after_offer_faults(state, found)


@inlined
def note(
    found: NDArray[np.int32], count: int, code: int, seat: int, first: int = 0, second: int = 0, third: int = 0
) -> int:
    """Write one fault; returns how many there are now."""
    found[count, 0] = code
    found[count, 1] = seat
    found[count, 2] = first
    found[count, 3] = second
    found[count, 4] = third
    return count + 1


@compiled
def seen_tiles(state: State, color: int) -> int:
    """How many tiles of a color are on the table and in the bag."""
    tiles = int64(state.bag[color])
    for source in range(SOURCES):
        tiles += int64(state.displays[source, color])
    for seat in range(MAX_PLAYERS):
        tiles += int64(state.floor[seat, color]) + bit_count(int64(state.wall[seat, color]))
        for row in range(ROWS):
            if state.line_color[seat, row] == color:
                tiles += int64(state.line_count[seat, row])
    return tiles


@compiled
def derive_lid(state: State) -> None:
    """The tiles that are nowhere else lie in the lid."""
    for color in range(COLORS):
        state.lid[color] = TILES_PER_COLOR - seen_tiles(state, color)


@compiled
def source_tiles(state: State, source: int) -> int:
    """How many tiles a source holds."""
    tiles = 0
    for color in range(COLORS):
        tiles += int64(state.displays[source, color])
    return tiles


@compiled
def tile_faults(state: State, markers: int, found: NDArray[np.int32]) -> int:
    """More of something than there is."""
    count = 0
    for color in range(COLORS):
        seen = seen_tiles(state, color)
        if seen > TILES_PER_COLOR:
            count = note(found, count, TOO_MANY_TILES, NOBODY, seen, color)
    if markers == 0:
        count = note(found, count, NO_MARKER, NOBODY)
    elif markers > 1:
        count = note(found, count, SEVERAL_MARKERS, NOBODY, markers)
    for source in range(CENTER + 1, SOURCES):
        tiles = source_tiles(state, source)
        if tiles > DISPLAY_SIZE:
            count = note(found, count, FULL_DISPLAY, NOBODY, source - 1, tiles)
    return count


@compiled
def turn_faults(state: State, round_number: int, found: NDArray[np.int32], count: int) -> int:
    """A round or a seat that no game has."""
    players = int64(state.players)
    if round_number > NO_ROUND_LIMIT:
        count = note(found, count, NO_SUCH_ROUND, NOBODY, round_number)
    if state.seat >= players:
        count = note(found, count, NO_SUCH_SEAT, NOBODY, int64(state.seat), players)
    if state.starter >= players:
        count = note(found, count, NO_SUCH_STARTER, NOBODY, int64(state.starter), players)
    return count


@compiled
def board_faults(state: State, seat: int, round_number: int, found: NDArray[np.int32], count: int) -> int:
    """What is wrong with one board."""
    score = int64(state.score[seat])
    if score > HIGHEST_SCORE:
        count = note(found, count, SCORE_TOO_HIGH, seat, score)
    fallen = floor_tiles(state, seat)
    if fallen > FLOOR_SPACES:
        count = note(found, count, FULL_FLOOR, seat, fallen)
    count = wall_faults(state, seat, found, count)
    for row in range(ROWS):
        count = line_faults(state, seat, row, found, count)
        count = row_faults(state, seat, row, round_number, found, count)
    return count


@compiled
def wall_faults(state: State, seat: int, found: NDArray[np.int32], count: int) -> int:
    """R26, G2, G3: a color twice in a row or a column, or where the colored wall has another one."""
    for row in range(ROWS):
        for color in range(COLORS):
            if bit_count(int64(state.wall[seat, color]) >> (COLUMNS * row) & ROW_BITS) > 1:
                count = note(found, count, TWICE_IN_ROW, seat, color, row)
    for column in range(COLUMNS):
        for color in range(COLORS):
            if bit_count(int64(state.wall[seat, color]) >> column & COLUMN_BITS) > 1:
                count = note(found, count, TWICE_IN_COLUMN, seat, color, column)
    if state.gray:
        return count
    for row in range(ROWS):
        for column in range(COLUMNS):
            for color in range(COLORS):
                there = int64(state.wall[seat, color]) >> (COLUMNS * row + column) & 1
                if there and printed_column(row, color) != column:
                    count = note(found, count, WRONG_CELL, seat, color, row, column)
    return count


@compiled
def line_faults(state: State, seat: int, row: int, found: NDArray[np.int32], count: int) -> int:
    """R13, R17, R25: what is wrong with a pattern line."""
    tiles = int64(state.line_count[seat, row])
    color = int64(state.line_color[seat, row])
    if tiles > row + 1:
        count = note(found, count, FULL_LINE, seat, tiles, row)
    if tiles > 0 and int64(state.wall[seat, color]) >> (COLUMNS * row) & ROW_BITS:
        count = note(found, count, COLOR_ON_ROW, seat, color, row, row)
    if tiles == row + 1 and (state.phase == DEAL_DUE or is_tiled(state, seat, row)):
        count = note(found, count, LINE_NOT_TILED, seat, row)
    return count


@compiled
def row_faults(state: State, seat: int, row: int, round_number: int, found: NDArray[np.int32], count: int) -> int:
    """R38: a complete row ends the game with its round; and a row gets at most one tile a round."""
    tiled = is_tiled(state, seat, row)
    tiles = bit_count(occupied_cells(state, seat) >> (COLUMNS * row) & ROW_BITS)
    rounds = round_number if tiled else round_number - 1
    if tiles == COLUMNS and not tiled:
        count = note(found, count, ROW_TOO_SOON, seat, row)
    if tiles > rounds and rounds == 1:
        count = note(found, count, ROW_TOO_FAST_FOR_ONE, seat, tiles, row)
    elif tiles > rounds:
        count = note(found, count, ROW_TOO_FAST, seat, tiles, row, rounds)
    return count


@compiled
def is_tiled(state: State, seat: int, row: int) -> bool:
    """Whether this row has had its tile of the round that the position is in."""
    acting = int64(state.seat)
    if state.phase != TILING:
        return int64(state.phase) == OVER
    if seat != acting:
        return seat < acting
    return row < complete_line(state, seat)


@compiled
def drafting_faults(state: State, found: NDArray[np.int32]) -> int:
    """What cannot be on the table while tiles are drafted."""
    count = 0
    center = source_tiles(state, CENTER)
    touched = 0  # displays that hold nothing
    short = 0  # the last source with too few tiles
    behind = 0  # tiles on the displays after it
    displays = 0  # tiles on all of them
    for source in range(CENTER + 1, 2 * int64(state.players) + 2):
        tiles = source_tiles(state, source)
        displays += tiles
        behind += tiles
        if tiles == 0:
            touched += 1
        elif tiles < DISPLAY_SIZE:
            short = source
            behind = 0
    if center + displays == 0:
        count = note(found, count, NOTHING_TO_DRAFT, NOBODY)
    for source in range(CENTER + 1, short):
        tiles = source_tiles(state, source)
        if 0 < tiles < DISPLAY_SIZE:
            count = note(found, count, SHORT_DISPLAY, NOBODY, source - 1, tiles)
    if short and bag_size(state) + behind > 0:
        count = note(found, count, UNFILLED_DISPLAY, NOBODY, short - 1)
    if center > touched * (DISPLAY_SIZE - 1):
        count = note(found, count, FULL_CENTER, NOBODY, center, touched)
    if touched == 0:
        count = undrafted_faults(state, found, count)
    return count


@compiled
def undrafted_faults(state: State, found: NDArray[np.int32], count: int) -> int:
    """What cannot be before the first draft of a round."""
    if state.seat != state.starter:
        count = note(found, count, NOT_STARTED, NOBODY, int64(state.seat), int64(state.starter))
    if state.marker != NOBODY:
        count = note(found, count, MARKER_TAKEN, NOBODY)
    for seat in range(int64(state.players)):
        if floor_tiles(state, seat) > 0:
            count = note(found, count, FALLEN_TOO_SOON, seat)
        for row in range(ROWS):
            if state.line_count[seat, row] == row + 1:
                count = note(found, count, LINE_TOO_SOON, seat, row)
    return count


@compiled
def after_offer_faults(state: State, found: NDArray[np.int32]) -> int:
    """What cannot be when nothing is to be drafted."""
    count = 0
    tiles = 0
    for source in range(SOURCES):
        tiles += source_tiles(state, source)
    if tiles > 0:
        count = note(found, count, TILES_LEFT, NOBODY)
    if state.phase == TILING:
        return choice_faults(state, found, count)
    if state.marker != NOBODY:
        count = note(found, count, MARKER_AWAY, NOBODY)
    for seat in range(int64(state.players)):
        if floor_tiles(state, seat) > 0:
            count = note(found, count, FLOOR_NOT_EMPTY, seat)
    if state.phase == DEAL_DUE:
        if state.seat != state.starter:
            count = note(found, count, OTHER_STARTER, NOBODY, int64(state.seat), int64(state.starter))
        if is_stalled(state):
            count = note(found, count, STALLED, NOBODY)
    return count


@compiled
def choice_faults(state: State, found: NDArray[np.int32], count: int) -> int:
    """D14: a tiling choice where nothing is to be chosen."""
    if not state.gray:
        return note(found, count, CHOICE_ON_COLORED, NOBODY)
    row, columns = tiling_choice(state)
    if row == ROWS or bit_count(columns) < 2:
        count = note(found, count, NO_CHOICE, NOBODY, int64(state.seat))
    return count
