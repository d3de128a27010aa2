"""The end of a round, solved: every position that can still arise, valued at the last pick and backed up exactly.

Within a round there is no chance, so when few tiles are left all positions fit into memory. They form a graph, not a
tree: the same picks in another order lead to the same state, found again in a transposition table. Each seat chooses
what is best for itself (max-n; with two players that is minimax). What a round's end is worth is the evaluator's word:
the solution is exact given that.

Whoever has the clock calls `unfold`, has an evaluator write the values of the ends, and calls `solve`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejos.rules import state as s
from azulejos.rules.compiled import compiled, int64, uint64
from azulejos.rules.random_play import bit_count
from azulejos.rules.turn import legal_actions, step
from azulejos.search.cache import hash_of, is_same
from azulejos.search.report import CANDIDATE, Report, sort_down, told
from azulejos.search.tree import LONGEST_PATH, MOST_EDGES, record_of
from azulejos.search.utility import utility

FREE: Final = -1
"""Marks an empty place in the table, and a position without a best move."""
SOLVABLE: Final = 20_000
"""Up to so many positions the end of a round is solved rather than searched."""
EDGES_PER_POSITION: Final = 12
"""Room; a graph with more edges than this is not small."""
MOST_GROUPS: Final = 8
"""With more groups of tiles on offer no end of a round is small enough to be solved."""
LINES_LEFT: Final = s.MAX_PLAYERS * s.ROWS + 1
"""More than there are complete lines."""
MOST_WORK: Final = (s.COLORS * s.TILES_PER_COLOR + 1) * LINES_LEFT
"""More than `work_left` ever is."""


POSITION: Final = record_of(
    ("first", "i4"),  # its first edge; the next one's first edge is the end of them
    ("best", "i4"),  # the edge to follow, or FREE
    ("work", "i4"),  # see `work_left`
    ("order", "i4"),  # not of this one: the position that comes here if those with the least work come first
)
"""The record of a position."""


class Graph(NamedTuple):
    """Room for the positions of a round's end, used again and again; the first is the one to be solved."""

    states: NDArray[Any]
    """[position]: its state."""
    positions: NDArray[Any]
    """[position]: the rest of what is known about it."""
    values: NDArray[np.float32]
    """[0 or 1, position, seat]: share of the victory and margin; of the ends of rounds an evaluator's word."""
    edges: NDArray[np.int32]
    """[edge, 0 or 1]: an action, and the position it leads to."""
    table: NDArray[np.int32]
    """The transposition table: a position at or behind the place that its hash says."""
    actions: NDArray[np.int16]
    """The legal actions of the position that is being unfolded."""
    by_work: NDArray[np.int32]
    """[work]: how many positions have less to do, while they are sorted."""

    @staticmethod
    def make(positions: int = SOLVABLE) -> Graph:
        """Room for so many positions."""
        room = positions + MOST_EDGES + 2
        return Graph(
            np.zeros(room, s.STATE),
            np.zeros(room, POSITION),
            np.zeros((2, room, s.MAX_PLAYERS), np.float32),
            np.zeros((positions * EDGES_PER_POSITION, 2), np.int32),
            np.zeros(4 * positions, np.int32),
            np.zeros(MOST_EDGES, np.int16),
            np.zeros(MOST_WORK + 1, np.int32),
        )


@compiled
def find_or_add(graph: Any, new: int) -> int:
    """The number of the state equal to state `new`, which is `new` itself if there was none."""
    size = len(graph.table)
    slot = int64(hash_of(graph.states[new]) % uint64(size))
    while graph.table[slot] != FREE:
        other = int64(graph.table[slot])
        if is_same(graph.states[other], graph.states[new]):
            return other
        slot = (slot + 1) % size
    graph.table[slot] = new
    return new


@compiled
def work_left(state: s.State) -> int:
    """A number that falls with every decision of a round: tiles on offer first, then complete lines."""
    left = 0
    for source in range(s.SOURCES):
        for color in range(s.COLORS):
            left += int64(state.displays[source, color])
    left *= LINES_LEFT
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
def unfold(graph: Any, state: s.State, most_ends: int) -> int:
    """All positions below a state, breadth first; returns how many.

    It is -1 if there is no room for them, or if the round, but not the game, can end in more than so many ways.
    """
    states, positions = graph.states, graph.positions
    states[0] = state
    states[0].rng = 0  # what the bag will really give is none of the solver's business
    for slot in range(len(graph.table)):
        graph.table[slot] = FREE
    count = int64(1)
    used = 0
    ends = 0
    find_or_add(graph, int64(0))
    at = 0
    while at < count:
        positions[at].first = used
        positions[at].work = work_left(states[at])
        ends += 1 if states[at].phase == s.DEAL_DUE else 0
        legal = legal_actions(states[at], graph.actions)
        if ends > most_ends or used + legal > len(graph.edges) or count + legal + 1 >= len(states):
            return -1
        for which in range(legal):
            states[count] = states[at]
            step(states[count], int64(graph.actions[which]))
            child = find_or_add(graph, count)
            if child == count:
                count += 1
            graph.edges[used, 0] = graph.actions[which]
            graph.edges[used, 1] = child
            used += 1
        at += 1
    positions[count].first = used
    return count


@compiled
def sort_by_work(graph: Any, count: int) -> None:
    """Find out in which order to go through the positions: those with the least work left first."""
    for work in range(len(graph.by_work)):
        graph.by_work[work] = 0
    for at in range(count):
        graph.by_work[graph.positions[at].work + 1] += 1
    for work in range(1, len(graph.by_work)):
        graph.by_work[work] += graph.by_work[work - 1]
    for at in range(count):
        work = graph.positions[at].work
        graph.positions[graph.by_work[work]].order = at
        graph.by_work[work] += 1


@compiled
def solve(graph: Any, count: int) -> None:
    """Max-n: every position, the nearest to the end first, takes over the outcome its seat likes best."""
    edges, positions, values = graph.edges, graph.positions, graph.values
    sort_by_work(graph, count)
    for turn in range(count):
        at = int64(positions[turn].order)
        seat = int64(graph.states[at].seat)
        positions[at].best = FREE
        highest = -1e30
        for edge in range(int64(positions[at].first), int64(positions[at + 1].first)):
            value = utility(float(values[0, edges[edge, 1], seat]), float(values[1, edges[edge, 1], seat]))
            if value > highest:
                highest = value
                positions[at].best = edge
        if positions[at].best != FREE:
            child = edges[positions[at].best, 1]
            for other in range(s.MAX_PLAYERS):
                values[0, at, other] = values[0, child, other]
                values[1, at, other] = values[1, child, other]


@compiled
def rank_solved(graph: Any, count: int, found: Any) -> int:
    """Write down every move of a solved position with its exact outcome, the best first; returns how many there are."""
    edges, values = graph.edges, graph.values
    moves = int64(graph.positions[1].first)
    seat = int64(graph.states[0].seat)
    for edge in range(moves):
        found[edge].edge = edge
        found[edge].key = utility(float(values[0, edges[edge, 1], seat]), float(values[1, edges[edge, 1], seat]))
    sort_down(found["edge"], moves, found["key"])
    for at in range(moves):
        candidate, edge = found[at], int64(found[at].edge)
        candidate.action = edges[edge, 0]
        candidate.visits = count if at == 0 else 0
        candidate.prior = 1.0 if at == 0 else 0.0
        for other in range(s.MAX_PLAYERS):
            candidate.outcome[0, other] = values[0, edges[edge, 1], other]
            candidate.outcome[1, other] = values[1, edges[edge, 1], other]
        candidate.length = 1
        candidate.line[0] = edges[edge, 0]
    found[0].length = write_best_line(graph, found[0].line)
    return moves


@compiled
def write_best_line(graph: Any, line: Any) -> int:
    """Write best play from the first position to the end of the round; returns how many actions that are."""
    length = 0
    edge = int64(graph.positions[0].best)
    while edge != FREE and length < LONGEST_PATH:
        line[length] = graph.edges[edge, 0]
        length += 1
        edge = int64(graph.positions[graph.edges[edge, 1]].best)
    return length


Leaves = Callable[[NDArray[Any]], NDArray[np.float32]]
"""From some states to [0 or 1, state, seat]: share of the victory and margin of those where a round is over."""


class Solver:
    """Solves one end of a round after the other."""

    def __init__(self, positions: int = SOLVABLE, most_ends: int = SOLVABLE) -> None:
        self._most_ends, self._graph, self._found = most_ends, Graph.make(positions), np.zeros(MOST_EDGES, CANDIDATE)

    def solve(self, states: s.States, leaves: Leaves) -> Report | None:
        """Solve the rest of the round from `states[0]`; None if there are too many positions or ends."""
        started, graph = time.perf_counter(), self._graph
        count = unfold(graph, states[0], self._most_ends)
        if count < 0:
            return None
        graph.values[:, :count] = leaves(graph.states[:count])
        solve(graph, count)
        candidates = told(self._found[: rank_solved(graph, count, self._found)], int(states[0]["players"]))
        return Report(count, time.perf_counter() - started, len(candidates[0].line), candidates, solved=True)
