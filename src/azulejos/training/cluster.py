"""The same run on a Ray cluster: self-play and gate games as Ray tasks. The folder stays on the machine of the loop.

Tasks get the weights with them and send their games back, so that the machines need not share a disk.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

from azulejos.arena.game_task import GameTask, Played, play_game
from azulejos.arena.workers import MOST_ATTEMPTS, ONE_THREAD, Ray, Workers, hired
from azulejos.net.inference import read_weights
from azulejos.training.cards import WEIGHTS, machine, newest_accepted
from azulejos.training.folder import Journal, RunFolder
from azulejos.training.gate import Hire
from azulejos.training.processor import PlayPlan, ProcessorSelfPlay
from azulejos.training.shards import Origin, Samples, Shelf
from azulejos.training.whole import sweep

GAMES_PER_SLOT: Final = 3
"""Games of a task for each that it plays side by side: the last ones are dropped unfinished."""
LAST_SECONDS: Final = 15.0
"""How long to wait, when the time is over, for tasks that are about to return."""
WRITER: Final = "ray"
"""Marks shards that came from the cluster."""


def import_ray() -> Any:
    """The package ray, or a word on how to get it."""
    try:
        return importlib.import_module("ray")
    except ImportError as fault:
        raise ValueError("--ray needs the package ray: pip install 'azulejos[cluster]'") from fault


@contextlib.contextmanager
def joined_cluster(address: str | None) -> Iterator[str | None]:
    """A cluster for a while, as the address that other processes find it by; "local" starts Ray on this machine."""
    if address is None:
        yield None
        return
    ray = import_ray()
    _join(ray, address)
    try:
        yield str(ray.get_runtime_context().gcs_address)
    finally:
        ray.shutdown()


def _join(ray: Any, address: str) -> None:
    quiet = {"log_to_driver": False, "logging_level": "error", "include_dashboard": False}
    if address != "local":
        quiet.pop("include_dashboard")
    ray.init(address=address, runtime_env={"env_vars": ONE_THREAD}, **quiet)


def play_games(files: dict[str, bytes], plan: PlayPlan, until: float) -> tuple[Samples, int, float, str]:
    """A task of self-play: samples, how many games, in how many seconds, on what."""
    begun = time.monotonic()
    os.chdir(unpacked(files))
    play = ProcessorSelfPlay(read_weights(Path(WEIGHTS)), plan)
    while play.games < GAMES_PER_SLOT * plan.slots and time.time() < until:
        play.step()
    return play.take(), play.games, time.monotonic() - begun, machine()


def play_gate_game(files: dict[str, bytes], task: GameTask) -> Played:
    """A task of the gate: one game between players whose weights are among the files."""
    os.chdir(unpacked(files))
    return play_game(task)


def unpacked(files: dict[str, bytes]) -> Path:
    """A folder of this machine with these files, written once."""
    digest = hashlib.sha256()
    for name, data in sorted(files.items()):
        digest.update(name.encode() + b"\0" + hashlib.sha256(data).digest())
    folder = Path(tempfile.gettempdir()) / f"azulejos-{os.getuid()}-{digest.hexdigest()[:24]}"
    if not folder.exists():
        fresh = Path(tempfile.mkdtemp(prefix="azulejos-"))
        for name, data in files.items():
            (fresh / name).parent.mkdir(parents=True, exist_ok=True)
            (fresh / name).write_bytes(data)
        with contextlib.suppress(OSError):  # another process was quicker
            fresh.rename(folder)
    return folder


def play_on_cluster(run: RunFolder, over: Callable[[], bool], until: float) -> None:
    """Keep every processor of the joined cluster playing, and write what comes back as shards."""
    ray = import_ray()
    sweep(run.selfplay, f"*-{WRITER}.npz")
    shelf, journal = Shelf(run.selfplay), Journal(run.path)
    task = ray.remote(max_retries=MOST_ATTEMPTS)(play_games)
    seed = run.seed + 1_000_003 * (1 + shelf.totals().games)
    running: dict[Any, str] = {}
    network, files = "", None
    while not over() or running:
        newest = newest_accepted(run)
        if newest.name != network:
            network, files = newest.name, ray.put({WEIGHTS: (newest / WEIGHTS).read_bytes()})
        size = max(1, int(ray.cluster_resources().get("CPU", 1)))
        while not over() and len(running) < size:
            seed += 1
            running[task.remote(files, run.options.play_plan(seed, cuda=False), until)] = network
        done, _ = ray.wait(list(running), timeout=1.0)
        for each in done:
            name = running.pop(each)
            samples, games, seconds, device = ray.get(each)
            if games:
                simulations = run.options.simulations
                origin = Origin(name, games, len(samples), round(seconds, 3), device, simulations)
                shard = shelf.add(samples, origin, WRITER)
                journal.add("shard", name=shard, games=games, positions=len(samples), network=name)
        if time.time() > until + LAST_SECONDS or (over() and time.time() < until):
            break  # too late, or told to end early


class GateOnRay(Ray):
    """A cluster that plays games between networks of a run."""

    def __init__(self, address: str, files: dict[str, bytes]) -> None:
        super().__init__(address)
        self._files = self._ray.put(files)
        self._play = self._ray.remote(max_retries=MOST_ATTEMPTS)(play_gate_game)

    def submit(self, task: GameTask) -> Future[Played]:
        """Have a game played somewhere on the cluster."""
        future: Future[Played] = self._play.remote(self._files, task).future()
        return future


def hire(run: RunFolder, ray: str | None) -> Hire:
    """Who plays the gate games: processes here, or the cluster."""

    def workers(files: Sequence[str]) -> AbstractContextManager[Workers]:
        if ray is None:
            return hired(run.options.gate_workers)
        return _on_ray(ray, {name: (run.path / name).read_bytes() for name in files})

    return workers


@contextlib.contextmanager
def _on_ray(address: str, files: dict[str, bytes]) -> Iterator[Workers]:
    workers = GateOnRay(address, files)
    try:
        yield workers
    finally:
        workers.close(at_once=True)
