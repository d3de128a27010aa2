"""The root in self-play: candidates by lot, the worse half drops out, and a better policy comes of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from azulejos.search.gumbel import Comparison, begin_halving, end_halving, halve, halvings
from azulejos.search.halving import OVERWHELMING
from azulejos.search.tree import MOST_EDGES, ROOT, Forest
from azulejos.search.utility import utility

T = 1
"""The tree that is looked at; the first one is to stay as it is."""


class Root:
    """A root with so many moves in the second of two trees."""

    def __init__(self, priors: NDArray[Any], seed: int = 0, temperature: float = 0.0) -> None:
        self.count = len(priors)
        self.random = np.random.default_rng(seed)
        self.forest = Forest.grow(2, 3, MOST_EDGES, 1)
        nodes, self.edges = self.forest.nodes, self.forest.edges
        self.logs, self.noise = np.zeros((2, 2, MOST_EDGES), np.float32)
        nodes["count"][T, ROOT] = self.count
        nodes["win"][T, ROOT], nodes["margin"][T, ROOT] = (0.4, 0.6, 0.0, 0.0), (3, -3, 0, 0)
        self.edges["prior"][T, : self.count] = priors
        self.noise[T] = temperature * self.random.gumbel(size=MOST_EDGES)
        self.mine = self.edges[T, : self.count]

    def comparison(self, candidates: int = 0, softness: float = 1.0, scale: float = 0.1) -> Comparison:
        return Comparison(self.logs, self.noise, softness, candidates, 50.0, scale)

    def begin(self, candidates: int, softness: float = 1.0) -> set[int]:
        begin_halving(self.forest, self.comparison(candidates, softness), T)
        return self.left()

    def left(self) -> set[int]:
        return set(np.flatnonzero(self.mine["prior"]).tolist())

    def visit(self) -> None:
        """Every candidate so many times, with one value or another."""
        for edge in self.left():
            visits = int(self.random.integers(1, 5))
            self.mine["visits"][edge] += visits
            self.mine["total"][edge] += visits * self.random.random()

    def halve(self, stay: int, scale: float = 0.1) -> set[int]:
        halve(self.forest, self.comparison(scale=scale), stay, T)
        return self.left()

    def end(self, scale: float = 0.1) -> int:
        return end_halving(self.forest, self.comparison(scale=scale), T)

    def expected(self, log_priors: NDArray[Any], scale: float) -> NDArray[Any]:
        """The logits of the better policy, by the book."""
        visits, prior = self.mine["visits"], np.exp(log_priors)
        tried = visits > 0
        means = self.mine["total"] / np.maximum(visits, 1)
        own = utility(0.4, 3.0)
        mean = (prior * means)[tried].sum() / prior[tried].sum() if tried.any() else 0.0
        mixed = (own + visits.sum() * mean) / (1 + visits.sum())
        logits: NDArray[Any] = log_priors + (50 + visits.max()) * scale * np.where(tried, means, mixed)
        return logits


def some_priors(count: int, seed: int = 0) -> NDArray[Any]:
    return np.random.default_rng(seed).dirichlet(np.full(count, 0.5)).astype(np.float32)


@pytest.mark.parametrize(
    ("simulations", "candidates", "stay"),
    [
        (64, 16, {16: 8, 32: 4, 48: 2}),
        (128, 16, {32: 8, 64: 4, 96: 2}),
        (128, 32, {32: 16, 48: 8, 72: 4, 96: 2}),
        (64, 8, {16: 4, 36: 2}),
        (32, 16, {16: 8, 24: 4}),
        (16, 16, {}),
        (10, 5, {5: 3, 8: 2}),
        (8, 2, {}),
        (8, 1, {}),
    ],
)
def test_phases_give_every_move_that_is_left_as_many_simulations(
    simulations: int, candidates: int, stay: dict[int, int]
) -> None:
    assert halvings(simulations, candidates) == stay
    left, begun = candidates, 0
    for end, staying in stay.items():
        assert (end - begun) % left == 0
        assert end < simulations
        left, begun = staying, end


def test_candidates_are_the_first_by_log_prior_and_noise() -> None:
    priors = some_priors(40)
    root = Root(priors, seed=3, temperature=1.0)
    drawn = root.begin(10)
    assert drawn == set(np.argsort(-(np.log(priors) + root.noise[T, :40]))[:10].tolist())
    assert drawn != set(np.argsort(-priors)[:10].tolist()), "chance has a say"
    assert set(root.mine["prior"].tolist()) == {0.0, OVERWHELMING}
    assert root.logs[T, :40] == pytest.approx(np.log(priors), abs=1e-4)
    assert not root.edges["prior"][0].any()
    assert not root.logs[0].any()


def test_all_moves_are_candidates_where_there_are_few() -> None:
    assert Root(some_priors(5)).begin(16) == set(range(5))


def test_softness_is_a_temperature_of_the_priors() -> None:
    priors = some_priors(6)
    root = Root(priors)
    root.begin(3, softness=2.0)
    assert root.logs[T, :6] == pytest.approx(np.log(priors) / 2, abs=1e-4)


def test_a_prior_of_nothing_is_no_trouble() -> None:
    root = Root(np.array([1.0, 0.0, 0.0], np.float32))
    assert root.begin(2) >= {0}
    root.visit()
    assert root.end() == 0
    assert np.isfinite(root.mine["prior"]).all()


@pytest.mark.parametrize("seed", range(5))
def test_the_worse_ones_drop_out_and_the_best_is_played(seed: int) -> None:
    priors = some_priors(30, seed)
    root = Root(priors, seed, temperature=0.7)
    left = root.begin(16)
    for stay in (8, 4, 2):
        root.visit()
        scores = root.expected(np.log(priors), 0.1) + root.noise[T, :30]
        expected = set(sorted(left, key=lambda edge: -scores[edge])[:stay])
        left = root.halve(stay)
        assert left == expected
        assert root.halve(stay) == expected, "who is left stays"
    root.visit()
    scores = root.expected(np.log(priors), 0.1) + root.noise[T, :30]
    assert root.end() == max(left, key=lambda edge: scores[edge])


@pytest.mark.parametrize("scale", [0.0, 0.1, 2.0])
def test_the_better_policy_is_that_of_the_book(scale: float) -> None:
    priors = some_priors(30)
    root = Root(priors, temperature=1.0)
    root.begin(16)
    root.visit()
    root.halve(8, scale)
    root.visit()
    logits = root.expected(np.log(priors), scale)
    root.end(scale)
    expected = np.exp(logits - logits.max())
    assert root.mine["prior"] == pytest.approx(expected / expected.sum(), abs=1e-5)
    if scale == 0.0:
        assert root.mine["prior"] == pytest.approx(priors, abs=1e-5)


def test_without_values_moves_are_played_as_often_as_their_priors_say() -> None:
    priors = np.array([0.5, 0.25, 0.15, 0.1], np.float32)
    root = Root(priors)
    played = np.zeros(4)
    for _ in range(4000):
        root.mine["prior"] = priors
        root.noise[T] = root.random.gumbel(size=MOST_EDGES)
        root.begin(3)
        root.halve(2, 0.0)
        played[root.end(0.0)] += 1
    assert played / 4000 == pytest.approx(priors, abs=0.03)
