"""What a page can call of the search: everything about a search but its clock.

All of a search is one tuple in memory, a `Thinker`. The page calls `begin`, then again and again `grow`, and `rank`
whenever it wants to know; or, near the end of a round, `unfold`, some `ask_about_ends`, and `solve`. What these mean is
written in `search.driver`, `search.ranking`, `search.evaluators` and `search.solver`, which Python's own clock
(`search.searcher`) calls.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejos.net import arithmetic
from azulejos.net.choice import network_for
from azulejos.net.features import write_features
from azulejos.rules.compiled import int64
from azulejos.rules.state import DEAL_DUE, MAX_PLAYERS, STATE
from azulejos.search import batches, cache, driver, hand, ranking, report, solver
from azulejos.search.batches import Asking
from azulejos.search.cache import EvaluationCache
from azulejos.search.driver import SPARE_NODES, SearchLimits, edges_for
from azulejos.search.evaluation import evaluation_weights
from azulejos.search.evaluators import HAND_TUNING, ROUNDS_PLAYED_OUT, ByHand
from azulejos.search.halving import HALVING
from azulejos.search.report import CANDIDATE
from azulejos.search.solver import MOST_GROUPS, Graph
from azulejos.search.tree import MOST_EDGES, Forest, Tuning
from azulejos.wasm.memory import array_at, reader_of

EVALUATION: Final = evaluation_weights()
"""The weights of the evaluation by hand, which are part of the module."""


class Ends(NamedTuple):
    """What is known of a round's ends while they are solved."""

    asked: NDArray[np.float32]
    """[0 or 1, position, seat]: what the network says."""
    ways: NDArray[np.int64]
    """How many positions the graph has, and in how many of them a deal is due."""


class Thinker(NamedTuple):
    """A search and its memory, for one thread."""

    limits: SearchLimits
    """How far to go."""
    tuning: Tuning
    """The constants of the search."""
    trusted: float
    """The share of the most visits that makes a mean trustworthy; see `ranking.rank`."""
    most_ends: int
    """How many ends of a round are solved at most; see `solver.unfold`."""
    forest: Forest
    """The tree that is searched."""
    halving: NDArray[Any]
    """How far the halving at its root has come."""
    found: NDArray[Any]
    """What was found of the moves."""
    values: NDArray[np.float32]
    """[node, 0 or 1, seat]: what the nodes of the tree are worth; see `settled.settle`."""
    asking: Asking
    """The network, and the evaluation by hand; without a network only the latter is there."""
    graph: Graph
    """The positions of a round's end."""
    ends: Ends
    """What is known of them."""

    @staticmethod
    def make(nodes: int, rows: int, positions: int) -> Thinker:
        """Memory for so many nodes of a tree, answers of the network, and positions of a round's end."""
        room = nodes + SPARE_NODES
        graph = Graph.make(positions)
        asking = Asking.make(network_for(2, "std", batches.BATCH).network, ByHand().hand, 0.0, 0.0)
        return Thinker(
            SearchLimits(0, 1, 0, True),
            HAND_TUNING,
            0.0,
            0,
            Forest.grow(1, room, edges_for(room), SPARE_NODES),
            np.zeros(1, HALVING),
            np.zeros(MOST_EDGES, CANDIDATE),
            np.zeros((room, 2, MAX_PLAYERS), np.float32),
            asking._replace(cache=EvaluationCache.empty(rows)),
            graph,
            Ends(np.zeros_like(graph.values), np.zeros(2, np.int64)),
        )


thinker_at: Final = reader_of(Thinker.make(1, 1, 1))
"""From the address of a table to the thinker it describes."""


def set_up(thinker: int, seed: int, playouts: float, endings: float) -> None:
    """Make a thinker ready whose memory is all zeros: what its playouts follow from, and how much they count."""
    t = thinker_at(thinker)
    for row in range(EVALUATION.shape[0]):
        for at in range(EVALUATION.shape[1]):
            t.asking.hand.weights[row, at] = EVALUATION[row, at]
    t.asking.hand.room[0].seed = seed
    t.asking.room[0].playouts = playouts
    t.asking.room[0].endings = endings


def forget(thinker: int) -> None:
    """Forget what the network said in earlier searches."""
    cache.clear(thinker_at(thinker).asking.cache)


def begin(thinker: int, state: int) -> None:
    """Start a search of a position."""
    t = thinker_at(thinker)
    driver.begin(t.forest, t.halving, array_at(state, (1,), STATE))


def next_stop(thinker: int, size: float, progress: float) -> int:
    """The visits at which to look again."""
    t = thinker_at(thinker)
    return driver.next_stop(t.forest, t.halving, t.limits, size, progress)


def grow_by_hand(thinker: int, end: int) -> None:
    """Run simulations by hand up to so many visits."""
    t = thinker_at(thinker)
    hand.simulate(t.forest, 0, end, 1, t.asking.hand, t.tuning)


def grow_by_network(thinker: int, end: int, most: int) -> int:
    """Run simulations with the network up to so many visits or questions; returns why it stopped."""
    t = thinker_at(thinker)
    return batches.simulate_batches(t.forest, 0, end, 1, most, t.asking, t.tuning)


def visits(thinker: int) -> int:
    """How many simulations there were."""
    return int64(thinker_at(thinker).forest.trees[0].visits)


def depth(thinker: int) -> int:
    """How far the longest line looks."""
    return int64(thinker_at(thinker).forest.trees[0].deepest)


def is_over(thinker: int) -> int:
    """Whether there is nothing more to find out."""
    t = thinker_at(thinker)
    return 1 if driver.is_over(t.forest, t.limits) else 0


def rank(thinker: int, settled: int) -> int:
    """Write down what is known of the moves, the best by settled values or by means first; returns how many."""
    t = thinker_at(thinker)
    return ranking.rank(t.forest, t.halving, t.trusted, settled != 0, t.values, t.found)


def draw(thinker: int, count: int, temperature: float, drawn: float) -> int:
    """Which of the moves that were written down to play, by lot."""
    return report.draw(thinker_at(thinker).found["visits"][:count], temperature, drawn)


def expects_the_end(thinker: int, state: int) -> int:
    """Whether a round will probably be the last one."""
    final = hand.final_playouts(thinker_at(thinker).asking.hand, array_at(state, (1,), STATE), ROUNDS_PLAYED_OUT)
    return 1 if 2 * final > ROUNDS_PLAYED_OUT else 0


def unfold(thinker: int, state: int) -> int:
    """Lay out the rest of a round; returns in how many ways it can end before a deal, or -1 if it is too large."""
    t = thinker_at(thinker)
    states = array_at(state, (1,), STATE)
    if solver.groups_on_offer(states[0]) > MOST_GROUPS:
        return -1
    count = solver.unfold(t.graph, states[0], t.most_ends)
    if count < 0:
        return -1
    t.ends.ways[0] = count
    t.ends.ways[1] = 0
    for at in range(count):
        t.ends.ways[1] += 1 if t.graph.states[at].phase == DEAL_DUE else 0
        for seat in range(MAX_PLAYERS):
            for what in range(2):
                t.graph.values[what, at, seat] = 0
                t.ends.asked[what, at, seat] = 0
    return int64(t.ends.ways[1])


def ask_about_ends(thinker: int, number: int, first: int, most: int) -> int:
    """Ask the network about some ends of the round, after deal number so and so; returns the position to go on with."""
    t = thinker_at(thinker)
    return batches.ask_about_ends(t.asking, t.graph.states[: t.ends.ways[0]], number, first, most, t.ends.asked)


def solve(thinker: int, by_network: int) -> int:
    """Value the ends, solve the round and write down what was found of its moves; returns how many there are."""
    t = thinker_at(thinker)
    count = int64(t.ends.ways[0])
    states = t.graph.states[:count]
    hand.value_ends(t.asking.hand, states, t.graph.values)
    if by_network:
        batches.blend_ends(states, t.ends.asked, t.asking.room[0].playouts, t.graph.values)
    solver.solve(t.graph, count)
    return solver.rank_solved(t.graph, count, t.found)


def solved_positions(thinker: int) -> int:
    """How many positions the solved rest of a round has."""
    return int64(thinker_at(thinker).ends.ways[0])


def evaluate(thinker: int, states: int, count: int) -> None:
    """Ask the network about so many positions, a batch at most; its answers are in `asking.network.answers`."""
    t = thinker_at(thinker)
    asked = array_at(states, (batches.BATCH,), STATE)
    for at in range(count):
        write_features(asked[at], t.asking.room[0].x[at])
    arithmetic.evaluate(t.asking.network, t.asking.room[0].x, count)
