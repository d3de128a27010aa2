"""Workers as real processes: what dies is replaced, and what is played goes on."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path
from typing import Any

import pytest

from azulejos.arena.processes import Result
from azulejos.arena.workers import Here, hired
from azulejos.net.inference import WeightsError
from azulejos.training import pool as pool_module
from azulejos.training import selfplay_cpu
from azulejos.training.plan import TrainingPlan
from azulejos.training.pool import TaskPool, TrainingFailed
from azulejos.training.replay import ReplayBuffer
from azulejos.training.selfplay_cpu import PooledSelfPlay
from tests.patience import PATIENCE
from tests.training.networks import write_network


def as_they_are(samples: Any) -> Any:
    """Samples instead of tensors: there may be no PyTorch here."""
    return samples


def playing(tmp_path: Path, pool: TaskPool, seed: int = 1) -> PooledSelfPlay:
    """Self-play by these workers, with an untrained network."""
    plan = TrainingPlan(slots=4, simulations=4, batch=100)
    play = PooledSelfPlay(pool, plan, seed, ReplayBuffer(tmp_path / "replay", 5000), as_they_are)
    write_network(tmp_path / "network.npz")
    play.use(tmp_path / "network.npz")
    return play


@pytest.fixture(autouse=True)
def short_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay_cpu, "SLICE_SECONDS", 0.2)


def test_workers_that_are_killed_are_replaced_and_self_play_goes_on(tmp_path: Path) -> None:
    restarts: list[str] = []
    with hired(2) as workers:
        pool = TaskPool(workers, restarts.append)
        play = playing(tmp_path, pool)
        end = time.monotonic() + PATIENCE
        came = 0
        for killed in range(2):
            before = came
            while came == before:
                assert time.monotonic() < end, "waited too long"
                came += play.turn(0.1)
            os.kill(next(each.pid for each in multiprocessing.active_children() if each.pid), signal.SIGKILL)
            while len(restarts) == killed:
                assert time.monotonic() < end, "waited too long"
                came += play.turn(0.1)
    assert play.replay.size == min(came, 5000)
    tally = play.count()
    assert tally.games > 0
    assert came > 20 * tally.games
    assert play.count() == (0, 0, 0, 0, 0)
    assert not multiprocessing.active_children()


class Deadly(Here):
    """Workers that die over everything."""

    def submit(self, call: Callable[..., Result], *arguments: object) -> Future[Result]:
        future: Future[Result] = Future()
        future.set_exception(BrokenExecutor(f"gone with {call.__name__}{arguments}"))
        return future


def test_workers_that_cannot_live_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    said, came = list[str](), list[Any]()
    pool = TaskPool(Deadly(), said.append)

    def go_on() -> None:
        pool.give(came.append, os.getpid)
        pool.collect(0.0)

    for _ in range(4):
        go_on()
    assert (came, said) == ([None] * 4, ["gone with getpid()"] * 4)
    monkeypatch.setattr(pool_module, "SHORT_SECONDS", -1.0)
    go_on()  # this time they have lived long
    monkeypatch.undo()
    for _ in range(3):
        go_on()
    with pytest.raises(TrainingFailed, match="workers died 5 times, each time within 20 s"):
        go_on()


def test_games_go_on_in_the_next_slice_with_the_newest_network(tmp_path: Path) -> None:
    play = playing(tmp_path, TaskPool(Here(), print), seed=77)
    play.prepare()
    end = time.monotonic() + PATIENCE
    while play.replay.size < 400:
        assert not play.ready, "four batches"
        assert time.monotonic() < end
        play.turn(0.0)
    name, games = selfplay_cpu._kept[77, play.plan]
    assert name.endswith("network.npz")
    write_network(tmp_path / "better.npz", seed=1)
    play.use(tmp_path / "better.npz")
    play.turn(0.0)
    name, same = selfplay_cpu._kept[77, play.plan]
    assert name.endswith("better.npz")
    assert same is games
    assert play.ready
    assert len(play.sample(30)) == 30


def test_weights_that_were_cut_short_are_refused_by_name(tmp_path: Path) -> None:
    play = playing(tmp_path, TaskPool(Here(), print))
    file = tmp_path / "network.npz"
    file.write_bytes(file.read_bytes()[:1000])
    with pytest.raises(WeightsError, match=r"network\.npz' as weights"):
        play.use(file)


def test_what_goes_wrong_in_a_worker_is_told() -> None:
    with hired(1) as workers:
        pool = TaskPool(workers, print)
        pool.give(print, int, "many")
        with pytest.raises(ValueError, match="many"):
            pool.collect(PATIENCE)
