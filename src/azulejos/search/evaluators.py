"""The two evaluators: by hand, and by the network."""

from __future__ import annotations

import math
import time
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from azulejos.net.inference import Inference
from azulejos.rules.state import DEAL_DUE, MAX_PLAYERS
from azulejos.search.batches import (
    BATCH,
    BLOCKED,
    PAUSED,
    UNDEALT,
    Asking,
    ask_about_ends,
    blend_ends,
    simulate_batches,
)
from azulejos.search.cache import ROWS, EvaluationCache, clear
from azulejos.search.hand import Hand, final_playouts, simulate, value_ends
from azulejos.search.solver import SOLVABLE
from azulejos.search.tree import Forest, Tuning

HAND_TUNING: Final = Tuning(exploration=1.0, fpu=0.0, prior_floor=0.1)
"""The constants of the search by hand."""
NET_TUNING: Final = Tuning(exploration=0.8, fpu=0.25, prior_floor=0.01)
"""The constants of the search with the network."""
MOST_DEALT: Final = 2000
"""Positions after a deal that the solver asks the network about, at most."""
ROUNDS_PLAYED_OUT: Final = 15
"""To see whether a round will be the last one. Odd, lest they disagree evenly."""
ASKED_AT_ONCE: Final = 4 * BATCH
"""Positions that the network is asked about between two looks at the clock."""
WAIT_SECONDS: Final = 1e-4
"""How long a thread waits that found only leaves which others have waiting."""


class ByHand:
    """Playouts to the end of the round and hand-made features."""

    most_ends = SOLVABLE
    """Ends of a round that the solver may ask about."""
    candidates = 0
    """Moves compared by halving; none."""

    def __init__(self, seed: int = 0, **tuning: float) -> None:
        self.hand = Hand.make(seed)
        """What compiled code works with."""
        self._tuning = HAND_TUNING._replace(**tuning)

    @property
    def playout_moves(self) -> int:
        """Moves played in all playouts so far."""
        return int(self.hand.room[0]["moves"])

    def forget(self) -> None:
        """Nothing to forget: every position is thought about anew."""

    def grow(self, forest: Forest, end: int, threads: int = 1, deadline: float = math.inf) -> None:  # noqa: ARG002
        """Run simulations until there are so many visits; it is quick and even, so it looks at no clock."""
        simulate(forest, 0, end, threads, self.hand, self._tuning)

    def expects_the_end(self, states: NDArray[Any]) -> bool:
        """Whether the round of `states[0]` will probably be the last one."""
        return 2 * final_playouts(self.hand, states, ROUNDS_PLAYED_OUT) > ROUNDS_PLAYED_OUT

    def value_ends(self, states: NDArray[Any], deadline: float = math.inf) -> NDArray[np.float32]:  # noqa: ARG002
        """What ends of a round are worth by hand-made features."""
        values = np.zeros((2, len(states), MAX_PLAYERS), np.float32)
        value_ends(self.hand, states, values)
        return values


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
        playouts: float = 0.0,
        endings: float = 0.0,
        deals: float = 0,
        rows: int = ROWS,
        **tuning: float,
    ) -> None:
        """`rows` are the answers that are remembered, a power of two; they take their memory as they fill."""
        self._deals, self._tuning = int(deals), NET_TUNING._replace(**tuning)
        asking = Asking.make(network.network, Hand.make(seed), playouts, endings)
        self.asking = asking._replace(cache=EvaluationCache.empty(rows))
        """What compiled code works with."""

    def forget(self) -> None:
        """Forget what the network said in earlier searches."""
        clear(self.asking.cache)

    def grow(self, forest: Forest, end: int, threads: int = 1, deadline: float = math.inf) -> None:
        """Run simulations, beside other threads if there are several, until so many visits are done or under way."""
        why = PAUSED
        while why == PAUSED or (why == BLOCKED and threads > 1):
            why = simulate_batches(forest, 0, end, threads, ASKED_AT_ONCE, self.asking, self._tuning)
            if time.perf_counter() > deadline:
                return
            if why == BLOCKED:
                time.sleep(WAIT_SECONDS)

    def value_ends(self, states: NDArray[Any], deadline: float = math.inf) -> NDArray[np.float32]:
        """The network's word on positions before a deal and after some deals; finished games speak for themselves."""
        asked, values = np.zeros((2, 2, len(states), MAX_PLAYERS), np.float32)
        due = max(1, int(np.count_nonzero(states["phase"] == DEAL_DUE)))
        started = time.perf_counter()
        ask_about_ends(self.asking, states, UNDEALT, 0, len(states), asked)
        once = time.perf_counter() - started
        for number in range(min(self._deals, MOST_DEALT // due)):
            if time.perf_counter() + once > deadline:
                break
            ask_about_ends(self.asking, states, number, 0, len(states), asked)
        value_ends(self.asking.hand, states, values)
        blend_ends(states, asked, float(self.asking.room[0]["playouts"]), values)
        return values
