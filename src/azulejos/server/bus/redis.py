"""The bus over Redis: a channel for each table. While Redis is away messages are lost; nothing has to be restarted."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from azulejos.server import metrics, traces
from azulejos.server.bus.messages import Hear, Message

CHANNEL: Final = "azulejos:"
"""How the names of channels begin; the table's id follows."""
SCHEMES: Final = ("redis", "rediss", "unix")
"""How the address of a Redis may begin."""
MISSING: Final = "a bus needs the extra `redis`: pip install 'azulejos[redis]'"
"""What to do where the library is not installed."""
RETRY_SECONDS: Final = 0.5
"""The pause before Redis is asked again that did not answer."""
CONNECT_SECONDS: Final = 2.0
"""How long Redis may take to answer."""
QUIET_SECONDS: Final = 5.0
"""After so long without a word Redis is asked whether it is there; after so long again it is not."""
MOST_UNSENT: Final = 10_000
"""Messages that may wait to be told; more are lost."""

_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Message)

log = logging.getLogger(__name__)
"""The logger of this module."""


class BusError(Exception):
    """The bus cannot be used, and why."""


def check_address(url: str) -> None:
    """Raise `ValueError` unless this can be the address of a Redis; it may hold a password and is never repeated.

    >>> check_address("redis://localhost:6379/0")
    """
    try:
        parts = urlsplit(url)
        is_one = parts.scheme in SCHEMES and (parts.hostname or parts.scheme == "unix") and parts.port != 0
    except ValueError:
        is_one = False
    if not is_one:
        raise ValueError(
            "cannot read the address of the bus (not repeated here, it may hold a password): "
            "expected redis://HOST:PORT, rediss://HOST:PORT or unix://PATH"
        )


class Redis:
    """A bus between processes; made inside a running loop."""

    def __init__(self, url: str) -> None:
        self._client = client(url)
        self._followed: set[str] = set()
        self._unsent: list[tuple[str, bytes]] = []
        self._to_follow: set[str] = set()
        self._to_leave: set[str] = set()
        self._wake = asyncio.Event()
        self._pubsub: Any = None
        self._tasks: list[asyncio.Task[None]] = []
        self._closing = False
        self._was_away = False

    @property
    def is_well(self) -> bool:
        """Whether messages arrive."""
        return self._pubsub is not None

    def start(self, hear: Hear, back: Callable[[], None]) -> None:
        """Begin to hear."""
        self._tasks = [
            asyncio.create_task(self._listen(hear, back), name="bus"),
            asyncio.create_task(self._speak(), name="bus out"),
        ]

    def follow(self, table: str) -> None:
        """Hear from now on what is told about this table."""
        self._followed.add(CHANNEL + table)
        self._to_follow.add(CHANNEL + table)
        self._wake.set()

    def leave(self, table: str) -> None:
        """Hear nothing of it any more."""
        self._followed.discard(CHANNEL + table)
        self._to_leave.add(CHANNEL + table)
        self._wake.set()

    def publish(self, table: str, message: Message) -> None:
        """Tell the others, together with what else there is to tell."""
        if len(self._unsent) < MOST_UNSENT:
            self._unsent.append((CHANNEL + table, _ENCODER.encode(message)))
            self._wake.set()

    async def close(self) -> None:
        """Tell what waits to be told, and end."""
        self._closing = True
        self._wake.set()
        if self._tasks:
            listening, speaking = self._tasks
            await asyncio.wait([speaking], timeout=CONNECT_SECONDS)
            listening.cancel()
            speaking.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
        with suppress(Exception):
            await self._client.aclose()

    async def _listen(self, hear: Hear, back: Callable[[], None]) -> None:
        while True:
            pubsub = self._client.pubsub(ignore_subscribe_messages=True)
            try:
                await pubsub.subscribe(CHANNEL, *self._followed)
                self._pubsub = pubsub
                if self._was_away:
                    log.warning("the bus is back")
                    self._was_away = False
                back()
                await self._hear_all(pubsub, hear)
            except faults() as fault:
                if not self._was_away:
                    log.warning("the bus is away, other servers' tables follow by looking at the database: %s", fault)
                    self._was_away = True
            finally:
                self._pubsub = None
                with suppress(Exception):
                    await pubsub.aclose()
            await asyncio.sleep(RETRY_SECONDS)

    async def _hear_all(self, pubsub: Any, hear: Hear) -> None:
        loop = asyncio.get_running_loop()
        heard = asked = loop.time()
        while True:
            message = await pubsub.get_message(timeout=QUIET_SECONDS)
            now = loop.time()
            if message is not None:
                heard = now
                if message["type"] == "message":
                    _deliver(message, hear)
            elif now - heard > 2 * QUIET_SECONDS:
                raise TimeoutError("it does not answer")
            elif now - max(heard, asked) >= QUIET_SECONDS:
                asked = now
                await pubsub.ping()

    async def _speak(self) -> None:
        while not self._closing or self._unsent:
            await self._wake.wait()
            self._wake.clear()
            unsent, self._unsent = self._unsent, []
            try:
                await self._subscribe()
                if unsent:
                    pipeline = self._client.pipeline(transaction=False)
                    for channel, data in unsent:
                        pipeline.publish(channel, data)
                    with metrics.BUS_SECONDS.time(), traces.span("publish", messages=len(unsent)):
                        await pipeline.execute()
            except faults() as fault:
                log.debug("%d messages were lost: %s", len(unsent), fault)
                if not self._closing:
                    await asyncio.sleep(RETRY_SECONDS)

    async def _subscribe(self) -> None:
        """Follow and leave what has been asked for since; without a connection the next one begins with all."""
        new, old = self._to_follow & self._followed, self._to_leave - self._followed
        self._to_follow, self._to_leave = set(), set()
        if self._pubsub is not None and new:
            await self._pubsub.subscribe(*new)
        if self._pubsub is not None and old:
            await self._pubsub.unsubscribe(*old)


def _deliver(message: dict[str, Any], hear: Hear) -> None:
    channel = message["channel"].decode(errors="replace")
    try:
        told = _DECODER.decode(message["data"])
    except (msgspec.MsgspecError, ValueError):
        log.warning("a message on the bus that cannot be read: %r", message["data"][:80])
        return
    hear(channel.removeprefix(CHANNEL), told)


def client(url: str, retries: int = 0) -> Any:
    """A connection to a Redis, made when it is first used; an order that got no answer is given so often again."""
    try:
        from redis.asyncio import Redis as Client  # noqa: PLC0415 - an extra
        from redis.asyncio.retry import Retry  # noqa: PLC0415
        from redis.backoff import NoBackoff  # noqa: PLC0415
    except ImportError as fault:
        raise BusError(MISSING) from fault
    return Client.from_url(
        url,
        socket_connect_timeout=CONNECT_SECONDS,
        socket_timeout=CONNECT_SECONDS,
        socket_keepalive=True,
        retry=Retry(NoBackoff(), retries),
    )


def faults() -> tuple[type[Exception], ...]:
    """What is raised when Redis is away or refuses."""
    from redis.exceptions import RedisError  # noqa: PLC0415

    return (RedisError, OSError, TimeoutError)
