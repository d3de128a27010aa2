"""The environment for JAX: the documented lines as they stand, and the same games as everywhere."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from azulejos.envs.batch import Batch
from azulejos.rules.state import STATE
from tests.docs.pages import ROOT

jax = pytest.importorskip("jax", reason="JAX is not installed here: pip install 'azulejos[jax]'")

from azulejos.envs.jax import AzulJax  # noqa: E402


def test_the_lines_of_the_page_play_whole_games() -> None:
    page = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8").partition("\n## JAX\n")[2]
    names: dict[str, Any] = {}
    exec(page.split("```python\n")[1].split("```")[0], names)
    state, won = names["state"], np.asarray(names["won"])
    assert state.terminated.all()
    assert np.allclose(won.sum(1), 0)
    assert (np.abs(won).max(1) == 1).mean() > 0.8  # but for shared victories
    records = np.asarray(state.record).view(STATE)[:, 0]
    assert len(np.unique(records["score"], axis=0)) > 50


@pytest.mark.parametrize(
    "options", [{}, {"num_players": 3, "wall": "gray", "reward": "score"}, {"opponents": "greedy", "reward": "margin"}]
)
def test_steps_are_those_of_a_batch(options: dict[str, Any]) -> None:
    env, batch = AzulJax(**options), Batch(8, **options, autoreset="disabled")
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(5), 8))
    step = jax.jit(jax.vmap(env.step))
    batch.reset(seed=0)
    batch.states[:] = np.array(state.record).view(STATE)[:, 0]
    batch.lanes[:] = np.array(state.lane).view(batch.lanes.dtype)[:, 0]
    rng = np.random.default_rng(1)
    for _ in range(90):
        masks = np.asarray(state.legal_action_mask)
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        kept = jax.tree.map(np.array, state)
        batch.step(actions)
        after = step(state, actions)
        assert all((np.asarray(a) == b).all() for a, b in zip(state, kept, strict=True))  # what it got it left alone
        state = after
        assert (np.asarray(state.record) == batch.states.view(np.ndarray).view(np.uint8).reshape(8, -1)).all()
        assert (np.asarray(state.observation) == batch.observations).all()
        assert (np.asarray(state.legal_action_mask) == batch.masks).all()
        assert (np.asarray(state.current_player) == batch.seats).all()
        assert (np.asarray(state.rewards) == batch.rewards).all()
        assert (np.asarray(state.terminated) == batch.terminated).all()
    assert batch.terminated.any()


def test_one_game_and_games_in_two_dimensions() -> None:
    env = AzulJax()
    keys = jax.random.split(jax.random.key(1), 6)
    one = jax.jit(env.init)(keys[0])
    many = jax.vmap(jax.vmap(env.init))(keys.reshape(2, 3))
    assert one.observation.shape == (490,)
    assert many.observation.shape == (2, 3, 490)
    assert (many.record[0, 0] == one.record).all()
    assert len(np.unique(np.asarray(many.record).reshape(6, -1), axis=0)) == 6
    ended = env.step(one, 324)
    assert bool(ended.terminated)
    assert sorted(np.asarray(ended.rewards).tolist()) == [-1, 0]


def test_what_is_no_option_is_told() -> None:
    with pytest.raises(TypeError, match=re.escape("unknown option 'autoreset': expected num_players, wall, reward")):
        AzulJax(autoreset="same_step")
