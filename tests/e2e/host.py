"""A host of files as there are many: it knows its files and nothing else, and may be out of reach."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from tests.server.live import free_port

PATH = "/games/azulejos/"
"""The site lies below it."""


class Files(SimpleHTTPRequestHandler):
    """Sends files below the path; asks no browser to keep anything."""

    def translate_path(self, path: str) -> str:
        name = path.partition("?")[0]
        if not name.startswith(PATH):
            return str(Path(self.directory) / "nothing")
        return super().translate_path("/" + name.removeprefix(PATH))

    def list_directory(self, path: Any) -> None:
        self.send_error(404, str(path))

    def end_headers(self) -> None:
        self.send_header("cache-control", "no-store")
        super().end_headers()

    def log_message(self, *words: Any) -> None:
        pass


class Host:
    """Files of a folder at an address that stays the same."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self._server: ThreadingHTTPServer | None = None

    @property
    def url(self) -> str:
        """The address of the site."""
        return f"http://127.0.0.1:{self.port}{PATH}"

    def start(self) -> None:
        """Be within reach."""
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), partial(Files, directory=str(self.folder)))
        self._server.daemon_threads = True
        Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Be out of reach, as if there were no network."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
        self._server = None


@contextmanager
def hosted(folder: Path) -> Iterator[Host]:
    """Put the files of a folder on a host."""
    host = Host(folder)
    host.start()
    try:
        yield host
    finally:
        host.stop()
