"""Sequential halving at the root: a few moves share the walks evenly, and the worse half drops out again and again.

For the walk the moves that are left have a prior so large that the least visited is always next; the others have none.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from azulejos.search.tree import ROOT, Forest

OVERWHELMING: Final = 1e6
"""A prior before which means do not count."""


class Halving:
    """The moves that are left at the root of a tree."""

    def __init__(self, forest: Forest, candidates: int) -> None:
        self._edges: NDArray[Any] = forest.edges[0, : int(forest.nodes[0, ROOT]["count"])]
        self.priors: NDArray[np.float32] = self._edges["prior"].copy()
        """What the evaluator thought of the moves."""
        self._left = np.argsort(-self.priors, kind="stable")[:candidates]
        self._phases = max(1, math.ceil(math.log2(len(self._left))))
        self._over = 0
        self._mark()

    @property
    def next_end(self) -> float:
        """Where the present phase ends: a part of the whole search."""
        return (self._over + 1) / self._phases

    def advance(self, progress: float) -> None:
        """Let moves drop out if another phase is over; two are left to the end."""
        while self._over + 1 < self._phases and progress >= self.next_end:
            left = self._edges[self._left]
            best_first = np.argsort(-left["total"] / np.maximum(left["visits"], 1), kind="stable")
            self._left = self._left[best_first[: math.ceil(len(self._left) / 2)]]
            self._over += 1
            self._mark()

    def _mark(self) -> None:
        self._edges["prior"] = 0.0
        self._edges["prior"][self._left] = OVERWHELMING
