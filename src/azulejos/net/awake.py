"""A network without its units that say nothing: they cost time and change no answer.

While a network learns, units fall silent for ever: what comes into them is negative in every position. A weights file
has zeros for them (`training.silence` writes them), and here they are left out.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from azulejos.net.rows import padded

ENTRIES: Final = ("enter_rest.weight", "enter_rest.bias", "enter_displays.weight", "enter_center.weight")
"""What comes into the trunk before its first block."""
READ: Final = ("policy_trunk.weight", "tiling.weight", "value_trunk.weight")
"""What reads the trunk behind its last block."""

Weights = dict[str, NDArray[np.float32]]
"""The arrays of a network."""


def awake(weights: Weights) -> tuple[Weights, NDArray[np.int64]]:
    """The same network, smaller, and how many columns the inside of each block has then, filled to whole pairs.

    The trunk's units that nothing enters before the first block stand last, and have no place in what enters.
    """
    w = dict(weights)
    entered = np.any([w[name].reshape(len(w[name]), -1).any(1) for name in ENTRIES], axis=0)
    order = np.argsort(~entered, kind="stable")
    w |= {name: w[name][order[: np.count_nonzero(entered)]] for name in ENTRIES}
    w |= {name: w[name][:, order] for name in READ}
    blocks = range(sum(name.startswith("first.") and name.endswith("weight") for name in w))
    heard = [np.flatnonzero(w[f"second.{block}.weight"].any(0)) for block in blocks]
    inside = max(map(len, heard))
    for block, units in enumerate(heard):
        first, second = f"first.{block}", f"second.{block}"
        w[f"{first}.weight"] = _filled(w[f"{first}.weight"][units][:, order], inside)
        w[f"{first}.bias"] = _filled(w[f"{first}.bias"][units], inside)
        w[f"{second}.weight"] = _filled(w[f"{second}.weight"][order][:, units].T, inside).T
        w[f"{second}.bias"] = w[f"{second}.bias"][order]
    return w, np.array([padded(len(units)) for units in heard])


def _filled(rows: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """With rows of zeros up to so many."""
    return np.pad(rows, [(0, count - len(rows)), *[(0, 0)] * (rows.ndim - 1)])
