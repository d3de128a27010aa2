"""Self-play on processor cores: many games side by side, all their leaves to the network at once.

The search is the one of the players and of the kernels; the network answers through compiled arithmetic, so that a
worker needs no PyTorch. Tables of the same kind (players and wall) share a batch.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from azulejos.arena.game_task import derived_seed
from azulejos.arena.workers import processor_name
from azulejos.net.features import FEATURES
from azulejos.net.inference import Inference, read_weights
from azulejos.rules.state import ACTIONS, MAX_PLAYERS, OVER, STATE
from azulejos.search.gumbel import Comparison, halvings
from azulejos.search.tree import MOST_EDGES, Forest, Tuning
from azulejos.training import turns
from azulejos.training.plan import DEPTH_PER_PLAYER, EDGES_PER_NODE, ROUND_LIMIT, TrainingPlan
from azulejos.training.pool import TaskPool
from azulejos.training.replay import SAMPLE, ReplayBuffer
from azulejos.training.selfplay import Tally

if TYPE_CHECKING:
    from azulejos.training.losses import SampleBatch

SLICE_SECONDS: Final = 5.0
"""How long a worker plays before it sends what is finished."""
READY_BATCHES: Final = 4
"""Learning begins with so many batches in the replay buffer."""

Weights = dict[str, Any]
"""The arrays of a weights file."""
Show = Callable[[NDArray[Any]], "SampleBatch"]
"""Makes a batch for the learner of some samples."""


class Games:
    """Games under way on one core, and the samples they gave; the same plan, weights and seed give the same samples."""

    def __init__(self, weights: Weights, plan: TrainingPlan, seed: int = 1) -> None:
        self.plan = plan
        """The plan by which it plays."""
        self.tally = Tally()
        """What was done so far."""
        random = np.random.default_rng(seed)
        whole = sum(share for _, _, share in plan.games)
        self._finished: list[NDArray[Any]] = []
        self._tables = [
            _Tables(weights, plan, players, gray, max(1, round(plan.slots * share / whole)), random)
            for players, gray, share in plan.games
        ]

    def set_weights(self, weights: Weights) -> None:
        """Go on with another network."""
        for tables in self._tables:
            tables.set_weights(weights)

    def step(self) -> None:
        """Search and play one move in every game."""
        for tables in self._tables:
            done = tables.step()
            self.tally = self.tally.plus(done)
            if done.games:  # at once, before the slot's next games need the room
                self._finished.append(tables.take())

    def take(self) -> NDArray[Any]:
        """The samples of games finished since the last time."""
        parts, self._finished = self._finished, []
        return np.concatenate([np.zeros(0, SAMPLE), *parts])


class _Tables:
    """Games of one kind."""

    def __init__(
        self, weights: Weights, plan: TrainingPlan, players: int, gray: int, slots: int, random: np.random.Generator
    ) -> None:
        self._plan, self._players, self._gray, self._slots, self._random = plan, players, gray, slots, random
        self._stream = int(random.integers(1 << 62))
        self.set_weights(weights)
        nodes = plan.simulations + 2
        self._forest = Forest.grow(slots, nodes, nodes * EDGES_PER_NODE + MOST_EDGES, slots)
        self._games = np.zeros(slots, STATE)
        self._counters = np.arange(slots)
        self._rows = np.zeros(slots, np.int64)
        logs, self._noise = np.zeros((2, slots, MOST_EDGES), np.float32)
        self._x = np.zeros((slots, FEATURES), np.int8)
        depth = DEPTH_PER_PLAYER * players
        self._ring = turns.Ring(
            np.zeros((depth, slots, FEATURES), np.int8),
            np.zeros((depth, slots, ACTIONS), np.float32),
            *np.zeros((3, depth, slots, MAX_PLAYERS), np.float32),
            *np.zeros((2, depth, slots), np.int8),
            *np.zeros((3, slots), np.int64),
        )
        self._tuning = Tuning(plan.exploration, plan.fpu_reduction, 0.0)
        weighed = plan.root_temperature, plan.compared, plan.visit_offset, plan.value_scale
        self._comparison = Comparison(logs, self._noise, *weighed)
        turns.begin_games(self._games, self._counters, players, gray, self._stream, ROUND_LIMIT)

    def set_weights(self, weights: Weights) -> None:
        self._network = Inference(weights, self._players, self._slots)

    def step(self) -> Tally:
        plan, forest = self._plan, self._forest
        turns.plant_all(self._games, forest)
        temperature = np.where(self._ring.plies < plan.opening, plan.temperature, plan.late_temperature)
        self._noise[:] = self._random.gumbel(size=self._noise.shape) * temperature[:, None]
        stay = halvings(plan.simulations, plan.compared)
        for done in range(plan.simulations + 1):  # the first only values the root
            found = turns.select_all(forest, self._tuning, self._x, self._rows)
            if found:
                answers = self._network(self._x[:found])
                turns.back_up_all(forest, answers.logits, answers.outcome, self._rows, self._comparison)
            if done in stay:
                turns.halve_all(forest, self._comparison, stay[done])
        turns.play_all_moves(self._games, forest, self._comparison, self._ring)
        over = self._games[self._games["phase"] == OVER]
        rounds, score = int(over["round_number"].sum()), int(over["score"][:, : self._players].sum())
        kind = self._players, self._gray, self._stream, ROUND_LIMIT
        turns.finish_all_games(self._games, self._counters, *kind, self._ring)
        return Tally(self._slots, len(over), rounds, score, self._players * len(over))

    def take(self) -> NDArray[Any]:
        ring = self._ring
        fresh: NDArray[np.bool_] = ring.done == turns.GAME_OVER
        ring.done[fresh] = turns.TAKEN
        samples = np.zeros(int(fresh.sum()), SAMPLE)
        columns = ring.x, ring.policy, ring.win, ring.margin, ring.search_win
        for name, column in zip(SAMPLE.names or (), columns, strict=True):
            samples[name] = column[fresh]
        return samples


_kept: dict[tuple[int, TrainingPlan], tuple[str, Games]] = {}
"""The games that this process has under way for one piece of a run, and the network that plays them."""


def play_slice(
    piece: int, plan: TrainingPlan, network: str, weights: Weights, seed: int, seconds: float
) -> tuple[NDArray[Any], Tally]:
    """Let a worker play for a while; games that do not finish go on in its next slice of the same piece of a run."""
    if (piece, plan) not in _kept:
        _kept.clear()
        _kept[piece, plan] = network, Games(weights, plan, seed)
    name, games = _kept[piece, plan]
    if name != network:
        games.set_weights(weights)
        _kept[piece, plan] = network, games
    before, end = games.tally, time.monotonic() + seconds
    while True:
        games.step()
        if time.monotonic() >= end:
            return games.take(), Tally(*(now - then for now, then in zip(games.tally, before, strict=True)))


class PooledSelfPlay:
    """Games played by workers, here or on a cluster, and the replay buffer that they fill."""

    def __init__(self, pool: TaskPool, plan: TrainingPlan, seed: int, replay: ReplayBuffer, show: Show) -> None:
        self.device = processor_name()
        """What it plays on."""
        self.plan, self.replay = plan, replay
        self._pool, self._seed, self._show = pool, seed, show
        self._random = np.random.default_rng(seed)
        self._network, self._weights = "", Weights()
        self._slices = self._came = 0
        self._tally = Tally()

    @property
    def ready(self) -> bool:
        """Whether there are samples enough to learn from."""
        return self.replay.size >= min(READY_BATCHES * self.plan.batch, self.replay.capacity)

    def prepare(self) -> None:
        """Compile what workers need, once instead of in every one."""
        Games(read_weights(Path(self._network)), replace(self.plan, slots=1, simulations=2)).step()

    def turn(self, seconds: float) -> int:
        """Keep the free workers playing, and take in what they have finished; returns how many positions."""
        while self._pool.free > 0:
            self._slices += 1
            asked = self._seed, self.plan, self._network, self._weights, derived_seed(self._seed, self._slices)
            self._pool.give(self._take, play_slice, *asked, SLICE_SECONDS)
        self._pool.collect(seconds)
        came, self._came = self._came, 0
        return came

    def _take(self, played: tuple[NDArray[Any], Tally] | None) -> None:
        if played is not None:
            samples, tally = played
            self.replay.add(samples)
            self._came += len(samples)
            self._tally = self._tally.plus(tally)

    def sample(self, size: int) -> SampleBatch:
        """So many samples by lot, as the learner wants them."""
        return self._show(self.replay.draw(self._random, size))

    def count(self) -> Tally:
        """What was done since this was last asked."""
        tally, self._tally = self._tally, Tally()
        return tally

    def use(self, weights: Path) -> None:
        """Go on with the network in a file of weights."""
        self._network, self._weights = str(weights), self._pool.workers.share(read_weights(weights))

    def save(self) -> None:
        """Keep the samples that came since the last time."""
        self.replay.save()
