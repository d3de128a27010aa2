"""A Redis of our own: started in a temporary folder, gone afterwards."""

from __future__ import annotations

import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
import redis

from tests.patience import PATIENCE
from tests.server.live import free_port

PASSWORD = "gl4zed-tile"


class RedisServer:
    """A Redis that keeps nothing."""

    def __init__(self, folder: str) -> None:
        self._folder, self.port = folder, free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def url(self, port: int | None = None) -> str:
        """Its address."""
        return f"redis://:{PASSWORD}@127.0.0.1:{port or self.port}/0"

    def start(self) -> None:
        """Start, and wait until it answers."""
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--requirepass", PASSWORD]
        self._process = subprocess.Popen(
            ["redis-server", *options, "--dir", self._folder], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with suppress(redis.RedisError), redis.Redis.from_url(self.url()) as client:
                client.ping()
                return
            time.sleep(0.05)
        raise AssertionError("Redis does not answer")

    def stop(self, number: signal.Signals = signal.SIGKILL) -> None:
        """End it without a word."""
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(PATIENCE)
            self._process = None


@contextmanager
def new_redis() -> Iterator[RedisServer]:
    """A Redis that is gone afterwards."""
    if shutil.which("redis-server") is None:
        pytest.skip("there is no Redis here (on Debian: apt install redis-server)")
    with tempfile.TemporaryDirectory(prefix="azulejos-redis-") as folder:
        server = RedisServer(folder)
        try:
            server.start()
            yield server
        finally:
            server.stop()
