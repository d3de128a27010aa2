"""The loop: self-play, learner and gate as processes that meet in a folder only, for so many minutes."""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from azulejos.arena.workers import ONE_THREAD, available_cores
from azulejos.training.cards import networks, newest_accepted, read_card
from azulejos.training.cluster import joined_cluster
from azulejos.training.curves import can_draw, draw
from azulejos.training.folder import RUN, FolderError, Journal, RunFolder, check_free
from azulejos.training.options import Options
from azulejos.training.part import OUT_OF_ROOM, REFUSED
from azulejos.training.shards import Shelf
from azulejos.training.whole import out_of_room

NEWS_SECONDS: Final = 15.0
"""How often news are told."""
CURVES_SECONDS: Final = 60.0
"""How often the plot is drawn."""
WATCH_SECONDS: Final = 0.2
"""How often the parts are looked at."""
LAST_SECONDS: Final = 90.0
"""How long processes may take to end cleanly; killing them loses little more."""
OWN_SECONDS: Final = 20.0
"""They know the time and end by themselves; if not by then, they are told."""
MOST_DEATHS: Final = 5
"""A part that soon dies so often in a row is not started again."""
SHORT_SECONDS: Final = 20.0
"""A process that dies so often, each time so soon, is not started again."""

Tell = Callable[[dict[str, Any]], None]
"""Takes news."""


class TrainingFailed(RuntimeError):
    """A run that cannot go on; everything finished is kept."""


@dataclass(frozen=True)
class Wish:
    """What to train, where, and for how long; None leaves a run as it is, and a new one at the usual."""

    out: Path
    """The folder of the run."""
    minutes: float = 9.0
    """How long."""
    width: int | None = None
    """The width of the network."""
    blocks: int | None = None
    """The number of its blocks."""
    seed: int | None = None
    """What all random numbers follow from."""
    start: Path | None = None
    """A file of weights to begin with."""
    ray: str | None = None
    """The address of a Ray cluster."""
    options: dict[str, Any] = field(default_factory=dict)
    """What else was asked for."""

    def __post_init__(self) -> None:
        if not 0 < self.minutes < float("inf"):
            raise ValueError(f"minutes must be more than 0, not {self.minutes!r}")
        for name, value in (("width", self.width), ("blocks", self.blocks)):
            if value is not None and not 1 <= value <= 8192:
                raise ValueError(f"{name} must be from 1 to 8192, not {value!r}")
        if self.seed is not None and not 0 <= self.seed < 1 << 31:
            raise ValueError(f"seed must be from 0 to {(1 << 31) - 1}, not {self.seed!r}")


def require_torch() -> None:
    """Raise a `ValueError` that says what to install where PyTorch is missing."""
    try:
        importlib.import_module("torch")
    except ImportError as fault:
        raise ValueError("training needs the package torch: pip install 'azulejos[train]'") from fault


def open_run(wish: Wish) -> RunFolder:
    """The run in the folder, or a new one; refused before anything is written if the folder is not fit."""
    if (wish.out / RUN).exists():
        run = RunFolder.open(wish.out)
        _check_same(wish, run)
        options = run.options.changed(wish.options)
        require_torch()
        return run if options == run.options else run.with_options(options)
    check_free(wish.out)
    options = Options().changed(wish.options)
    require_torch()
    from azulejos.training.model import Shape  # noqa: PLC0415 - needs PyTorch
    from azulejos.training.starting import check_start  # noqa: PLC0415

    usual = asdict(Shape())
    shape = {**usual, "width": wish.width or usual["width"], "blocks": wish.blocks or usual["blocks"]}
    if wish.start is not None:
        check_start(wish.start, shape)
    return RunFolder.create(wish.out, shape, 1 if wish.seed is None else wish.seed, options)


def _check_same(wish: Wish, run: RunFolder) -> None:
    there = {**run.shape, "seed": run.seed}
    wanted = {"width": wish.width, "blocks": wish.blocks, "seed": wish.seed}
    wrong = [
        f"{name} {there.get(name)!r} there, {value!r} here"
        for name, value in wanted.items()
        if value is not None and there.get(name) != value
    ]
    if wrong:
        raise FolderError(f"{str(run.path)!r} holds another run: {'; '.join(wrong)}; choose another folder")
    if wish.start is not None and networks(run.accepted):
        raise FolderError(f"{str(run.path)!r} has networks already: --start is for a new folder")


def train(wish: Wish, tell: Tell) -> dict[str, Any]:
    """Train for a while; returns where the run stands."""
    run = open_run(wish)
    with run.locked("loop", patience=1.0):
        from azulejos.training.learning import begin_run, pick_device  # noqa: PLC0415 - needs PyTorch

        cuda = pick_device(run.options.device).type == "cuda"
        if not networks(run.accepted):
            begin_run(run, wish.start)
        with joined_cluster(wish.ray) as address, _no_room_told(run):
            Loop(run, wish.minutes, address, tell, cuda=cuda).go()
    return standing(run)


@contextlib.contextmanager
def _no_room_told(run: RunFolder) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        if out_of_room(fault):
            raise TrainingFailed(f"the disk of {str(run.path)!r} is full") from fault
        raise


class Loop:
    """The processes of a run, started, watched and ended."""

    def __init__(self, run: RunFolder, minutes: float, ray: str | None, tell: Tell, *, cuda: bool) -> None:
        self._run, self._seconds, self._ray, self._tell, self._cuda = run, 60 * minutes, ray, tell, cuda
        self._journal = Journal(run.path)
        self._before = _minutes_so_far(self._journal)
        self._parts: dict[tuple[str, int], subprocess.Popen[bytes]] = {}
        self._started: dict[tuple[str, int], float] = {}
        self._deaths: Counter[tuple[str, int]] = Counter()
        self._plots = can_draw()

    def go(self) -> None:
        """Run until the time is up, then end everything cleanly."""
        self._began = time.time()
        options = self._run.options.json()
        self._journal.add("begin", minutes=self._seconds / 60, cuda=self._cuda, ray=self._ray, options=options)
        if not self._plots:
            self._journal.add("warning", what="no curves without matplotlib: pip install 'azulejos[plots]'")
        signal.signal(signal.SIGTERM, _interrupt)
        try:
            for role in self._roles():
                self._start(role)
            self._watch()
        except BaseException:
            with contextlib.suppress(OSError):  # what went wrong first is what counts
                self._end(LAST_SECONDS)
            raise
        self._end(LAST_SECONDS, patience=OWN_SECONDS)

    def _roles(self) -> list[tuple[str, int]]:
        """Self-play processes as many as there are cores for, one learner, one gate."""
        alone = self._cuda or self._ray is not None
        players = 1 if alone else self._run.options.workers or max(1, available_cores() - 1)
        return [*(("selfplay", number) for number in range(players)), ("learner", 0), ("gate", 0)]

    def _start(self, role: tuple[str, int]) -> None:
        name, number = role
        words = [sys.executable, "-m", "azulejos.training.part", name, str(self._run.path.resolve())]
        words += ["--number", str(number), "--until", str(self._began + self._seconds), "--parent", str(os.getpid())]
        words += ["--cuda"] if self._cuda and not self._ray else []
        words += ["--ray", self._ray] if self._ray else []
        threads = ONE_THREAD if name != "learner" else {"OMP_NUM_THREADS": str(max(1, available_cores() // 2))}
        self._started[role] = time.monotonic()
        self._parts[role] = subprocess.Popen(words, env={**os.environ, **threads})

    def _watch(self) -> None:
        told = drawn = time.monotonic()
        while time.time() < self._began + self._seconds:
            time.sleep(WATCH_SECONDS)
            for role, process in list(self._parts.items()):
                if process.poll() is not None and time.time() < self._began + self._seconds:
                    self._revive(role, process.returncode)
            if time.monotonic() - told >= NEWS_SECONDS:
                told = time.monotonic()
                self._news()
            if self._plots and time.monotonic() - drawn >= CURVES_SECONDS:
                drawn = time.monotonic()
                draw(self._run)

    def _revive(self, role: tuple[str, int], code: int) -> None:
        name = f"{role[0]} {role[1]}"
        if code == OUT_OF_ROOM:
            raise TrainingFailed(f"the disk of {str(self._run.path)!r} is full ({name} found out)")
        if code == REFUSED:
            raise TrainingFailed(f"{name} could not go on")
        self._deaths[role] += 1
        if time.monotonic() - self._started[role] > SHORT_SECONDS:
            self._deaths[role] = 1
        if self._deaths[role] >= MOST_DEATHS:
            raise TrainingFailed(f"{name} died {MOST_DEATHS} times, each time within {SHORT_SECONDS:.0f} s")
        self._journal.add("restart", role=role[0], number=role[1], code=code)
        self._start(role)

    def _await(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        for process in self._parts.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, end - time.monotonic()))

    def _news(self) -> None:
        minutes = round(self._before + (time.time() - self._began) / 60, 3)
        news = {"minutes": minutes, **standing(self._run)}
        self._journal.add("progress", **news)
        self._tell(news)

    def _end(self, seconds: float, patience: float = 0.0) -> None:
        """See to it that all processes end: by themselves if there is patience, told to, or killed in the end."""
        self._await(patience)
        for process in self._parts.values():
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        self._await(seconds)
        for process in self._parts.values():
            if process.poll() is None:
                process.kill()
                process.wait()
        if any(process.returncode == OUT_OF_ROOM for process in self._parts.values()):
            return  # there is no room for news either
        self._news()
        if self._plots:
            draw(self._run)


def _interrupt(*_: object) -> None:
    """SIGTERM ends a run as Ctrl-C does."""
    raise KeyboardInterrupt


def standing(run: RunFolder) -> dict[str, Any]:
    """Where a run stands, from its folder alone."""
    totals = Shelf(run.selfplay).totals()
    learned: dict[str, Any] = {"steps": 0, "losses": None}
    for line in Journal(run.path).lines():
        if line["kind"] == "learner":
            learned = line
    newest = newest_accepted(run)
    return {
        "games": totals.games,
        "positions": totals.positions,
        "steps": learned["steps"],
        "losses": learned["losses"],
        "network": newest.name,
        "rating": read_card(newest)["rating"],
        "accepted": len(networks(run.accepted)),
        "rejected": len(networks(run.rejected)),
        "candidates": len(networks(run.candidates)),
    }


def _minutes_so_far(journal: Journal) -> float:
    """Minutes of the earlier pieces, as far as they were told."""
    return max((float(line["minutes"]) for line in journal.lines() if line["kind"] == "progress"), default=0.0)
