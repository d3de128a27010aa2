"""Self-play on a processor: samples as the learner wants them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from azulejos.net import choice
from azulejos.net import features as f
from azulejos.net.inference import read_weights
from azulejos.rules.state import STATE
from azulejos.search.tree import MOST_EDGES, ROOT, Forest
from azulejos.training import turns
from azulejos.training.plan import MIXES, MixName, TrainingPlan, plan_for
from azulejos.training.replay import SAMPLE
from azulejos.training.selfplay_cpu import Games
from tests.training.networks import network

PRESENT = [f.BOARDS_AT + turn * f.BOARD_WIDTH + f.BOARD_WIDTH - 3 for turn in range(4)]
ROUND_OVER = f.TABLE_AT + 10 + f.ROUNDS_SEEN + 1
SCORES = [f.BOARDS_AT + turn * f.BOARD_WIDTH + f.BOARD_WIDTH - 1 for turn in range(4)]


def played(tmp_path: Path, plan: TrainingPlan, games: int, seed: int = 1) -> tuple[NDArray[Any], int]:
    play = Games(network(tmp_path), plan, seed)
    while play.tally.games < games:
        play.step()
    return play.take(), play.tally.games


@pytest.mark.parametrize("mix", ["2std", "2gray", "3std", "gray", "many", "all"])
def test_samples_are_what_the_learner_wants(tmp_path: Path, mix: MixName) -> None:
    samples, games = played(tmp_path, TrainingPlan(slots=8, simulations=6, mix=mix), 8)
    assert samples.dtype == SAMPLE
    there = samples["features"][:, PRESENT] > 0
    assert set(there.sum(1)) <= {players for players, _, _ in MIXES[mix]}
    assert ((samples["win"] >= 0) == there).all()
    assert np.allclose(np.where(there, samples["win"], 0).sum(1), 1)
    assert (samples["margin"][~there] == 0).all()
    for row in range(len(samples)):
        best = samples["win"][row].max()
        assert samples["margin"][row][samples["win"][row] == best].min() >= 0, "the winner has the higher score"
    before_deal = samples["features"][:, ROUND_OVER] > 0
    has_policy = (samples["policy"] >= 0).any(1)
    assert (has_policy == ~before_deal).all()
    assert before_deal.sum() >= 4 * games, "a game has at least five rounds"
    shares = np.where(samples["policy"] >= 0, samples["policy"].astype(float), 0).sum(1)
    assert np.allclose(shares[has_policy], 1, atol=2e-3)
    assert np.allclose(np.where(there, samples["search"], 0).sum(1), 1, atol=1e-3)


@pytest.mark.parametrize("mix", ["2std", "3gray"])
def test_a_position_before_a_deal_is_thought_of_as_what_follows_it(tmp_path: Path, mix: MixName) -> None:
    samples, games = played(tmp_path, TrainingPlan(slots=1, simulations=6, mix=mix), 2)
    (before,) = np.nonzero(samples["features"][:, ROUND_OVER] > 0)
    assert len(before) >= 4 * games
    assert (samples["features"][before][:, SCORES] == samples["features"][before + 1][:, SCORES]).all(), (
        "the same seat acts"
    )
    assert (samples["search"][before] == samples["search"][before + 1]).all()
    assert (samples["search"][before[1:] - 1] != samples["search"][before[1:]]).any()


def test_the_same_plan_and_network_give_the_same_samples(tmp_path: Path) -> None:
    plan = TrainingPlan(slots=5, simulations=5)
    (one, _), (other, _) = (played(tmp_path, plan, 6, seed=3) for _ in range(2))
    assert (one == other).all()
    another, _ = played(tmp_path, plan, 6, seed=4)
    assert len(one) != len(another) or (one["features"] != another["features"]).any()


def test_nothing_is_lost_or_given_twice_however_seldom_samples_are_taken(tmp_path: Path) -> None:
    plan = TrainingPlan(slots=3, simulations=2)
    often, seldom = (Games(network(tmp_path), plan) for _ in range(2))
    parts = []
    while often.tally.games < 15:  # each slot plays several games: more than it has room for
        often.step()
        seldom.step()
        parts.append(often.take())
    together = seldom.take()
    assert len(together) == sum(map(len, parts)) > 15 * 30
    assert len(seldom.take()) == 0
    rows = {
        (*row[SCORES], int(margin)) for row, margin in zip(together["features"], together["margin"][:, 0], strict=True)
    }
    assert rows == {
        (*row[SCORES], int(margin))
        for part in parts
        for row, margin in zip(part["features"], part["margin"][:, 0], strict=True)
    }


def test_with_little_heat_and_no_values_the_likeliest_move_is_played() -> None:
    weights = read_weights(Path(choice.__file__).parent / "weights" / choice.WEIGHTS[2, "std"])
    plan = TrainingPlan(slots=1, simulations=8, value_scale=0.0, temperature=1e-4, late_temperature=1e-4)
    play = Games(weights, plan)
    while play.tally.games < 1:
        play.step()
    samples = play.take()
    policy = np.where(samples["policy"] >= 0, samples["policy"], 0).astype(float)
    looked = 0
    for row in range(len(samples) - 1):
        clear = (policy[row] == policy[row].max()).sum() == 1
        if clear and policy[row + 1].any():  # not the last of a round
            source, color = divmod(int(policy[row].argmax()) // 6, 5)
            center = f.CENTER_AT + f.CENTER_COUNTS * color
            display = f.DISPLAY_WIDTH * (source - 1)
            taken = slice(display, display + f.DISPLAY_WIDTH) if source else slice(center, center + f.CENTER_COUNTS)
            assert samples["features"][row, taken].any()
            assert not samples["features"][row + 1, taken].any()
            looked += 1
    assert looked > 20


def test_heat_draws_other_moves_in_the_opening_of_a_round_only() -> None:
    """One network, the same deals; what differs is the chance in the first plies."""
    weights = read_weights(Path(choice.__file__).parent / "weights" / choice.WEIGHTS[2, "std"])
    plan = TrainingPlan(slots=24, simulations=16, opening=2, late_temperature=1e-4)
    cold, hot = (Games(weights, replace(plan, temperature=heat)) for heat in (1e-4, 5.0))
    for _ in range(2):
        cold.step()
        hot.step()
    assert (cold._tables[0]._games["holds"] != hot._tables[0]._games["holds"]).any(1).mean() > 0.5
    late = replace(plan, opening=0)
    one, other = (Games(weights, replace(late, temperature=heat)) for heat in (1e-4, 5.0))
    for _ in range(2):
        one.step()
        other.step()
    assert (one._tables[0]._games == other._tables[0]._games).all()


@pytest.mark.parametrize(
    ("simulations", "candidates", "visits"),
    [
        (64, 16, [15, 15, 7, 7, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1]),
        (24, 8, [7, 7, 3, 3, 1, 1, 1, 1]),
        (5, 16, [1, 1, 1, 1, 1]),
    ],
)
def test_simulations_come_out_exactly_as_the_phases_say(
    tmp_path: Path, simulations: int, candidates: int, visits: list[int]
) -> None:
    plan = TrainingPlan(slots=6, simulations=simulations, candidates=candidates, mix="4gray")
    play = Games(network(tmp_path), plan)
    for _ in range(3):
        play.step()
        edges = play._tables[0]._forest.edges[:, :MOST_EDGES]
        for t, node in enumerate(play._tables[0]._forest.nodes[:, ROOT]):
            mine = edges["visits"][t, : node["count"]]
            assert sorted(mine[mine > 0].tolist(), reverse=True) == visits


def test_what_the_search_expects_is_what_its_policy_leads_to() -> None:
    """Two seats, the second one acts; three moves, of which one was not tried."""
    games, forest = np.zeros(1, STATE), Forest.grow(1, 2, 8, 1)
    nodes, edges, roots = forest.nodes, forest.edges, forest.roots
    games["players"], games["seat"], nodes["count"][0, ROOT] = 2, 1, 3
    edges["action"][0, :3], edges["visits"][0, :3], edges["prior"][0, :3] = (7, 3, 9), (4, 0, 1), (0.6, 0.3, 0.1)
    roots[0, 0, 0, :2], roots[0, 2, 0, :2] = (1.0, 3.0), (0.5, 0.5)
    policy, search_win = np.full((1, 1, 325), -1.0), np.zeros((1, 1, 4))
    ring = turns.Ring(np.zeros((1, 1, 1), np.int8), policy, search_win, *np.zeros((7, 1, 1)))
    turns.note_search(games, forest, ring, 0, 0)
    assert policy[0, 0, [7, 3, 9, 8]] == pytest.approx([0.6, 0.3, 0.1, -1])
    first = (0.6 * 0.75 + 0.1 * 0.5) / 0.7
    assert search_win[0, 0] == pytest.approx([first, 1 - first, -1, -1])
    edges["prior"][0, :3] = (0, 1, 0)  # nothing is known of what the policy would play
    turns.note_search(games, forest, ring, 0, 0)
    assert (search_win == -1).all()


@pytest.mark.parametrize("wrong", [{"candidates": 0}, {"simulations": -1}, {"slots": 0}, {"root_temperature": 0.0}])
def test_a_plan_that_cannot_be_played_is_refused_by_name(wrong: dict[str, Any]) -> None:
    (name, value), *_ = wrong.items()
    with pytest.raises(ValueError, match=f"{name.replace('_', '-')}: expected .*, not {value}"):
        plan_for(wrong, cuda=False)


def test_games_are_counted_with_their_rounds_and_scores(tmp_path: Path) -> None:
    play = Games(network(tmp_path), TrainingPlan(slots=3, simulations=2, mix="3std"))
    while play.tally.games < 3:
        play.step()
    tally, samples = play.tally, play.take()
    assert tally.moves % 3 == 0
    assert tally.seats == 3 * tally.games
    assert 5 * tally.games <= tally.rounds <= 20 * tally.games
    assert samples["margin"].any()
    assert tally.moves > len(samples) - tally.rounds, "the moves of games that are not finished count too"


def test_other_weights_play_other_moves(tmp_path: Path) -> None:
    plan = TrainingPlan(slots=4, simulations=8)
    one, other = (Games(network(tmp_path), plan) for _ in range(2))
    other.set_weights(network(tmp_path, seed=1))
    while one.tally.games < 4:
        one.step()
        other.step()
    here, there = one.take(), other.take()
    assert len(here) != len(there) or (here["policy"] != there["policy"]).any()
