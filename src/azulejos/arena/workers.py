"""Where work is done: in processes of this machine, on a Ray cluster, or right here."""

from __future__ import annotations

import contextlib
import importlib
import os
import platform
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from pathlib import Path
from typing import Any, Final, Protocol

from azulejos.arena.game_task import GameTask, Key, RecordedGame, close_players, play_game
from azulejos.arena.processes import ONE_THREAD, Processes, Result

MOST_ATTEMPTS: Final = 5
"""How often a game is begun again after its process died."""


class WorkersFailed(RuntimeError):
    """Workers that died again and again over the same game."""


class Workers(Protocol):
    """Something that calls functions, several at a time."""

    size: int
    """How many calls are under way at a time."""

    def submit(self, call: Callable[..., Result], *arguments: object) -> Future[Result]:
        """Have a function of some module called; its arguments and what it gives must be plain data.

        A call whose worker died ends with `BrokenExecutor`; the worker is replaced.
        """

    def share(self, value: Result) -> Result:
        """Something large that many calls get as an argument: what stands for it there."""

    def close(self, *, at_once: bool) -> None:
        """Let the workers go, with what they are playing if it has to be at once."""


class Here:
    """This process and no other: for notebooks and debugging."""

    size = 1
    """How many calls are done at a time."""

    def submit(self, call: Callable[..., Result], *arguments: object) -> Future[Result]:
        """Call the function now."""
        future: Future[Result] = Future()
        future.set_result(call(*arguments))
        return future

    def share(self, value: Result) -> Result:
        """The value itself, since nothing has to be sent."""
        return value

    def close(self, *, at_once: bool) -> None:  # noqa: ARG002 - nothing is being played
        """Let go of the players."""
        close_players()


class Ray:
    """A Ray cluster, or Ray on this machine; Ray itself repeats a call that was lost."""

    def __init__(self, address: str | None) -> None:
        try:
            self._ray: Any = importlib.import_module("ray")
        except ImportError as fault:
            raise ValueError("--ray needs the package ray: pip install 'azulejos[cluster]'") from fault
        self._started = not self._ray.is_initialized()
        if self._started:
            quiet = {"log_to_driver": False, "logging_level": "error"}
            self._ray.init(address=address, runtime_env={"env_vars": ONE_THREAD}, **quiet)
        self.size = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        """How many cores the cluster has."""
        self._remote: dict[Callable[..., Any], Any] = {}

    def submit(self, call: Callable[..., Result], *arguments: object) -> Future[Result]:
        """Have a function called somewhere on the cluster."""
        if call not in self._remote:
            self._remote[call] = self._ray.remote(max_retries=MOST_ATTEMPTS)(call)
        future: Future[Result] = self._remote[call].remote(*arguments).future()
        return future

    def share(self, value: Result) -> Result:
        """A reference that Ray replaces by the value, which each machine gets once."""
        reference: Result = self._ray.put(value)
        return reference

    def close(self, *, at_once: bool) -> None:  # noqa: ARG002 - leaving the cluster ends what is being played
        """Leave the cluster, if it was joined for this match."""
        if self._started:
            self._ray.shutdown()


@contextlib.contextmanager
def hired(size: int | None = None, ray: str | None = None) -> Iterator[Workers]:
    """Workers for a while: so many processes (every core if not said; 0 is this process), or Ray at an address.

    The address "local" starts Ray on this machine; "auto" finds the cluster that this machine belongs to.
    """
    workers = _hire(size, ray)
    finished = False
    try:
        yield workers
        finished = True
    finally:
        workers.close(at_once=not finished)


def _hire(size: int | None, ray: str | None) -> Workers:
    if ray is not None:
        return Ray(ray)
    if size == 0:
        return Here()
    return Processes(size or available_cores())


def available_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processor_name() -> str:
    """What this machine's processor is called."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):  # not Linux, or a processor that has no such line
        return platform.processor() or platform.machine()


def play_all(tasks: Iterable[GameTask], workers: Workers) -> Iterator[RecordedGame]:
    """The games as they finish; those of a worker that died are played again."""
    waiting = deque(tasks)
    running: dict[Future[RecordedGame], GameTask] = {}
    attempts: Counter[Key] = Counter()
    while waiting or running:
        while waiting and len(running) < 2 * workers.size:  # one game is ready for each that is played
            task = waiting.popleft()
            running[workers.submit(play_game, task)] = task
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in [future for future in running if future in done]:  # in the order in which they were given away
            task = running.pop(future)
            if isinstance(future.exception(), BrokenExecutor):
                attempts[task.key] += 1
                if attempts[task.key] >= MOST_ATTEMPTS:
                    raise WorkersFailed(_died(task))
                waiting.appendleft(task)
            else:
                yield _result(future, task)


def _result(future: Future[RecordedGame], task: GameTask) -> RecordedGame:
    fault = future.exception()
    if fault is not None and type(fault).__module__.startswith("ray"):
        raise WorkersFailed(f"{_died(task)}: {fault}") from fault
    return future.result()


def _died(task: GameTask) -> str:
    players = ", ".join(task.specs)
    return f"workers died {MOST_ATTEMPTS} times during game {task.rotation + 1} of pair {task.pair + 1} ({players})"
