"""The scale of a policy: what choices lose with each, and what is written into the file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from azulejos import Game
from azulejos.arena.workers import Here
from azulejos.game.view import Wall
from azulejos.net.features import FEATURES, write_features
from azulejos.net.inference import Inference, read_weights
from azulejos.training.policy_scale import SCALES, Judge, least, measure, soften_file, softened
from azulejos.training.pool import TaskPool
from tests.training.networks import network, write_network


def test_logits_are_multiplied_and_nothing_else_changes(tmp_path: Path) -> None:
    weights = network(tmp_path)
    x = np.zeros((1, FEATURES), np.int8)
    write_features(Game(3, "gray", seed=1).states[0], x[0])
    one, other = (Inference(each, 3, 1)(x) for each in (weights, softened(weights, 0.5)))
    asked = one.logits > -1e8
    assert np.allclose(other.logits[asked], 0.5 * one.logits[asked], atol=0.02)
    assert (one.outcome == other.outcome).all()


@pytest.mark.parametrize(("players", "wall"), [(2, "std"), (3, "gray")])
def test_a_scale_loses_nothing_where_all_choose_alike(tmp_path: Path, players: int, wall: Wall) -> None:
    losses = Judge(network(tmp_path), players, wall, (1.0, 1.0, 1.0), nodes=4, judge_nodes=8).losses_in_game(1)
    assert losses.shape[0] > 5
    assert (losses == 0).all()
    losses = Judge(network(tmp_path), players, wall, (50.0, 1.0, 0.01), nodes=4, judge_nodes=8).losses_in_game(1)
    assert (losses >= 0).all()
    assert (losses.min(1) == 0).all(), "the best of the moves chosen loses nothing"
    assert losses.any()


def test_the_scale_with_the_least_loss_is_chosen() -> None:
    away = np.log(np.array(SCALES) / 0.7) ** 2
    losses = np.tile(0.01 + 0.02 * away, (6, 1))
    losses += np.array([0.001, -0.001, 0.0005, -0.0005, 0, 0])[:, None]
    found = least(losses)
    assert found.scale == pytest.approx(0.7, abs=0.01), "between two of those that were measured"
    assert found.positions == 6
    assert found.losses[0.5].value == pytest.approx(0.01 + 0.02 * np.log(0.5 / 0.7) ** 2, abs=1e-5)
    assert least(np.zeros((0, len(SCALES)))).scale == 1


@pytest.mark.parametrize(
    ("losses", "scale"), [([1, 2, 3, 4, 5], 1.0), ([5, 4, 3, 2, 1], SCALES[-1]), ([3, 3, 3, 3, 3], 1.0)]
)
def test_it_is_never_outside_of_what_was_measured(losses: list[float], scale: float) -> None:
    assert least(np.tile(losses, (4, 1)) / 100).scale == scale


def test_every_kind_of_table_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def losses_in_game(_weights: object, players: int, wall: Wall, seed: int) -> object:
        seen.append((players, wall, seed))
        return np.full((3, len(SCALES)), [0.3, 0.2, 0.1, 0.2, 0.3])

    monkeypatch.setattr("azulejos.training.policy_scale.losses_in_game", losses_in_game)
    found = measure(network(tmp_path), ((2, 1, 0.25), (4, 0, 0.75)), 4, 7, TaskPool(Here(), print))
    assert [kind[:2] for kind in seen] == [(2, "gray"), (4, "std"), (4, "std"), (4, "std")]
    assert len({seed for _, _, seed in seen}) == 4
    assert found.scale == pytest.approx(0.63, abs=0.01)
    assert found.positions == 12


def test_a_file_keeps_all_else_and_its_card_says_the_scale(tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    write_network(path, 0)
    before = read_weights(path)
    soften_file(path, 0.5)
    soften_file(path, 0.7)
    after = read_weights(path)
    for name, value in before.items():
        scale = 0.35 if name.startswith(("drafts", "tiling")) else 1.0
        assert np.allclose(after[name], scale * value, rtol=0.02, atol=1e-4), name
    with np.load(path) as file:
        assert file["policy_scale"] == pytest.approx(0.35)
