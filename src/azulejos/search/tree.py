"""The search tree: arrays of records, the same on a processor core and on a graphics card.

Everything has a leading tree number t: `states[t, node]`, `nodes[t, node]`, `edges[t, edge]`, `trees[t]`. The edges of
a node lie side by side, those of the root first of all. Values are for absolute seats; an edge keeps the total for the
seat that chooses it, since no other is ever asked for; only below the root `roots[t, edge]` has the whole outcome.
A round's end is a leaf: the position before the deal is valued, never a particular deal.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejos.rules.state import MAX_PLAYERS, STATE

ROOT: Final = 0
"""The number of the first node."""
NO_CHILD: Final = -1
"""An edge whose child has not been made."""
IN_THE_MAKING: Final = -2
"""No child yet, but a thread is about to make it."""

UNEXPANDED: Final = 0
"""A node that is not valued yet."""
PENDING: Final = 1
"""A node that is handed out to be valued."""
EXPANDED: Final = 2
"""A node that has edges."""
VALUED: Final = 4
"""A node that is valued, but has no edges until somebody comes by a second time; most never do."""
CLOSED: Final = 3
"""A leaf for good: the end of a round or of the game; its value stands in the node."""

LONGEST_PATH: Final = 64
"""More than any round has decisions: 36 drafts and 20 tiling choices."""
MOST_EDGES: Final = 256
"""More than any position has legal actions."""


def record_of(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    """A record whose fields can be asked for by name, in plain Python as in compiled code."""
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


NODE: Final = record_of(
    ("win", "f4", (MAX_PLAYERS,)),  # each seat's share of the victory, as the evaluator gave it
    ("margin", "f4", (MAX_PLAYERS,)),  # each seat's final score less the best of the others
    ("first", "i4"),  # its first edge
    ("count", "i2"),  # how many edges it has
    ("kind", "i1"),
    ("seat", "i1"),  # who chooses here
)
"""The record of a node."""
EDGE: Final = record_of(
    ("prior", "f4"),
    ("total", "f4"),  # utility of the choosing seat, summed over visits
    ("visits", "i4"),
    ("child", "i4"),  # a node, NO_CHILD, or IN_THE_MAKING
    ("action", "i2"),
    ("virtual", "i2"),  # how many of the visits have no value in the total yet (virtual loss)
)
"""The record of an edge."""
TREE: Final = record_of(
    ("nodes", "i4"),  # how many are in use
    ("edges", "i4"),
    ("deepest", "i4"),
    ("visits", "i4"),  # simulations that have begun
)
"""The record of a tree."""
LEAF: Final = record_of(
    ("node", "i4"),
    ("length", "i4"),
    ("path", "i4", (LONGEST_PATH,)),  # edges from the root
)
"""The record of a leaf that waits for its value."""


class Forest(NamedTuple):
    """Room for some trees and for the leaves that wait for their values."""

    states: NDArray[Any]
    """[tree, node]: the states of the nodes."""
    nodes: NDArray[Any]
    """[tree, node]: the nodes of all trees."""
    edges: NDArray[Any]
    """[tree, edge]: the edges of all trees."""
    trees: NDArray[Any]
    """[tree]: what is in use of each tree."""
    roots: NDArray[np.float32]
    """[tree, edge, 0 or 1, seat]: win and margin, summed over the leaves below each edge of the root."""
    leaves: NDArray[Any]
    """Leaves that wait for their values, and the way to each."""

    @staticmethod
    def grow(trees: int, nodes: int, edges: int, leaves: int) -> Forest:
        """Room for so many trees, nodes and edges a tree, and leaves in all."""
        return Forest(
            np.zeros((trees, nodes), STATE),
            np.zeros((trees, nodes), NODE),
            np.zeros((trees, edges), EDGE),
            np.zeros(trees, TREE),
            np.zeros((trees, MOST_EDGES, 2, MAX_PLAYERS), np.float32),
            np.zeros(leaves, LEAF),
        )

    def share(self) -> SharedForest:
        """The same trees for one of several threads, with sums and leaves of its own."""
        roots, leaves = np.zeros_like(self.roots), np.zeros_like(self.leaves)
        return SharedForest(self.states, self.nodes, self.edges, self.trees, roots, leaves)


class SharedForest(Forest):
    """A forest of which other threads have the same trees: compiled code changes their numbers by atomic steps."""


class Tuning(NamedTuple):
    """The constants of a search."""

    exploration: float
    """How much the selection is drawn to priors (PUCT)."""
    fpu: float
    """First-play urgency: how much worse than its node a move is taken to be before it is tried."""
    prior_floor: float
    """The share of the priors that all moves of a node have alike, so that none is overlooked for ever."""
