"""Perft: how many leaves the tree of legal moves has, the classic check of a move generator."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from azulejos.rules.compiled import compiled
from azulejos.rules.state import STATE, States
from azulejos.rules.turn import legal_actions, step

MOST_ACTIONS = 256
"""Room for the legal actions of any state."""


@compiled
def count_leaves(stack: States, actions: NDArray[np.int16], left: NDArray[np.int64], depth: int) -> int:
    """The leaves `depth` moves below `stack[0]`; `stack`, `actions` and `left` have a row for each level."""
    leaves = 0
    level = 0
    left[0] = legal_actions(stack[0], actions[0])
    if depth == 0 or left[0] == 0:
        return 1
    while level >= 0:
        if level == depth - 1:
            leaves += left[level]
            left[level] = 0
        if left[level] == 0:
            level -= 1
            continue
        left[level] -= 1
        stack[level + 1] = stack[level]
        step(stack[level + 1], actions[level, left[level]])
        level += 1
        left[level] = legal_actions(stack[level], actions[level])
        if left[level] == 0:
            leaves += 1
    return leaves


def perft(states: States, depth: int) -> int:
    """How many leaves there are `depth` moves below a state; one without a legal move is a leaf at any depth.

    >>> from azulejos import Game
    >>> perft(Game(seed=1, starter=0).states, 2)
    9792
    """
    stack = np.zeros(depth + 1, STATE)
    stack[0] = states[0]
    actions = np.zeros((depth + 1, MOST_ACTIONS), np.int16)
    return int(count_leaves(stack, actions, np.zeros(depth + 1, np.int64), depth))
