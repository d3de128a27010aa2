"""A server of uvicorn in a thread of the tests."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn


@contextmanager
def listening(config: uvicorn.Config) -> Iterator[int]:
    """Serve as configured, and tell the port."""
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield listener.getsockname()[1]
        server.should_exit = True
        thread.join()
