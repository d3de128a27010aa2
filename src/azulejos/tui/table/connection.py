"""The connection to a table on a server: it says hello, asks and is answered, and comes back by itself."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI, WebSocketException

from azulejos.server.protocol.incoming import Hello, Incoming
from azulejos.server.protocol.outgoing import Accepted, Event, Outgoing, Pong, Refused, Resumed, Welcome
from azulejos.tui import words
from azulejos.tui.table.link import Link
from azulejos.tui.table.table import NotAllowed

PATIENCE_SECONDS: Final = 10.0
"""How long an answer may take."""
LONGEST_MESSAGE: Final = 4 * 1024 * 1024
"""Bytes of a message that is read."""
FATAL: Final = ("unknown_table", "wrong_link", "wrong_protocol", "wrong_origin", "bad_message")
"""Refusals that do not get better by trying again."""
FAULTS: Final = (OSError, WebSocketException, TimeoutError, EOFError, msgspec.DecodeError)
"""What a broken connection raises, and one to something else."""

_decoder: Final = msgspec.json.Decoder(Outgoing)


def why_lost(link: Link, fault: Exception) -> str:
    """Why a server cannot be reached."""
    if isinstance(fault, (InvalidHandshake, InvalidURI, msgspec.DecodeError)):
        return f"there is no Azulejos server at {link.origin!r}: {fault}"
    errno = getattr(fault, "errno", None)
    told = "it does not answer" if isinstance(fault, TimeoutError) else str(fault)
    return f"cannot reach the server at {link.origin!r}: {os.strerror(errno) if errno and errno > 0 else told}"


def why_refused(link: Link, answer: Refused) -> str:
    """Why a link opens nothing."""
    return f"the table {link.table!r} at {link.origin!r}: {words.refusal(answer.code, answer.arguments)}"


class Connection:
    """Keeps a table's socket open; tells what arrives, and whether it is connected."""

    def __init__(self, link: Link, hear: Callable[[Outgoing], None], lost: Callable[[Exception], None]) -> None:
        self.link = link
        """Where the table is."""
        self.version: int | None = None
        """The last version seen."""
        self._hear, self._lost = hear, lost
        self._socket: ClientConnection | None = None
        self._asked: dict[str, asyncio.Future[Outgoing]] = {}
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
        """Go to another table; what was asked at this one counts as done."""
        self.close()
        self.link, self.version, self._socket = link, None, None
        for name, future in self._asked.items():
            if not future.done():
                future.set_result(Accepted(name, 0))
        self.start()

    @property
    def is_open(self) -> bool:
        """Whether the server has let us in, and the connection was not lost since."""
        return self._socket is not None

    async def ask(self, message: Incoming) -> Outgoing:
        """Ask something; its answer. Raises `NotAllowed` where it is refused, the connection is lost, or none comes."""
        if self._socket is None:
            raise NotAllowed(words.refusal("connection_lost"), "connection_lost")
        self._count += 1
        name = f"m{self._count}"
        future: asyncio.Future[Outgoing] = asyncio.get_running_loop().create_future()
        self._asked[name] = future
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._socket.send(msgspec.json.encode(msgspec.structs.replace(message, id=name)), text=True)
                answer = await future
        except FAULTS as fault:
            raise NotAllowed(words.refusal("connection_lost"), "connection_lost") from fault
        finally:
            self._asked.pop(name, None)
        if isinstance(answer, Refused):
            raise NotAllowed(words.refusal(answer.code, answer.arguments), answer.code)
        return answer

    async def _stay(self) -> None:
        attempt = 0
        while True:
            fault: Exception = EOFError("the server ended the connection")
            try:
                async with connect(
                    self.link.socket, open_timeout=PATIENCE_SECONDS, max_size=LONGEST_MESSAGE, proxy=None
                ) as socket:
                    with suppress(ConnectionClosed):  # what the server said about that can still be read
                        hello = Hello(secrets=list(self.link.secrets), version=self.version)
                        await socket.send(msgspec.json.encode(hello), text=True)
                    async for text in socket:
                        attempt = 0
                        message = _decoder.decode(text)
                        self._take(socket, message)
                        if self._socket is None and isinstance(message, Refused) and message.code in FATAL:
                            return
            except FAULTS as raised:
                fault = raised
                if isinstance(fault, msgspec.DecodeError):
                    self.version = None  # an event of a newer server; its welcome may be one that we can read
            self._drop(fault)
            await asyncio.sleep(min(10.0, 0.4 * 2**attempt) * random.uniform(0.5, 1.0))
            attempt = min(attempt + 1, 10)

    def _drop(self, fault: Exception) -> None:
        self._socket = None
        for future in self._asked.values():
            if not future.done():
                future.set_exception(ConnectionError("lost"))
        self._lost(fault)

    def _take(self, socket: ClientConnection, message: Outgoing) -> None:
        if isinstance(message, (Accepted, Refused, Pong)) and message.id in self._asked:
            future = self._asked[message.id]
            if not future.done():
                future.set_result(message)
            return
        for event in message.events if isinstance(message, Resumed) else ():
            self._take(socket, event)
        if isinstance(message, (Welcome, Event)):
            self.version = message.version
        if isinstance(message, (Welcome, Resumed)):
            self._socket = socket
        self._hear(message)
