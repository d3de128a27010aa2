"""Moves that must be looked at, and values that best replies make of them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from azulejos import Game
from azulejos.game.view import Wall
from azulejos.net.choice import network_for
from azulejos.rules.state import MAX_PLAYERS
from azulejos.search.batches import BATCH
from azulejos.search.evaluators import ByHand, ByNetwork
from azulejos.search.searcher import Searcher
from azulejos.search.settled import SETTLING_VISITS, settle
from azulejos.search.tree import ROOT, Forest
from azulejos.search.utility import utility


def by_network(players: int = 2, wall: Wall = "std", nodes: int = 3000) -> Searcher:
    return Searcher([ByNetwork(network_for(players, wall, BATCH))], nodes + 1)


@pytest.mark.parametrize("searcher", [by_network(), Searcher([ByHand()], 3001)], ids=["network", "hand"])
def test_required_moves_are_looked_at_nearly_as_often_as_the_best(searcher: Searcher) -> None:
    game = Game(seed=4)
    first = searcher.search(game.states, nodes=1000)
    neglected = [each.action for each in first.candidates if each.visits == min(c.visits for c in first.candidates)]
    report = searcher.search(game.states, nodes=3000, required=neglected[:2])
    visits = {each.action: each.visits for each in report.candidates}
    for action in neglected[:2]:
        assert visits[action] > 0.4 * max(visits.values())
    assert searcher.search(game.states, nodes=1000).candidates == first.candidates  # and forgotten afterwards


def test_all_moves_can_be_required() -> None:
    game = Game(seed=4)
    report = by_network().search(game.states, nodes=2000, required=[move.id for move in game.legal_moves])
    visits = [each.visits for each in report.candidates]
    assert min(visits) >= max(visits) - BATCH


def by_definition(forest: Forest, node: int, players: int, trusted: float) -> np.ndarray:
    """What a node is worth, written as the docstring says it."""
    record = forest.nodes[0, node]
    edges = forest.edges[0, record["first"] : record["first"] + record["count"]]
    visited = edges[edges["visits"] > 0]
    own = np.stack([record["win"], record["margin"]]).astype(float)[:, :players]
    if not len(visited):
        return own
    worth = [by_definition(forest, int(edge["child"]), players, trusted) for edge in visited]
    mean = (own + sum(edge["visits"] * each for edge, each in zip(visited, worth, strict=True))) / (
        1 + visited["visits"].sum()
    )
    seat = int(record["seat"])
    enough = trusted * visited["visits"].max()
    trusted_ones = [each for edge, each in zip(visited, worth, strict=True) if edge["visits"] >= enough]
    best = max(trusted_ones, key=lambda each: utility(each[0, seat], each[1, seat]))
    share = min(1.0, visited["visits"].sum() / SETTLING_VISITS)
    return np.asarray(mean + share * (best - mean))


@pytest.mark.parametrize(("players", "wall"), [(2, "std"), (4, "gray")])
def test_settled_values_are_what_they_are_said_to_be(players: int, wall: Wall) -> None:
    searcher = by_network(players, wall, 600)
    searcher.search(Game(players, wall, seed=2).states, nodes=600)
    forest = searcher._forest
    values = np.zeros((int(forest.trees[0]["nodes"]), 2, MAX_PLAYERS), np.float32)
    settle(forest, 0.15, values)
    for node in (ROOT, 1, 2, 5):
        assert values[node, :, :players] == pytest.approx(by_definition(forest, node, players, 0.15), abs=1e-3)


def means(searcher: Searcher, action: int) -> list[float]:
    """The mean margin of each seat over everything that was looked at below a move of the root."""
    forest = searcher._forest
    edge = next(at for at, each in enumerate(forest.edges[0]) if each["action"] == action)
    return list(forest.roots[0, edge, 1] / forest.edges[0, edge]["visits"])


def test_whoever_asks_is_told_the_same_values_and_only_the_first_move_may_be_another() -> None:
    """Hints and reviews go by settled values, play by means; what they show of a move is the same."""
    searcher, firsts = by_network(nodes=300), []
    for seed in range(12):
        game = Game(seed=seed)
        playing, showing = (searcher.search(game.states, nodes=300, settled=settled) for settled in (False, True))
        told = {each.action: each for each in playing.candidates}
        assert {each.action: each for each in showing.candidates} == told
        often = [each for each in told.values() if each.visits >= 0.15 * max(other.visits for other in told.values())]
        assert showing.best == max(often, key=lambda each: utility(each.win[game.turn], each.margin[game.turn]))
        firsts.append(playing.best == showing.best)
    assert not all(firsts)
    assert any(firsts)


def test_settled_values_change_less_from_one_move_to_the_next() -> None:
    """Means flatter whoever moved last: the next search, one move further, sees the replies better."""
    changes: dict[bool, list[float]] = {True: [], False: []}
    searcher = by_network(nodes=800)
    for settled, found in changes.items():
        game = Game(seed=8, starter=0)
        values = []
        while game.round == 1:
            report = searcher.search(game.states, nodes=800)
            best = report.best
            told = settled or report.solved
            values.append((game.turn, best.margin if told else means(searcher, best.action)))
            game.play(next(move for move in game.legal_moves if move.id == best.action))
        found += [after[seat] - before[seat] for (seat, before), (_, after) in itertools.pairwise(values)]
    assert abs(np.mean(changes[True])) < abs(np.mean(changes[False]))
