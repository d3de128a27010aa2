"""A search with a clock: how long to go on, who stops it, and who is told; all else is compiled."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from azulejos.rules.state import MAX_PLAYERS, States
from azulejos.search.driver import SPARE_NODES, SearchLimits, begin, edges_for, is_over, next_stop, require
from azulejos.search.halving import HALVING
from azulejos.search.ranking import rank
from azulejos.search.report import CANDIDATE, Report, told
from azulejos.search.solver import MOST_GROUPS, Solver, groups_on_offer
from azulejos.search.tree import MOST_EDGES, ROOT, Forest

NEWS_SECONDS: Final = 0.5
"""How often news are told."""
SLICE_SECONDS: Final = 0.004
"""How long to search between two looks at the clock."""
SHARED_SLICE_SECONDS: Final = 0.008
"""Seconds between two looks at the clock where threads wait for each other before they look."""
STEADY_SLICE: Final = 256
"""How many simulations at a time where there is no clock to look at: always the same, so that results are too."""
TRUSTED_SHARE: Final = 0.15
"""A move looked at so often, compared with the one looked at most, has a mean that can be trusted."""
LONGEST_HALVED: Final = 3600.0
"""Seconds; who gives more does not know yet when to stop."""


class Evaluator(Protocol):
    """Grows a tree and values the ends of rounds; for one thread, since it has room of its own to work in."""

    most_ends: int
    """If a round can end in more ways than this it is searched rather than solved; those that end the game are free."""
    candidates: int
    """So many moves of the root are compared by sequential halving; with none the selection alone decides."""

    def forget(self) -> None:
        """Forget what earlier searches found out."""

    def grow(self, forest: Forest, end: int, threads: int, deadline: float) -> None:
        """Bring tree 0 to so many visits, with the help of other threads if there are several; its root has edges then.

        Each thread has a forest of its own that shares the tree, and an evaluator of its own. Fewer visits will do if
        `time.perf_counter()` gets past the deadline.
        """

    def value_ends(self, states: NDArray[Any], deadline: float = math.inf) -> NDArray[np.float32]:
        """Share of the victory and margin of round ends: [0 or 1, state, seat].

        What can be left out is left out if `time.perf_counter()` gets past the deadline.
        """


class Searcher:
    """One tree, grown by a thread for each evaluator; use it again for the next search.

    With one evaluator and a limit of nodes the result is always the same.
    """

    def __init__(
        self,
        evaluators: Sequence[Evaluator],
        nodes: int = 200_000,
        *,
        solve: bool = True,
        trusted: float = TRUSTED_SHARE,
        halving: int | None = None,
    ) -> None:
        self._evaluators = list(evaluators)
        self._trusted = trusted
        self._candidates = self._evaluators[0].candidates if halving is None else halving
        self._halving, self._found = np.zeros(1, HALVING), np.zeros(MOST_EDGES, CANDIDATE)
        self._threads = len(self._evaluators)
        room = nodes + self._threads * SPARE_NODES
        self._forest = Forest.grow(1, room, edges_for(room), SPARE_NODES)
        self._shares = [self._forest.share() for _ in self._evaluators] if self._threads > 1 else []
        self._pool = ThreadPoolExecutor(self._threads - 1) if self._threads > 1 else None
        self._solver = Solver(most_ends=self._evaluators[0].most_ends) if solve else None
        self._speed = 2000.0

    def search(
        self,
        states: States,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        required: Sequence[int] = (),
        settled: bool = False,
        tell: Callable[[Report], None] | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Report:
        """Search the (draft or tiling) position in `states[0]` until a limit is reached or `stop` says so.

        The `required` actions, legal ones, are looked at to the end whatever the search thinks of them. Moves are worth
        what the best replies make of them; the first is the best by this where `settled`, and otherwise the one with
        the best mean. The random stream of the state is replaced: what the bag will really give is none of the
        search's business.
        """
        started = time.perf_counter()
        report = self._solve(states, started, seconds) or self._grow_tree(
            states, started, nodes, seconds, required, settled, tell, stop
        )
        if tell:
            tell(report)
        return report

    def _solve(self, states: States, started: float, seconds: float | None) -> Report | None:
        if self._solver is None or groups_on_offer(states[0]) > MOST_GROUPS:
            return None
        deadline = started + (math.inf if seconds is None else seconds)
        return self._solver.solve(states, partial(self._evaluators[0].value_ends, deadline=deadline))

    def _grow_tree(
        self,
        states: States,
        started: float,
        nodes: int | None,
        seconds: float | None,
        required: Sequence[int],
        settled: bool,
        tell: Callable[[Report], None] | None,
        stop: Callable[[], bool],
    ) -> Report:
        forest, time_limit = self._forest, math.inf if seconds is None else seconds
        ends = seconds <= LONGEST_HALVED if seconds is not None else nodes is not None
        limits = SearchLimits(nodes or 0, self._threads, self._candidates, ends)
        begin(forest, self._halving, states)
        for action in required:
            require(self._halving, action)
        if seconds is None:  # always the same result, whatever was searched before
            for evaluator in self._evaluators:
                evaluator.forget()
        last_told, done = started, 0
        while True:
            now = time.perf_counter()
            if done and (is_over(forest, limits) or now - started >= time_limit or stop()):
                break
            size = self._size(seconds, started + time_limit - now)
            end = next_stop(forest, self._halving, limits, size, (now - started) / time_limit)
            self._grow(end, started + time_limit)
            grown, done = int(forest.trees[0]["visits"]) - done, int(forest.trees[0]["visits"])
            if grown == 0:
                break
            self._speed = 0.7 * self._speed + 0.3 * grown / max(time.perf_counter() - now, 1e-6)
            if tell and time.perf_counter() - last_told > NEWS_SECONDS:
                last_told = time.perf_counter()
                tell(self._report(started, settled))
        return self._report(started, settled)

    def _size(self, seconds: float | None, left: float) -> float:
        """How many simulations to run before the next look at the clock."""
        if seconds is None and self._threads == 1:
            return float(STEADY_SLICE)  # as with a clock, or the first search with one would have to be compiled
        return self._speed * min(SLICE_SECONDS if self._threads == 1 else SHARED_SLICE_SECONDS, left)

    def _grow(self, end: int, deadline: float) -> None:
        if self._pool is None or self._forest.trees[0]["visits"] == 0:
            self._evaluators[0].grow(self._forest, end, 1, deadline)
            return
        task = end, self._threads, deadline
        pairs = list(zip(self._evaluators, self._shares, strict=True))
        others = [self._pool.submit(evaluator.grow, forest, *task) for evaluator, forest in pairs[1:]]
        try:
            self._evaluators[0].grow(self._shares[0], *task)
        finally:
            others = [other for other in others if not other.cancel()]  # who has not begun need not begin any more
            wait(others)  # whatever happened, nobody is left in the tree
        for other in others:
            other.result()

    def root_edges(self) -> NDArray[Any]:
        """The edges of the root of the last tree: what is known of each move beside what a report tells."""
        return self._forest.edges[0, : int(self._forest.nodes[0, ROOT]["count"])].copy()

    def _report(self, started: float, settled: bool) -> Report:
        forest = self._forest
        values = np.zeros((int(forest.trees[0]["nodes"]), 2, MAX_PLAYERS), np.float32)
        count = rank(forest, self._halving, self._trusted, settled, values, self._found)
        candidates = told(self._found[:count], int(forest.states[0, 0]["players"]))
        tree = forest.trees[0]
        return Report(int(tree["visits"]), time.perf_counter() - started, int(tree["deepest"]), candidates)
