"""Mass random play: whole games inside compiled code, counted into one row of numbers, a tally."""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import prange
from numpy.typing import NDArray

from azulejos.rules.batch import new_game_one
from azulejos.rules.compiled import compiled, int64, threaded
from azulejos.rules.ending import end_reason, winners
from azulejos.rules.random_play import play_out
from azulejos.rules.state import MAX_PLAYERS, State, States

SCORE_BINS: Final = 256
"""A bin for every score that there can be."""
ROUND_BINS: Final = 64
"""Longer games are counted in the last bin."""
MOVE_BINS: Final = 2048
"""Longer games are counted in the last bin."""

SCORES_AT: Final = 0
"""Where the counts of final scores begin in a tally."""
ROUNDS_AT: Final = SCORES_AT + SCORE_BINS
"""Where the counts of games by rounds begin."""
MOVES_AT: Final = ROUNDS_AT + ROUND_BINS
"""Where the counts of games by moves begin."""
REASONS_AT: Final = MOVES_AT + MOVE_BINS
"""Where the counts of games by the reason of their end begin."""
WINS_AT: Final = REASONS_AT + 3
"""Where the victories of each seat begin."""
SHARED_AT: Final = WINS_AT + MAX_PLAYERS
"""Where the number of shared victories stands."""
TOTAL_MOVES_AT: Final = SHARED_AT + 1
"""Where the number of all moves stands."""
TALLY_SIZE: Final = TOTAL_MOVES_AT + 1
"""All counts of a tally."""


@compiled
def winner_bin(state: State) -> int:
    """The bin of the seat that won, or of the shared victories."""
    seats = winners(state)
    for seat in range(MAX_PLAYERS):
        if seats == 1 << seat:
            return WINS_AT + seat
    return SHARED_AT


@compiled
def round_bin(state: State) -> int:
    """The bin of the number of rounds."""
    return ROUNDS_AT + min(int64(state.round_number), ROUND_BINS - 1)


@compiled
def move_bin(moves: int) -> int:
    """The bin of the number of moves."""
    return MOVES_AT + min(moves, MOVE_BINS - 1)


@compiled
def count_game(state: State, moves: int, tally: NDArray[np.int64]) -> None:
    """Count one finished game."""
    for seat in range(int64(state.players)):
        tally[SCORES_AT + state.score[seat]] += 1
    tally[round_bin(state)] += 1
    tally[move_bin(moves)] += 1
    tally[REASONS_AT + end_reason(state)] += 1
    tally[winner_bin(state)] += 1
    tally[TOTAL_MOVES_AT] += moves


@threaded
def play_mass(
    states: States,
    tallies: NDArray[np.int64],
    first: int,
    games: int,
    players: int,
    gray: int,
    seed: int,
    limit: int,
) -> None:
    """Play games number `first` to `first + games - 1` of the series `seed`, shared among the elements of `states`.

    `tallies[at]` counts the games played in `states[at]`.
    """
    for at in prange(len(states)):
        for game in range(first + at, first + games, len(states)):
            new_game_one(states, at, players, gray, seed, game, -1, limit)
            count_game(states[at], play_out(states[at]), tallies[at])
