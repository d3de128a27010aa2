"""Self-play on a CUDA device: the same samples as on a processor."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs PyTorch: pip install 'azulejos[train]'")

import torch

from azulejos.net import features as f
from azulejos.net import symmetry
from azulejos.search.tree import MOST_EDGES, ROOT
from azulejos.training.network import Network
from azulejos.training.plan import MixName, Shape, TrainingPlan
from azulejos.training.turns import GAME_OVER
from tests.training.fake_cuda import fake_cuda

REAL = torch.cuda.is_available()


@pytest.fixture(autouse=True)
def device(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A CUDA device, or one played by the processor."""
    with contextlib.nullcontext() if REAL else fake_cuda(monkeypatch):
        yield


def playing(**options: Any) -> Any:
    """Games of a small untrained network."""
    from azulejos.training.selfplay_cuda import CudaSelfPlay

    return CudaSelfPlay(Network(Shape(32, 1)).cuda(), TrainingPlan(**options), seed=1)


def on_host(array: Any) -> Any:
    return array.copy_to_host() if REAL else array


@pytest.mark.parametrize("mix", ["2std", "all"])
def test_samples_are_those_of_finished_games(mix: MixName) -> None:
    slots = 512 if REAL else 64
    play = playing(slots=slots, simulations=16 if REAL else 4, mix=mix)
    play.prepare()
    while not play.ready:
        assert play.turn(0.0) == slots
    tally = play.count()
    assert tally.games > slots / 8
    assert tally.games * 5 <= tally.rounds
    fresh = play.sample_done == GAME_OVER
    policy, win = (getattr(play, name)[fresh].float().cpu().numpy() for name in ("sample_policy", "sample_win"))
    assert len(win) > 40 * tally.games
    assert np.allclose(win.clip(0).sum(1), 1)
    has_policy = (policy >= 0).any(1)
    assert np.allclose(policy.clip(0).sum(1)[has_policy], 1, atol=5e-3)
    assert 4 * tally.games <= (~has_policy).sum() < len(win) / 5
    assert play.count()[:2] == (0, 0)


def test_simulations_come_out_exactly_as_the_phases_say() -> None:
    play = playing(slots=128 if REAL else 6, simulations=64, candidates=16, mix="4gray")
    for _ in range(3):
        play.step()
        torch.cuda.synchronize()
        counts = on_host(play.nodes)[:, ROOT]["count"]
        edges = on_host(play.edges)[:, :MOST_EDGES]
        for mine, count in zip(edges, counts, strict=True):
            visits = mine["visits"][:count]
            assert sorted(visits[visits > 0].tolist(), reverse=True) == [15, 15, 7, 7, 3, 3, 3, 3, *[1] * 8]
            assert mine["prior"][:count].sum() == pytest.approx(1, abs=1e-4), "what is left is the better policy"


def test_gray_samples_come_under_other_names() -> None:
    play = playing(slots=256 if REAL else 64, simulations=2, mix="gray")
    while int(play.tally[0]) < play.plan.slots:
        play.step()
    x, policy, win, _, _ = (part.cpu().numpy() for part in play.sample(4096))
    fit = win[:, 0] > -1.5
    assert fit.sum() > 300
    assert (x[fit, symmetry.GRAY_AT] == 1).all()
    has_policy = fit & (policy >= 0).any(1)
    assert np.allclose(policy[has_policy].clip(0).sum(1), 1, atol=5e-3)
    drafts = (policy[:, : 10 * 30].reshape(-1, 10, 5, 6) >= 0).any(3)[has_policy]
    displays = x[has_policy, : f.CENTER_AT].reshape(-1, 9, 5, 4).any(3)
    center = x[has_policy, f.CENTER_AT : f.CENTER_AT + 40].reshape(-1, 5, 8).any(2)
    offered = np.concatenate([center[:, None], displays], 1)
    drafting = drafts.any((1, 2))
    assert drafting.sum() > 200
    assert (drafts == offered)[drafting].all(), "what may be taken is what lies there, under the same names"
