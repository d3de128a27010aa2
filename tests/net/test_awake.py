"""Units that nothing hears are left out, and no answer changes."""

from __future__ import annotations

import numpy as np

from azulejos import Game
from azulejos.net import features as f
from azulejos.net.arithmetic import MARGIN_UNIT
from azulejos.net.awake import ENTRIES, awake
from azulejos.net.inference import Inference
from azulejos.net.rows import PAIR
from tests.net.test_arithmetic import network, written_out

WIDTH = 3 * PAIR
SILENT = (2 * PAIR + 5, PAIR)
"""Units of each block that nothing hears."""


def test_a_network_without_silent_units_is_smaller_and_says_the_same() -> None:
    random = np.random.default_rng(3)
    weights = network((WIDTH, 2, 16, 16, 16))
    for block, count in enumerate(SILENT):
        weights[f"second.{block}.weight"][:, random.permutation(WIDTH)[:count]] = 0
    outside = random.permutation(WIDTH)[: PAIR + 3]
    for name in ENTRIES:
        weights[name][outside] = 0
    small, inside = awake(weights)
    assert inside.tolist() == [PAIR, 2 * PAIR]
    assert small["first.0.weight"].shape == (2 * PAIR, WIDTH)  # as wide as the widest block
    assert small["enter_rest.weight"].shape[0] == 2 * PAIR - 3
    x = np.zeros((8, f.FEATURES), np.int8)
    for at in range(8):
        f.write_features(Game(2, "gray", seed=at).states[0], x[at])
    answers = Inference(weights, 2, 8)(x)
    for at in range(8):
        logits, _, margins = written_out(weights, x[at])
        asked = answers.logits[at] > -1e8
        assert asked.sum() > 100
        assert np.abs(answers.logits[at] - logits)[asked].max() < 1e-4
        assert np.abs(answers.outcome[at, 1, :2] - MARGIN_UNIT * margins[:2]).max() < 1e-2
