"""How sharp a policy plays best: the scale of its logits with which the search loses least.

A policy that taught itself is surer than a search can use: what it hides is never looked at. So positions of games are
searched with the policy in several scales, and the moves chosen are valued by longer searches. The loss of a scale is
what its moves are worth less than the best one chosen.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from azulejos.arena.game_task import derived_seed
from azulejos.arena.statistics import mean_margin
from azulejos.game.game import Game
from azulejos.game.moves import MOVES
from azulejos.game.view import Wall
from azulejos.net.inference import Inference, read_weights
from azulejos.net.rows import rounded
from azulejos.players.searching import NET_AT_TABLES
from azulejos.search.batches import BATCH
from azulejos.search.cache import ROWS
from azulejos.search.evaluators import ByNetwork
from azulejos.search.searcher import Searcher
from azulejos.search.solver import MOST_GROUPS, groups_on_offer
from azulejos.search.utility import utility
from azulejos.training.atomic import write_atomic
from azulejos.training.cards import Interval
from azulejos.training.plan import Mix
from azulejos.training.pool import TaskPool

SCALES: Final = (1.0, 0.8, 0.63, 0.5, 0.4)
"""The scales that are compared; with the one in the middle games are played and moves valued."""
STEPS: Final = 101
"""Scales between the first and the last that can be chosen."""
DIGITS: Final = 7
"""Losses that agree in so many digits after the point are equal."""
POLICY_LAYERS: Final = ("drafts", "tiling")
"""The last layers of the policy, whose output are its logits."""
GAME_NODES: Final = 64
"""Positions looked at for a move of the games."""
NODES: Final = 800
"""Positions looked at for a move that is compared."""
JUDGE_NODES: Final = 6000
"""Positions looked at to value a move."""
LOOKED_AT: Final = 0.5
"""The share of the positions that is looked at, of those that are not solved: neighbors tell much the same."""
COLLECT_SECONDS: Final = 1.0
"""How long to wait for a worker at a time."""

Weights = dict[str, Any]
"""The arrays of a weights file."""


class PolicyScale(Struct):
    """The scale that lost least, and what was measured."""

    scale: float
    """What the policy's logits are multiplied with."""
    positions: int
    """How many positions were searched."""
    losses: dict[float, Interval]
    """For each scale the mean loss of a move, in utility."""


def softened(weights: Weights, scale: float) -> Weights:
    """The same network with its policy's logits multiplied."""
    layers = [f"{layer}.{part}" for layer in POLICY_LAYERS for part in ("weight", "bias")]
    return weights | {name: weights[name] * np.float32(scale) for name in layers}


class Judge:
    """Searches with one network, its policy in several scales, for tables of one kind."""

    def __init__(
        self,
        weights: Weights,
        players: int,
        wall: Wall,
        scales: Sequence[float] = SCALES,
        nodes: int = NODES,
        judge_nodes: int = JUDGE_NODES,
    ) -> None:
        self._players, self._wall, self._nodes, self._judge_nodes = players, wall, nodes, judge_nodes
        self._searchers = [self._searcher(softened(weights, scale), nodes) for scale in scales]
        self._judge = self._searcher(softened(weights, scales[len(scales) // 2]), judge_nodes)

    def _searcher(self, weights: Weights, nodes: int) -> Searcher:
        network = Inference(weights, self._players, BATCH)
        evaluator = ByNetwork(network, 0, rows=ROWS, **NET_AT_TABLES[self._players, self._wall])
        return Searcher([evaluator], 2 * nodes + 1000)

    def losses_in_game(self, seed: int) -> NDArray[np.float64]:
        """Play a game; returns what the choice of each scale loses in some of its positions, [position, scale]."""
        game, random = Game(self._players, self._wall, seed=seed), Random(seed)
        rows = []
        while not game.is_over:
            if groups_on_offer(game.states[0]) > MOST_GROUPS and random.random() < LOOKED_AT:
                rows.append(self._losses(game))
            game.play(MOVES[self._judge.search(game.states, nodes=GAME_NODES).best.action])
        return np.array(rows).reshape(-1, len(self._searchers))

    def _losses(self, game: Game) -> list[float]:
        """What the choice of each scale is worth less than the best of them."""
        chosen = [searcher.search(game.states, nodes=self._nodes).best.action for searcher in self._searchers]
        if len(set(chosen)) == 1:
            return [0.0] * len(chosen)
        worth = {action: self._worth(game, action) for action in dict.fromkeys(chosen)}
        return [max(worth.values()) - worth[action] for action in chosen]

    def _worth(self, game: Game, action: int) -> float:
        """What a move is worth to who makes it, by a search of what follows."""
        seat = game.turn
        game.play(MOVES[action])
        best = self._judge.search(game.states, nodes=self._judge_nodes).best
        game.undo()
        return utility(best.win[seat], best.margin[seat])


def losses_in_game(weights: Weights, players: int, wall: Wall, seed: int) -> NDArray[np.float64]:
    """What the choices of all scales lose in a game, for a worker."""
    return Judge(weights, players, wall).losses_in_game(seed)


def measure(weights: Weights, mix: Mix, games: int, seed: int, pool: TaskPool) -> PolicyScale:
    """Find the scale that loses least, in so many games of a mix; a game whose worker died is left out."""
    kinds: list[tuple[int, Wall]] = []
    for players, gray, share in mix:
        kinds += [(players, "gray" if gray else "std")] * max(1, round(games * share))
    found: list[NDArray[np.float64] | None] = []
    shared = pool.workers.share(weights)
    for number, kind in enumerate(kinds):
        while pool.free <= 0:
            pool.collect(COLLECT_SECONDS)
        pool.give(found.append, losses_in_game, shared, *kind, derived_seed(seed, number))
    while pool.free < pool.workers.size:
        pool.collect(COLLECT_SECONDS)
    return least(np.concatenate([np.zeros((0, len(SCALES))), *(each for each in found if each is not None)]))


def least(losses: NDArray[np.float64]) -> PolicyScale:
    """The scale that loses least, by all columns together; 1 if there are no rows.

    Neighboring scales can seldom be told apart, so it is where a parabola through the means of all is lowest, of those
    between the sharpest and the softest.
    """
    if not len(losses):
        return PolicyScale(1.0, 0, {})
    means = {scale: mean_margin(column) for scale, column in zip(SCALES, losses.T.tolist(), strict=True)}
    curve = np.polynomial.Polynomial.fit(np.log(SCALES), losses.mean(0), 2)
    between = np.geomspace(SCALES[0], SCALES[-1], STEPS)
    lowest = between[np.round(curve(np.log(between)), DIGITS).argmin()]  # the sharpest of those that lose equally
    return PolicyScale(
        round(float(lowest), 2), len(losses), {scale: Interval.of(mean) for scale, mean in means.items()}
    )


def soften_file(path: Path, scale: float) -> None:
    """Multiply the policy's logits of a weights file, and write the scale on its card."""
    weights = softened(read_weights(path), scale)
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    for layer in POLICY_LAYERS:
        arrays[f"{layer}.weight"] = rounded(weights[f"{layer}.weight"]).astype(np.float16)
        arrays[f"{layer}.bias"] = weights[f"{layer}.bias"].astype(np.float16)
    arrays["policy_scale"] = np.array(scale * float(arrays.get("policy_scale", 1.0)))
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    write_atomic(path, buffer.getbuffer())
