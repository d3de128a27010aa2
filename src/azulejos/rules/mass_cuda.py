"""Mass random play on a CUDA device: the same rules functions, called from a kernel.

Import it only where numba-cuda is installed and a device is present. Each thread plays games of its own in local
memory; the counts go to one tally by atomic additions.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba-cuda still asks NumPy for it

from numba import cuda, from_dtype
from numpy.typing import NDArray

from azulejos.rules.compiled import int64
from azulejos.rules.ending import end_reason
from azulejos.rules.mass import (
    REASONS_AT,
    SCORES_AT,
    TALLY_SIZE,
    TOTAL_MOVES_AT,
    move_bin,
    round_bin,
    winner_bin,
)
from azulejos.rules.random_play import play_round
from azulejos.rules.state import OVER, STATE
from azulejos.rules.supply import deal, start_game

THREADS_PER_BLOCK: Final = 128
"""The size of a block."""
BLOCKS_PER_MULTIPROCESSOR: Final = 9
"""How many blocks of threads each multiprocessor gets."""
_STATE_TYPE: Final = from_dtype(STATE)


@cuda.jit  # type: ignore[untyped-decorator]
def _kernel(tally: Any, first: int, games: int, players: int, gray: int, seed: int, limit: int) -> None:
    states = cuda.local.array(1, _STATE_TYPE)
    state = states[0]
    game = first + cuda.grid(1)
    end = first + games
    moves = 0
    if game < end:
        start_game(state, players, gray, seed, game, -1, limit)
    # One loop over rounds, not over games: a thread whose game is over need not wait for the longest in its warp.
    while game < end:
        deal(state)
        moves += play_round(state)
        if state.phase == OVER:
            _count_game(state, moves, tally)
            moves = 0
            game += cuda.gridsize(1)
            start_game(state, players, gray, seed, game, -1, limit)


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def _count_game(state: Any, moves: int, tally: Any) -> None:
    for seat in range(int64(state.players)):
        cuda.atomic.add(tally, SCORES_AT + int64(state.score[seat]), 1)
    cuda.atomic.add(tally, round_bin(state), 1)
    cuda.atomic.add(tally, move_bin(moves), 1)
    cuda.atomic.add(tally, REASONS_AT + end_reason(state), 1)
    cuda.atomic.add(tally, winner_bin(state), 1)
    cuda.atomic.add(tally, TOTAL_MOVES_AT, moves)


def is_available() -> bool:
    """Whether a CUDA device can be used."""
    return bool(cuda.is_available())


def play_mass_on_device(first: int, games: int, players: int, gray: int, seed: int, limit: int) -> NDArray[np.int64]:
    """Play games number `first` to `first + games - 1` of the series `seed` on the device; returns their tally."""
    tally = cuda.to_device(np.zeros(TALLY_SIZE, np.int64))
    blocks = cuda.get_current_device().MULTIPROCESSOR_COUNT * BLOCKS_PER_MULTIPROCESSOR
    _kernel[blocks, THREADS_PER_BLOCK](tally, first, games, players, gray, seed, limit)
    result: NDArray[np.int64] = tally.copy_to_host()
    return result
