"""Work given to workers, here or on a cluster, and what comes back: self-play and gate games alike."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from typing import Any, Final

from azulejos.arena.processes import Result
from azulejos.arena.workers import Ray, Workers

MOST_DEATHS: Final = 5
"""Workers that die so often, each time so soon, are not started again."""
SHORT_SECONDS: Final = 20.0
"""Workers that live longer than this do not die soon."""


class TrainingFailed(RuntimeError):
    """A run that cannot go on; everything saved is kept."""


class TaskPool:
    """Calls under way, each with what to do with its result."""

    def __init__(self, workers: Workers, on_death: Callable[[str], None]) -> None:
        self.workers = workers
        """The workers that the calls are given to."""
        self.is_far = isinstance(workers, Ray)
        """Whether they may be on other machines, which do not see the files of this one."""
        self._on_death = on_death
        self._running: dict[Future[Any], Callable[[Any], None]] = {}
        self._deaths, self._last_death = 0, time.monotonic()

    @property
    def free(self) -> int:
        """How many workers have nothing to do."""
        return self.workers.size - len(self._running)

    def give(self, then: Callable[[Result | None], None], call: Callable[..., Result], *arguments: object) -> None:
        """Have a function called; `then` gets what it gives, or None if the worker died over it."""
        self._running[self.workers.submit(call, *arguments)] = then

    def collect(self, seconds: float) -> None:
        """Wait at most so long for calls that end, and do what is to be done with their results."""
        if not self._running:
            time.sleep(seconds)
            return
        done, _ = wait(self._running, seconds, FIRST_COMPLETED)
        for future in [future for future in self._running if future in done]:  # in the order in which they were given
            then, fault = self._running.pop(future), future.exception()
            if isinstance(fault, BrokenExecutor):
                self._count_death(fault)
                then(None)
            else:
                then(_result(future))

    def close(self) -> None:
        """Let the workers go at once; what they are doing is lost."""
        self.workers.close(at_once=True)

    def _count_death(self, fault: BaseException) -> None:
        now = time.monotonic()
        self._deaths = self._deaths + 1 if now - self._last_death < SHORT_SECONDS else 1
        self._last_death = now
        if self._deaths >= MOST_DEATHS:
            raise TrainingFailed(f"workers died {MOST_DEATHS} times, each time within {SHORT_SECONDS:.0f} s")
        self._on_death(str(fault))


def _result(future: Future[Result]) -> Result:
    fault = future.exception()
    if fault is not None and type(fault).__module__.startswith("ray"):
        raise TrainingFailed(f"the cluster could not go on: {fault}") from fault
    return future.result()
