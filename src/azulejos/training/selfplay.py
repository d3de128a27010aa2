"""Self-play on one CUDA device: thousands of games, their trees, the network and the samples, all in its memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from azulejos.net import features as f
from azulejos.rules.state import ACTIONS, MAX_PLAYERS, STATE
from azulejos.search.gumbel import halvings
from azulejos.search.tree import EDGE, LEAF, MOST_EDGES, NODE, TREE
from azulejos.training import kernels as k
from azulejos.training.learner import Symmetries
from azulejos.training.model import Network, Reader
from azulejos.training.processor import PlayPlan

WARP = 32
"""Threads that walk in step; games of one kind stay together in them."""
GOLDEN_RATIO = 0.6180339887498949
"""Its multiples spread the kinds of games evenly over the slots."""
THREADS = 64
"""Of a block."""


@dataclass(frozen=True)
class Plan(PlayPlan):
    """How to play on a device."""

    slots: int = 32768
    """Games side by side."""
    depth: int = 0
    """Samples kept for each slot; `depth_per_player` for each seat of the largest table if 0."""

    @property
    def most_players(self) -> int:
        """At the largest table of the mix."""
        return max(players for players, _, _ in self.mix)


class SelfPlay:
    """Games under way, and the samples they gave."""

    def __init__(self, network: Network, plan: Plan) -> None:
        self.network, self.plan = network, plan
        t, n, d = plan.slots, plan.simulations + 2, plan.depth or plan.depth_per_player * plan.most_players
        self.blocks = (t + THREADS - 1) // THREADS
        """Of threads that a kernel is started with."""
        dev = k.cuda.device_array
        self.games = k.cuda.to_device(np.zeros(t, STATE))
        """The games under way."""
        self.states, self.nodes = dev((t, n), STATE), dev((t, n), NODE)
        self.edges, self.trees = dev((t, n * plan.edges_per_node + MOST_EDGES), EDGE), dev(t, TREE)
        self.leaves = dev(t, LEAF)
        """Where the walk of each tree ended."""
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
        k.start_games[self.blocks, THREADS](self.games, a["counters"], a["config"], a["cursor"], a["begun"], plan.seed)
        self.reader = Reader(network, plan.most_players, t)
        """The network, ready to be recorded in a graph."""
        answers = (self.reader.x, self.reader.logits, self.reader.values)
        a["x"], a["logits"], a["values"] = map(k.cuda.as_cuda_array, answers)
        self._graph: Any = None
        self._symmetries = Symmetries(torch.device("cuda"), plan.seed)

    def _config(self) -> list[tuple[int, int, int]]:
        """Players, wall and round limit of each slot; all kinds of games in all parts, but alike within a warp."""
        rows: list[tuple[int, int, int]] = []
        bounds = np.cumsum([share for _, _, share in self.plan.mix])
        for group in range(-(-self.plan.slots // WARP)):
            drawn = group * GOLDEN_RATIO % 1.0 * bounds[-1]
            players, gray, _ = self.plan.mix[int(np.searchsorted(bounds[:-1], drawn, "right"))]
            rows += [(players, gray, self.plan.round_limit)] * WARP
        return rows[: self.plan.slots]

    def _simulate(self) -> None:
        a, p, stream = self.arrays, self.plan, _stream()
        k.walk_down[self.blocks, THREADS, stream](
            self.states, self.nodes, self.edges, self.trees, self.leaves, a["x"], p.exploration, p.reduction
        )
        self.reader()
        k.walk_up[self.blocks, THREADS, stream](
            self.states,
            self.nodes,
            self.edges,
            self.trees,
            a["roots"],
            self.leaves,
            a["logits"],
            a["values"],
            a["outcome"],
            a["logs"],
            a["noise"],
            p.softness,
            p.compared,
        )

    def _halve(self, stay: int) -> None:
        k.halve_roots[self.blocks, THREADS, _stream()](self.nodes, self.edges, *self._weighed(), stay)

    def _weighed(self) -> tuple[Any, Any, float, float]:
        """What the moves of the roots are compared by."""
        return self.arrays["logs"], self.arrays["noise"], self.plan.visit_offset, self.plan.value_scale

    def _record(self) -> None:
        """All simulations of a move as one graph, so that nothing waits for Python."""
        torch.cuda.synchronize()
        with torch.cuda.stream(torch.cuda.Stream()):
            self._simulate()  # compiles everything
            self._halve(self.plan.compared)
        torch.cuda.synchronize()
        self._graph = torch.cuda.CUDAGraph()
        with k.cuda.defer_cleanup(), torch.cuda.graph(self._graph):  # nothing may be freed while a graph is recorded
            stay = halvings(self.plan.simulations, self.plan.compared)
            for done in range(self.plan.simulations + 1):  # the first only values the root
                self._simulate()
                if done in stay:
                    self._halve(stay[done])

    def _draw_noise(self) -> None:
        """Gumbel numbers, in the opening of a round larger ones."""
        heat = torch.where(self.plies < self.plan.opening, self.plan.temperature, self.plan.late_temperature)
        self.noise.exponential_().clamp_(min=1e-30).log_().mul_(-heat.unsqueeze(1))

    def step(self) -> None:
        """Search and play one move in every game."""
        a, p = self.arrays, self.plan
        self.reader.update()
        k.plant_trees[self.blocks, THREADS](self.games, self.states, self.nodes, self.trees, a["roots"])
        self._draw_noise()
        if self._graph is None:
            self._record()
            k.plant_trees[self.blocks, THREADS](self.games, self.states, self.nodes, self.trees, a["roots"])
        self._graph.replay()
        k.play_moves[self.blocks, THREADS](
            self.games,
            self.nodes,
            self.edges,
            a["roots"],
            *self._weighed(),
            a["plies"],
            a["sample_x"],
            a["sample_policy"],
            a["sample_search"],
            a["sample_seat"],
            a["sample_done"],
            a["cursor"],
        )
        k.finish_games[self.blocks, THREADS](
            self.games,
            a["config"],
            a["counters"],
            p.seed,
            a["sample_win"],
            a["sample_margin"],
            a["sample_seat"],
            a["sample_done"],
            a["cursor"],
            a["begun"],
            a["plies"],
            a["tally"],
        )

    def sample(self, size: int) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Random samples of finished games: features, policy, win, margin, the search's own win; some rows are unfit.

        Positions of the gray wall come with other colors and mirrored columns. A row that is not of a finished game has
        a win target below -1.
        """
        row = torch.randint(len(self.sample_done), (size,), device="cuda")
        slot = torch.randint(self.plan.slots, (size,), device="cuda")
        fit = self.sample_done[row, slot] > 0
        win = torch.where(fit.unsqueeze(1), self.sample_win[row, slot], torch.full((1, 1), -2.0, device="cuda"))
        x, policy = self._symmetries(self.sample_x[row, slot], self.sample_policy[row, slot].float())
        return x, policy, win, self.sample_margin[row, slot], self.sample_search[row, slot]


def _stream() -> Any:
    """PyTorch's stream as the kernels know it."""
    return k.cuda.external_stream(torch.cuda.current_stream().cuda_stream)
