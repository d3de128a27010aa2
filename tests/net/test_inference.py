"""The network without a framework: the same answers as PyTorch gave, and clear words about bad files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azulejos import Game
from azulejos.game.view import Wall
from azulejos.net import choice
from azulejos.net.choice import network_for, read_card
from azulejos.net.features import FEATURES, FEATURES_VERSION, write_features
from azulejos.net.inference import WeightsError, read_weights
from azulejos.players import searching
from azulejos.players.player import Limits
from azulejos.rules.turn import legal_mask
from azulejos.search.evaluators import ByHand, ByNetwork

GOLDEN = Path(__file__).parent.parent / "golden" / "network.npz"
WEIGHTS = Path(choice.__file__).parent / "weights"
FILES = sorted(path.name for path in WEIGHTS.iterdir())


def test_every_network_is_used() -> None:
    assert sorted(set(choice.WEIGHTS.values())) == FILES


@pytest.mark.parametrize("wall", ["std", "gray"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_net_plays_every_kind_of_game(players: int, wall: Wall) -> None:
    expected = ByNetwork if (players, wall) in choice.WEIGHTS else ByHand
    assert isinstance(searching.by_network(players, wall, 0), expected)
    game = Game(players, wall, seed=1)
    assert searching.make_net("nodes=30", 0).choose(game, Limits()).move in game.legal_moves


@pytest.mark.parametrize(("players", "wall"), sorted(choice.WEIGHTS))
def test_answers_are_those_of_pytorch(players: int, wall: Wall) -> None:
    golden = {name.rpartition("-")[2]: value for name, value in np.load(GOLDEN).items() if f"{players}-{wall}" in name}
    x = np.zeros((len(golden["positions"]), FEATURES), np.int8)
    legal = np.zeros((len(x), 325), np.uint8)
    for at, position in enumerate(golden["positions"]):
        states = Game.from_position(str(position)).states
        write_features(states[0], x[at])
        legal_mask(states[0], legal[at])
    answers = network_for(players, wall, len(x))(x)
    assert legal.sum() > 100
    assert np.abs(answers.logits - golden["logits"])[legal > 0].max() < 1e-4
    assert np.abs(answers.outcome[:, 0] - golden["outcome"][:, 0]).max() < 1e-4
    assert np.abs(answers.outcome[:, 1] - golden["outcome"][:, 1]).max() < 2e-3  # in points


def test_a_batch_answers_as_its_rows_do() -> None:
    x = np.zeros((5, FEATURES), np.int8)
    for at in range(5):
        write_features(Game(seed=at).states[0], x[at])
    network = network_for(2, "std", 5)
    together = network(x).outcome.copy()
    for at in range(5):
        assert np.abs(network(x[at : at + 1]).outcome[0] - together[at]).max() < 1e-3


def test_all_weights_are_small_enough_to_ship() -> None:
    assert max(path.stat().st_size for path in WEIGHTS.iterdir()) <= 2_200_000  # what a game loads
    assert sum(path.stat().st_size for path in WEIGHTS.iterdir()) <= 8_000_000


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 nonsense", b"\x93NUMPY\x01\x00"])
def test_a_foreign_file_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "some.npz"
    file.write_bytes(content)
    with pytest.raises(WeightsError, match=r"some\.npz"):
        read_weights(file)


def test_a_file_cut_short_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "short.npz"
    file.write_bytes((WEIGHTS / FILES[0]).read_bytes()[:100_000])
    with pytest.raises(WeightsError, match=r"short\.npz"):
        read_weights(file)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"none\.npz"):
        read_weights(tmp_path / "none.npz")


@pytest.fixture
def arrays() -> dict[str, Any]:
    return dict(np.load(WEIGHTS / FILES[0]))


def refused(tmp_path: Path, arrays: dict[str, Any], words: str) -> None:
    np.savez(tmp_path / "some.npz", **arrays)
    with pytest.raises(WeightsError, match=words) as caught:
        read_weights(tmp_path / "some.npz")
    assert "some.npz" in str(caught.value)


def test_another_version_of_the_features_is_refused(tmp_path: Path, arrays: dict[str, Any]) -> None:
    refused(tmp_path, arrays | {"features_version": np.array(0)}, "version 0, expected 1")
    refused(tmp_path, {"picture": np.zeros((9, 9))}, "version None, expected 1")


def test_weights_of_another_network_are_refused(tmp_path: Path, arrays: dict[str, Any]) -> None:
    refused(tmp_path, arrays | {"drafts.bias": np.zeros(29)}, r"'drafts\.bias' of shape \(29,\), expected \(30,\)")
    refused(tmp_path, arrays | {"shape_blocks": np.array(9)}, r"shape None, expected")
    refused(tmp_path, arrays | {"shape_width": np.array([3, 4])}, "sizes of a network")
    refused(tmp_path, arrays | {"tiling.bias": np.full(25, np.nan)}, "not finite")


@pytest.mark.parametrize("name", FILES)
def test_every_file_has_a_card(name: str) -> None:
    card = read_card(WEIGHTS / name)
    assert card.features_version == FEATURES_VERSION
    assert card.games > 1_000_000
    assert card.minutes > 5
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", card.date)


def test_weights_without_a_card_are_told_apart(tmp_path: Path, arrays: dict[str, Any]) -> None:
    del arrays["games"]
    np.savez(tmp_path / "bare.npz", **arrays)
    assert read_weights(tmp_path / "bare.npz")
    with pytest.raises(WeightsError, match="no card: expected games"):
        read_card(tmp_path / "bare.npz")


@pytest.mark.parametrize("weights", [{}, {(2, "std"): "none.npz"}])
def test_where_there_is_no_network_the_search_by_hand_plays(
    monkeypatch: pytest.MonkeyPatch, weights: dict[tuple[int, Wall], str]
) -> None:
    monkeypatch.setattr(choice, "WEIGHTS", weights)
    with pytest.raises(WeightsError):
        network_for(2, "std", 1)
    assert isinstance(searching.by_network(2, "std", 0), ByHand)
    player = searching.make_net("nodes=50", 0)
    game = Game(seed=1)
    assert player.choose(game, Limits()).move in game.legal_moves
