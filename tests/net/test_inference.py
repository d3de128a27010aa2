"""The network without a framework: the same answers as PyTorch gave, and clear words about bad files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from azulejos import Game
from azulejos.net import choice
from azulejos.net.choice import network_for
from azulejos.net.features import FEATURES, write_features
from azulejos.net.inference import WeightsError, read_weights
from azulejos.players import searching
from azulejos.players.player import Limits
from azulejos.rules.turn import legal_mask
from azulejos.search.evaluators import ByHand

GOLDEN = Path(__file__).parent.parent / "golden" / "network.npz"
WEIGHTS = Path(choice.__file__).parent / "weights" / "two-std.npz"


def test_answers_are_those_of_pytorch() -> None:
    golden = np.load(GOLDEN)
    x = np.zeros((len(golden["positions"]), FEATURES), np.int8)
    legal = np.zeros((len(x), 325), np.uint8)
    for at, position in enumerate(golden["positions"]):
        states = Game.from_position(str(position)).states
        write_features(states[0], x[at])
        legal_mask(states[0], legal[at])
    answers = network_for(2, "std", len(x))(x)
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
    assert sum(path.stat().st_size for path in WEIGHTS.parent.iterdir()) <= 8_000_000


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 nonsense", b"\x93NUMPY\x01\x00"])
def test_a_foreign_file_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "some.npz"
    file.write_bytes(content)
    with pytest.raises(WeightsError, match=r"some\.npz"):
        read_weights(file)


def test_a_file_cut_short_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "short.npz"
    file.write_bytes(WEIGHTS.read_bytes()[:100_000])
    with pytest.raises(WeightsError, match=r"short\.npz"):
        read_weights(file)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"none\.npz"):
        read_weights(tmp_path / "none.npz")


def test_another_version_of_the_features_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "old.npz"
    np.savez(file, features_version=np.array(0))
    with pytest.raises(WeightsError, match="version 0, expected 1"):
        read_weights(file)


def test_where_there_is_no_network_the_search_by_hand_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "WEIGHTS", {})
    assert isinstance(searching.by_network(2, "std", 0), ByHand)
    player = searching.make_net("nodes=50", 0)
    game = Game(seed=1)
    assert player.choose(game, Limits()).move in game.legal_moves
