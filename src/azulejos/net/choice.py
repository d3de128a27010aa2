"""Which network answers for which game, and what its card says."""

from __future__ import annotations

import functools
import zlib
from dataclasses import MISSING, dataclass, fields
from importlib import resources
from pathlib import Path
from typing import Any, Final

import numpy as np

from azulejos.game.view import WALLS, Wall
from azulejos.net.inference import Inference, WeightsError, read_weights
from azulejos.rules.state import MAX_PLAYERS

WEIGHTS: Final[dict[tuple[int, Wall], str]] = {
    (2, "std"): "two-std.npz",
    (2, "gray"): "two-gray.npz",
    (3, "std"): "many.npz",
    (3, "gray"): "gray.npz",
    (4, "std"): "many.npz",
    (4, "gray"): "gray.npz",
}
"""The weights file for each number of players and wall; games without one are searched by hand."""


@dataclass(frozen=True, slots=True)
class Card:
    """How a network was made."""

    features_version: int
    """The version of the features that it was trained with."""
    games: int
    """Games of self-play it has learned from."""
    minutes: float
    """Time on the device that trained it."""
    mix: str
    """Which kinds of games it learned last, as in `training.plan.MIXES`."""
    date: str
    """The day it was finished."""
    policy_scale: float = 1.0
    """What the logits of its policy were multiplied with after it had learned them, as they stand in the file."""


def network_for(players: int, wall: Wall, batch: int) -> Inference:
    """A network for such games; `WeightsError` if there is none."""
    return Inference(_weights_for(players, wall), players, batch)


def has_all_networks() -> bool:
    """Whether there is a network for every kind of game."""
    try:
        for players in range(2, MAX_PLAYERS + 1):
            for wall in WALLS:
                _weights_for(players, wall)
    except WeightsError:
        return False
    return True


def fingerprint(name: str) -> int:
    """A number that changes with a weights file: what was found out with another one is out of date."""
    return zlib.crc32((resources.files("azulejos.net") / "weights" / name).read_bytes())


def _weights_for(players: int, wall: Wall) -> dict[str, Any]:
    name = WEIGHTS.get((players, wall))
    if name is None:
        raise WeightsError(f"there is no network for {players} players on the {wall} wall")
    return _weights(name)


@functools.cache
def _weights(name: str) -> dict[str, Any]:
    with resources.as_file(resources.files("azulejos.net") / "weights" / name) as path:
        return read_weights(Path(path))


def read_card(path: Path) -> Card:
    """The card of a weights file."""
    read_weights(path)  # which says what is wrong with a file that is none
    with np.load(path, allow_pickle=False) as file:
        missing = [field.name for field in fields(Card) if field.default is MISSING and field.name not in file.files]
        if missing:
            raise WeightsError(f"{str(path)!r} has no card: expected {', '.join(missing)}")
        return Card(**{name: file[name].item() for name in Card.__slots__ if name in file.files})
