"""What each seat can expect before the first deal of a game, measured once over many deals for each kind of game.

Every game of a kind begins alike, so an error of a small sample there would be the same in all games; one of a large
sample, made beforehand, is small.
"""

from __future__ import annotations

import functools
from importlib import resources
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from azulejos.game.view import WALLS
from azulejos.rules.compiled import compiled, int64
from azulejos.rules.state import COLORS, DEAL_DUE, MAX_PLAYERS, NO_ROUND_LIMIT, TILES_PER_COLOR, State

STARTS: Final = "starts.json"
"""The file with what was measured, written by `benchmarks/review_checks.py --parts starts --write`."""
FEWEST_PLAYERS: Final = 2
"""The table begins with so many."""


@functools.cache
def starts() -> NDArray[Any]:
    """What was measured: `[players - 2, wall, 0 or 1 for the error, 0 or 1 for win or margin, turn]`.

    Who starts is turn 0. The same array every time, not to be changed.

    >>> bool(starts()[0, 0, 0, 1, 0] > 0)  # to start is worth something to one of two
    True
    """
    rows = msgspec.json.decode(resources.files("azulejos.analysis").joinpath(STARTS).read_bytes())["starts"]
    table = np.zeros((MAX_PLAYERS + 1 - FEWEST_PLAYERS, len(WALLS), 2, 2, MAX_PLAYERS))
    for row in rows:
        values = [[row[part][what] for what in ("win", "margin")] for part in ("expected", "error")]
        table[row["players"] - FEWEST_PLAYERS, WALLS.index(row["wall"]), :, :, : row["players"]] = values
    return table


@compiled
def expect_start(table: Any, state: State, expected: Any) -> int:
    """Write what each seat expects before the first deal, and its error; 0 if this is not the start of a game.

    `table` is that of `starts`; the answer is `expected[0 or 1 for the error, 0 or 1 for win or margin, seat]`.
    """
    if not is_start(state):
        return 0
    players = int64(state.players)
    for error in range(2):
        for what in range(2):
            for turn in range(players):
                seat = (int64(state.seat) + turn) % players
                expected[error, what, seat] = table[players - FEWEST_PLAYERS, int64(state.gray), error, what, turn]
    return 1


@compiled
def is_start(state: State) -> int:
    """1 if the first deal of a whole game is due: all tiles in the bag, no points, no limit of rounds."""
    if state.phase != DEAL_DUE or state.round_number != 1 or state.max_rounds != NO_ROUND_LIMIT:
        return 0
    for color in range(COLORS):
        if state.bag[color] != TILES_PER_COLOR:
            return 0
    for seat in range(int64(state.players)):
        if state.score[seat] != 0:
            return 0
    return 1
