"""Self-play on a processor core: many games side by side, all their leaves to the network at once.

The search is the one of the players and of the kernels; the network answers through NumPy, so that nothing here needs
PyTorch. Tables of the same kind (players and wall) share a batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from azulejos.net.features import FEATURES
from azulejos.net.inference import Inference
from azulejos.rules.state import ACTIONS, MAX_PLAYERS, STATE
from azulejos.search.gumbel import halvings
from azulejos.search.tree import MOST_EDGES, Forest
from azulejos.training import turns
from azulejos.training.shards import Samples

Mix = tuple[tuple[int, int, float], ...]
"""Players, gray wall, share of the games."""

MIXES: Final[dict[str, Mix]] = {
    "2std": ((2, 0, 1.0),),
    "2gray": ((2, 1, 1.0),),
    "3std": ((3, 0, 1.0),),
    "3gray": ((3, 1, 1.0),),
    "4std": ((4, 0, 1.0),),
    "4gray": ((4, 1, 1.0),),
    "gray": ((2, 1, 0.2), (3, 1, 0.4), (4, 1, 0.4)),
    "many": ((3, 0, 0.5), (4, 0, 0.5)),
    "rest": ((2, 1, 0.2), (3, 0, 0.18), (3, 1, 0.22), (4, 0, 0.18), (4, 1, 0.22)),
    "all": ((2, 0, 0.3), (2, 1, 0.14), (3, 0, 0.14), (3, 1, 0.14), (4, 0, 0.14), (4, 1, 0.14)),
}
"""`gray` is the gray wall, `many` more than two on the colored one, `rest` both of them."""


@dataclass(frozen=True)
class PlayPlan:
    """How to play; `selfplay.Plan` is the same for a CUDA device."""

    slots: int = 64
    """Games side by side."""
    simulations: int = 64
    """For each move."""
    mix: Mix = MIXES["2std"]
    """Players, gray wall and share of the games."""
    temperature: float = 1.0
    """How freely moves are drawn in the opening of a round: what noise counts beside log priors and values."""
    late_temperature: float = 0.5
    """The same after the opening."""
    seed: int = 1
    """What the deals follow from."""
    depth_per_player: int = 64
    """Room for the samples of a game, for each seat; a game has fewer."""
    opening: int = 4
    """Plies of a round that are played at the first temperature."""
    exploration: float = 1.1
    """How much the walk is drawn to priors."""
    reduction: float = 0.25
    """How much worse than its parent a move is thought to be before it is tried."""
    candidates: int = 32
    """Moves of the root that are compared."""
    softness: float = 1.2
    """The temperature of the root's priors, lest self-play grow ever surer of its first thought."""
    visit_offset: float = 50.0
    """Added to the visits of a root's most visited move: both together say how much values count beside priors."""
    value_scale: float = 0.5
    """What that is multiplied with."""
    round_limit: int = 20
    """A longer game ends there."""
    edges_per_node: int = 176
    """Room for so many on average."""

    def __post_init__(self) -> None:
        for name in ("slots", "simulations", "candidates"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)!r}")
        if self.softness <= 0:
            raise ValueError(f"softness must be more than 0, not {self.softness!r}")

    @property
    def compared(self) -> int:
        """Moves of the root that are compared: each is tried."""
        return min(self.candidates, self.simulations)


class ProcessorSelfPlay:
    """Games under way on one core, and the samples they gave.

    The same plan and weights give the same samples.
    """

    def __init__(self, weights: dict[str, Any], plan: PlayPlan) -> None:
        self.plan = plan
        """How to play."""
        self.games = 0
        """How many are finished."""
        random = np.random.default_rng(plan.seed)
        whole = sum(share for _, _, share in plan.mix)
        self._finished: list[Samples] = []
        self._tables = [
            _Tables(weights, plan, players, gray, max(1, round(plan.slots * share / whole)), random)
            for players, gray, share in plan.mix
        ]

    def set_weights(self, weights: dict[str, Any]) -> None:
        """Go on with another network."""
        for tables in self._tables:
            tables.set_weights(weights)

    def step(self) -> int:
        """Search and play one move in every game; returns how many games that finished."""
        finished = 0
        for tables in self._tables:
            count = tables.step()
            finished += count
            if count:  # at once, before the slot's next games need the room
                self._finished.append(tables.take())
        self.games += finished
        return finished

    def take(self) -> Samples:
        """The samples of games finished since the last time."""
        parts, self._finished = self._finished, []
        return Samples.joined(parts)


class _Tables:
    """Games of one kind."""

    def __init__(
        self, weights: dict[str, Any], plan: PlayPlan, players: int, gray: int, slots: int, random: np.random.Generator
    ) -> None:
        self._plan, self._players, self._gray, self._slots, self._random = plan, players, gray, slots, random
        self._stream = int(random.integers(1 << 62))
        self.set_weights(weights)
        nodes = plan.simulations + 2
        self._forest = Forest.grow(slots, nodes, nodes * plan.edges_per_node + MOST_EDGES, slots)
        self._games = np.zeros(slots, STATE)
        self._counters = np.arange(slots)
        self._plies, self._cursor, self._begun, self._rows = np.zeros((4, slots), np.int64)
        self._logs, self._noise = np.zeros((2, slots, MOST_EDGES), np.float32)
        self._x = np.zeros((slots, FEATURES), np.int8)
        depth = plan.depth_per_player * players
        self._features = np.zeros((depth, slots, FEATURES), np.int8)
        self._policy = np.zeros((depth, slots, ACTIONS), np.float32)
        self._win, self._margin, self._search = np.zeros((3, depth, slots, MAX_PLAYERS), np.float32)
        self._seats, self._done = np.zeros((2, depth, slots), np.int8)
        turns.begin_games(self._games, self._counters, players, gray, self._stream, plan.round_limit)

    def set_weights(self, weights: dict[str, Any]) -> None:
        self._network = Inference(weights, self._players, self._slots)

    def step(self) -> int:
        plan, forest = self._plan, self._forest
        turns.plant_all(self._games, forest.states, forest.nodes, forest.trees, forest.roots)
        heat = np.where(self._plies < plan.opening, plan.temperature, plan.late_temperature)
        self._noise[:] = self._random.gumbel(size=self._noise.shape) * heat[:, None]
        arrays = forest.states, forest.nodes, forest.edges, forest.trees, forest.roots, forest.leaves
        stay = halvings(plan.simulations, plan.compared)
        for done in range(plan.simulations + 1):  # the first only values the root
            found = turns.walk_all_down(*arrays, self._x, self._rows, plan.exploration, plan.reduction)
            if found:
                answers = self._network(self._x[:found])
                drawn = self._logs, self._noise, plan.softness, plan.compared
                turns.walk_all_up(*arrays, answers.logits, answers.outcome, self._rows, *drawn)
            if done in stay:
                turns.halve_all(forest.nodes, forest.edges, *self._weighed(), stay[done])
        self._play()
        return turns.finish_all_games(
            self._games,
            self._counters,
            self._players,
            self._gray,
            self._stream,
            plan.round_limit,
            self._win,
            self._margin,
            self._seats,
            self._done,
            self._begun,
            self._cursor,
            self._plies,
        )

    def _play(self) -> None:
        forest = self._forest
        turns.play_all_moves(
            self._games,
            forest.nodes,
            forest.edges,
            forest.roots,
            *self._weighed(),
            self._plies,
            self._features,
            self._policy,
            self._search,
            self._seats,
            self._done,
            self._cursor,
        )

    def _weighed(self) -> tuple[Any, Any, float, float]:
        """What the moves of the roots are compared by."""
        return self._logs, self._noise, self._plan.visit_offset, self._plan.value_scale

    def take(self) -> Samples:
        fresh: NDArray[np.bool_] = self._done == turns.GAME_OVER
        self._done[fresh] = turns.TAKEN
        return Samples(
            self._features[fresh],
            self._policy[fresh].astype(np.float16),
            self._win[fresh],
            self._margin[fresh],
            self._search[fresh],
        )
