"""The sockets: text in, messages to a live table, its answers out."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any, Final

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from azulejos.server import metrics
from azulejos.server.http.asking import find_table
from azulejos.server.http.headers import address_of
from azulejos.server.http.rate_limits import key_of
from azulejos.server.http.refusals import POLICY_VIOLATION, TRY_AGAIN, counted
from azulejos.server.live.client import Client
from azulejos.server.live.live_table import LiveTable
from azulejos.server.logs import printable
from azulejos.server.protocol import incoming
from azulejos.server.protocol import outgoing as out
from azulejos.server.protocol.encoding import encode
from azulejos.server.rate_limit import RateLimit
from azulejos.server.tables.refusal import Refuse

HELLO_SECONDS: Final = 30.0
"""A socket that says nothing for so long is closed."""
BURST_SECONDS: Final = 2.0
"""Messages of so many seconds may come at once."""
MOST_FAULTS: Final = 100
"""A client with so many messages that could not be read, or came too fast, is sent away."""
LISTENING: Final = "listen"
"""The name of the task that hears a client."""
GOING_AWAY: Final = 1001
"""The code of WebSocket for a server that ends."""
UNKNOWN_TABLE: Final = 4404
"""Our code for a table that there is not."""

DECODER: Final = msgspec.json.Decoder(incoming.Incoming)
"""Reads and checks what arrives."""
AnySocket = WebSocket[Any, Any, Any]
"""A socket of the framework."""

log = logging.getLogger(__name__)
"""The logger of this module."""


class _OnlyId(msgspec.Struct):
    """What is looked for in a message that cannot be read."""

    id: str | None = None


class SentAway(Exception):
    """The client is not listened to any more; the code with which its socket is closed."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code
        """Why, as WebSocket numbers it."""


@websocket("/ws/tables/{table:str}")
async def table_socket(socket: AnySocket, table: FromPath[str]) -> None:
    """One client at one table, from its first message to its last."""
    await socket.accept()
    try:
        if not socket.app.state.rate_limits["questions"].take(key_of(address_of(socket.scope))):
            raise Refuse("too_fast")
        live = await find_table(socket, table)
    except Refuse as refuse:
        refusal = counted(refuse)
        with suppress(Exception):
            await socket.send_text(encode(out.Refused(refusal.code, refusal.arguments)).decode())
            await socket.close(UNKNOWN_TABLE if refusal.code == "unknown_table" else TRY_AGAIN)
        return
    metrics.SOCKETS.inc()
    try:
        await _Visit(socket, live).run()
    finally:
        metrics.SOCKETS.dec()


class _Visit:
    """A client at a table."""

    def __init__(self, socket: AnySocket, live: LiveTable) -> None:
        state = socket.app.state
        self._socket, self._live = socket, live
        self._client = Client(address_of(socket.scope))
        self._key = key_of(self._client.address)
        self._pace = RateLimit(int(state.settings.messages_per_second * BURST_SECONDS), BURST_SECONDS)
        self._limits: dict[str, RateLimit] = state.rate_limits
        self._said_hello = False
        self._faults = 0

    async def run(self) -> None:
        """Listen and answer until one side ends it."""
        tasks = [
            asyncio.create_task(self._listen(), name=LISTENING),
            asyncio.create_task(self._speak(), name="speak"),
            asyncio.create_task(self._watch_slowness(), name="slowness"),
        ]
        code: int | None = GOING_AWAY
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            code = _code_of([task for task in tasks if task in done])
        finally:
            self._live.leave(self._client)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if code is not None:
            with suppress(Exception):
                await self._socket.close(code)

    async def _speak(self) -> None:
        while (data := await self._client.unsent.get()) is not None:
            await self._socket.send_text(data.decode())
            self._client.written()

    async def _watch_slowness(self) -> None:
        await self._client.too_slow.wait()
        log.info("a client is too slow and is sent away", extra={"from": self._client.address})
        raise SentAway(TRY_AGAIN)

    async def _listen(self) -> None:
        try:
            async with asyncio.timeout(HELLO_SECONDS) as patience:
                while True:
                    event: Any = await self._socket.receive()
                    if event["type"] == "websocket.disconnect":
                        raise WebSocketDisconnect(detail="gone")
                    text = event.get("text")
                    self._hear(text if text is not None else event.get("bytes") or b"")
                    if self._said_hello:
                        patience.reschedule(None)
        except TimeoutError:
            raise SentAway(POLICY_VIOLATION) from None

    def _hear(self, text: str | bytes) -> None:
        """Hand one message to the table, or refuse it."""
        try:
            message = self._read(text)
            match message:
                case incoming.Ping():
                    self._client.tell(out.Pong(message.id))
                case incoming.Hello():
                    self._greet(message)
                case _ if not self._said_hello:
                    raise Refuse("hello_first")
                case incoming.Rematch() if not self._limits["tables"].take(self._key):  # it makes a table
                    raise Refuse("too_fast")
                case _:
                    self._live.submit(self._client, message)
        except Refuse as refuse:
            self._client.refuse(refuse, _id_of(text), self._live.table.version if self._said_hello else None)

    def _greet(self, hello: incoming.Hello) -> None:
        if self._said_hello:
            raise Refuse("already_said_hello")
        self._live.join(self._client, hello)
        self._said_hello = True

    def _read(self, text: str | bytes) -> incoming.Incoming:
        if not self._pace.take():
            self._count_fault()
            raise Refuse("too_fast")
        if not self._limits["messages"].take(self._key):
            raise Refuse("too_fast")  # perhaps the fault of another socket there
        if len(text) > incoming.MOST_BYTES:
            self._count_fault()
            raise Refuse("too_large", most=incoming.MOST_BYTES)
        try:
            message: incoming.Incoming = DECODER.decode(text)
        except (msgspec.MsgspecError, ValueError, RecursionError) as fault:
            self._count_fault()
            raise Refuse("bad_message", reason=printable(str(fault))) from None
        return message

    def _count_fault(self) -> None:
        self._faults += 1
        if self._faults > MOST_FAULTS:
            raise SentAway(POLICY_VIOLATION)


def _code_of(done: list[asyncio.Task[None]]) -> int | None:
    """With which code to close, by the first of these that says so; none if the client has gone itself."""
    for task in done:
        fault = task.exception()
        if isinstance(fault, SentAway):
            return fault.code
        if isinstance(fault, WebSocketDisconnect):
            return None
        if fault is not None:  # to speak to somebody who has gone is no fault of ours, not to understand is
            level = logging.ERROR if task.get_name() == LISTENING else logging.DEBUG
            log.log(level, "a socket ended: %r", fault, exc_info=fault if level == logging.ERROR else None)
            return None
    return GOING_AWAY


def _id_of(text: str | bytes) -> str | None:
    """The id in a message that was refused, if it can be found."""
    if len(text) > incoming.MOST_BYTES:
        return None
    try:
        found = msgspec.json.decode(text, type=_OnlyId).id
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    return found if found is not None and len(found) <= 40 and found.isprintable() else None
