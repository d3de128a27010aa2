"""Small untrained networks as files of weights, made without PyTorch; and run folders that begin with one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from azulejos.net import features as f
from azulejos.net.inference import read_weights
from azulejos.training.cards import FIRST, WEIGHTS, Card, publish
from azulejos.training.folder import RunFolder
from azulejos.training.options import Options

WIDTH, BLOCKS, SOURCE, POLICY, VALUE = 16, 1, 8, 8, 8
SHAPE = {"width": WIDTH, "blocks": BLOCKS, "source": SOURCE, "policy": POLICY, "value": VALUE}
LAYERS = {
    "display": (f.DISPLAY_WIDTH, SOURCE),
    "center": (f.CENTER_WIDTH, SOURCE),
    "enter_rest": (f.FEATURES - f.TABLE_AT, WIDTH),
    "enter_displays": (SOURCE, WIDTH),
    "enter_center": (SOURCE, WIDTH),
    "first.0": (WIDTH, WIDTH),
    "second.0": (WIDTH, WIDTH),
    "policy_trunk": (WIDTH, POLICY),
    "policy_source": (SOURCE, POLICY),
    "policy_center": (SOURCE, POLICY),
    "drafts": (POLICY, 30),
    "tiling": (WIDTH, 25),
    "value_trunk": (WIDTH, VALUE),
    "outcome": (VALUE, 8),
}


def write_network(path: Path, seed: int = 0) -> None:
    """An untrained network of `SHAPE`."""
    random = np.random.default_rng(seed)
    arrays: dict[str, Any] = {}
    for name, (inputs, outputs) in LAYERS.items():
        arrays[f"{name}.weight"] = random.normal(0, 0.5 / np.sqrt(inputs), (outputs, inputs)).astype(np.float16)
        arrays[f"{name}.bias"] = np.zeros(outputs, np.float16)
    arrays |= {f"shape_{name}": np.array(value) for name, value in SHAPE.items()}
    np.savez(path, features_version=np.array(f.FEATURES_VERSION), games=np.array(0), **arrays)


def network(tmp_path: Path, seed: int = 0) -> dict[str, Any]:
    """The weights of such a network."""
    write_network(tmp_path / f"network{seed}.npz", seed)
    return read_weights(tmp_path / f"network{seed}.npz")


def card(name: str, **more: Any) -> Card:
    """A card of a network that has learned nothing."""
    counts: dict[str, Any] = {
        "games": 0,
        "positions": 0,
        "steps": int(name),
        "selfplay_minutes": 0.0,
        "learner_minutes": 0.0,
    }
    return Card(network=name, shape=SHAPE, mix="2std", device="test", parent=None, **counts, **more)


def add_network(place: Path, name: str, seed: int = 0, **more: Any) -> Path:
    """Publish such a network in one of the folders of a run."""
    return publish(place, card(name, **more), lambda folder: write_network(folder / WEIGHTS, seed))


def small_run(path: Path, **options: Any) -> RunFolder:
    """A run that has its first network."""
    usual: dict[str, Any] = {
        "slots": 4,
        "simulations": 4,
        "gate_games": 4,
        "gate_nodes": 4,
        "shard_seconds": 0.2,
        "device": "cpu",
    }
    run = RunFolder.create(path, SHAPE, 1, Options(**(usual | options)))
    add_network(run.accepted, FIRST)
    return run
