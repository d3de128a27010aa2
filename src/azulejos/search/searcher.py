"""A search with limits and news: a tree, the evaluators that grow it, and what is known of the best moves so far."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from azulejos.rules import state as s
from azulejos.search.halving import Halving
from azulejos.search.solver import Solution, Solver, groups_on_offer
from azulejos.search.tree import MOST_EDGES, NO_CHILD, ROOT, Forest
from azulejos.search.walk import plant, utility

EDGES_PER_NODE: Final = 36
"""Room for so many on average."""
EARLY_NODES: Final = 4000
"""So many nodes, near the root, have more edges than others."""
EDGES_PER_EARLY_NODE: Final = 100
"""Seen on average: the first nodes of a tree have many edges, later ones few or none."""
SPARE_NODES: Final = 64
"""Room of each thread beyond the limit, for what it has under way."""
MOST_GROUPS: Final = 8
"""With more groups of tiles on offer no end of a round is small enough to be solved."""
NEWS_SECONDS: Final = 0.5
"""How often news are told."""
SLICE_SECONDS: Final = 0.004
"""How long to search between two looks at the clock."""
SHARED_SLICE_SECONDS: Final = 0.008
"""The same where threads wait for each other before they look."""
STEADY_SLICE: Final = 256
"""How many simulations at a time where there is no clock to look at: always the same, so that results are too."""
TRUSTED_SHARE: Final = 0.15
"""A move looked at so often, compared with the one looked at most, has a mean that can be trusted."""
FEWEST_HALVED: Final = 64
"""With fewer positions to look at there is no sequential halving."""
LONGEST_HALVED: Final = 3600.0
"""Seconds; who gives more does not know yet when to stop."""
LINES_TOLD: Final = 20
"""How many candidates are reported with the line expected to follow."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move of the root and what the search knows about it."""

    action: int
    """Its number."""
    visits: int
    """How often the search looked at it."""
    prior: float
    """How good it looked at first sight."""
    win: tuple[float, ...]
    """Share of the victory of each seat."""
    margin: tuple[float, ...]
    """Final score of each seat less the best of the others."""
    line: tuple[int, ...]
    """The actions expected to follow, this one first."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a search has found so far."""

    nodes: int
    """Positions looked at."""
    seconds: float
    """How long it took."""
    depth: int
    """How many moves ahead the longest line looks."""
    candidates: tuple[Candidate, ...]
    """The move to play first, the others by visits."""
    solved: bool = False
    """Whether the rest of the round is solved: then no move can be better."""

    @property
    def best(self) -> Candidate:
        """The move to play."""
        return self.candidates[0]


class Evaluator(Protocol):
    """Grows a tree and values the ends of rounds; for one thread, since it has room of its own to work in."""

    most_ends: int
    """If a round can end in more ways than this it is searched rather than solved; those that end the game are free."""
    candidates: int
    """So many moves of the root are compared by sequential halving; with none the walk alone decides."""

    def forget(self) -> None:
        """Forget what earlier searches found out."""

    def grow(self, forest: Forest, simulations: int, deadline: float) -> None:
        """Run about so many more simulations in tree 0, fewer if `time.perf_counter()` gets past the deadline."""

    def grow_together(self, forest: Forest, end: int, threads: int, deadline: float) -> None:
        """Help other threads, so many in all, to bring tree 0 to `end` visits; its root has edges already.

        The forest is one of those that share the tree; each thread has another, and an evaluator of its own.
        """

    def value_ends(
        self, states: NDArray[Any], deadline: float = math.inf
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Share of the victory and margin of round ends, each [state, seat] by absolute seat.

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
        self._halving: Halving | None = None
        self._threads = len(self._evaluators)
        room = nodes + self._threads * SPARE_NODES
        edges = room * EDGES_PER_NODE + min(room, EARLY_NODES) * EDGES_PER_EARLY_NODE + MOST_EDGES
        self._forest = Forest.grow(1, room, edges, SPARE_NODES)
        self._forests = [self._forest, *(self._forest.share() for _ in self._evaluators[1:])]
        self._pool = ThreadPoolExecutor(self._threads - 1) if self._threads > 1 else None
        self._solver = Solver(most_ends=self._evaluators[0].most_ends) if solve else None
        self._speed = 2000.0

    def search(
        self,
        states: s.States,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        tell: Callable[[Report], None] | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Report:
        """Search the (draft or tiling) position in `states[0]` until a limit is reached or `stop` says so.

        The random stream of the state is replaced: what the bag will really give is none of the search's business.
        """
        started = time.perf_counter()
        root = states.copy()
        root["rng"] = 0
        deadline = math.inf if seconds is None else started + seconds
        report = self._solve(root, started, deadline) or self._grow_tree(
            root, started, nodes, seconds, deadline, tell, stop
        )
        if tell:
            tell(report)
        return report

    def _solve(self, root: s.States, started: float, deadline: float) -> Report | None:
        if self._solver is None or groups_on_offer(root[0]) > MOST_GROUPS:
            return None
        solution = self._solver.solve(root, partial(self._evaluators[0].value_ends, deadline=deadline))
        return solved_report(solution, root[0], time.perf_counter() - started) if solution else None

    def _grow_tree(
        self,
        root: s.States,
        started: float,
        nodes: int | None,
        seconds: float | None,
        deadline: float,
        tell: Callable[[Report], None] | None,
        stop: Callable[[], bool],
    ) -> Report:
        for forest in self._forests:
            plant(forest.states, forest.nodes, forest.trees, forest.roots, 0, root[0])
        if seconds is None:  # always the same result, whatever was searched before
            for evaluator in self._evaluators:
                evaluator.forget()
        self._halving = None
        told = started
        done = 0
        while True:
            now = time.perf_counter()
            if done and (self._reached(done, nodes) or (seconds is not None and now - started >= seconds) or stop()):
                break
            self._halve(done, nodes, seconds, now - started)
            self._grow(self._slice(done, nodes, seconds, now - started), deadline)
            grown = int(self._forest.trees[0]["visits"]) - done
            if grown == 0:
                break
            done += grown
            self._speed = 0.7 * self._speed + 0.3 * grown / max(time.perf_counter() - now, 1e-6)
            if tell and time.perf_counter() - told > NEWS_SECONDS:
                told = time.perf_counter()
                tell(self._report(told - started))
        return self._report(time.perf_counter() - started)

    def _halve(self, done: int, nodes: int | None, seconds: float | None, passed: float) -> None:
        """Begin sequential halving when the root has its edges, and go on with it, if it is known when to stop."""
        endless = seconds > LONGEST_HALVED if seconds is not None else nodes is None
        if self._candidates < 2 or endless or (nodes is not None and nodes < FEWEST_HALVED):
            return
        if self._halving is None and done:
            self._halving = Halving(self._forest, self._candidates)
        if self._halving:
            full = int(self._forest.trees[0]["nodes"]) / self._forest.states.shape[1]
            self._halving.advance(max(full, done / nodes if nodes else 0.0, passed / seconds if seconds else 0.0))

    def _grow(self, simulations: int, deadline: float) -> None:
        visits = int(self._forest.trees[0]["visits"])
        if self._pool is None or visits == 0:
            self._evaluators[0].grow(self._forest, simulations, deadline)
            return
        task = visits + simulations, self._threads, deadline
        pairs = list(zip(self._evaluators, self._forests, strict=True))
        others = [self._pool.submit(evaluator.grow_together, forest, *task) for evaluator, forest in pairs[1:]]
        try:
            self._evaluators[0].grow_together(self._forest, *task)
        finally:
            others = [other for other in others if not other.cancel()]  # who has not begun need not begin any more
            wait(others)  # whatever happened, nobody is left in the tree
        for other in others:
            other.result()

    def _reached(self, done: int, nodes: int | None) -> bool:
        full = int(self._forest.trees[0]["nodes"]) + self._threads * SPARE_NODES >= self._forest.states.shape[1]
        single = int(self._forest.nodes[0, ROOT]["count"]) == 1 and done > 1
        return full or (nodes is not None and done >= nodes) or single

    def _slice(self, done: int, nodes: int | None, seconds: float | None, passed: float) -> int:
        if done == 0 and (self._candidates > 1 or self._threads > 1):
            return 1  # the root has to be known before its moves can be compared, or walked by several threads
        size: float = STEADY_SLICE
        if seconds is not None or self._threads > 1:
            longest = SLICE_SECONDS if self._threads == 1 else SHARED_SLICE_SECONDS
            size = self._speed * min(longest, math.inf if seconds is None else seconds - passed)
        if nodes is not None:
            size = min(size, (self._halving.next_end if self._halving else 1.0) * nodes - done)
        return max(1, int(size))

    def _report(self, seconds: float) -> Report:
        forest = self._forest
        count, players = int(forest.nodes[0, ROOT]["count"]), int(forest.states[0, ROOT]["players"])
        edges = forest.edges[0, :count]
        visits = edges["visits"]
        outcomes = np.sum([each.roots[0, :count, :, :players] for each in self._forests], 0)
        outcomes /= np.maximum(visits, 1)[:, None, None]
        priors = self._halving.priors if self._halving else edges["prior"]
        order = np.lexsort((-priors, -visits)).tolist()
        best = self._best(order, visits, edges["total"])
        order.remove(best)
        order.insert(0, best)
        actions = edges["action"].tolist()
        candidates = (
            Candidate(
                action=actions[at],
                visits=int(visits[at]),
                prior=float(priors[at]),
                win=tuple(outcomes[at, 0].tolist()),
                margin=tuple(outcomes[at, 1].tolist()),
                line=most_visited_line(forest, at) if rank < LINES_TOLD else (actions[at],),
            )
            for rank, at in enumerate(order)
        )
        return Report(
            nodes=int(forest.trees[0]["visits"]),
            seconds=seconds,
            depth=int(forest.trees[0]["deepest"]),
            candidates=tuple(candidates),
        )

    def _best(self, order: list[int], visits: NDArray[Any], totals: NDArray[Any]) -> int:
        """The move with the highest mean among those looked at nearly as often as any other."""
        enough = max(1.0, self._trusted * float(visits[order[0]]))
        trusted = [at for at in order if visits[at] >= enough]
        return max(trusted, key=lambda at: float(totals[at] / visits[at]), default=order[0])


def most_visited_line(forest: Forest, at: int) -> tuple[int, ...]:
    """The actions below an edge of the root that the search looked at most, its own first."""
    actions = []
    while True:
        edge = forest.edges[0, at]
        actions.append(int(edge["action"]))
        child = int(edge["child"])
        if child == NO_CHILD or int(forest.nodes[0, child]["count"]) == 0:
            return tuple(actions)
        first, count = int(forest.nodes[0, child]["first"]), int(forest.nodes[0, child]["count"])
        visits = forest.edges[0, first : first + count]["visits"]
        if visits.max() == 0:
            return tuple(actions)
        at = first + int(np.argmax(visits))


def solved_report(solution: Solution, root: s.State, seconds: float) -> Report:
    """The report of a solved end of a round: every move with its exact outcome."""
    seat, players = int(root["seat"]), int(root["players"])
    candidates = [
        Candidate(
            action=int(action),
            visits=0,
            prior=0.0,
            win=tuple(map(float, solution.win[at, :players])),
            margin=tuple(map(float, solution.margin[at, :players])),
            line=(int(action),),
        )
        for at, action in enumerate(solution.actions)
    ]
    candidates.sort(key=lambda each: (-utility(each.win[seat], each.margin[seat]), each.action != solution.line[0]))
    best = candidates[0]
    candidates[0] = Candidate(best.action, solution.positions, 1.0, best.win, best.margin, solution.line)
    return Report(solution.positions, seconds, len(solution.line), tuple(candidates), solved=True)


def arrays_of(forest: Forest) -> tuple[Any, Any, Any, Any, Any, Any]:
    """The arrays of a forest in the order in which compiled functions take them."""
    return forest.states, forest.nodes, forest.edges, forest.trees, forest.roots, forest.leaves
