"""Whether a file of weights can be what a run begins with."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from azulejos.net.inference import read_weights


def check_start(path: Path, shape: dict[str, int]) -> None:
    """Raise a `ValueError` unless the file holds weights of this shape."""
    read_weights(path)
    with np.load(path, allow_pickle=False) as file:
        there = {name: int(file[f"shape_{name}"]) for name in shape if f"shape_{name}" in file.files}
    if there != shape:
        raise ValueError(f"{str(path)!r} has a network of shape {there}: expected {shape}")
