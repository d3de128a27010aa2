"""Sequential halving at the root: a few moves share the walks evenly, and the worse half drops out again and again.

For the walk the moves that are left have a prior so large that the least visited is always next; the others have none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from azulejos.search.tree import ROOT, Forest

OVERWHELMING: Final = 1e6
"""A prior before which means do not count."""


class Halving:
    """The moves that are left at the roots of some trees of the same position."""

    def __init__(self, forests: Sequence[Forest], candidates: int) -> None:
        count = int(forests[0].nodes[0, ROOT]["count"])
        self._edges: list[NDArray[Any]] = [forest.edges[0, :count] for forest in forests]
        self.priors: NDArray[np.float32] = self._edges[0]["prior"].copy()
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
            visits = sum(edges["visits"][self._left] for edges in self._edges)
            totals = sum(edges["total"][self._left] for edges in self._edges)
            best_first = np.argsort(-totals / np.maximum(visits, 1), kind="stable")
            self._left = self._left[best_first[: math.ceil(len(self._left) / 2)]]
            self._over += 1
            self._mark()

    def _mark(self) -> None:
        for edges in self._edges:
            edges["prior"] = 0.0
            edges["prior"][self._left] = OVERWHELMING
