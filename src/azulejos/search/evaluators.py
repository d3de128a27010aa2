"""The two evaluators: by hand, and by the network."""

from __future__ import annotations

import math
import time
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from azulejos.net.features import FEATURES
from azulejos.net.inference import Answers, Inference
from azulejos.rules.state import ACTIONS, MAX_PLAYERS, OVER, STATE
from azulejos.search.batching import (
    WALKS_PER_LEAF,
    absorb,
    absorb_together,
    collect,
    collect_together,
    dealt,
    set_ends,
    write_batch,
)
from azulejos.search.evaluation import SEAT_FEATURES, evaluation_weights
from azulejos.search.hand import blend_playouts, final_playouts, simulate_by_hand, simulate_together, value_ends_by_hand
from azulejos.search.memory import Memory, words_of
from azulejos.search.policy import LINE_VALUES
from azulejos.search.searcher import arrays_of
from azulejos.search.solver import SOLVABLE
from azulejos.search.tree import EDGE, MOST_EDGES, Forest

HAND_EXPLORATION: Final = 1.0
"""How much the search by hand is drawn to priors."""
HAND_REDUCTION: Final = 0.0
"""How much worse than its parent it thinks a move that was not tried."""
NET_EXPLORATION: Final = 0.8
"""How much the search with the network is drawn to priors."""
NET_REDUCTION: Final = 0.25
"""How much worse than its parent it thinks a move that was not tried."""
BATCH: Final = 16
"""Leaves that go to the network at once."""
MOST_PER_BATCH: Final = WALKS_PER_LEAF * BATCH
"""Nodes that a batch can take."""
VISITS_PER_LEAF: Final = 8
"""A batch has one leaf for so many visits of the tree, lest a small tree be spread thin."""
MOST_DEALT: Final = 2000
"""Positions after a deal that the solver asks the network about, at most."""
UNDEALT_COUNTS: Final = 4.0
"""What the network says of a round's end before the deal counts as much as so many deals after it."""
ROUNDS_PLAYED_OUT: Final = 15
"""To see whether a round will be the last one. Odd, lest they disagree evenly."""
WAIT_SECONDS: Final = 1e-4
"""How long a thread waits that found only leaves which others have waiting."""


class ByHand:
    """Playouts to the end of the round and hand-made features."""

    most_ends = SOLVABLE
    """Ends of a round that the solver may ask about."""
    candidates = 0
    """Moves compared by halving; none."""

    def __init__(
        self, seed: int = 0, *, exploration: float = HAND_EXPLORATION, reduction: float = HAND_REDUCTION
    ) -> None:
        self._exploration, self._reduction = exploration, reduction
        self._seed: Any = np.uint64(seed)
        self._weights = evaluation_weights()
        self._values = np.zeros(LINE_VALUES, np.float32)
        self._scratch = np.zeros(1, STATE)
        self._features = np.zeros(SEAT_FEATURES, np.float32)
        self._logits = np.zeros((1, ACTIONS), np.float32)
        self._outcome = np.zeros((2, 2, MAX_PLAYERS), np.float32)
        self._fresh = np.zeros((1, MOST_EDGES), EDGE)
        self.playout_moves = 0
        """Played so far."""

    def forget(self) -> None:
        """Nothing to forget: every position is thought about anew."""

    def grow(self, forest: Forest, simulations: int, deadline: float) -> None:  # noqa: ARG002 - it is quick and even
        """Run so many simulations."""
        self.playout_moves += simulate_by_hand(
            *arrays_of(forest),
            0,
            simulations,
            self._seed,
            self._weights,
            self._values,
            self._scratch,
            self._features,
            self._logits,
            self._outcome,
            self._exploration,
            self._reduction,
        )

    def grow_together(self, forest: Forest, end: int, threads: int, deadline: float) -> None:  # noqa: ARG002
        """Run simulations beside other threads until there are so many visits."""
        self.playout_moves += simulate_together(
            *arrays_of(forest),
            0,
            end,
            threads,
            self._seed,
            self._weights,
            self._values,
            self._scratch,
            self._features,
            self._logits,
            self._outcome,
            self._fresh,
            self._exploration,
            self._reduction,
        )

    def expects_the_end(self, states: NDArray[Any]) -> bool:
        """Whether the round of `states[0]` will probably be the last one."""
        final = final_playouts(states[0], self._values, self._scratch, self._seed, ROUNDS_PLAYED_OUT)
        return 2 * final > ROUNDS_PLAYED_OUT

    def blend(self, forest: Forest, count: int, outcome: NDArray[np.float32], share: float, final_share: float) -> None:
        """Mix this share of a playout into the network's outcome of each leaf that waits; the final if it is over."""
        self.playout_moves += blend_playouts(
            forest.states,
            forest.leaves,
            0,
            count,
            self._seed,
            self._weights,
            self._values,
            self._scratch,
            self._features,
            self._outcome,
            outcome,
            share,
            final_share,
        )

    def value_ends(
        self,
        states: NDArray[Any],
        deadline: float = math.inf,  # noqa: ARG002 - it is quick
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Hand-made features."""
        win, margin = np.zeros((2, len(states), MAX_PLAYERS), np.float32)
        value_ends_by_hand(states, self._weights, self._features, self._outcome, win, margin)
        return win, margin


class ByNetwork:
    """Leaves in batches to the network."""

    most_ends = 2000
    """Ends of a round that the solver may ask about."""
    candidates = 8
    """Moves compared by halving."""

    def __init__(
        self,
        network: Inference,
        seed: int = 0,
        *,
        exploration: float = NET_EXPLORATION,
        reduction: float = NET_REDUCTION,
        playouts: float = 0.0,
        endings: float = 0.0,
        deals: float = 0,
    ) -> None:
        self._deals = int(deals)
        self._exploration, self._reduction = exploration, reduction
        self._playouts, self._endings = playouts, endings
        self._network, self._hand = network, ByHand(seed)
        self._x = np.zeros((BATCH, FEATURES), np.int8)
        self._fresh = np.zeros((1, MOST_EDGES), EDGE)
        self._memory = Memory.empty()

    def forget(self) -> None:
        """Forget what the network said in earlier searches."""
        self._memory.forget()

    def _answer(self, forest: Forest, count: int) -> Answers:
        """What the network says of the collected leaves, with a share of a playout in it."""
        answers = self._network(self._x[:count])
        if self._playouts or self._endings:
            self._hand.blend(forest, count, answers.outcome, self._playouts, self._endings)
        return answers

    def grow(self, forest: Forest, simulations: int, deadline: float) -> None:
        """Run so many simulations."""
        arrays, remembering = arrays_of(forest), (words_of(forest.states), self._memory)
        visits = int(forest.trees[0]["visits"])
        end = visits + simulations
        while visits < end and int(forest.trees[0]["nodes"]) + MOST_PER_BATCH < forest.states.shape[1]:
            batch = min(BATCH, 1 + visits // VISITS_PER_LEAF, end - visits)
            count = collect(*arrays, 0, batch, end, *remembering, self._x, self._exploration, self._reduction)
            if count:
                answers = self._answer(forest, count)
                absorb(*arrays, 0, count, *remembering, answers.logits, answers.outcome)
            now = int(forest.trees[0]["visits"])
            if now == visits or time.perf_counter() > deadline:
                return
            visits = now

    def grow_together(self, forest: Forest, end: int, threads: int, deadline: float) -> None:
        """Run batches beside other threads until so many visits are done or under way."""
        arrays, remembering = arrays_of(forest), (words_of(forest.states), self._memory)
        tuning = self._exploration, self._reduction
        room = forest.states.shape[1] - threads * MOST_PER_BATCH
        while int(forest.trees[0]["nodes"]) < room and time.perf_counter() < deadline:
            visits = int(forest.trees[0]["visits"])
            batch = min(BATCH, 1 + visits // (VISITS_PER_LEAF * threads))
            count = collect_together(*arrays, 0, batch, end, *remembering, self._x, self._fresh, *tuning)
            if count:
                answers = self._answer(forest, count)
                absorb_together(*arrays, 0, count, *remembering, answers.logits, answers.outcome, self._fresh)
            elif int(forest.trees[0]["visits"]) >= end:
                return
            else:
                time.sleep(WAIT_SECONDS)

    def value_ends(
        self, states: NDArray[Any], deadline: float = math.inf
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The network's word on positions before a deal and after some deals; finished games speak for themselves."""
        win, margin = self._hand.value_ends(states)
        due = np.flatnonzero(states["phase"] != OVER)
        if len(due):
            share = np.float32(self._playouts)
            for by_hand, asked in zip((win, margin), self._value_dealt(states[due], deadline), strict=True):
                by_hand[due] = asked + share * (by_hand[due] - asked)
        return win, margin

    def _value_dealt(self, states: NDArray[Any], deadline: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The network's word before a deal and after some deals."""
        started = time.perf_counter()
        win, margin = self._value(states)
        once = time.perf_counter() - started
        for number in range(min(self._deals, MOST_DEALT // len(states))):
            if time.perf_counter() + once > deadline:
                break
            dealt_win, dealt_margin = self._value(dealt(states, number))
            share = np.float32(1 / (UNDEALT_COUNTS + number + 1))
            win += share * (dealt_win - win)
            margin += share * (dealt_margin - margin)
        return win, margin

    def _value(self, states: NDArray[Any]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The network's word, by absolute seat."""
        win, margin = np.zeros((2, len(states), MAX_PLAYERS), np.float32)
        for first in range(0, len(states), BATCH):
            part = states[first : first + BATCH]
            write_batch(part, self._x)
            answers = self._network(self._x[: len(part)])
            set_ends(part, answers.outcome, win[first:], margin[first:])
        return win, margin
