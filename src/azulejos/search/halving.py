"""Sequential halving at the root: a few moves share the visits evenly, and the worse half drops out again and again.

For the selection the moves that are left have a prior so large that the least visited is always next; the others none.
"""

from __future__ import annotations

from typing import Any, Final

from azulejos.rules.compiled import compiled, int64
from azulejos.search.report import sort_down
from azulejos.search.tree import MOST_EDGES, ROOT, record_of

OVERWHELMING: Final = 1e6
"""A prior before which means do not count."""
HALVING: Final = record_of(
    ("left", "i4"),  # how many moves; 0 where there is no halving, or none yet
    ("phases", "i4"),  # how many there are
    ("over", "i4"),  # how many of them are over
    ("moves", "i4", (MOST_EDGES,)),  # the edges of the root that are left, the best first
    ("keys", "f8", (MOST_EDGES,)),  # what edges are sorted by
    ("priors", "f4", (MOST_EDGES,)),  # the evaluator's, of all edges; those in the tree say who is left
    ("requires", "i4"),  # how many moves must be looked at whatever the search thinks of them
    ("required", "i2", (MOST_EDGES,)),  # their actions
)
"""The record of how far the halving at the root of tree 0 has come."""


@compiled
def is_required(forest: Any, halving: Any, edge: int) -> bool:
    """Whether a move of the root must be looked at to the end."""
    found = False
    for at in range(int64(halving.requires)):
        found = found or halving.required[at] == forest.edges[0, edge].action
    return found


@compiled
def begin_halving(forest: Any, halving: Any, candidates: int) -> None:
    """Keep the moves with the highest priors, so many, and those that are required."""
    count = int64(forest.nodes[0, ROOT].count)
    for edge in range(count):
        halving.moves[edge] = edge
        halving.priors[edge] = forest.edges[0, edge].prior
        halving.keys[edge] = forest.edges[0, edge].prior + (OVERWHELMING if is_required(forest, halving, edge) else 0.0)
    sort_down(halving.moves, count, halving.keys)
    halving.left = min(max(candidates, int64(halving.requires) + 1), count)
    halving.over = 0
    halving.phases = 1
    while 1 << int64(halving.phases) < halving.left:
        halving.phases += 1
    mark_moves(forest, halving)


@compiled
def phase_end(halving: Any) -> float:
    """Where the present phase ends: a part of the whole search."""
    return (int64(halving.over) + 1) / int64(halving.phases)


@compiled
def advance_halving(forest: Any, halving: Any, progress: float) -> None:
    """Let moves drop out if another phase is over; two are left to the end, or the required ones and the best other."""
    while halving.over + 1 < halving.phases and progress >= phase_end(halving):
        for at in range(int64(halving.left)):
            edge = forest.edges[0, halving.moves[at]]
            halving.keys[halving.moves[at]] = edge.total / max(1, int64(edge.visits))
            if is_required(forest, halving, int64(halving.moves[at])):
                halving.keys[halving.moves[at]] += OVERWHELMING
        sort_down(halving.moves, int64(halving.left), halving.keys)
        halving.left = min(int64(halving.left), max((int64(halving.left) + 1) // 2, int64(halving.requires) + 1))
        halving.over += 1
        mark_moves(forest, halving)


@compiled
def mark_moves(forest: Any, halving: Any) -> None:
    """Let the selection see who is left."""
    for edge in range(int64(forest.nodes[0, ROOT].count)):
        forest.edges[0, edge].prior = 0.0
    for at in range(int64(halving.left)):
        forest.edges[0, halving.moves[at]].prior = OVERWHELMING
