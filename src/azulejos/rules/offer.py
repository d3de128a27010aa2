"""R6-R22, D1-D3: the factory offer. Which drafts are legal; taking, placing and dropping tiles."""

from __future__ import annotations

from azulejos.rules.compiled import compiled, int64
from azulejos.rules.state import (
    ALL_LINES,
    CENTER,
    COLORS,
    COLUMNS,
    FLOOR,
    FLOOR_SPACES,
    MAX_PLAYERS,
    NOBODY,
    PENALTY,
    ROW_BITS,
    ROWS,
    SOURCES,
    State,
)


@compiled
def take(state: State, source: int, color: int) -> int:
    """R9-R12: take all tiles of a color from a source, and the marker if it lies there; returns how many."""
    count = int64(state.displays[source, color])
    state.displays[source, color] = 0
    if source == CENTER:
        state.holds[color] = int64(state.holds[color]) & ~1
        if state.marker == NOBODY:
            state.marker = state.seat
    else:
        for other in range(COLORS):
            rest = state.displays[source, other]
            state.displays[CENTER, other] += rest
            state.displays[source, other] = 0
            state.holds[other] = (int64(state.holds[other]) & ~(1 << source)) | (1 if rest > 0 else 0)
    return count


@compiled
def place(state: State, seat: int, color: int, row: int, count: int) -> int:
    """R13-R16: put tiles on a pattern line as far as it goes; returns how many found room."""
    before = int64(state.line_count[seat, row])
    placed = min(count, row + 1 - before)
    state.line_count[seat, row] = before + placed
    if before == 0:
        state.line_color[seat, row] = color
        for other in range(COLORS):
            if other != color:
                close_line(state, seat, other, row)
    if before + placed == row + 1:
        close_line(state, seat, color, row)
    return placed


@compiled
def close_line(state: State, seat: int, color: int, row: int) -> None:
    """A line accepts this color no more."""
    state.open[seat, color] = int64(state.open[seat, color]) & ~(1 << row)


@compiled
def floor_tiles(state: State, seat: int) -> int:
    """How many tiles lie on a floor, the marker not counted."""
    tiles = 0
    for color in range(COLORS):
        tiles += int64(state.floor[seat, color])
    return tiles


@compiled
def penalty_for(fallen: int) -> int:
    """R35, D3: what so many fallen tiles cost; the marker counts as one while there is a space for it."""
    return PENALTY[min(fallen, FLOOR_SPACES)]


@compiled
def floor_penalty(state: State, seat: int) -> int:
    """R35: what a floor costs."""
    return penalty_for(floor_tiles(state, seat) + (1 if state.marker == seat else 0))


@compiled
def drop(state: State, seat: int, color: int, count: int) -> int:
    """R20, R21: tiles fall to the floor, and past its last space to the lid; returns how many found a space."""
    free = FLOOR_SPACES - floor_tiles(state, seat)
    if state.marker == seat:
        free -= 1
    kept = min(count, max(free, 0))
    state.floor[seat, color] += kept
    state.lid[color] += count - kept
    return kept


@compiled
def draft(state: State, source: int, color: int, line: int) -> tuple[int, int, int]:
    """R8-R21: one whole turn of the offer; the next seat is to act.

    Returns how many tiles were taken, how many went to the line, and how many to a space on the floor.
    """
    seat = int64(state.seat)
    taken = take(state, source, color)
    placed = 0
    if line != FLOOR:
        placed = place(state, seat, color, line, taken)
    kept = 0
    if taken > placed:
        kept = drop(state, seat, color, taken - placed)
    state.seat = (seat + 1) % int64(state.players)
    return taken, placed, kept


@compiled
def legal_lines(state: State, source: int, color: int) -> int:
    """R8, R15-R19, D2: the lines a color of a source may go to, one bit each, bit 5 for the floor."""
    if int64(state.holds[color]) >> source & 1:
        return int64(state.open[state.seat, color])
    return 0


@compiled
def derive_open(state: State) -> None:
    """R15-R17: set `holds` and `open` from the fields that they follow from."""
    for color in range(COLORS):
        state.holds[color] = 0
        for source in range(SOURCES):
            if state.displays[source, color] > 0:
                state.holds[color] |= 1 << source
    for seat in range(MAX_PLAYERS):
        for color in range(COLORS):
            state.open[seat, color] = ALL_LINES
            for row in range(ROWS):
                count = int64(state.line_count[seat, row])
                other_color = count > 0 and state.line_color[seat, row] != color
                on_row = int64(state.wall[seat, color]) >> (COLUMNS * row) & ROW_BITS
                if other_color or count > row or on_row:
                    close_line(state, seat, color, row)


@compiled
def offer_is_over(state: State) -> bool:
    """R22: no source holds a tile; the marker alone does not count."""
    held = 0
    for color in range(COLORS):
        held |= int64(state.holds[color])
    return held == 0
