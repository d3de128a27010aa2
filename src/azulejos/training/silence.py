"""Units that have fallen silent: found in games, and made zeros in a weights file.

While a network learns, some of its units come to say nothing in any position: what comes into them is always negative.
They learn nothing more either. Whoever reads the file then leaves them out (`net.awake`): the answers stay the same,
and come sooner.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from azulejos.game.arguments import check_seed
from azulejos.net import features as f
from azulejos.net.awake import ENTRIES
from azulejos.net.inference import Inference, read_weights
from azulejos.rules import batch
from azulejos.rules.state import STATE
from azulejos.search.batches import BATCH
from azulejos.search.tree import MOST_EDGES
from azulejos.training.atomic import write_atomic
from azulejos.training.plan import ROUND_LIMIT, Mix

POSITIONS: Final = 20_000
"""Positions of each kind of game in which a unit may speak."""
LOT_SHARE: Final = 0.15
"""Moves by lot, so that positions come up that good players avoid; the others are drawn by the policy."""
ENTRY: Final = "entry"
"""The name for what enters the trunk, beside the numbers of the blocks."""

Weights = dict[str, Any]
"""The arrays of a weights file."""


def positions(weights: Weights, players: int, gray: int, count: int, seed: int) -> NDArray[np.int8]:
    """The features of so many positions of games in which the policy draws the moves."""
    network, random = Inference(weights, players, BATCH), np.random.default_rng(seed)
    states, actions = np.zeros(BATCH, STATE), np.zeros(MOST_EDGES, np.int16)
    x = np.zeros((-(-count // BATCH), BATCH, f.FEATURES), np.int8)
    games = 0
    for seen in x:
        for t in range(BATCH):
            while not batch.legal_one(states, t, actions):  # no game yet, or one that is over
                batch.new_game_one(states, t, players, gray, check_seed(seed), games, -1, ROUND_LIMIT)
                games += 1
            f.write_features(states[t], seen[t])
        logits = network(seen).logits
        for t in range(BATCH):
            legal = actions[: batch.legal_one(states, t, actions)]
            by_lot = random.random() < LOT_SHARE
            likely = random.gumbel(size=len(legal)) + (0 if by_lot else logits[t, legal])
            batch.step_one(states, t, legal[np.argmax(likely)])
    return x.reshape(-1, f.FEATURES)[:count]


def speaking(weights: Weights, x: NDArray[np.int8]) -> dict[str, NDArray[np.bool_]]:
    """Which units say something in any of these positions: of each block, by its number, and of the entry."""

    def layer(name: str, numbers: Any) -> Any:
        return numbers @ weights[f"{name}.weight"].T + weights.get(f"{name}.bias", 0)

    scaled = x * f.SCALE.astype(np.float32)
    displays = np.maximum(layer("display", scaled[:, : f.CENTER_AT].reshape(len(x), -1, f.DISPLAY_WIDTH)), 0).sum(1)
    center = np.maximum(layer("center", scaled[:, f.CENTER_AT : f.TABLE_AT]), 0)
    rest = layer("enter_rest", scaled[:, f.TABLE_AT :])
    h = np.maximum(rest + layer("enter_displays", displays) + layer("enter_center", center), 0)
    heard = {ENTRY: h.any(0)}
    for block in range(sum(name.startswith("first.") and name.endswith("weight") for name in weights)):
        inner = np.maximum(layer(f"first.{block}", h), 0)
        heard[str(block)] = inner.any(0)
        h = np.maximum(h + layer(f"second.{block}", inner), 0)
    return heard


def silence(weights: Weights, heard: dict[str, NDArray[np.bool_]]) -> Weights:
    """The same network with zeros for all that silent units hear and say."""
    quiet = dict(weights)
    for name in ENTRIES:
        quiet[name] = _kept(weights[name], heard[ENTRY])
    for block, units in heard.items():
        if block != ENTRY:
            first, second = f"first.{block}", f"second.{block}.weight"
            quiet[f"{first}.weight"] = _kept(weights[f"{first}.weight"], units)
            quiet[f"{first}.bias"] = _kept(weights[f"{first}.bias"], units)
            quiet[second] = _kept(weights[second].T, units).T
    return quiet


def _kept(rows: NDArray[Any], which: NDArray[np.bool_]) -> NDArray[Any]:
    """These rows as they are, the others zeros."""
    kept = rows.copy()
    kept[~which] = 0
    return kept


def silence_file(path: Path, mix: Mix, count: int = POSITIONS, seed: int = 1) -> dict[str, int]:
    """Write zeros for silent units into a weights file; returns how many units are left, as `speaking` names them."""
    weights = read_weights(path)
    found = [speaking(weights, positions(weights, players, gray, count, seed)) for players, gray, _ in mix]
    heard = {name: np.any([each[name] for each in found], axis=0) for name in found[0]}
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **silence(arrays, heard))
    write_atomic(path, buffer.getbuffer())
    return {name: int(np.count_nonzero(units)) for name, units in heard.items()}
