"""Which network answers for which game."""

from __future__ import annotations

import functools
from importlib import resources
from pathlib import Path
from typing import Any, Final

from azulejos.net.inference import Inference, WeightsError, read_weights
from azulejos.view import Wall

WEIGHTS: Final[dict[tuple[int, Wall], str]] = {(2, "std"): "two-std.npz"}
"""The weights file for each number of players and wall; games without one are searched by hand."""


def network_for(players: int, wall: Wall, batch: int) -> Inference:
    """A network for such games; `WeightsError` if there is none."""
    name = WEIGHTS.get((players, wall))
    if name is None:
        raise WeightsError(f"there is no network for {players} players on the {wall} wall")
    return Inference(_weights(name), players, batch)


@functools.cache
def _weights(name: str) -> dict[str, Any]:
    with resources.as_file(resources.files("azulejos.net") / "weights" / name) as path:
        return read_weights(Path(path))
