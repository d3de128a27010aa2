"""What the network said of positions it has seen: about half of those that a search comes to are among them.

The same picks in another order lead to the same position, and the next move of a game is searched where the search
before looked ahead. A position is found again by a hash of its bytes alone; that two have the same one may happen once
in a thousand million games.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejos.rules.compiled import compiled, int64, uint64
from azulejos.rules.state import ACTIONS, MAX_PLAYERS, WORDS
from azulejos.rules.supply import mix

ROWS: Final = 1 << 15
"""Positions that are remembered, at most; a newer one takes the place of an older one. A power of two: 44 MB."""


class Memory(NamedTuple):
    """Evaluators' answers, each in the row that the position's hash says."""

    keys: NDArray[np.uint64]
    """The hash of the position in each row; 0 where there is none yet."""
    logits: NDArray[np.float32]
    """[row, action]"""
    outcome: NDArray[np.float32]
    """[row, 0 or 1, turn]: share of the victory and margin, the acting seat first."""

    @staticmethod
    def empty() -> Memory:
        """A memory of nothing yet."""
        return Memory(
            np.zeros(ROWS, np.uint64),
            np.zeros((ROWS, ACTIONS), np.float32),
            np.zeros((ROWS, 2, MAX_PLAYERS), np.float32),
        )

    def forget(self) -> None:
        """Forget everything."""
        self.keys.fill(0)


def words_of(states: NDArray[Any]) -> NDArray[np.uint64]:
    """The same states as rows of words."""
    return states.view(np.uint64).reshape(*states.shape, WORDS)


@compiled
def hash_of(words: Any) -> int:
    """A number that depends on every bit of a state."""
    h = uint64(0)
    for word in range(WORDS):
        h = mix(h ^ uint64(words[word])) + uint64(word)
    return h


@compiled
def row_of(key: int) -> int:
    """The row for a position with this hash."""
    return int64(uint64(key) & uint64(ROWS - 1))


@compiled
def remember(memory: Any, words: Any, logits: Any, outcome: Any, b: int) -> None:
    """Remember row b of an evaluator's answers about a position."""
    key = hash_of(words)
    row = row_of(key)
    memory.keys[row] = key
    for action in range(ACTIONS):
        memory.logits[row, action] = logits[b, action]
    for turn in range(MAX_PLAYERS):
        memory.outcome[row, 0, turn] = outcome[b, 0, turn]
        memory.outcome[row, 1, turn] = outcome[b, 1, turn]


@compiled
def recall(memory: Any, words: Any) -> int:
    """The row where a position is remembered, or -1."""
    key = hash_of(words)
    row = row_of(key)
    return row if memory.keys[row] == key else -1
