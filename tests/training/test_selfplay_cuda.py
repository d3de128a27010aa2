"""Self-play and training on a CUDA device, or on one that the processor plays."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs PyTorch: pip install 'azulejos[train]'")

import torch

from azulejos.arena.workers import Here
from azulejos.net import features as f
from azulejos.net import symmetry
from azulejos.search.tree import MOST_EDGES, ROOT
from azulejos.training.network import Network, read_shape
from azulejos.training.plan import MixName, Shape, TrainingPlan
from azulejos.training.pool import TaskPool
from azulejos.training.run_folder import RunFolder
from azulejos.training.turns import GAME_OVER
from tests.training.fake_cuda import fake_cuda
from tests.training.networks import SHAPE

REAL = torch.cuda.is_available()


@pytest.fixture(autouse=True)
def device(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A CUDA device, or one played by the processor."""
    torch.set_num_threads(1)
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
        counts = on_host(play.forest.nodes)[:, ROOT]["count"]
        edges = on_host(play.forest.edges)[:, :MOST_EDGES]
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


@pytest.mark.parametrize("gated", [False, True])
def test_the_trainer_learns_on_a_device_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gated: bool
) -> None:
    from azulejos.training.trainer import Trainer

    monkeypatch.setattr("azulejos.training.learner.LEARN_SECONDS", 0.0)  # which is for processors
    given = {"slots": 64, "simulations": 2, "batch": 64, "candidate_steps": 8, "gate_nodes": 2, "threshold": 0.01}
    run = RunFolder(tmp_path / "run", {**SHAPE, **given, "gate_games": 2 if gated else 0, "device": "cuda"})
    with run.locked():
        trainer = Trainer(run, run.plan(cuda=True), torch.device("cuda"), TaskPool(Here(), print) if gated else None)
        assert (vars(trainer.play)["network"] is trainer.learner.network) == (not gated)
        trainer.play.prepare()
        while not trainer.networks.newest().steps:
            trainer.turn(0.1)
        trainer.turn(0.2)
        trainer.save()
        trainer.close()
        assert trainer.learner.steps >= 8
        assert trainer.learner.steps % 2 == 0, "two steps of 64 for 64 positions: each is learned from twice"
        weights = run.path / "weights.npz"
        assert read_shape(weights) == run.shape
        assert (
            weights.read_bytes() == trainer.networks.weights(trainer.networks.newest().network).read_bytes()
        ) == gated
        again = Trainer(run, run.plan(cuda=True), torch.device("cuda"), TaskPool(Here(), print) if gated else None)
        assert (again.progress, again.learner.steps) == (trainer.progress, trainer.learner.steps)
        assert not (run.path / "replay").exists()
        again.close()
