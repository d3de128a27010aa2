"""What the network has said is not asked again, and nothing changes by that but the time it takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from azulejos import Game
from azulejos.game.view import Wall
from azulejos.net.choice import network_for
from azulejos.net.features import FEATURES, write_features
from azulejos.rules.state import ACTIONS, MAX_PLAYERS, OVER, STATE
from azulejos.search.batches import BATCH
from azulejos.search.cache import ROWS, EvaluationCache, clear, hash_of, look_up, store
from azulejos.search.evaluators import ByNetwork
from azulejos.search.searcher import Searcher
from azulejos.search.tree import UNEXPANDED


def asked(evaluator: ByNetwork) -> int:
    """How many positions the network was asked about."""
    return int(evaluator.asking.room[0]["asked"])


def late(players: int, wall: Wall) -> Game:
    """A game in the middle of a round, where other orders of the same picks are near."""
    game = Game(players, wall, seed=8)
    while sum(map(any, game.view.displays)) > 3:
        game.play(game.legal_moves[0])
    return game


@pytest.mark.parametrize(("players", "wall"), [(2, "std"), (3, "gray"), (4, "std")])
@pytest.mark.parametrize("threads", [1, 2])
def test_every_node_has_the_value_that_the_network_gives_it(players: int, wall: Wall, threads: int) -> None:
    evaluators = [ByNetwork(network_for(players, wall, BATCH)) for _ in range(threads)]
    searcher = Searcher(evaluators, 3000, solve=False)
    searcher.search(late(players, wall).states, nodes=1500)
    forest = searcher._forest
    count = int(forest.trees[0]["nodes"])
    states, nodes = forest.states[0, :count], forest.nodes[0, :count]
    asked_for = [at for at in range(count) if states[at]["phase"] != OVER and nodes[at]["kind"] != UNEXPANDED]
    assert sum(map(asked, evaluators)) < len(asked_for)
    network = network_for(players, wall, 1)
    x = np.zeros((1, FEATURES), np.int8)
    for at in asked_for[:: max(1, len(asked_for) // 200)]:
        write_features(states[at], x[0])
        seat = int(states[at]["seat"])
        turns = [(seat + turn) % players for turn in range(players)]
        outcome = network(x).outcome[0]
        np.testing.assert_allclose(nodes[at]["win"][turns], outcome[0, :players], atol=1e-5)
        np.testing.assert_allclose(nodes[at]["margin"][turns], outcome[1, :players], atol=1e-3)


def test_no_position_is_asked_for_twice_in_a_search() -> None:
    evaluator = ByNetwork(network_for(2, "std", BATCH))
    searcher = Searcher([evaluator], 3000, solve=False)
    searcher.search(late(2, "std").states, nodes=1500)
    forest = searcher._forest
    keys = {hash_of(state) for state in forest.states[0, : int(forest.trees[0]["nodes"])]}
    # two leaves of one batch may be the same position; a row may have been given to another position
    assert asked(evaluator) < 1.1 * len(keys)


def test_with_a_clock_the_next_search_remembers_and_without_it_does_not() -> None:
    evaluator = ByNetwork(network_for(2, "gray", BATCH))
    searcher = Searcher([evaluator], 3000)
    game = Game(2, "gray", seed=3)
    counts = []
    for seconds in (3600.0, 3600.0, None, None):
        before = asked(evaluator)
        assert searcher.search(game.states, nodes=400, seconds=seconds).nodes == 400
        counts.append(asked(evaluator) - before)
    assert counts[0] > 250
    assert counts[1] < 0.2 * counts[0]
    assert counts[2] == counts[3] > 250


def test_a_limit_of_nodes_gives_the_same_result_whatever_was_searched_before() -> None:
    fresh, used = (Searcher([ByNetwork(network_for(3, "std", BATCH))], 3000) for _ in range(2))
    game = Game(3, "std", seed=2)
    used.search(game.states, seconds=0.3)
    game.play(game.legal_moves[5])
    assert used.search(game.states, nodes=700).candidates == fresh.search(game.states, nodes=700).candidates


def test_a_newer_position_takes_the_row_of_an_older_one() -> None:
    cache, states = EvaluationCache.empty(), np.zeros(2, STATE)
    seen: dict[int, int] = {}
    number = 0
    while True:
        number += 1
        states[1]["rng"] = number
        row = int(hash_of(states[1]) % ROWS)
        if row in seen:
            states[0]["rng"] = seen[row]
            break
        seen[row] = number
    answers: list[Any] = [np.full(ACTIONS, at, np.float32) for at in range(2)]
    outcomes: list[Any] = [np.full((2, MAX_PLAYERS), at, np.float32) for at in range(2)]
    for at in range(2):
        store(cache, states[at], answers[at], outcomes[at])
        row = look_up(cache, states[at])
        assert cache.logits[row, 7] == at
        assert cache.outcome[row, 1, 3] == at
    assert look_up(cache, states[0]) == -1
    clear(cache)
    assert look_up(cache, states[1]) == -1
