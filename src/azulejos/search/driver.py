"""A search without a clock: how it begins, how far to go before the next look, and when it is over.

Whoever has the clock, in Python or in a browser, calls `begin`, then again and again `next_stop`, an evaluator's
`simulate` up to there, and `is_over`; and `ranking.rank` whenever somebody wants to know. All of it concerns tree 0.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from azulejos.rules.compiled import compiled, int64
from azulejos.search.halving import advance_halving, begin_halving, phase_end
from azulejos.search.mcts import plant
from azulejos.search.tree import MOST_EDGES, ROOT

EDGES_PER_NODE: Final = 36
"""Room for so many edges of a node on average."""
EARLY_NODES: Final = 4000
"""How many nodes, near the root, have more edges than others."""
EDGES_PER_EARLY_NODE: Final = 100
"""Room for so many edges of the first nodes of a tree on average: later ones have few or none."""
SPARE_NODES: Final = 64
"""Room of each thread beyond the limit, for what it has under way."""
FEWEST_HALVED: Final = 64
"""With fewer positions to look at there is no sequential halving."""
COMPARED: Final = 8
"""So many moves are compared by halving if some are required and the search would compare none."""


class SearchLimits(NamedTuple):
    """How far a search may go, and how its root is looked at."""

    nodes: int
    """Positions to look at; 0 if only the clock says when to stop."""
    threads: int
    """How many grow the tree."""
    candidates: int
    """So many moves of the root are compared by sequential halving; with less than two the selection decides alone."""
    ends: bool
    """Whether it is known when the search will end, which halving needs."""


def edges_for(nodes: int) -> int:
    """Room for the edges of a tree with so many nodes."""
    return nodes * EDGES_PER_NODE + min(nodes, EARLY_NODES) * EDGES_PER_EARLY_NODE + MOST_EDGES


@compiled
def begin(forest: Any, halving: Any, states: Any) -> None:
    """Start a search of `states[0]`; what the bag will really give is none of its business."""
    plant(forest, 0, states[0])
    forest.states[0, ROOT].rng = 0
    halving[0].left = 0
    halving[0].requires = 0


@compiled
def require(halving: Any, action: int) -> None:
    """Have a legal move of the root looked at to the end, whatever the search thinks of it; right after `begin`."""
    halving[0].required[halving[0].requires] = action
    halving[0].requires += 1


@compiled
def next_stop(forest: Any, halving: Any, limits: Any, size: float, progress: float) -> int:
    """The visits at which to look again: about `size` more; moves drop out at the root if a phase of halving is over.

    `progress` is the part of the time that has passed; 0 without a clock.
    """
    done = int64(forest.trees[0].visits)
    candidates = limits.candidates if limits.candidates > 1 or halving[0].requires == 0 else COMPARED
    if done == 0 and (candidates > 1 or limits.threads > 1):
        return 1  # the root has to be known before its moves can be compared, or walked by several threads
    end = 1.0
    if candidates > 1 and limits.ends and not 0 < limits.nodes < FEWEST_HALVED:
        if halving[0].left == 0:
            begin_halving(forest, halving[0], candidates)
        progress = max(progress, int64(forest.trees[0].nodes) / forest.states.shape[1])
        if limits.nodes > 0:
            progress = max(progress, done / limits.nodes)
        advance_halving(forest, halving[0], progress)
        end = phase_end(halving[0])
    if limits.nodes > 0:
        size = min(size, end * limits.nodes - done)
    return done + max(1, int64(size))


@compiled
def is_over(forest: Any, limits: Any) -> bool:
    """Whether there is nothing more to find out, or no room for it."""
    done = int64(forest.trees[0].visits)
    if int64(forest.trees[0].nodes) + limits.threads * SPARE_NODES >= forest.states.shape[1]:
        return True
    if 0 < limits.nodes <= done:
        return True
    return done > 1 and forest.nodes[0, ROOT].count == 1
