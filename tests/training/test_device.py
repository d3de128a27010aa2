"""Self-play of the loop on a CUDA device: the same samples as on a processor."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs PyTorch: pip install 'azulejos[train]'")

import torch

if not torch.cuda.is_available():
    pytest.skip("needs a CUDA device", allow_module_level=True)

from azulejos.net import features as f
from azulejos.net import symmetry
from azulejos.search.tree import MOST_EDGES, ROOT
from azulejos.training.cards import newest_accepted
from azulejos.training.folder import RunFolder
from azulejos.training.learning import begin_run
from azulejos.training.loop import Wish, open_run
from azulejos.training.model import Network, Shape
from azulejos.training.playing import OnDevice, play
from azulejos.training.processor import MIXES
from azulejos.training.selfplay import Plan, SelfPlay
from azulejos.training.shards import LAYOUT, Shelf, read_shard


def small_run(path: Path, mix: str) -> RunFolder:
    options = {"device": "cuda", "slots": 512, "simulations": 16, "mix": mix}
    run = open_run(Wish(path, width=32, blocks=1, options=options))
    begin_run(run)
    return run


@pytest.mark.parametrize("mix", ["2std", "all"])
def test_samples_are_those_of_finished_games(tmp_path: Path, mix: str) -> None:
    run = small_run(tmp_path / "run", mix)
    playing = OnDevice(run, seed=1)
    playing.use(newest_accepted(run))
    for _ in range(200):
        playing.step()
    samples = playing.take()
    assert playing.games > 500
    for name, (kind, width) in LAYOUT.items():
        column = getattr(samples, name)
        assert (column.dtype, column.shape) == (np.dtype(kind), (len(samples), width))
    assert len(samples) > 40 * playing.games, "no sample was overwritten before it was taken"
    assert np.allclose(samples.win.clip(0).sum(1), 1)
    has_policy = (samples.policy >= 0).any(1)
    assert np.allclose(samples.policy.astype(float).clip(0).sum(1)[has_policy], 1, atol=5e-3)
    assert 4 * playing.games <= (~has_policy).sum() < len(samples) / 5
    assert len(playing.take()) == 0


def test_shards_are_written_until_the_time_is_over(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run", "2std")
    left = iter(range(150))
    play(run, 0, lambda: next(left, None) is None, cuda=True)
    names = Shelf(run.selfplay).names()
    assert names
    assert sum(read_shard(run.selfplay / name)[1].games for name in names) > 100


def test_simulations_come_out_exactly_as_the_phases_say() -> None:
    plan = Plan(slots=128, simulations=64, candidates=16, mix=MIXES["4gray"])
    play = SelfPlay(Network(Shape(32, 1)).cuda(), plan)
    for _ in range(3):
        play.step()
        torch.cuda.synchronize()
        counts = play.nodes.copy_to_host()[:, ROOT]["count"]
        edges = play.edges.copy_to_host()[:, :MOST_EDGES]
        for mine, count in zip(edges, counts, strict=True):
            visits = mine["visits"][:count]
            assert sorted(visits[visits > 0].tolist(), reverse=True) == [15, 15, 7, 7, 3, 3, 3, 3, *[1] * 8]
            assert mine["prior"][:count].sum() == pytest.approx(1, abs=1e-4), "what is left is the better policy"


def test_gray_samples_come_under_other_names() -> None:
    play = SelfPlay(Network(Shape(32, 1)).cuda(), Plan(slots=256, simulations=2, mix=MIXES["gray"]))
    while int(play.tally[0]) < 200:
        play.step()
    x, policy, win, _, _ = (part.cpu().numpy() for part in play.sample(4096))
    fit = win[:, 0] > -1.5
    assert fit.sum() > 400
    assert (x[fit, symmetry.GRAY_AT] == 1).all()
    has_policy = fit & (policy >= 0).any(1)
    assert np.allclose(policy[has_policy].clip(0).sum(1), 1, atol=5e-3)
    drafts = (policy[:, : 10 * 30].reshape(-1, 10, 5, 6) >= 0).any(3)[has_policy]
    displays = x[has_policy, : f.CENTER_AT].reshape(-1, 9, 5, 4).any(3)
    center = x[has_policy, f.CENTER_AT : f.CENTER_AT + 40].reshape(-1, 5, 8).any(2)
    offered = np.concatenate([center[:, None], displays], 1)
    drafting = drafts.any((1, 2))
    assert drafting.sum() > 300
    assert (drafts == offered)[drafting].all(), "what may be taken is what lies there, under the same names"
