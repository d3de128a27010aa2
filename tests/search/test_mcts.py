"""The tree after a search: what the walk relies on, and what it promises."""

from __future__ import annotations

import numpy as np
import pytest

from azulejos import Game
from azulejos.game.view import Wall
from azulejos.search.evaluators import ByHand
from azulejos.search.mcts import best_edge, plant
from azulejos.search.tree import EXPANDED, ROOT, Forest, Tuning
from azulejos.search.utility import utility

CONFIGURATIONS: list[tuple[int, Wall]] = [(2, "std"), (2, "gray"), (4, "std")]
TUNING = Tuning(0.8, 0.25, 0.1)


def grown(players: int, wall: Wall, simulations: int = 3000) -> Forest:
    forest = Forest.grow(1, 2 * simulations, 100 * simulations, 1)
    plant(forest, 0, Game(players, wall, seed=2).states[0])
    ByHand(exploration=TUNING.exploration, fpu=TUNING.fpu).grow(forest, simulations)
    return forest


def expanded(forest: Forest) -> list[int]:
    nodes = forest.nodes[0, : forest.trees[0]["nodes"]]
    return [int(node) for node in np.flatnonzero(nodes["kind"] == EXPANDED)]


@pytest.mark.parametrize(("players", "wall"), CONFIGURATIONS)
def test_visited_edges_come_first_and_then_the_one_with_the_highest_prior(players: int, wall: Wall) -> None:
    forest = grown(players, wall)
    several = 0
    for node in expanded(forest)[1:]:
        record = forest.nodes[0, node]
        edges = forest.edges[0, record["first"] : record["first"] + record["count"]]
        visited = int((edges["visits"] > 0).sum())
        assert (edges["visits"][:visited] > 0).all()
        assert (np.diff(edges["prior"][:visited]) <= 0).all()
        if visited < len(edges):
            assert edges["prior"][visited] == edges["prior"][visited:].max()
        several += visited > 3
    assert several > 10


@pytest.mark.parametrize(("players", "wall"), CONFIGURATIONS)
def test_the_edge_to_follow_is_the_best_of_all_by_the_formula(players: int, wall: Wall) -> None:
    forest = grown(players, wall)
    nodes, edges = forest.nodes, forest.edges
    for node in expanded(forest):
        record = nodes[0, node]
        mine = edges[0, record["first"] : record["first"] + record["count"]]
        visits, priors = mine["visits"].astype(float), mine["prior"].astype(float)
        own = utility(float(record["win"][record["seat"]]), float(record["margin"][record["seat"]]))
        tried = priors[visits > 0].sum()
        untried = (own + mine["total"].sum()) / (visits.sum() + 1) - TUNING.fpu * np.sqrt(tried)
        means = np.where(visits > 0, mine["total"] / np.maximum(visits, 1), untried)
        scores = means + TUNING.exploration * np.sqrt(visits.sum() + 1) * priors / (1 + visits)
        chosen = best_edge(forest, 0, node, TUNING) - int(record["first"])
        assert scores[chosen] == pytest.approx(scores.max(), abs=1e-5)


def test_every_visit_is_counted_on_its_whole_way() -> None:
    forest = grown(2, "std")
    nodes, edges, trees = forest.nodes, forest.edges, forest.trees
    for node in expanded(forest):
        record = nodes[0, node]
        mine = edges[0, record["first"] : record["first"] + record["count"]]
        for edge in mine[mine["visits"] > 0]:
            child = nodes[0, edge["child"]]
            if child["kind"] == EXPANDED:
                below = edges[0, child["first"] : child["first"] + child["count"]]["visits"].sum()
                assert edge["visits"] == below + 1  # it was valued once itself
    root = nodes[0, ROOT]
    assert edges[0, : root["count"]]["visits"].sum() == trees[0]["visits"] - 1
