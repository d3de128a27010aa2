"""A thinker: takes questions of servers from Redis and has them answered by worker processes on this machine.

It takes no more than it has workers, and says twice a second that it still thinks; what somebody else has who is silent
it takes over. It ends when told to, after the last answer. While Redis is away it waits.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
import time
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

import msgspec

from azulejos.server.bots import stream
from azulejos.server.bots.pool import Pool, game_at, question_of
from azulejos.server.bots.stream import BEAT_SECONDS, GROUP, Answered, Asked
from azulejos.server.bots.worker import Question
from azulejos.server.bus.redis import RETRY_SECONDS, BusError, client, faults
from azulejos.server.logs import printable
from azulejos.server.tables.refusal import Refuse

END_SECONDS: Final = 15.0
"""How long what is under way may take at the end."""

log = logging.getLogger(__name__)
"""The logger of this module."""


class StreamThinker:
    """Takes questions and answers them."""

    def __init__(self, url: str, pool: Pool, *, version: str = "") -> None:
        """One that thinks with a pool, for servers of our version; of another only in tests."""
        self._redis, self._pool = client(url), pool
        self._version = version or stream.version()
        self._stream, self._thinkers = stream.keys(self._version)
        self._name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
        self.place = _place(url)
        """Where the Redis is, without the password."""
        self._held: dict[bytes, asyncio.Task[None]] = {}
        self._is_ending = False

    async def join(self) -> None:
        """Be known to Redis; raises `BusError` if it cannot be used."""
        try:
            await self._make_group()
            await self._redis.xtrim(self._stream, minid=0)  # which an older Redis than 6.2 does not know
        except faults() as fault:
            raise BusError(f"cannot use the Redis at {self.place}: {fault}") from fault

    async def run(self) -> None:
        """Think until told to end."""
        await self._pool.start()
        is_away = False
        while not self._is_ending or self._held:
            try:
                if self._pool.ready or self._held:
                    await self._beat()
                else:
                    await asyncio.sleep(BEAT_SECONDS)
            except faults() as fault:
                if not is_away:
                    log.warning("the Redis at %s is away: %s", self.place, fault)
                is_away = True
                await asyncio.sleep(RETRY_SECONDS)
                with suppress(*faults()):
                    await self._make_group()  # it may have forgotten everything
            else:
                if is_away:
                    log.warning("the Redis at %s is back", self.place)
                is_away = False

    def end(self) -> None:
        """Take nothing more, answer what is under way and end."""
        self._is_ending = True

    async def close(self) -> None:
        """End all processes; what is not answered is taken over by others."""
        tasks = list(self._held.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._pool.close()
        with suppress(*faults()):
            await self._redis.zrem(self._thinkers, self._name)
            if not tasks:
                await self._redis.xgroup_delconsumer(self._stream, GROUP, self._name)
        with suppress(Exception):
            await self._redis.aclose()

    async def _make_group(self) -> None:
        try:
            await self._redis.xgroup_create(self._stream, GROUP, id="0", mkstream=True)
        except faults() as fault:
            if not str(fault).startswith("BUSYGROUP"):
                raise
        await self._redis.expire(self._stream, stream.KEPT_SECONDS)

    async def _beat(self) -> None:
        """Keep what we have, take what we can, and wait a little."""
        if self._held:
            await self._redis.xclaim(self._stream, GROUP, self._name, 0, list(self._held), justid=True)
        await self._redis.eval(stream.BEAT, 2, self._stream, self._thinkers, self._name, stream.KEPT_SECONDS)
        free = 0 if self._is_ending else self._pool.workers - len(self._held)
        if free:
            stale = round(1000 * stream.STALE_SECONDS)
            claimed = await self._redis.xautoclaim(self._stream, GROUP, self._name, stale, count=free)
            free -= self._take(claimed[1])
        if free:
            wait = round(1000 * BEAT_SECONDS)
            found = await self._redis.xreadgroup(GROUP, self._name, {self._stream: ">"}, count=free, block=wait)
            self._take(found[0][1] if found else [])
        elif self._held:
            await asyncio.wait(self._held.values(), timeout=BEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED)

    def _take(self, entries: list[tuple[bytes, dict[bytes, bytes] | None]]) -> int:
        """Begin to think about these, and how many they are."""
        new = [(entry, fields or {}) for entry, fields in entries if entry and entry not in self._held]
        for entry, fields in new:
            self._held[entry] = asyncio.create_task(self._serve(entry, fields.get(stream.FIELD, b"")), name="thinking")
        return len(new)

    async def _serve(self, entry: bytes, message: bytes) -> None:
        """Answer one question, if it can be read."""
        try:
            orders = self._redis.pipeline()
            try:
                asked = msgspec.json.decode(message, type=Asked)
            except msgspec.MsgspecError as fault:  # also one that was withdrawn
                log.debug("a question that cannot be read: %s", fault)
            else:
                answered = await self._answer(asked)
                orders.xadd(asked.answers, {stream.FIELD: msgspec.json.encode(answered)}, maxlen=stream.MOST_ANSWERS)
                orders.expire(asked.answers, stream.GONE_SECONDS)
            orders.xack(self._stream, GROUP, entry)
            orders.xdel(self._stream, entry)
            await orders.execute()
        except faults() as fault:
            log.warning("an answer was lost: %s", fault)
        finally:
            del self._held[entry]

    async def _answer(self, asked: Asked) -> Answered:
        started = time.monotonic()
        move = fault = ""
        try:
            answer = await self._pool.ask(self._question(asked))
            move, fault = (str(answer.move), "") if answer else ("", "no worker has answered")
        except (Refuse, ValueError) as refused:
            fault = printable(str(refused))
            log.warning("a question that cannot be answered: %s", fault)
        return Answered(asked.id, self._version, move, time.monotonic() - started, fault)

    def _question(self, asked: Asked) -> Question:
        """A question that we answer: of our version, for a player that is the same everywhere."""
        if asked.version != self._version or asked.spec not in stream.SPECS:
            raise ValueError(f"{asked.spec!r} of {asked.version!r} does not think here")
        return question_of(game_at(asked.position), asked.spec, asked.seed, asked.milliseconds)


def _place(url: str) -> str:
    """Where a Redis is, without the password."""
    parts = urlsplit(url)
    return parts.path if parts.scheme == "unix" else f"{parts.hostname}:{parts.port or 6379}"
