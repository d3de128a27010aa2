"""The end of a round, solved: every position that can still arise, valued at the last pick and backed up exactly.

Within a round there is no chance, so when few tiles are left all positions fit into memory. They form a graph, not a
tree: the same picks in another order lead to the same state, found again by its bytes. Each seat chooses what is best
for itself (max-n; with two players that is minimax). What a round's end is worth is the evaluator's word: the solution
is exact given that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from azulejos.rules import state as s
from azulejos.rules.compiled import compiled, int64, uint64
from azulejos.rules.random_play import bit_count
from azulejos.rules.turn import legal_actions, step
from azulejos.search.memory import hash_of, words_of
from azulejos.search.tree import MOST_EDGES
from azulejos.search.walk import utility

FREE: Final = -1
"""Marks an empty place in the table."""
SOLVABLE: Final = 20_000
"""Up to so many positions the end of a round is solved rather than searched."""
EDGES_PER_POSITION: Final = 12
"""Room; a graph with more edges than this is not small."""


@compiled
def find_or_add(words: Any, table: Any, count: int, new: int) -> int:
    """The number of the state equal to state `new`, which is `new` itself if there was none."""
    size = len(table)
    slot = int64(hash_of(words[new]) % uint64(size))
    while table[slot] != FREE:
        other = int64(table[slot])
        same = True
        for word in range(s.WORDS):
            if words[other, word] != words[new, word]:
                same = False
                break
        if same:
            return other
        slot = (slot + 1) % size
    table[slot] = count
    return count


@compiled
def work_left(state: s.State) -> int:
    """A number that falls with every decision of a round: tiles on offer first, then complete lines."""
    left = 0
    for source in range(s.SOURCES):
        for color in range(s.COLORS):
            left += int64(state.displays[source, color])
    left *= s.MAX_PLAYERS * s.ROWS + 1
    for seat in range(int64(state.players)):
        for row in range(s.ROWS):
            if state.line_count[seat, row] > row:
                left += 1
    return left


@compiled
def groups_on_offer(state: s.State) -> int:
    """How many groups of one color at one source there are to take."""
    groups = 0
    for color in range(s.COLORS):
        groups += bit_count(int64(state.holds[color]))
    return groups


@compiled
def unfold(states: Any, words: Any, table: Any, first: Any, edges: Any, actions: Any, work: Any) -> int:
    """All positions below `states[0]`, breadth first; returns how many, or -1 if there is no room for them.

    The edges of position n are `edges[first[n] : first[n + 1]]`, each an action and the position it leads to.
    """
    count = 1
    used = 0
    find_or_add(words, table, 0, 0)
    at = 0
    while at < count:
        first[at] = used
        work[at] = work_left(states[at])
        legal = legal_actions(states[at], actions)
        if used + legal > len(edges) or count + legal >= len(states):
            return -1
        for which in range(legal):
            states[count] = states[at]
            step(states[count], int64(actions[which]))
            child = find_or_add(words, table, count, count)
            if child == count:
                count += 1
            edges[used, 0] = actions[which]
            edges[used, 1] = child
            used += 1
        at += 1
    first[count] = used
    return count


@compiled
def back_up_all(states: Any, first: Any, edges: Any, order: Any, win: Any, margin: Any, best: Any) -> None:
    """Max-n: every position, the nearest to the end first, takes over the outcome its seat likes best."""
    for at in order:
        if first[at] == first[at + 1]:
            continue
        seat = int64(states[at].seat)
        highest = -1e30
        for edge in range(first[at], first[at + 1]):
            child = edges[edge, 1]
            value = utility(float(win[child, seat]), float(margin[child, seat]))
            if value > highest:
                highest = value
                best[at] = edge
        child = edges[best[at], 1]
        for other in range(s.MAX_PLAYERS):
            win[at, other] = win[child, other]
            margin[at, other] = margin[child, other]


@dataclass(frozen=True, slots=True)
class Solution:
    """A solved end of a round; outcomes are [position, seat]."""

    positions: int
    """How many positions there were."""
    actions: NDArray[np.int64]
    """The legal actions of the root."""
    win: NDArray[np.float32]
    """[action, seat]: the share of the victory after each of them, best play following."""
    margin: NDArray[np.float32]
    """The expected margin of each."""
    line: tuple[int, ...]
    """Best play to the end of the round."""


Leaves = Callable[[NDArray[Any]], tuple[NDArray[np.float32], NDArray[np.float32]]]
"""From the states of round ends to share of the victory and margin, each [state, seat] by absolute seat."""


class Solver:
    """Room for so many positions, used again and again."""

    def __init__(self, positions: int = SOLVABLE, most_ends: int = SOLVABLE) -> None:
        self._most_ends = most_ends
        self._states = np.zeros(positions + MOST_EDGES + 1, s.STATE)
        self._words = words_of(self._states)
        self._table = np.empty(4 * positions, np.int32)
        self._first = np.zeros(positions + MOST_EDGES + 2, np.int64)
        self._work = np.zeros(positions + MOST_EDGES + 1, np.int64)
        self._edges = np.zeros((positions * EDGES_PER_POSITION, 2), np.int64)
        self._actions = np.zeros(MOST_EDGES, np.int16)

    def solve(self, states: s.States, leaves: Leaves) -> Solution | None:
        """Solve the rest of the round from `states[0]`; None if there are too many positions or ends."""
        self._states[0] = states[0]
        self._states[0]["rng"] = 0
        self._table.fill(FREE)
        count = unfold(self._states, self._words, self._table, self._first, self._edges, self._actions, self._work)
        if count < 0:
            return None
        win = np.zeros((count, s.MAX_PLAYERS), np.float32)
        margin = np.zeros((count, s.MAX_PLAYERS), np.float32)
        ends = np.flatnonzero(self._first[:count] == self._first[1 : count + 1])
        if np.count_nonzero(self._states[ends]["phase"] != s.OVER) > self._most_ends:
            return None
        win[ends], margin[ends] = leaves(self._states[ends])
        best = np.full(count, FREE, np.int64)
        order = np.argsort(self._work[:count], kind="stable")
        back_up_all(self._states, self._first, self._edges, order, win, margin, best)
        mine = self._edges[: self._first[1]]
        return Solution(count, mine[:, 0].copy(), win[mine[:, 1]], margin[mine[:, 1]], self._line(best))

    def _line(self, best: NDArray[np.int64]) -> tuple[int, ...]:
        at, line = 0, []
        while best[at] != FREE:
            action, at = self._edges[best[at]]
            line.append(int(action))
        return tuple(line)
