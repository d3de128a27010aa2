"""Positions found again: a hash of their bytes, and the evaluation cache, which keeps what the network said of them.

About half of the positions that a search comes to are in the cache: the same picks in another order lead to the same
position, and the next move of a game is searched where the search before looked ahead. The hash alone has to match;
that two positions have the same one may happen once in a thousand million games.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from azulejos.rules.compiled import INTERPRETED, compiled, int64, uint64
from azulejos.rules.state import ACTIONS, MAX_PLAYERS, WORDS, State
from azulejos.rules.supply import mix

ROWS: Final = 1 << 15
"""Positions in the cache, at most; a newer one takes the place of an older one. A power of two: 44 MB."""


@intrinsic  # type: ignore[untyped-decorator]
def _word(_typing: Any, state: Any, _at: Any) -> Any:
    def write(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        words = builder.bitcast(arguments[0], ir.IntType(64).as_pointer())
        return builder.load(builder.gep(words, [arguments[1]]))

    return types.uint64(state, types.int64), write


def _word_interpreted(state: State, at: int) -> Any:
    return np.frombuffer(state.tobytes(), np.uint64)[at]


word: Any = _word_interpreted if INTERPRETED else _word
"""`word(state, at)`: 8 of the bytes of a state as a number."""


@compiled
def hash_of(state: State) -> int:
    """A number that depends on every bit of a state."""
    h = uint64(0)
    for at in range(WORDS):
        h = mix(h ^ word(state, at)) + uint64(at)
    return h


@compiled
def is_same(one: State, other: State) -> bool:
    """Whether two states have the same bytes."""
    at = 0
    while at < WORDS and word(one, at) == word(other, at):
        at += 1
    return at == WORDS


class EvaluationCache(NamedTuple):
    """An evaluator's answers, each in the row that the position's hash says."""

    keys: NDArray[np.uint64]
    """The hash of the position in each row; 0 where there is none yet."""
    logits: NDArray[np.float32]
    """[row, action]"""
    outcome: NDArray[np.float32]
    """[row, 0 or 1, turn]: share of the victory and margin, the acting seat's turn first."""

    @staticmethod
    def empty(rows: int = ROWS) -> EvaluationCache:
        """A cache with nothing in it; the number of its rows is a power of two."""
        return EvaluationCache(
            np.zeros(rows, np.uint64),
            np.zeros((rows, ACTIONS), np.float32),
            np.zeros((rows, 2, MAX_PLAYERS), np.float32),
        )


@compiled
def clear(cache: Any) -> None:
    """Empty the cache."""
    for row in range(len(cache.keys)):
        cache.keys[row] = 0


@compiled
def row_of(cache: Any, key: int) -> int:
    """The row for a position with this hash."""
    return int64(uint64(key) & uint64(len(cache.keys) - 1))


@compiled
def store(cache: Any, state: State, logits: Any, outcome: Any) -> None:
    """Keep an evaluator's answer about a position."""
    key = hash_of(state)
    row = row_of(cache, key)
    cache.keys[row] = key
    for action in range(ACTIONS):
        cache.logits[row, action] = logits[action]
    for turn in range(MAX_PLAYERS):
        cache.outcome[row, 0, turn] = outcome[0, turn]
        cache.outcome[row, 1, turn] = outcome[1, turn]


@compiled
def look_up(cache: Any, state: State) -> int:
    """The row of a position that is in the cache, or -1."""
    key = hash_of(state)
    row = row_of(cache, key)
    return row if cache.keys[row] == key else -1
