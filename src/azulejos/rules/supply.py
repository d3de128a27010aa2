"""R39-R41, D5: drawing tiles from bag and lid, and the random stream that decides which.

The stream is SplitMix64: its whole state is one number in the record, so the same seed gives the same tiles on a
processor and on a graphics card, and a copied state draws what the original would have drawn.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from azulejos.rules.compiled import compiled, int64, uint64
from azulejos.rules.state import (
    ALL_LINES,
    COLORS,
    DEAL_DUE,
    DISPLAY_SIZE,
    DRAFTING,
    MAX_PLAYERS,
    NOBODY,
    ROWS,
    SOURCES,
    TILES_PER_COLOR,
    State,
)

GOLDEN: Final = 0x9E3779B97F4A7C15
"""The step of the stream (SplitMix64)."""
MIX_1: Final = 0xBF58476D1CE4E5B9
"""The first multiplier of the mixing (SplitMix64)."""
MIX_2: Final = 0x94D049BB133111EB
"""The second multiplier of the mixing (SplitMix64)."""


@compiled
def mix(z: int) -> int:
    """The output function of SplitMix64: spreads any 64-bit number over all 64 bits."""
    z = uint64(z)
    z = (z ^ (z >> uint64(30))) * uint64(MIX_1)
    z = (z ^ (z >> uint64(27))) * uint64(MIX_2)
    return z ^ (z >> uint64(31))


@compiled
def draw(state: State, n: int) -> int:
    """The next random number of the state's stream, 0 to n-1."""
    state.rng = uint64(state.rng) + uint64(GOLDEN)
    return int64(((mix(state.rng) >> uint64(32)) * uint64(n)) >> uint64(32))


@compiled
def seed_stream(state: State, seed: int, game: int) -> None:
    """Start the stream of game number `game` of a series with this seed."""
    state.rng = mix(uint64(seed) + uint64(GOLDEN) * mix(uint64(game) + uint64(GOLDEN)))


@compiled
def set_up(state: State, players: int, gray: int, starter: int, max_rounds: int) -> None:
    """R1-R6: an empty table with all tiles in the bag, the first deal due; the stream stays as it is."""
    for source in range(SOURCES):
        for color in range(COLORS):
            state.displays[source, color] = 0
    for color in range(COLORS):
        state.holds[color] = 0
        state.bag[color] = TILES_PER_COLOR
        state.lid[color] = 0
    for seat in range(MAX_PLAYERS):
        state.score[seat] = 0
        for color in range(COLORS):
            state.wall[seat, color] = 0
            state.floor[seat, color] = 0
            state.open[seat, color] = ALL_LINES
        for row in range(ROWS):
            state.line_count[seat, row] = 0
            state.line_color[seat, row] = 0
    state.players = players
    state.gray = gray
    state.phase = DEAL_DUE
    state.round_number = 1
    state.max_rounds = max_rounds
    state.seat = starter
    state.starter = starter
    state.marker = NOBODY


@compiled
def start_game(state: State, players: int, gray: int, seed: int, game: int, starter: int, limit: int) -> None:
    """Set up game number `game` of the series `seed`; a random seat starts if `starter` is negative (D10)."""
    seed_stream(state, seed, game)
    random_seat = draw(state, players)
    set_up(state, players, gray, random_seat if starter < 0 else starter, limit)


@compiled
def bag_size(state: State) -> int:
    """How many tiles the bag holds."""
    size = 0
    for color in range(COLORS):
        size += int64(state.bag[color])
    return size


@compiled
def pour_lid(state: State) -> int:
    """R40: all tiles of the lid go back into the bag; returns how many it then holds."""
    for color in range(COLORS):
        state.bag[color] += state.lid[color]
        state.lid[color] = 0
    return bag_size(state)


@compiled
def put_tile(state: State, display: int, at: int) -> None:
    """Move the tile number `at` of the bag, its tiles counted by color, to a display."""
    color = 0
    while at >= state.bag[color]:
        at -= int64(state.bag[color])
        color += 1
    state.bag[color] -= 1
    state.displays[display, color] += 1
    state.holds[color] |= 1 << display


@compiled
def deal(state: State) -> None:
    """R39-R41, D5: fill the displays in order, the bag to its last tile before the lid is poured."""
    size = bag_size(state)
    for display in range(1, 2 * int64(state.players) + 2):
        for _ in range(DISPLAY_SIZE):
            if size == 0:
                size = pour_lid(state)
            if size > 0:
                put_tile(state, display, draw(state, size))
                size -= 1
    state.phase = DRAFTING


@compiled
def deal_drawn(state: State, numbers: NDArray[np.uint8]) -> int:
    """The same as `deal` by numbers from 0 to 255; returns how many were needed, or -1 if there are too few.

    Numbers past the last multiple of the bag's size are passed over, so that each tile is equally likely.
    """
    used = 0
    size = bag_size(state)
    for display in range(1, 2 * int64(state.players) + 2):
        for _ in range(DISPLAY_SIZE):
            if size == 0:
                size = pour_lid(state)
            if size == 0:
                continue
            while used < len(numbers) and int64(numbers[used]) >= 256 - 256 % size:
                used += 1
            if used == len(numbers):
                return -1
            put_tile(state, display, int64(numbers[used]) % size)
            used += 1
            size -= 1
    state.phase = DRAFTING
    return used


@compiled
def deal_given(state: State, displays: NDArray[np.int8]) -> None:
    """Deal these tiles, `displays[source, color]`, out of the bag and, past its last tile, the lid."""
    needed = 0
    for source in range(1, SOURCES):
        for color in range(COLORS):
            needed += int64(displays[source, color])
    if needed > bag_size(state):
        pour_lid(state)
    for source in range(1, SOURCES):
        for color in range(COLORS):
            count = displays[source, color]
            state.displays[source, color] = count
            state.bag[color] -= count
            if count > 0:
                state.holds[color] |= 1 << source
    state.phase = DRAFTING
