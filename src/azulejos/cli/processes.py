"""Several servers at one port: each a process of its own, started again when it dies, ended when this one is.

`SIGHUP` replaces them one after the other by such as are installed now, while people play.
"""

from __future__ import annotations

import dataclasses
import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, Final

from azulejos.cli.serve import bind, make_server

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

    from azulejos.server.settings import Settings

IS_SPREAD: Final = sys.platform == "linux"
"""Whether the system spreads connections over processes that each listen at the port; else all take from one queue."""
LOOK_SECONDS: Final = 0.2
"""How often it is seen whether all is to end."""
PAUSE_SECONDS: Final = 1.0
"""Before a server that has died is started again."""
END_SECONDS: Final = 30.0
"""A server that has not ended by then is killed."""

log = logging.getLogger(__name__)
"""The logger of this module."""


class Child:
    """A server in a process of its own."""

    def __init__(self, given: dict[str, Any], listener: socket.socket | None) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.pipe, other = spawn.Pipe()
        self.process: SpawnProcess = spawn.Process(target=_serve, args=(given, listener, other), name="server")
        """The process in which the server runs."""
        self.process.start()
        other.close()
        self.is_ready = False
        """Whether the server listens."""
        self.fault = ""
        """Why it could not start."""

    def hear(self) -> None:
        """Take what it has said: nothing when it is ready, else why it cannot start."""
        try:
            while self.pipe.poll():
                self.fault = self.pipe.recv()
                self.is_ready = not self.fault
        except (EOFError, OSError):
            pass

    def close(self) -> None:
        """Let it go when it has ended."""
        self.process.join()
        self.pipe.close()


class Fleet:
    """The servers of one port: those that die are started again, and all can be replaced one after the other."""

    def __init__(self, start: Callable[[], Child], count: int) -> None:
        self._start = start
        self.children = [start() for _ in range(count)]
        """Those that serve, or are to."""
        self._old: list[Child] = []  # still to be replaced
        self._fresh: Child | None = None  # to take the place of the first of them when it is ready
        self._leaving: Child | None = None
        self._leaving_until = 0.0

    @property
    def everybody(self) -> list[Child]:
        """All that run, those that come and go included."""
        return [*self.children, *filter(None, (self._fresh, self._leaving))]

    def wait(self) -> None:
        """Wait until one of them says something or ends, but not for long."""
        wait(
            [child.process.sentinel for child in self.everybody] + [child.pipe for child in self.everybody],
            LOOK_SECONDS,
        )
        for child in self.everybody:
            child.hear()

    def replace_all(self) -> None:
        """Put new servers in the place of all that run, one after the other: each listens before an old one ends."""
        self._old = list(self.children)

    def step(self) -> None:
        """Go on with replacing them, if that has been asked for."""
        if self._leaving:
            self._see_off(self._leaving)
        elif self._fresh:
            self._let_in(self._fresh)
        else:
            self._old = [child for child in self._old if child in self.children]  # one that died has been replaced
            if self._old:
                self._fresh = self._start()

    def _let_in(self, fresh: Child) -> None:
        if fresh.is_ready:
            old = self._old.pop(0)
            if old not in self.children:  # it has died meanwhile, and there is another
                old = self.children[0]
            self.children[self.children.index(old)], self._fresh = fresh, None
            self._leaving, self._leaving_until = old, time.monotonic() + END_SECONDS
            old.process.terminate()
        elif fresh.fault or not fresh.process.is_alive():
            log.error("a new server cannot start (%s): the old ones go on", fresh.fault or fresh.process.exitcode)
            fresh.close()
            self._old, self._fresh = [], None

    def _see_off(self, leaving: Child) -> None:
        if leaving.process.is_alive() and time.monotonic() < self._leaving_until:
            return
        if leaving.process.is_alive():
            leaving.process.kill()
        leaving.close()
        self._leaving = None
        log.info("a server has been replaced, %d are left", len(self._old))

    def revive(self, pause: Callable[[float], bool]) -> None:
        """Start those again that have died, after a pause, unless that says that all is to end."""
        for at, child in enumerate(self.children):
            if not child.process.is_alive() and not pause(PAUSE_SECONDS):
                log.error("a server has died (%s) and is started again", child.fault or child.process.exitcode)
                child.close()
                self.children[at] = self._start()

    def end(self) -> None:
        """End all of them, by force if need be."""
        running = self.everybody
        for child in running:
            if child.process.is_alive():
                child.process.terminate()
        until = time.monotonic() + END_SECONDS
        for child in running:
            child.process.join(max(0.0, until - time.monotonic()))
            if child.process.is_alive():
                child.process.kill()
                child.process.join()


def run_processes(settings: Settings, listener: socket.socket, greet: Callable[[], None]) -> None:
    """Run as many servers as are set until this process is told to end; greets when all of them are ready."""
    if IS_SPREAD:  # this process only keeps the port
        listener.close()
        listener = bind(settings, shared=True)
    ends, again = threading.Event(), threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ends.set())
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, lambda *_: again.set())
    workers = max(1, settings.workers // settings.processes) if settings.workers else 0
    own = _given(dataclasses.replace(settings, workers=workers))
    fleet = Fleet(lambda: Child(own, None if IS_SPREAD else listener), settings.processes)
    try:
        has_greeted = False
        while not ends.is_set():
            fleet.wait()
            if not has_greeted:
                _check_start(fleet.children)
                has_greeted = all(child.is_ready for child in fleet.children)
                if has_greeted:
                    greet()
            elif again.is_set():
                again.clear()
                fleet.replace_all()
            fleet.revive(ends.wait)
            fleet.step()
    finally:
        fleet.end()
        listener.close()


def _given(settings: Settings) -> dict[str, Any]:
    """The settings that are not as they are without being set, by name: the next version may have others besides."""
    return {
        each.name: value
        for each in dataclasses.fields(settings)
        if (value := getattr(settings, each.name)) != each.default
    }


def _check_start(children: list[Child]) -> None:
    """Raise `ValueError` if a server cannot even start."""
    for child in children:
        if child.fault:
            raise ValueError(child.fault)


def _serve(given: dict[str, Any], listener: socket.socket | None, parent: Connection[Any, Any]) -> None:
    """What such a process does: it ends with the one that has started it, however that ends.

    Whoever starts it may be of an older version, so name and arguments of this function stay as they are.
    """
    from azulejos.server import logs
    from azulejos.server.settings import Settings

    settings = Settings(**given)
    logs.set_up(as_json=settings.log_json)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    try:
        server = make_server(settings, lambda: parent.send(""))
    except ValueError as fault:
        parent.send(str(fault))
        return
    try:
        server.run(sockets=[listener or bind(settings, shared=True)])
    except SystemExit:
        if server.fault is None:
            raise
        parent.send(str(server.fault))


def _end_with(parent: Connection[Any, Any]) -> None:
    try:
        parent.recv()
    except (EOFError, OSError):
        os.kill(os.getpid(), signal.SIGTERM)
