"""The connection to a table on a server: it says hello, asks and is answered, and comes back by itself."""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI, WebSocketException

from azulejos.server.protocol.shared import PROTOCOL
from azulejos.tui import words
from azulejos.tui.table.link import Link
from azulejos.tui.table.reading import Data
from azulejos.tui.table.table import Refused

PATIENCE_SECONDS: Final = 10.0
"""How long an answer may take."""
LONGEST_MESSAGE: Final = 4 * 1024 * 1024
"""Bytes of a message that is read."""
FATAL: Final = ("unknown_table", "wrong_link", "wrong_protocol", "wrong_origin", "bad_message")
"""Refusals that do not get better by trying again."""

FAULTS: tuple[type[Exception], ...] = (OSError, WebSocketException, TimeoutError, EOFError)
"""What a broken connection raises."""


def _open(link: Link) -> connect:
    return connect(link.socket, open_timeout=PATIENCE_SECONDS, max_size=LONGEST_MESSAGE, proxy=None)


async def knock(link: Link) -> None:
    """See whether the table is there and the link opens it; raises a `ValueError` that says what is wrong."""
    try:
        async with _open(link) as socket, asyncio.timeout(PATIENCE_SECONDS):
            await _say_hello(socket, link, None)
            answer = json.loads(await socket.recv())
    except (InvalidHandshake, InvalidURI, ValueError) as fault:
        raise ValueError(f"there is no Azulejos server at {link.origin!r}: {fault}") from fault
    except FAULTS as fault:
        raise ValueError(f"cannot reach the server at {link.origin!r}: {_why(fault)}") from fault
    if not isinstance(answer, dict) or answer.get("type") not in ("welcome", "refused"):
        raise ValueError(f"there is no Azulejos server at {link.origin!r}: it says something else")
    if answer["type"] == "refused":
        raise ValueError(why_refused(link, answer))


def why_refused(link: Link, answer: Data) -> str:
    """Why a link opens nothing."""
    said = words.refusal(str(answer.get("code")), answer.get("arguments", {}))
    return f"the table {link.table!r} at {link.origin!r}: {said}"


def _why(fault: Exception) -> str:
    if isinstance(fault, TimeoutError):
        return "it does not answer"
    errno = getattr(fault, "errno", None)
    return os.strerror(errno) if errno and errno > 0 else str(fault)


async def _say_hello(socket: ClientConnection, link: Link, version: int | None) -> None:
    """Say who we are; where the server has closed already, what it said about that can still be read."""
    hello = {"type": "hello", "secrets": list(link.secrets), "version": version, "protocol": PROTOCOL}
    with suppress(ConnectionClosed):
        await socket.send(json.dumps(hello))


class Connection:
    """Keeps a table's socket open; tells what arrives, and whether it is connected."""

    def __init__(self, link: Link, hear: Callable[[Data], None], lost: Callable[[], None]) -> None:
        self.link = link
        """Where the table is."""
        self.version: int | None = None
        """The last version seen."""
        self._hear, self._lost = hear, lost
        self._socket: ClientConnection | None = None
        self._asked: dict[str, asyncio.Future[Data]] = {}
        self._count = 0
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Connect, and stay connected from now on."""
        self._task = asyncio.create_task(self._stay(), name="table")

    def close(self) -> None:
        """End the connection for good."""
        if self._task is not None:
            self._task.cancel()

    def move_to(self, link: Link) -> None:
        """Go to another table."""
        self.close()
        self.link, self.version, self._socket = link, None, None
        for future in self._asked.values():
            if not future.done():
                future.set_result({"type": "accepted"})
        self.start()

    @property
    def is_open(self) -> bool:
        """Whether the server has let us in, and the connection was not lost since."""
        return self._socket is not None

    async def ask(self, *, thinking_seconds: float = 0.0, **message: object) -> Data:
        """Ask something; its answer. Raises `Refused` where it is refused, the connection is lost, or none comes.

        About some things the server has to think first; it may take so much longer.
        """
        if self._socket is None:
            raise Refused(words.refusal("connection_lost", {}))
        self._count += 1
        name = f"m{self._count}"
        future = self._asked[name] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(PATIENCE_SECONDS + thinking_seconds):
                await self._socket.send(json.dumps({**message, "id": name}))
                answer: Data = await future
        except FAULTS as fault:
            raise Refused(words.refusal("connection_lost", {})) from fault
        finally:
            self._asked.pop(name, None)
        if answer["type"] == "refused":
            raise Refused(words.refusal(answer["code"], answer.get("arguments", {})))
        return answer

    async def _stay(self) -> None:
        attempt = 0
        while True:
            with suppress(*FAULTS):
                async with _open(self.link) as socket:
                    await _say_hello(socket, self.link, self.version)
                    async for text in socket:
                        attempt = 0
                        message = json.loads(text)
                        self._take(socket, message)
                        if self._socket is None and message.get("code") in FATAL:
                            return
            self._drop()
            await asyncio.sleep(min(10.0, 0.4 * 2**attempt) * random.uniform(0.5, 1.0))
            attempt = min(attempt + 1, 10)

    def _drop(self) -> None:
        self._socket = None
        for future in self._asked.values():
            if not future.done():
                future.set_exception(ConnectionError("lost"))
        self._lost()

    def _take(self, socket: ClientConnection, message: Data) -> None:
        future = self._asked.get(message.get("id") or "")
        if future is not None and not future.done():
            future.set_result(message)
        elif message["type"] == "resumed":
            for event in message.get("events", ()):
                self._version_of(event)
                self._hear(event)
            self._socket = socket
            self._hear(message)
        else:
            self._version_of(message)
            if message["type"] == "welcome":
                self._socket = socket
            self._hear(message)

    def _version_of(self, message: Data) -> None:
        if message["type"] in ("welcome", "event"):
            self.version = message["version"]
