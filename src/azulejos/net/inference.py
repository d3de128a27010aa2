"""The network without any framework: a weights file, and NumPy's matrix products.

The arithmetic is `training.model.Network.forward`, laid out for batches of a few positions of one game: columns of
seats and displays that nobody has are left out of the products.
"""

from __future__ import annotations

import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from azulejos.net import features as f
from azulejos.rules.state import ACTIONS, COLORS, DRAFTS, MAX_PLAYERS, displays_for
from azulejos.rules.turn import LINES

MARGIN_UNIT: Final = 20.0
"""The network's margin output times this is points."""
LARGEST: Final = 65536
"""No layer is so large."""

Array = NDArray[np.float32]
"""Numbers as the network computes with them."""


class WeightsError(ValueError):
    """A weights file that is missing, cut short, foreign, or of another version."""


@dataclass(slots=True)
class Answers:
    """What the network says of a batch: one row a position."""

    logits: Array
    """[B, ACTIONS]"""
    outcome: Array
    """[B, 2, 4]: share of the victory and margin in points, the acting seat first."""


class Inference:
    """A network ready to answer for games with a certain number of players."""

    def __init__(self, weights: dict[str, Array], players: int, batch: int) -> None:
        self.players, self.batch = players, batch
        self.answers = Answers(
            np.full((batch, ACTIONS), -1e9, np.float32), np.zeros((batch, 2, MAX_PLAYERS), np.float32)
        )
        """Where the answers to the last batch stand."""
        self._displays = displays_for(players)
        self._end = f.BOARDS_AT + players * f.BOARD_WIDTH
        w = {name: np.ascontiguousarray(value.T) for name, value in weights.items() if name.endswith("weight")}
        b = {name: value for name, value in weights.items() if name.endswith("bias")}
        self._display = w["display.weight"], b["display.bias"]
        self._center = w["center.weight"], b["center.bias"]
        rest = w["enter_rest.weight"][: self._end - f.TABLE_AT] * f.SCALE[f.TABLE_AT : self._end, None]
        self._sources = w["enter_displays.weight"], w["enter_center.weight"]
        unused = f.DISPLAYS - self._displays  # always empty, but an empty display says something too
        bias = b["enter_rest.bias"] + unused * np.maximum(b["display.bias"], 0) @ self._sources[0]
        self._rest = np.ascontiguousarray(rest), bias
        self._blocks = [
            (w[f"first.{i}.weight"], b[f"first.{i}.bias"], w[f"second.{i}.weight"], b[f"second.{i}.bias"])
            for i in range(sum(name.startswith("first.") for name in w))
        ]
        self._policy = w["policy_trunk.weight"], b["policy_trunk.bias"]
        self._policy_sources = w["policy_source.weight"], w["policy_center.weight"]
        self._drafts = w["drafts.weight"], b["drafts.bias"]
        self._tiling = w["tiling.weight"], b["tiling.bias"]
        self._value = w["value_trunk.weight"], b["value_trunk.bias"]
        self._outcome = w["outcome.weight"], b["outcome.bias"]

    def __call__(self, x: NDArray[np.int8]) -> Answers:
        """Answer for the rows of features, at most a batch of them."""
        rows = len(x)
        x32 = x[:, : self._end].astype(np.float32)
        sources = x32[:, : self._displays * f.DISPLAY_WIDTH].reshape(rows * self._displays, f.DISPLAY_WIDTH)
        displays = relu(sources @ self._display[0] + self._display[1])
        center = relu(x32[:, f.CENTER_AT : f.TABLE_AT] @ self._center[0] + self._center[1])
        pooled = displays.reshape(rows, self._displays, -1).sum(1)
        h = x32[:, f.TABLE_AT :] @ self._rest[0]
        h += pooled @ self._sources[0]
        h += center @ self._sources[1]
        h += self._rest[1]
        relu(h)
        for first, first_bias, second, second_bias in self._blocks:
            inner = h @ first
            inner += first_bias
            h += relu(inner) @ second
            h += second_bias
            relu(h)
        self._write_policy(h, displays, center, rows)
        self._write_outcome(h, rows)
        return self.answers

    def _write_policy(self, h: Array, displays: Array, center: Array, rows: int) -> None:
        context = h @ self._policy[0] + self._policy[1]
        per_source = np.empty((rows, self._displays + 1, context.shape[1]), np.float32)
        per_source[:, 1:] = (displays @ self._policy_sources[0]).reshape(rows, self._displays, -1)
        per_source[:, 0] = center @ self._policy_sources[1]
        per_source += context[:, None]
        relu(per_source)
        drafts = per_source.reshape(-1, context.shape[1]) @ self._drafts[0] + self._drafts[1]
        width = (self._displays + 1) * COLORS * LINES
        self.answers.logits[:rows, :width] = drafts.reshape(rows, width)
        self.answers.logits[:rows, DRAFTS:] = h @ self._tiling[0] + self._tiling[1]

    def _write_outcome(self, h: Array, rows: int) -> None:
        out = relu(h @ self._value[0] + self._value[1]) @ self._outcome[0] + self._outcome[1]
        win = np.exp(out[:, : self.players] - out[:, : self.players].max(1, keepdims=True))
        self.answers.outcome[:rows, 0, : self.players] = win / win.sum(1, keepdims=True)
        self.answers.outcome[:rows, 1, : self.players] = out[:, MAX_PLAYERS : MAX_PLAYERS + self.players] * MARGIN_UNIT


def relu(x: Array) -> Array:
    """The positive part, in place."""
    return np.maximum(x, 0, out=x)


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
