"""A playout by hand beside the network's word."""

from __future__ import annotations

import numpy as np
import pytest

from azulejos import Game
from azulejos.net.choice import network_for
from azulejos.players import greedy
from azulejos.players.player import Limits
from azulejos.players.registry import make
from azulejos.rules.state import MAX_PLAYERS
from azulejos.search.batches import BATCH
from azulejos.search.evaluators import ByHand, ByNetwork
from azulejos.search.hand import blend_playouts
from azulejos.search.tree import Forest
from tests.search.rounds import ends


@pytest.mark.parametrize("share", [0.25, 1.0])
def test_ends_of_rounds_are_worth_the_mean(share: float) -> None:
    states = ends(3, "gray")
    network = network_for(3, "gray", BATCH)
    alone, mixed, hand = ByNetwork(network), ByNetwork(network, playouts=share), ByHand()
    for one, other, both in zip(
        alone.value_ends(states), hand.value_ends(states), mixed.value_ends(states), strict=True
    ):
        assert np.abs(one - other).max() > 0.01
        assert np.allclose(both, (1 - share) * one + share * other, atol=1e-5)


def test_a_leaf_is_played_out_the_same_way_every_time() -> None:
    forest = Forest.grow(1, 2, 1, 2)
    forest.states[0, :2] = Game(4, seed=3).states[0]
    forest.leaves["node"] = [0, 1]
    once, half = np.zeros((2, 2, 2, MAX_PLAYERS), np.float32)
    hand = ByHand(seed=5)
    blend_playouts(hand.hand, forest, 0, 2, once, 1.0, 1.0)
    blend_playouts(hand.hand, forest, 0, 2, half, 0.5, 0.5)
    assert np.allclose(once[:, 0].sum(1), 1)
    assert np.allclose(half, once / 2)
    assert not np.allclose(once[0], once[1])  # each leaf has noise of its own
    assert hand.playout_moves > 40


def test_a_playout_that_ends_the_game_has_a_share_of_its_own() -> None:
    game = Game(2, "gray", seed=4)
    early, late = game.states, game.states
    while not game.is_over:
        late = game.states
        game.play(greedy.choose(game))
    forest = Forest.grow(1, 2, 1, 2)
    forest.states[0] = np.concatenate([early, late])
    forest.leaves["node"] = [0, 1]
    outcome = np.zeros((2, 2, MAX_PLAYERS), np.float32)
    blend_playouts(ByHand(seed=5).hand, forest, 0, 2, outcome, 0.0, 0.5)
    assert not outcome[0].any()
    assert outcome[1, 0].sum() == pytest.approx(0.5)
    assert set(outcome[1, 0]) <= {0.0, 0.25, 0.5}  # won, shared or lost: no guess


def test_larger_tables_on_the_gray_wall_have_playouts_and_a_spec_can_say_otherwise() -> None:
    game = Game(3, "gray", seed=1)
    one, same, other = (make(spec, seed=2) for spec in ("net:nodes=60", "net:nodes=60", "net:nodes=60,playouts=0"))
    values = [player.choose(game, Limits()).win for player in (one, same, other)]
    assert values[0] == values[1] != values[2]
    with_two, without = (
        make(spec, seed=2).choose(Game(seed=1), Limits()) for spec in ("net:nodes=60", "net:nodes=60,playouts=0")
    )
    assert with_two.win == without.win
