"""The network without any framework: a weights file, and compiled arithmetic.

What it computes is `training.network.Network.forward`, laid out for batches of a few positions of one game.
"""

from __future__ import annotations

import functools
import itertools
import zipfile
import zlib
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from azulejos.net import features as f
from azulejos.net.arithmetic import EMPTY, Answers, Array, Layer, Layers, ReadyNetwork, Room, aligned, evaluate
from azulejos.net.awake import awake
from azulejos.net.rows import fill, pack
from azulejos.rules.state import ACTIONS, COLORS, DISPLAY_SIZE, DRAFTS, LINES, MAX_PLAYERS, displays_for

LARGEST: Final = 65536
"""No layer is so large."""


class WeightsError(ValueError):
    """A weights file that is missing, cut short, foreign, or of another version."""


class Inference:
    """A network ready to answer for games with a certain number of players."""

    def __init__(self, weights: dict[str, Array], players: int, batch: int) -> None:
        displays = displays_for(players)
        layers = _layers(weights, players, displays)
        answers = Answers(np.zeros((batch, ACTIONS), np.float32), np.zeros((batch, 2, MAX_PLAYERS), np.float32))
        self.network = ReadyNetwork(layers, Room.empty(layers, displays, batch), players, answers)
        """What compiled code asks."""

    def __call__(self, x: NDArray[np.int8]) -> Answers:
        """Answer for the rows of features, at most a batch of them."""
        batch = len(self.network.answers.logits)
        if len(x) > batch or x.shape[1] != f.FEATURES:  # compiled code would write anywhere
            raise ValueError(f"expected at most {batch} rows of {f.FEATURES} features, got {x.shape}")
        evaluate(self.network, x, len(x))
        return self.network.answers


def _layers(weights: dict[str, Array], players: int, displays: int) -> Layers:
    """Weights as they are added up, without the columns of seats and displays that nobody has, and of silent units."""
    weights, inside = awake(weights)
    w = {name: value.T for name, value in weights.items() if name.endswith("weight")}
    b = {name: value for name, value in weights.items() if name.endswith("bias")}
    end = f.BOARDS_AT + players * f.BOARD_WIDTH
    contents, features = _display_contents()
    display = np.maximum(features @ w["display.weight"] + b["display.bias"], 0)
    enter = display @ w["enter_displays.weight"]
    blocks = range(len(inside))
    rest = np.zeros_like(b["second.0.bias"])
    rest[: enter.shape[1]] = b["enter_rest.bias"] + (f.DISPLAYS - displays) * enter[EMPTY]  # which says something too
    matrices = {name.removesuffix(".weight"): value for name, value in w.items()} | {
        "rest": w["enter_rest.weight"][: end - f.TABLE_AT],
        **{name: np.stack([w[f"{name}.{block}.weight"] for block in blocks]) for name in ("first", "second")},
    }
    added = {name.removesuffix(".bias"): value for name, value in b.items()} | {
        "rest": rest,
        **{name: np.stack([b[f"{name}.{block}.bias"] for block in blocks]) for name in ("first", "second")},
    }
    layers: dict[str, Any] = {name: aligned(pack(matrices[name])) for name in Layers._fields if name in matrices}
    for name in layers.keys() - {"enter_center", "policy_center"}:  # which are added to others
        layers[name] = Layer(layers[name], aligned(fill(added[name])))
    enters, says = aligned(fill(enter)), aligned(fill(display @ w["policy_source.weight"]))
    return Layers(aligned(contents), enters, says, aligned(f.SCALE[f.TABLE_AT : end]), inside, **layers)


@functools.cache
def _display_contents() -> tuple[NDArray[np.int16], Array]:
    """What can lie on a display: from counts of colors, as digits, to its number, and from that to features."""
    counts = [c for c in itertools.product(range(DISPLAY_SIZE + 1), repeat=COLORS) if sum(c) <= DISPLAY_SIZE]
    contents = np.full((DISPLAY_SIZE + 1,) * COLORS, EMPTY, np.int16)
    features = np.zeros((len(counts), COLORS, DISPLAY_SIZE), np.float32)
    for at, content in enumerate(counts):  # the first one is nothing at all
        contents[content] = at
        for color, count in enumerate(content):
            if count:
                features[at, color, count - 1] = 1
    return contents.ravel(), features.reshape(len(counts), f.DISPLAY_WIDTH)


def read_weights(path: Path) -> dict[str, Any]:
    """The arrays of a weights file, in single precision."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    except (OSError, ValueError, EOFError, KeyError, AttributeError, zipfile.BadZipFile, zlib.error) as fault:
        raise WeightsError(f"cannot read {str(path)!r} as weights: {fault}") from fault
    version = arrays.get("features_version")
    if version is None or version.shape or version != f.FEATURES_VERSION:
        raise WeightsError(f"{str(path)!r} has features version {version}, expected {f.FEATURES_VERSION}")
    sizes = [arrays.get(f"shape_{name}") for name in ("width", "blocks", "source", "policy", "value")]
    if any(size is None or size.shape or not 0 < size < LARGEST for size in sizes):
        raise WeightsError(f"{str(path)!r} does not say the sizes of a network, expected shape_width and others")
    for name, shape in _shapes(*(int(size) for size in sizes if size is not None)).items():
        there = arrays[name].shape if name in arrays else None
        if there != shape:
            raise WeightsError(f"{str(path)!r} has {name!r} of shape {there}, expected {shape}")
        if not np.isfinite(arrays[name]).all():
            raise WeightsError(f"{str(path)!r} has {name!r} with numbers that are not finite")
    return {name: value.astype(np.float32) for name, value in arrays.items() if "." in name}


def _shapes(width: int, blocks: int, source: int, policy: int, value: int) -> dict[str, tuple[int, ...]]:
    """The arrays of a network with such sizes."""
    layers = {
        "display": (source, f.DISPLAY_WIDTH),
        "center": (source, f.CENTER_WIDTH),
        "enter_rest": (width, f.FEATURES - f.TABLE_AT),
        **{f"{name}.{block}": (width, width) for block in range(blocks) for name in ("first", "second")},
        "policy_trunk": (policy, width),
        "drafts": (COLORS * LINES, policy),
        "tiling": (ACTIONS - DRAFTS, width),
        "value_trunk": (value, width),
        "outcome": (2 * MAX_PLAYERS, value),
    }
    matrices = {
        "enter_displays": (width, source),
        "enter_center": (width, source),
        "policy_source": (policy, source),
        "policy_center": (policy, source),
    }
    weights = {f"{name}.weight": shape for name, shape in (layers | matrices).items()}
    return weights | {f"{name}.bias": shape[:1] for name, shape in layers.items()}
