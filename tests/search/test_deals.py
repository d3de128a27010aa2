"""The solver asks the network about the end of a round before the deal, and after some deals."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from azulejos import Game
from azulejos.net.choice import network_for
from azulejos.net.features import FEATURES, write_features
from azulejos.players import greedy
from azulejos.players.player import Limits
from azulejos.players.registry import make
from azulejos.rules.state import DEAL_DUE, DRAFTING, OVER, States
from azulejos.search.batches import BATCH, UNDEALT_COUNTS, deal_number
from azulejos.search.evaluators import MOST_DEALT, ByNetwork
from tests.search.rounds import ends

NETWORK = network_for(2, "std", BATCH)


def dealt(states: States, number: int) -> States:
    """Copies of some states before a deal, after deal number so and so."""
    copies = states.copy()
    for state in copies:
        deal_number(state, number)
    return copies


def asked(states: States) -> NDArray[Any]:
    """What the network says of states of two players: [0 or 1, state, seat]."""
    x = np.zeros((len(states), FEATURES), np.int8)
    for at, state in enumerate(states):
        write_features(state, x[at])
    outcome = NETWORK(x).outcome[: len(states), :, :2].transpose(1, 0, 2)
    return np.where(states["seat"][:, None] == 0, outcome, outcome[..., ::-1])


def finished() -> States:
    """A game that is over."""
    game = Game(seed=4)
    while not game.is_over:
        game.play(greedy.choose(game))
    return game.states


def test_an_end_is_worth_the_mean_of_before_and_after() -> None:
    states = ends(2, "std")
    before = asked(states)
    after = [asked(dealt(states, number)) for number in range(3)]
    assert np.allclose(ByNetwork(NETWORK).value_ends(states)[..., :2], before, atol=1e-6)
    for which, value in enumerate(ByNetwork(NETWORK, deals=3).value_ends(states)[..., :2]):
        each = np.stack([answers[which] for answers in after])
        assert np.ptp(each, 0).max() > 0.01  # deals differ
        expected = (UNDEALT_COUNTS * before[which] + each.sum(0)) / (UNDEALT_COUNTS + 3)
        assert np.allclose(value, expected, atol=1e-4)


def test_deals_are_legal_and_the_same_for_every_order_of_the_bag() -> None:
    states = ends(3, "gray")
    other = states.copy()
    other["rng"] += 99
    (one, again), different = (dealt(each, 0) for each in (states, other)), dealt(states, 1)
    assert one.tobytes() == again.tobytes()
    assert (one["displays"] != different["displays"]).any()
    assert set(states["phase"]) == {DEAL_DUE}  # copies were dealt
    assert set(one["phase"]) == {DRAFTING}
    assert (one["displays"][:, 1:8].sum(2) == 4).all()
    assert (one["bag"].sum(1) + 28 == states["bag"].sum(1)).all()


def test_a_finished_game_speaks_for_itself() -> None:
    states = finished()
    assert states[0]["phase"] == OVER
    win, _ = ByNetwork(NETWORK, deals=5).value_ends(states)
    assert win[0].sum() == 1
    assert set(win[0]) <= {0.0, 0.5, 1.0}


def test_no_time_no_deals() -> None:
    states = ends(2, "std")
    hurried = ByNetwork(NETWORK, deals=5).value_ends(states, deadline=time.perf_counter())
    for one, other in zip(hurried, ByNetwork(NETWORK).value_ends(states), strict=True):
        assert np.array_equal(one, other)


def test_many_ends_have_fewer_deals() -> None:
    states = np.concatenate([ends(2, "std")] * (MOST_DEALT // 6 + 1))  # two deals would be too many
    one = ByNetwork(NETWORK, deals=1).value_ends(states)
    for value, other in zip(ByNetwork(NETWORK, deals=9).value_ends(states), one, strict=True):
        assert np.array_equal(value, other)


def test_with_two_players_on_the_colored_wall_deals_are_looked_at_and_a_spec_can_say_otherwise() -> None:
    game = Game(seed=6)
    while sum(map(sum, (game.view.center, *game.view.displays))) > 2:
        game.play(game.legal_moves[0])
    net, same, without = (make(f"net:nodes=60{more}").choose(game, Limits()) for more in ("", ",deals=8", ",deals=0"))
    assert net.win == same.win != without.win


@pytest.mark.parametrize("deals", ["-1", "1001", "some"])
def test_a_wrong_number_of_deals_is_named(deals: str) -> None:
    with pytest.raises(ValueError, match=f"{deals}.*deals"):
        make(f"net:deals={deals}")
