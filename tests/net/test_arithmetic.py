"""The compiled arithmetic leaves out what is zero and looks displays up; here the same is written out in full."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from azulejos import Game
from azulejos.game.view import WALLS, Wall
from azulejos.net import features as f
from azulejos.net.arithmetic import CACHE_LINE, MARGIN_UNIT, NOT_ASKED, aligned
from azulejos.net.inference import Inference, _shapes
from azulejos.net.rows import rounded
from azulejos.players import greedy
from azulejos.rules.state import ACTIONS, DEAL_DUE, DRAFTS, OVER, TILING
from azulejos.rules.turn import legal_mask

KINDS = [(players, wall) for players in (2, 3, 4) for wall in WALLS]
SIZES = [(48, 2, 16, 16, 16), (37, 3, 11, 13, 5), (16, 1, 8, 8, 1000)]
"""Width, blocks, source, policy, value; the second ones fill no cache line, the last is wider than the features."""


def network(sizes: tuple[int, ...], seed: int = 1) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    return {
        name: rounded(random.normal(0, 0.3 if name.endswith("bias") else 1 / np.sqrt(shape[-1]), shape))
        for name, shape in _shapes(*sizes).items()
    }


def positions(players: int, wall: Wall) -> Iterator[Any]:
    """Every position of a game, the ones before a deal too."""
    game = Game(players, wall, seed=7)
    while not game.is_over:
        yield game.states[0]
        before = game.states.copy()
        game.play(greedy.choose(game))
        if game.states[0]["round_number"] > before[0]["round_number"]:
            before["phase"] = DEAL_DUE
            yield before[0]


def relu(x: Any) -> Any:
    return np.maximum(x, 0)


def written_out(w: dict[str, Any], x: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Logits, win logits and margins of one row of features."""

    def layer(name: str, x: Any) -> Any:
        return w[f"{name}.weight"].astype(float) @ x + w.get(f"{name}.bias", 0.0)

    x = x * f.SCALE
    displays = [relu(layer("display", each)) for each in x[: f.CENTER_AT].reshape(f.DISPLAYS, f.DISPLAY_WIDTH)]
    center = relu(layer("center", x[f.CENTER_AT : f.TABLE_AT]))
    h = layer("enter_rest", x[f.TABLE_AT :]) + layer("enter_displays", sum(displays)) + layer("enter_center", center)
    h = relu(h)
    for block in range(sum(name.startswith("first.") and name.endswith("bias") for name in w)):
        h = relu(h + layer(f"second.{block}", relu(layer(f"first.{block}", h))))
    context = layer("policy_trunk", h)
    sources = [layer("policy_center", center), *(layer("policy_source", each) for each in displays)]
    drafts = [layer("drafts", relu(context + source)) for source in sources]
    value = layer("outcome", relu(layer("value_trunk", h)))
    return np.concatenate([*drafts, layer("tiling", h)]), value[:4], value[4:]


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize(("players", "wall"), KINDS)
def test_nothing_is_lost(players: int, wall: Wall, sizes: tuple[int, ...]) -> None:
    weights = network(sizes)
    states = list(positions(players, wall))
    phases = {int(state["phase"]) for state in states}
    assert DEAL_DUE in phases
    assert (TILING in phases) == (wall == "gray")
    x = np.zeros((len(states), f.FEATURES), np.int8)
    legal = np.zeros((len(states), ACTIONS), np.uint8)
    for at, state in enumerate(states):
        f.write_features(state, x[at])
        if state["phase"] != DEAL_DUE:
            legal_mask(state, legal[at])
    answers = Inference(weights, players, len(x))(x)
    for at in range(len(states)):
        logits, win, margins = written_out(weights, x[at])
        assert np.abs(answers.logits[at] - logits)[legal[at] > 0].max(initial=0) < 1e-4
        shares = np.exp(win[:players]) / np.exp(win[:players]).sum()
        assert np.abs(answers.outcome[at, 0, :players] - shares).max() < 1e-5
        assert np.abs(answers.outcome[at, 1, :players] - margins[:players] * MARGIN_UNIT).max() < 1e-3
        assert not answers.outcome[at, :, players:].any()


def test_what_cannot_be_played_is_not_asked() -> None:
    drafted = tiled = ended = 0
    states = list(positions(3, "gray"))
    inference = Inference(network(SIZES[0]), 3, 1)
    x = np.zeros((1, f.FEATURES), np.int8)
    for state in states:
        f.write_features(state, x[0])
        asked = inference(x).logits[0] > NOT_ASKED / 2
        assert state["phase"] != OVER
        if state["phase"] == TILING:
            tiled += 1
            assert asked[DRAFTS:].all()
            assert not asked[:DRAFTS].any()
        elif state["phase"] == DEAL_DUE:
            ended += 1
            assert not asked.any()
        else:
            drafted += 1
            there = state["displays"][1:].any(1)
            assert (asked[30:DRAFTS].reshape(-1, 30).all(1) == there).all()
            assert not asked[DRAFTS:].any()
    assert min(drafted, tiled, ended) > 3


def test_numbers_begin_where_a_cache_line_does() -> None:
    array = np.arange(35, dtype=np.float32).reshape(5, 7)
    copies = [aligned(array) for _ in range(20)]
    assert all(copy.ctypes.data % CACHE_LINE == 0 for copy in copies)
    assert all(np.array_equal(copy, array) for copy in copies)


@pytest.mark.parametrize("shape", [(4, f.FEATURES), (2, f.FEATURES - 1)])
def test_rows_that_do_not_fit_are_refused(shape: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=f"at most 3 rows of {f.FEATURES} features"):
        Inference(network(SIZES[0]), 2, 3)(np.zeros(shape, np.int8))
