"""Silent units: found in games, zeros in the file, and nothing that the network says has changed."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from azulejos.net.inference import Inference, read_weights
from azulejos.training.silence import positions, silence_file, speaking
from tests.training.networks import WIDTH, write_network

MUTE = (2, 5, 11)
"""Units of the block that never speak."""
MIX = ((2, 1, 0.5), (3, 1, 0.5))


def test_silent_units_become_zeros_and_answers_stay(tmp_path: Path) -> None:
    path = tmp_path / "network.npz"
    write_network(path)
    arrays = dict(np.load(path))
    arrays["first.0.bias"][list(MUTE)] = -100
    np.savez(path, **arrays)
    before = read_weights(path)
    awake = silence_file(path, MIX, count=300)
    after = read_weights(path)
    assert awake["0"] <= WIDTH - len(MUTE)
    assert not after["first.0.weight"][list(MUTE)].any()
    assert not after["second.0.weight"][:, list(MUTE)].any()
    assert np.count_nonzero(after["second.0.weight"].any(0)) == awake["0"]
    assert np.array_equal(after["outcome.weight"], before["outcome.weight"])
    x = positions(before, 2, 1, 16, seed=1)
    one, other = (Inference(weights, 2, 16)(x) for weights in (before, after))
    assert np.abs(one.outcome - other.outcome).max() < 1e-4


def test_a_unit_speaks_if_it_does_in_any_position(tmp_path: Path) -> None:
    write_network(tmp_path / "network.npz")
    weights = read_weights(tmp_path / "network.npz")
    x = positions(weights, 4, 0, 100, seed=3)
    assert len(x) == 100
    assert len(np.unique(x, axis=0)) > 50
    alone = [speaking(weights, x[at : at + 1])["0"] for at in range(100)]
    assert np.array_equal(speaking(weights, x)["0"], np.any(alone, axis=0))
