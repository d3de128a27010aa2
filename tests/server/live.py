"""A real server in a process of its own."""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.patience import PATIENCE


@dataclass
class Live:
    """A running server."""

    process: subprocess.Popen[str]
    url: str
    database: Path
    log: Path

    @property
    def sockets(self) -> str:
        return self.url.replace("http", "ws", 1) + "/ws/tables/"

    @property
    def host(self) -> str:
        return self.url.removeprefix("http://")

    def logged(self) -> str:
        return self.log.read_text()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Tell it to stop, and its exit status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@contextmanager
def live_server(folder: Path, *flags: str, port: int = 0, **environment: str | int) -> Iterator[Live]:
    """Start a server; settings by flags or as names of the environment in lower case. Without another database it has
    one in this folder.
    """
    log, database = folder / "server.log", folder / "tables.db"
    names = {f"AZULEJOS_{name.upper()}": str(value) for name, value in ({"database": database} | environment).items()}
    command = [sys.executable, "-m", "azulejos", "serve", "--port", str(port), *flags]
    with log.open("a") as complaints:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=complaints, text=True, env=os.environ | names
        )
    try:
        yield Live(process, _address(process, log), database, log)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


def _address(process: subprocess.Popen[str], log: Path) -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://\S+", line)
    assert found, f"the server said {line!r} and {log.read_text()!r}"
    return found.group()


def servers_of(live: Live) -> list[int]:
    """The process numbers of the servers that `--processes` has started, the oldest first."""
    listed = subprocess.run(["ps", "-axwwo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    lines = [line.split(None, 2) for line in listed.splitlines()]
    return sorted(int(pid) for pid, parent, args in lines if int(parent) == live.process.pid and "spawn_main" in args)


def free_port() -> int:
    """A port that nobody uses now, and that nobody is given who asks for any: it may be left alone for a while."""
    for port in random.sample(range(20_000, 30_000), 100):
        with socket.socket() as found, suppress(OSError):
            found.bind(("127.0.0.1", port))
            return port
    raise AssertionError("there is no free port")


def wait_for_computers(live: Live) -> None:
    """Wait until the workers have everything loaded."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if httpx.get(f"{live.url}/health", timeout=PATIENCE).json()["computers"]:
            return
        time.sleep(0.1)
    raise AssertionError(f"the computers never came: {live.logged()}")
