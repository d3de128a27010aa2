"""What a draft looks like at first sight: a quick worth for every move, for priors and for playouts."""

from __future__ import annotations

from typing import Any, Final

from azulejos.rules.compiled import compiled, int64
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
    NOBODY,
    SOURCES,
    State,
)
from azulejos.rules.supply import draw
from azulejos.rules.tiling import cell_points, legal_columns, occupied_cells
from azulejos.rules.turn import LINES, tiling_choice

COLUMN_PULL: Final = 0.5
"""Worth of each tile already in the column of a new one: seven points beckon."""
COLOR_PULL: Final = 0.6
"""Worth of each tile of its color already on the wall: ten points beckon."""
UNFINISHED_SHARE: Final = 0.55
"""How much of a line's worth counts while it is not complete."""
LEFT_OVER: Final = 0.12
"""What each space still open in a started line costs."""
RESOLUTION: Final = 1 << 20


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
def draft_worth(state: State, seat: int, fallen: int, value: float, source: int, color: int, line: int) -> float:
    """What a draft is worth to a seat with so many fallen tiles, in points; `value` is what the complete line is."""
    taken = int64(state.displays[source, color])
    marker = 1 if source == CENTER and state.marker == NOBODY else 0
    if line == FLOOR:
        return float(penalty_for(fallen) - penalty_for(fallen + marker + taken))
    left = line + 1 - int64(state.line_count[seat, line]) - taken
    if left > 0:
        value = UNFINISHED_SHARE * value * (line + 1 - left) / (line + 1) - LEFT_OVER * left
    return value + penalty_for(fallen) - penalty_for(fallen + marker + max(0, -left))


@compiled
def fallen_tiles(state: State, seat: int) -> int:
    """How many spaces of a floor are taken, the marker's included."""
    return floor_tiles(state, seat) + (1 if state.marker == seat else 0)


@compiled
def write_logits(state: State, heat: float, logits: Any, b: int) -> None:
    """Write the worth of every legal action, divided by `heat`, into `logits[b]`."""
    seat = int64(state.seat)
    cells = occupied_cells(state, seat)
    if state.phase == DRAFTING:
        fallen = fallen_tiles(state, seat)
        for color in range(COLORS):
            held = int64(state.holds[color])
            for line in range(LINES):
                if held and int64(state.open[seat, color]) >> line & 1:
                    value = line_value(state, seat, cells, line, color) if line < FLOOR else 0.0
                    for source in range(SOURCES):
                        if held >> source & 1:
                            worth = draft_worth(state, seat, fallen, value, source, color, line)
                            logits[b, (source * COLORS + color) * LINES + line] = worth / heat
    else:
        row, columns = tiling_choice(state)
        color = int64(state.line_color[seat, row])
        for column in range(COLUMNS):
            if columns >> column & 1:
                worth = cell_worth(state, seat, cells, row, column, color)
                logits[b, DRAFTS + row * COLUMNS + column] = worth / heat


@compiled
def quick_action(state: State, heat: float) -> int:
    """A good legal action: the best by worth and a little noise."""
    seat = int64(state.seat)
    cells = occupied_cells(state, seat)
    best = -1e30
    chosen = -1
    if state.phase == DRAFTING:
        fallen = fallen_tiles(state, seat)
        for color in range(COLORS):
            held = int64(state.holds[color])
            for line in range(LINES):
                if held and int64(state.open[seat, color]) >> line & 1:
                    value = line_value(state, seat, cells, line, color) if line < FLOOR else 0.0
                    for source in range(SOURCES):
                        if held >> source & 1:
                            worth = draft_worth(state, seat, fallen, value, source, color, line)
                            worth += heat * noise(state)
                            if worth > best:
                                best = worth
                                chosen = (source * COLORS + color) * LINES + line
        return chosen
    row, columns = tiling_choice(state)
    color = int64(state.line_color[seat, row])
    for column in range(COLUMNS):
        if columns >> column & 1:
            worth = cell_worth(state, seat, cells, row, column, color) + heat * noise(state)
            if worth > best:
                best = worth
                chosen = DRAFTS + row * COLUMNS + column
    return chosen


@compiled
def noise(state: State) -> float:
    """A number from 0 to 4 from the state's own stream; logarithms would take longer than the rest of the move."""
    return draw(state, RESOLUTION) * (4.0 / RESOLUTION)
