"""Self-play of the loop on a CUDA device: the same samples as on a processor."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs PyTorch: pip install 'azulejos[train]'")

import torch

if not torch.cuda.is_available():
    pytest.skip("needs a CUDA device", allow_module_level=True)

from azulejos.training.cards import newest_accepted
from azulejos.training.folder import RunFolder
from azulejos.training.learning import begin_run
from azulejos.training.loop import Wish, open_run
from azulejos.training.playing import OnDevice, play
from azulejos.training.shards import LAYOUT, Shelf, read_shard


def small_run(path: Path, mix: str) -> RunFolder:
    options = {"device": "cuda", "slots": 512, "simulations": 8, "mix": mix}
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
