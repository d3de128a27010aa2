"""Processes of this machine that call functions; each may be killed at any moment, and only its own call is lost."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for_connections
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeVar

from azulejos.arena.game_task import close_players

ONE_THREAD: Final = dict.fromkeys(
    ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)
"""Each game has a core of its own; libraries that start threads for every core would only slow each other down."""

Result = TypeVar("Result")
"""What a function gives that workers call."""


@dataclass(frozen=True)
class _Call:
    """A function to be called, and who waits for what it gives."""

    function: Callable[..., Any]
    arguments: tuple[object, ...]
    future: Future[Any] = field(default_factory=Future)


class Processes:
    """A pool of processes, each with a pipe and a thread of its own.

    The pool of the standard library has one pipe for all results: a process that is killed while it writes half of
    one there leaves everybody waiting for the other half for ever.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        """How many processes there are."""
        self._environment = {name: os.environ.get(name) for name in ONE_THREAD}
        os.environ.update(ONE_THREAD)  # read by libraries when a new process loads them
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._workers: list[_Worker] = [_Worker(self._calls) for _ in range(size)]

    def submit(self, call: Callable[..., Result], *arguments: object) -> Future[Result]:
        """Have a function called by a free process; if that dies over it, the call ends with `BrokenExecutor`."""
        asked = _Call(call, arguments)
        self._calls.put(asked)
        return asked.future

    def share(self, value: Result) -> Result:
        """The value itself, which goes along with every call."""
        return value

    def close(self, *, at_once: bool) -> None:
        """End the processes."""
        if at_once:
            with contextlib.suppress(Empty):
                while asked := self._calls.get_nowait():
                    asked.future.cancel()
        for _ in self._workers:
            self._calls.put(None)
        for worker in self._workers:
            worker.close(at_once=at_once)
        for name, value in self._environment.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


class _Worker:
    """A thread that passes calls on to a process, and starts another one when that has died."""

    def __init__(self, calls: SimpleQueue[_Call | None]) -> None:
        self._calls = calls
        self._lock = threading.Lock()
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="worker", daemon=True)
        self._thread.start()

    def close(self, *, at_once: bool) -> None:
        """Wait until it has done what was given to it; at once, kill it."""
        if at_once:
            with self._lock:
                self._closed = True
                if self._process:
                    self._process.kill()
        self._thread.join()

    def _work(self) -> None:
        while (asked := self._calls.get()) is not None:
            if asked.future.set_running_or_notify_cancel():
                self._do(asked)
        self._end()

    def _do(self, asked: _Call) -> None:
        try:
            pipe = self._started()
            pipe.send((asked.function, asked.arguments))
            gone_well, given = pipe.recv()
        except (EOFError, OSError):
            code = self._end()
            asked.future.set_exception(BrokenExecutor(f"a worker died over a call, with exit code {code}"))
        except Exception as fault:  # what cannot be pickled, or not read again
            asked.future.set_exception(fault)
        else:
            (asked.future.set_result if gone_well else asked.future.set_exception)(given)

    def _started(self) -> Connection:
        with self._lock:
            if self._closed:
                raise EOFError
            if self._process is None or self._pipe is None:
                # Spawned, not forked: a fork of a process with threads (numba's, the progress bar's) may hang.
                context = multiprocessing.get_context("spawn")
                self._pipe, theirs = context.Pipe()
                self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
                self._process.start()
                theirs.close()  # so that the end of the process is the end of the pipe
            return self._pipe

    def _end(self) -> int | None:
        """Let the process go, if there is one; returns how it ended."""
        with self._lock:
            process, pipe = self._process, self._pipe
            self._process = self._pipe = None
        if process is None or pipe is None:
            return None
        pipe.close()
        process.join()
        return process.exitcode


def _serve(pipe: Connection) -> None:
    """What a process does: one call after the other, until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the match, which then ends its workers
    threading.Thread(target=_end_with_parent, daemon=True).start()
    while True:
        try:
            function, arguments = pipe.recv()
        except (EOFError, OSError):
            break
        except Exception as fault:  # such as a module that is not to be had here
            pipe.send((False, fault))
            continue
        try:
            answer = True, function(*arguments)
        except Exception as fault:
            fault.add_note(traceback.format_exc())
            answer = False, fault
        try:
            pipe.send(answer)
        except (TypeError, AttributeError, ValueError) as fault:  # nothing was sent: it cannot be pickled
            pipe.send((False, fault))
    close_players()


def _end_with_parent() -> None:
    """Without this the workers of a match that was killed would play their games to the end."""
    if parent := multiprocessing.parent_process():
        wait_for_connections([parent.sentinel])
        os._exit(1)
