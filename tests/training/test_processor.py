"""Self-play on a processor: samples as the learner wants them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from azulejos.net import choice
from azulejos.net import features as f
from azulejos.net.inference import read_weights
from azulejos.search.tree import EDGE, NODE, ROOT
from azulejos.training import turns
from azulejos.training.processor import MIXES, PlayPlan, ProcessorSelfPlay
from azulejos.training.shards import LAYOUT, Samples
from tests.training.networks import network

PRESENT = [f.BOARDS_AT + turn * f.BOARD_WIDTH + f.BOARD_WIDTH - 3 for turn in range(4)]
ROUND_OVER = f.TABLE_AT + 10 + f.ROUNDS_SEEN + 1
SCORES = [f.BOARDS_AT + turn * f.BOARD_WIDTH + f.BOARD_WIDTH - 1 for turn in range(4)]


def played(tmp_path: Path, plan: PlayPlan, games: int) -> tuple[Samples, int]:
    play = ProcessorSelfPlay(network(tmp_path), plan)
    while play.games < games:
        play.step()
    return play.take(), play.games


@pytest.mark.parametrize("mix", ["2std", "2gray", "3std", "4gray", "all"])
def test_samples_are_what_the_learner_wants(tmp_path: Path, mix: str) -> None:
    samples, games = played(tmp_path, PlayPlan(slots=8, simulations=6, mix=MIXES[mix]), 8)
    for name, (kind, width) in LAYOUT.items():
        column = getattr(samples, name)
        assert (column.dtype, column.shape) == (np.dtype(kind), (len(samples), width))
    there = samples.features[:, PRESENT] > 0
    assert set(there.sum(1)) <= {players for players, _, _ in MIXES[mix]}
    assert ((samples.win >= 0) == there).all()
    assert np.allclose(np.where(there, samples.win, 0).sum(1), 1)
    assert (samples.margin[~there] == 0).all()
    for row in range(len(samples)):
        best = samples.win[row].max()
        assert samples.margin[row][samples.win[row] == best].min() >= 0, "the winner has the higher score"
    before_deal = samples.features[:, ROUND_OVER] > 0
    has_policy = (samples.policy >= 0).any(1)
    assert (has_policy == ~before_deal).all()
    assert before_deal.sum() >= 4 * games, "a game has at least five rounds"
    shares = np.where(samples.policy >= 0, samples.policy.astype(float), 0).sum(1)
    assert np.allclose(shares[has_policy], 1, atol=2e-3)
    assert (samples.search[before_deal] == -1).all()
    searched = np.where(there, samples.search, 0).sum(1)[has_policy]
    assert np.allclose(searched, 1, atol=1e-3)


def test_the_same_plan_and_network_give_the_same_samples(tmp_path: Path) -> None:
    plan = PlayPlan(slots=5, simulations=5, seed=3)
    (one, _), (other, _) = (played(tmp_path, plan, 6) for _ in range(2))
    assert all((getattr(one, name) == getattr(other, name)).all() for name in LAYOUT)
    another, _ = played(tmp_path, PlayPlan(slots=5, simulations=5, seed=4), 6)
    assert len(one) != len(another) or (one.features != another.features).any()


def test_nothing_is_lost_or_given_twice_however_seldom_samples_are_taken(tmp_path: Path) -> None:
    plan = PlayPlan(slots=3, simulations=2)
    often, seldom = (ProcessorSelfPlay(network(tmp_path), plan) for _ in range(2))
    parts = []
    while often.games < 15:  # each slot plays several games: more than it has room for
        often.step()
        seldom.step()
        parts.append(often.take())
    together = seldom.take()
    assert len(together) == sum(map(len, parts)) > 15 * 30
    assert len(seldom.take()) == 0
    rows = {(*row[SCORES], int(margin)) for row, margin in zip(together.features, together.margin[:, 0], strict=True)}
    assert rows == {
        (*row[SCORES], int(margin))
        for part in parts
        for row, margin in zip(part.features, part.margin[:, 0], strict=True)
    }


def test_with_no_noise_and_little_heat_the_most_visited_move_is_played() -> None:
    weights = read_weights(Path(choice.__file__).parent / "weights" / choice.WEIGHTS[2, "std"])
    play = ProcessorSelfPlay(
        weights, PlayPlan(slots=1, simulations=60, noise=0.0, temperature=0.01, late_temperature=0.01)
    )
    while play.games < 1:
        play.step()
    samples = play.take()
    policy = np.where(samples.policy >= 0, samples.policy, 0).astype(float)
    looked = 0
    for row in range(len(samples) - 1):
        clear = (policy[row] == policy[row].max()).sum() == 1
        if clear and policy[row + 1].any():  # not the last of a round
            source, color = divmod(int(policy[row].argmax()) // 6, 5)
            center = f.CENTER_AT + f.CENTER_COUNTS * color
            display = f.DISPLAY_WIDTH * (source - 1)
            taken = slice(display, display + f.DISPLAY_WIDTH) if source else slice(center, center + f.CENTER_COUNTS)
            assert samples.features[row, taken].any()
            assert not samples.features[row + 1, taken].any()
            looked += 1
    assert looked > 20


def priors(*values: float) -> tuple[NDArray[Any], NDArray[Any]]:
    nodes, edges = np.zeros((2, 3), NODE), np.zeros((2, 8), EDGE)
    nodes["count"][1, ROOT] = len(values)
    edges["prior"][1, : len(values)] = values
    return nodes, edges


def test_softness_is_a_temperature_of_the_priors_of_the_root() -> None:
    nodes, edges = priors(0.64, 0.32, 0.04)
    turns.soften(nodes, edges, 1.0, 1)
    assert edges["prior"][1, :4] == pytest.approx([0.64, 0.32, 0.04, 0], abs=1e-6)
    turns.soften(nodes, edges, 2.0, 1)
    roots = np.sqrt([0.64, 0.32, 0.04])
    assert edges["prior"][1, :4] == pytest.approx([*roots / roots.sum(), 0], abs=1e-6)
    assert not edges["prior"][0].any(), "the other trees stay as they are"


def test_noise_is_mixed_in_by_its_share() -> None:
    nodes, edges = priors(0.9, 0.1)
    turns.mix_noise(nodes, edges, np.array([[0.0] * 8, [1.0, 3.0] + [5.0] * 6]), 0.5, 1)
    assert edges["prior"][1, :3] == pytest.approx([0.45 + 0.125, 0.05 + 0.375, 0], abs=1e-6)


def test_other_weights_play_other_moves(tmp_path: Path) -> None:
    plan = PlayPlan(slots=4, simulations=8)
    one, other = (ProcessorSelfPlay(network(tmp_path), plan) for _ in range(2))
    other.set_weights(network(tmp_path, seed=1))
    while one.games < 4:
        one.step()
        other.step()
    here, there = one.take(), other.take()
    assert len(here) != len(there) or (here.policy != there.policy).any()
