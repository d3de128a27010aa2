"""What a draft looks like at first sight: a quick worth for every move, for priors and for playouts."""

from __future__ import annotations

from typing import Any, Final

from azulejos.rules.compiled import compiled, int64, uint64
from azulejos.rules.offer import floor_tiles, penalty_for
from azulejos.rules.random_play import bit_count
from azulejos.rules.state import (
    CENTER,
    COLORS,
    COLUMN_BITS,
    COLUMNS,
    DRAFTING,
    DRAFTS,
    FLOOR,
    LINES,
    MAX_PLAYERS,
    NOBODY,
    ROWS,
    State,
)
from azulejos.rules.supply import GOLDEN, mix
from azulejos.rules.tiling import cell_points, legal_columns, occupied_cells
from azulejos.rules.turn import tiling_choice

COLUMN_PULL: Final = 0.5
"""Worth of each tile already in the column of a new one: seven points beckon."""
COLOR_PULL: Final = 0.6
"""Worth of each tile of its color already on the wall: ten points beckon."""
UNFINISHED_SHARE: Final = 0.55
"""How much of a line's worth counts while it is not complete."""
LEFT_OVER: Final = 0.12
"""What each space still open in a started line costs."""
LINE_VALUES: Final = (MAX_PLAYERS, ROWS, COLORS)
"""The shape of an array for `write_line_values`."""
NOISE_BITS: Final = 10
"""Random bits for a move."""
NOISE_RANGE: Final = 1 << NOISE_BITS
"""How many different numbers they make."""


@compiled
def cell_worth(state: State, seat: int, cells: int, row: int, column: int, color: int) -> float:
    """What a tile on this cell is worth: its points now, and what it brings nearer."""
    horizontal, vertical = cell_points(cells | 1 << (COLUMNS * row + column), row, column)
    in_column = bit_count(cells >> column & COLUMN_BITS)
    of_color = bit_count(int64(state.wall[seat, color]))
    return horizontal + vertical + COLUMN_PULL * in_column + COLOR_PULL * of_color


@compiled
def line_value(state: State, seat: int, cells: int, row: int, color: int) -> float:
    """What a complete line is worth on its best column; nothing if no column takes it."""
    columns = legal_columns(state, seat, row, color)
    best = 0.0
    for column in range(COLUMNS):
        if columns >> column & 1:
            best = max(best, cell_worth(state, seat, cells, row, column, color))
    return best


@compiled
def write_line_values(state: State, values: Any) -> None:
    """Write what every line would be worth to its seat, complete in a color, into `values[seat, row, color]`.

    No wall changes before the offer is over, so they hold for all drafts of a round.
    """
    for seat in range(int64(state.players)):
        cells = occupied_cells(state, seat)
        for row in range(ROWS):
            for color in range(COLORS):
                values[seat, row, color] = line_value(state, seat, cells, row, color)


@compiled
def line_worth(value: float, room: int, taken: int, row: int, fallen: int) -> float:
    """What so many tiles are worth on a line with this room; `value` is what the complete line is.

    What lies on the floor by then, `fallen`, counts too: tiles that find no room fall on top of it.
    """
    left = room - taken
    if left > 0:
        return value * (row + 1 - left) * (UNFINISHED_SHARE / (row + 1)) - LEFT_OVER * left - penalty_for(fallen)
    return value - penalty_for(fallen - left)


@compiled
def fallen_tiles(state: State, seat: int) -> int:
    """How many spaces of a floor are taken, the marker's included."""
    return floor_tiles(state, seat) + (1 if state.marker == seat else 0)


@compiled
def write_logits(state: State, values: Any, temperature: float, logits: Any) -> None:
    """Write the worth of every legal action, divided by a temperature; `values` are those of `write_line_values`."""
    seat = int64(state.seat)
    if state.phase != DRAFTING:
        row, columns = tiling_choice(state)
        color = int64(state.line_color[seat, row])
        cells = occupied_cells(state, seat)
        for column in range(COLUMNS):
            if columns >> column & 1:
                worth = cell_worth(state, seat, cells, row, column, color)
                logits[DRAFTS + row * COLUMNS + column] = worth / temperature
        return
    fallen = fallen_tiles(state, seat)
    for color in range(COLORS):
        held = int64(state.holds[color])
        lines = int64(state.open[seat, color])
        source = 0
        while held >> source:
            if held >> source & 1:
                taken = int64(state.displays[source, color])
                down = fallen + (1 if source == CENTER and state.marker == NOBODY else 0)
                first = (source * COLORS + color) * LINES
                for row in range(ROWS):
                    if lines >> row & 1:
                        room = row + 1 - int64(state.line_count[seat, row])
                        worth = line_worth(float(values[seat, row, color]), room, taken, row, down)
                        logits[first + row] = worth / temperature
                logits[first + FLOOR] = -penalty_for(down + taken) / temperature
            source += 1


@compiled
def quick_action(state: State, values: Any, temperature: float) -> int:
    """A good legal action: the best by worth and a little noise; `values` are those of `write_line_values`."""
    if state.phase == DRAFTING:
        return quick_draft(state, values, temperature)
    return quick_tiling(state, temperature)


@compiled
def quick_draft(state: State, values: Any, temperature: float) -> int:
    """A good legal draft. The moves of one color from one source share a random number, ten bits each."""
    seat = int64(state.seat)
    fallen = fallen_tiles(state, seat)
    best = -1e30
    chosen = -1
    for color in range(COLORS):
        held = int64(state.holds[color])
        lines = int64(state.open[seat, color])
        source = 0
        while held >> source:
            if held >> source & 1:
                taken = int64(state.displays[source, color])
                down = fallen + (1 if source == CENTER and state.marker == NOBODY else 0)
                first = (source * COLORS + color) * LINES
                bits = random_bits(state)
                worth = -penalty_for(down + taken) + temperature * noise(bits, FLOOR)
                if worth > best:
                    best = worth
                    chosen = first + FLOOR
                for row in range(ROWS):
                    if lines >> row & 1:
                        room = row + 1 - int64(state.line_count[seat, row])
                        worth = line_worth(float(values[seat, row, color]), room, taken, row, down)
                        worth += temperature * noise(bits, row)
                        if worth > best:
                            best = worth
                            chosen = first + row
            source += 1
    return chosen


@compiled
def quick_tiling(state: State, temperature: float) -> int:
    """A good legal tiling choice."""
    seat = int64(state.seat)
    cells = occupied_cells(state, seat)
    row, columns = tiling_choice(state)
    color = int64(state.line_color[seat, row])
    bits = random_bits(state)
    best = -1e30
    chosen = -1
    for column in range(COLUMNS):
        if columns >> column & 1:
            worth = cell_worth(state, seat, cells, row, column, color) + temperature * noise(bits, column)
            if worth > best:
                best = worth
                chosen = DRAFTS + row * COLUMNS + column
    return chosen


@compiled
def noise(bits: int, which: int) -> float:
    """One of six numbers from 0 to 4 out of 60 random bits; logarithms would take longer than the rest of the move."""
    return int64(uint64(bits) >> uint64(NOISE_BITS * which) & uint64(NOISE_RANGE - 1)) * (4.0 / NOISE_RANGE)


@compiled
def random_bits(state: State) -> int:
    """The next 64 random bits of the state's own stream."""
    state.rng = uint64(state.rng) + uint64(GOLDEN)
    return mix(state.rng)
