"""Self-play on one CUDA device: thousands of games, their trees, the network and the samples, all in its memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from azulejos.net import features as f
from azulejos.rules.state import ACTIONS, MAX_PLAYERS, STATE
from azulejos.search.gumbel import Comparison, halvings
from azulejos.search.tree import EDGE, LEAF, MOST_EDGES, NODE, TREE, Forest, Tuning
from azulejos.training import kernels as k
from azulejos.training.losses import SampleBatch, Symmetries
from azulejos.training.network import Network, Reader, load
from azulejos.training.plan import DEPTH_PER_PLAYER, EDGES_PER_NODE, ROUND_LIMIT, TrainingPlan
from azulejos.training.selfplay import Tally
from azulejos.training.turns import Ring

WARP: Final = 32
"""Threads that walk in step; games of one kind stay together in them."""
GOLDEN_RATIO: Final = 0.6180339887498949
"""Its multiples spread the kinds of games evenly over the slots."""
THREADS: Final = 64
"""Threads of a CUDA block."""
SYNC_TURNS: Final = 8
"""After so many turns the host waits for the device, or it would run minutes ahead."""
READY_SHARE: Final = 1 / 8
"""Learning begins when so many games for each slot are finished."""


class CudaSelfPlay:
    """Games under way on a CUDA device, and the samples they gave.

    The network plays as it is at each turn: one that learns meanwhile, or one that `use` gives other weights.
    """

    def __init__(self, network: Network, plan: TrainingPlan, seed: int) -> None:
        self.network, self.plan, self.seed = network, plan, seed
        self.device = str(torch.cuda.get_device_name())
        """What it plays on."""
        self.ready = False
        """Whether there are samples enough to learn from."""
        self._turns = self._turns_counted = 0
        t, n, d = plan.slots, plan.simulations + 2, DEPTH_PER_PLAYER * plan.most_players
        self.blocks = (t + THREADS - 1) // THREADS
        """Blocks of threads that a kernel is started with."""
        dev = k.cuda.device_array
        self.games = k.cuda.to_device(np.zeros(t, STATE))
        """The games under way."""
        zeros = lambda *shape, dtype=torch.float32: torch.zeros(*shape, dtype=dtype, device="cuda")  # noqa: E731
        self.roots, self.outcome = zeros(t, MOST_EDGES, 2, MAX_PLAYERS), zeros(t, 2, MAX_PLAYERS)
        self.logs, self.noise = zeros(t, MOST_EDGES), zeros(t, MOST_EDGES)
        """Log priors of the roots' moves, and what chance adds to them."""
        self.config = torch.tensor(self._config(), dtype=torch.int64, device="cuda")
        """Players, wall and limit of rounds of each slot."""
        self.counters, self.cursor, self.begun = (zeros(t, dtype=torch.int64) for _ in range(3))
        self.plies = zeros(t, dtype=torch.int32)
        """Moves of the round so far."""
        self.sample_x = zeros(d, t, f.FEATURES, dtype=torch.int8)
        """Features of the samples."""
        self.sample_policy = zeros(d, t, ACTIONS, dtype=torch.float16)
        """What the search made of the policy."""
        self.sample_win, self.sample_margin = zeros(d, t, MAX_PLAYERS), zeros(d, t, MAX_PLAYERS)
        self.sample_search = zeros(d, t, MAX_PLAYERS)
        """What the search thought of each turn's chances."""
        self.sample_seat, self.sample_done = zeros(d, t, dtype=torch.int8), zeros(d, t, dtype=torch.int8)
        self.tally = zeros(8, dtype=torch.int64)
        """Finished games, their rounds, scores and seats."""
        self.arrays: dict[str, Any] = {
            name: k.cuda.as_cuda_array(value) for name, value in vars(self).items() if isinstance(value, Tensor)
        }
        """The same memory as the kernels see it."""
        a = self.arrays
        edges = dev((t, n * EDGES_PER_NODE + MOST_EDGES), EDGE)
        self.forest = Forest(dev((t, n), STATE), dev((t, n), NODE), edges, dev(t, TREE), a["roots"], dev(t, LEAF))
        """The trees of all slots."""
        self._tuning = Tuning(plan.exploration, plan.fpu_reduction, 0.0)
        weighed = plan.root_temperature, plan.compared, plan.visit_offset, plan.value_scale
        self._comparison = Comparison(a["logs"], a["noise"], *weighed)
        samples = ("sample_x", "sample_policy", "sample_search", "sample_win", "sample_margin")
        self._ring = Ring(*(a[name] for name in (*samples, "sample_seat", "sample_done", "cursor", "begun", "plies")))
        k.start_games[self.blocks, THREADS](self.games, a["counters"], a["config"], seed, self._ring)
        self.reader = Reader(network, plan.most_players, t)
        """The network, ready to be recorded in a graph."""
        answers = (self.reader.x, self.reader.logits, self.reader.values)
        a["x"], a["logits"], a["values"] = map(k.cuda.as_cuda_array, answers)
        self._graph: Any = None
        self._symmetries = Symmetries(torch.device("cuda"), seed)

    def _config(self) -> list[tuple[int, int, int]]:
        """Players, wall and round limit of each slot; all kinds of games in all parts, but alike within a warp."""
        rows: list[tuple[int, int, int]] = []
        bounds = np.cumsum([share for _, _, share in self.plan.games])
        for group in range(-(-self.plan.slots // WARP)):
            drawn = group * GOLDEN_RATIO % 1.0 * bounds[-1]
            players, gray, _ = self.plan.games[int(np.searchsorted(bounds[:-1], drawn, "right"))]
            rows += [(players, gray, ROUND_LIMIT)] * WARP
        return rows[: self.plan.slots]

    def _simulate(self) -> None:
        a, stream = self.arrays, _stream()
        k.select_leaves[self.blocks, THREADS, stream](self.forest, self._tuning, a["x"])
        self.reader()
        answers = a["logits"], a["values"], a["outcome"]
        k.back_up_leaves[self.blocks, THREADS, stream](self.forest, *answers, self._comparison)

    def _halve(self, stay: int) -> None:
        k.halve_roots[self.blocks, THREADS, _stream()](self.forest, self._comparison, stay)

    def _search(self) -> None:
        """All simulations of a move."""
        stay = halvings(self.plan.simulations, self.plan.compared)
        for done in range(self.plan.simulations + 1):  # the first only values the root
            self._simulate()
            if done in stay:
                self._halve(stay[done])

    def _record(self) -> None:
        """All simulations of a move as one graph, so that nothing waits for Python."""
        torch.cuda.synchronize()
        with torch.cuda.stream(torch.cuda.Stream()):
            self._simulate()  # compiles everything
            self._halve(self.plan.compared)
        torch.cuda.synchronize()
        self._graph = torch.cuda.CUDAGraph()
        with k.cuda.defer_cleanup(), torch.cuda.graph(self._graph):  # nothing may be freed while a graph is recorded
            self._search()

    def _draw_noise(self) -> None:
        """Gumbel numbers, in the opening of a round larger ones."""
        temperature = torch.where(self.plies < self.plan.opening, self.plan.temperature, self.plan.late_temperature)
        self.noise.exponential_().clamp_(min=1e-30).log_().mul_(-temperature.unsqueeze(1))

    def step(self) -> None:
        """Search and play one move in every game."""
        a = self.arrays
        self.reader.update()
        k.plant_trees[self.blocks, THREADS](self.games, self.forest)
        self._draw_noise()
        if self._graph is None:
            self._record()
            k.plant_trees[self.blocks, THREADS](self.games, self.forest)
        self._graph.replay()
        k.play_moves[self.blocks, THREADS](self.games, self.forest, self._comparison, self._ring)
        k.finish_games[self.blocks, THREADS](self.games, a["counters"], a["config"], self.seed, self._ring, a["tally"])

    def prepare(self) -> None:
        """Compile the kernels and capture the graph, before the clock starts."""
        self.step()

    def turn(self, seconds: float) -> int:  # noqa: ARG002 - it never waits
        """Search and play one move in every game; returns how many positions that are."""
        self.step()
        self._turns += 1
        if self._turns % SYNC_TURNS == 0:
            self.ready = int(self.tally[0]) > READY_SHARE * self.plan.slots or self.ready
        return self.plan.slots

    def count(self) -> Tally:
        """What was done since this was last asked."""
        games, rounds, score, seats = self.tally.tolist()[:4]
        self.tally.zero_()
        moves, self._turns_counted = (self._turns - self._turns_counted) * self.plan.slots, self._turns
        return Tally(moves, games, rounds, score, seats)

    def use(self, weights: Path) -> None:
        """Go on with the network in a file of weights."""
        load(self.network, weights)

    def save(self) -> None:
        """Nothing: the device fills its memory with samples again in less time than writing them takes."""

    def sample(self, size: int) -> SampleBatch:
        """Random samples of finished games, those of the gray wall under a symmetry; other rows are unfit."""
        row = torch.randint(len(self.sample_done), (size,), device="cuda")
        slot = torch.randint(self.plan.slots, (size,), device="cuda")
        fit = self.sample_done[row, slot] > 0
        win = torch.where(fit.unsqueeze(1), self.sample_win[row, slot], torch.full((1, 1), -2.0, device="cuda"))
        x, policy = self._symmetries(self.sample_x[row, slot], self.sample_policy[row, slot].float())
        return x, policy, win, self.sample_margin[row, slot], self.sample_search[row, slot]


def _stream() -> Any:
    """PyTorch's stream as the kernels know it."""
    return k.cuda.external_stream(torch.cuda.current_stream().cuda_stream)
