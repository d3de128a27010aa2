"""What the network has said is not asked again, and nothing changes by that but the time it takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from azulejos import Game
from azulejos.game.view import Wall
from azulejos.net.choice import network_for
from azulejos.net.features import FEATURES
from azulejos.net.inference import Answers, Inference
from azulejos.rules.state import ACTIONS, MAX_PLAYERS, OVER, WORDS
from azulejos.search.batching import write_batch
from azulejos.search.evaluators import BATCH, ByNetwork
from azulejos.search.memory import ROWS, Memory, hash_of, recall, remember, words_of
from azulejos.search.searcher import Searcher
from azulejos.search.tree import UNEXPANDED


class Asked(Inference):
    """The network, counting what it is asked."""

    def __init__(self, network: Inference) -> None:
        self.__dict__ = network.__dict__
        self.rows = 0

    def __call__(self, x: NDArray[np.int8]) -> Answers:
        self.rows += len(x)
        return super().__call__(x)


def asked(players: int, wall: Wall) -> Asked:
    return Asked(network_for(players, wall, BATCH))


def late(players: int, wall: Wall) -> Game:
    """A game in the middle of a round, where other orders of the same picks are near."""
    game = Game(players, wall, seed=8)
    while sum(map(any, game.view.displays)) > 3:
        game.play(game.legal_moves[0])
    return game


@pytest.mark.parametrize(("players", "wall"), [(2, "std"), (3, "gray"), (4, "std")])
@pytest.mark.parametrize("threads", [1, 2])
def test_every_node_has_the_value_that_the_network_gives_it(players: int, wall: Wall, threads: int) -> None:
    networks = [asked(players, wall) for _ in range(threads)]
    searcher = Searcher([ByNetwork(network) for network in networks], 3000, solve=False)
    searcher.search(late(players, wall).states, nodes=1500)
    forest = searcher._forest
    count = int(forest.trees[0]["nodes"])
    states, nodes = forest.states[0, :count], forest.nodes[0, :count]
    asked_for = [at for at in range(count) if states[at]["phase"] != OVER and nodes[at]["kind"] != UNEXPANDED]
    assert sum(network.rows for network in networks) < len(asked_for)
    x = np.zeros((BATCH, FEATURES), np.int8)
    for at in asked_for[:: max(1, len(asked_for) // 200)]:
        write_batch(states[at : at + 1], x)
        seat = int(states[at]["seat"])
        turns = [(seat + turn) % players for turn in range(players)]
        outcome = networks[0](x[:1]).outcome[0]
        np.testing.assert_allclose(nodes[at]["win"][turns], outcome[0, :players], atol=1e-5)
        np.testing.assert_allclose(nodes[at]["margin"][turns], outcome[1, :players], atol=1e-3)


def test_no_position_is_asked_for_twice_in_a_search() -> None:
    network = asked(2, "std")
    searcher = Searcher([ByNetwork(network)], 3000, solve=False)
    searcher.search(late(2, "std").states, nodes=1500)
    forest = searcher._forest
    keys = {hash_of(words) for words in words_of(forest.states)[0, : int(forest.trees[0]["nodes"])]}
    # two leaves of one batch may be the same position; a row may have been given to another position
    assert network.rows < 1.1 * len(keys)


def test_with_a_clock_the_next_search_remembers_and_without_it_does_not() -> None:
    network = asked(2, "gray")
    searcher = Searcher([ByNetwork(network)], 3000)
    game = Game(2, "gray", seed=3)
    counts = []
    for seconds in (3600.0, 3600.0, None, None):
        before = network.rows
        assert searcher.search(game.states, nodes=400, seconds=seconds).nodes == 400
        counts.append(network.rows - before)
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
    memory, words = Memory.empty(), np.zeros((2, WORDS), np.uint64)
    seen: dict[int, int] = {}
    number = 0
    while True:
        number += 1
        words[1, 0] = number
        row = int(hash_of(words[1]) % ROWS)
        if row in seen:
            words[0, 0] = seen[row]
            break
        seen[row] = number
    answers: list[Any] = [np.full((1, ACTIONS), at, np.float32) for at in range(2)]
    outcomes: list[Any] = [np.full((1, 2, MAX_PLAYERS), at, np.float32) for at in range(2)]
    for at in range(2):
        remember(memory, words[at], answers[at], outcomes[at], 0)
        row = recall(memory, words[at])
        assert memory.logits[row, 7] == at
        assert memory.outcome[row, 1, 3] == at
    assert recall(memory, words[0]) == -1
    memory.forget()
    assert recall(memory, words[1]) == -1
