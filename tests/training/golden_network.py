"""Writes `tests/golden/network.npz` anew: what PyTorch says with the shipped weights about the positions in that file.

python -m tests.training.golden_network
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from azulejos import Game
from azulejos.net import choice
from azulejos.net.features import FEATURES, write_features
from azulejos.training.network import Network, Shape, load, outcomes

GOLDEN = Path(__file__).parent.parent / "golden" / "network.npz"
WEIGHTS = Path(choice.__file__).parent / "weights"


def answers(name: str, positions: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Logits and outcomes of the network in a file of weights."""
    x = np.zeros((len(positions), FEATURES), np.int8)
    for at, position in enumerate(positions):
        write_features(Game.from_position(str(position)).states[0], x[at])
    network = Network(Shape())
    load(network, WEIGHTS / name)
    with torch.no_grad():
        scaled = torch.from_numpy(x).float() * network.scale
        logits, win, margins = network(scaled)
        return logits.numpy(), outcomes(scaled, win, margins).numpy()


def main() -> None:
    """Keep the positions, and write what is said of them today."""
    arrays = dict(np.load(GOLDEN))
    for (players, wall), name in choice.WEIGHTS.items():
        kind = f"{players}-{wall}"
        logits, outcome = answers(name, arrays[f"{kind}-positions"])
        for key, value in (("logits", logits), ("outcome", outcome)):
            arrays[f"{kind}-{key}"] = value.astype(arrays[f"{kind}-{key}"].dtype)
    np.savez_compressed(GOLDEN, **arrays)


if __name__ == "__main__":
    main()
