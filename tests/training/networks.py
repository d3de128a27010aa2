"""Small untrained networks as files of weights, made without PyTorch; and run folders that begin with one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from azulejos.net import features as f
from azulejos.net.inference import read_weights
from azulejos.training.cards import Interval, NetworkCard, Networks
from azulejos.training.run_folder import RunFolder

WIDTH, BLOCKS, SOURCE, POLICY, VALUE = 16, 1, 8, 8, 8
FIRST = "0000000"
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


def add_network(run: RunFolder, name: str, seed: int = 0, **known: Any) -> NetworkCard:
    """Add such a network to a run."""
    networks = Networks(run.path)
    networks.folder.mkdir(exist_ok=True)
    write_network(networks.weights(name), seed)
    card = NetworkCard(
        network=name,
        shape=run.shape,
        mix="2std",
        games=0,
        positions=0,
        steps=int(name),
        minutes=0.0,
        device="test",
        parent=None,
        **known,
    )
    networks.write(card)
    return card


SMALL: dict[str, Any] = {"slots": 4, "simulations": 4, "gate_games": 4, "gate_nodes": 4, "workers": 0, "device": "cpu"}


def small_run(path: Path, **options: Any) -> RunFolder:
    """A run that has its first network."""
    run = RunFolder(path, {**SHAPE, **SMALL, **options})
    with run.locked():
        add_network(run, FIRST, accepted=True, rating=Interval(0.0, 0.0, 0.0))
    return run
