"""Computers that think on other machines: questions go to whoever takes them (`azulejos think`), else to our own pool.

Nobody waits for a thinker that is not there: when none is left, or Redis is away, every question comes back at once. A
server without workers then waits a little for one to come, and in the end lets a quick player answer, so that a game
always goes on. If too much waits, the question is refused as `busy` there, and the table asks again later.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import secrets
import time
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final

import msgspec

from azulejos.game.errors import InvalidNotation
from azulejos.game.moves import Move
from azulejos.players.player import Choice
from azulejos.server import metrics
from azulejos.server.bots import stream
from azulejos.server.bots.pool import Pool
from azulejos.server.bots.stream import Answered, Asked
from azulejos.server.bots.worker import Question
from azulejos.server.bus.redis import RETRY_SECONDS, client, faults
from azulejos.server.logs import printable
from azulejos.server.tables.refusal import Refuse

MOST_WAITING: Final = 1000
"""Questions of all servers in the stream; further ones are refused."""
MOST_CONNECTIONS: Final = 16
"""Questions that are being sent at once."""
WAIT_SECONDS: Final = 5.0
"""How long a question may wait, besides being thought about: for its turn, and for a thinker that has died."""
NONE_SECONDS: Final = 10.0
"""How long a server without workers waits for a thinker to come."""
LOOK_SECONDS: Final = 1.0
"""How often it is seen who thinks."""
AWAY_SECONDS: Final = 3
"""A thinker that is silent for so long is not there."""

log = logging.getLogger(__name__)
"""The logger of this module."""


class _Unanswered(Exception):
    """Nobody elsewhere has answered, and why as a word for counting: nobody, busy, late, away or failed."""


class Elsewhere:
    """Whoever thinks on other machines, and our own workers for when nobody does."""

    def __init__(self, url: str, local: Pool, *, version: str = "", most: int = MOST_WAITING) -> None:
        """The thinkers at a Redis; those of another `version` than ours only in tests."""
        self._redis, self._local, self._most = client(url, retries=1), local, most  # to ask twice is to ask once
        self._version = version or stream.version()
        self._stream, self._thinkers = stream.keys(self._version)
        name = secrets.token_hex(6)
        self._answers, self._names = f"azulejos:thought:{name}", (f"{name}-{at}" for at in itertools.count())
        self._waiting: dict[str, asyncio.Future[Answered]] = {}
        self.thinkers = False
        """Whether somebody elsewhere thinks."""
        self._few = asyncio.Semaphore(MOST_CONNECTIONS)
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def ready(self) -> bool:
        """Whether somebody, here or elsewhere, has everything loaded."""
        return self.thinkers or self._local.ready

    async def start(self) -> None:
        """Have our own workers started, and look for others."""
        await self._local.start()
        self._do(self._look())
        self._do(self._hear())

    async def choose(self, position: str, player: str, seed: int) -> Choice:
        """The move of a player in a position; that of a level depends on nothing but these three."""
        question = self._local.question(position, player, seed)
        move = await self._ask(question) if question.spec in stream.SPECS else None
        return await self._local.answer(question) if move is None else Choice(move)

    async def close(self) -> None:
        """End our workers and everything that listens."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._local.close()
        with suppress(*faults()):
            await self._redis.delete(self._answers)
        with suppress(Exception):
            await self._redis.aclose()

    async def _ask(self, question: Question) -> Move | None:
        """The move that somebody elsewhere plays; None if our own pool is to answer."""
        until = time.monotonic() + (0.0 if self._local.workers else NONE_SECONDS)
        while True:
            try:
                return await self._exchange(question)
            except _Unanswered as unanswered:
                why = str(unanswered)
                metrics.THINK_FALLBACKS.labels(why=why).inc()
                if why in ("busy", "late") and not self._local.workers:
                    raise Refuse("busy") from None
            if time.monotonic() >= until:
                return None
            await asyncio.sleep(RETRY_SECONDS)

    async def _exchange(self, question: Question) -> Move:
        """The move that is answered elsewhere; raises `_Unanswered` if none is."""
        if not self.thinkers:
            raise _Unanswered("nobody")
        name, started = next(self._names), time.monotonic()
        keys, message = (self._stream, f"azulejos:asked:{name}"), self._message(name, question)
        limits = (self._most, stream.GONE_SECONDS, stream.KEPT_SECONDS)
        answer = self._waiting[name] = asyncio.get_running_loop().create_future()
        answered = None
        try:
            async with asyncio.timeout(question.seconds + WAIT_SECONDS):
                async with self._few:
                    order = (stream.ASK, 2, *keys, stream.FIELD, message, *limits)
                    if not answer.done() and not await self._redis.eval(*order):
                        raise _Unanswered("busy")
                answered = await answer
        except TimeoutError:
            raise _Unanswered("late") from None
        except faults():
            raise _Unanswered("away") from None
        finally:
            del self._waiting[name]
            if answered is None:
                self._do(self._withdraw(keys))
        move = self._legal(answered, question)
        metrics.BOT_SECONDS.labels(who=question.who).observe(time.monotonic() - started)
        metrics.THINK_SECONDS.labels(who=question.who).observe(answered.seconds)
        return move

    def _message(self, name: str, question: Question) -> bytes:
        of, position = self._version, question.game.position
        asked = Asked(name, self._answers, of, position, question.spec, question.seed, question.milliseconds)
        return msgspec.json.encode(asked)

    def _legal(self, answered: Answered, question: Question) -> Move:
        if answered.version == self._version:
            with suppress(InvalidNotation):
                move = Move.parse(answered.move)
                if question.game.is_legal(move):
                    return move
        log.warning("no move from elsewhere: %s", printable(answered.fault or f"{answered.version} {answered.move}"))
        raise _Unanswered("failed")

    async def _withdraw(self, keys: tuple[str, str]) -> None:
        with suppress(*faults()):
            await self._redis.eval(stream.WITHDRAW, 2, *keys)

    async def _look(self) -> None:
        """See who thinks; when nobody does, let everybody know who waits."""
        while True:
            found = 0
            try:
                waiting, names = await self._redis.eval(stream.LOOK, 2, self._stream, self._thinkers, AWAY_SECONDS)
                metrics.THINK_QUEUE.set(waiting)
                found = len(names)
                await self._forget_all_but(names)
            except faults() as fault:
                log.debug("cannot see who thinks elsewhere: %s", fault)
            if bool(found) != self.thinkers:
                log.warning("somebody thinks elsewhere" if found else "nobody thinks elsewhere any more")
            self.thinkers = bool(found)
            metrics.THINKERS.set(found)
            for future in () if found else self._waiting.values():
                if not future.done():
                    future.set_exception(_Unanswered("nobody"))
            await asyncio.sleep(LOOK_SECONDS)

    async def _forget_all_but(self, names: list[bytes]) -> None:
        """Delete the names of those who have gone and left nothing."""
        for consumer in await self._redis.xinfo_consumers(self._stream, stream.GROUP) if names else ():
            is_silent = consumer["idle"] > 1000 * stream.GONE_SECONDS and not consumer["pending"]
            if is_silent and consumer["name"] not in names:
                await self._redis.xgroup_delconsumer(self._stream, stream.GROUP, consumer["name"])

    async def _hear(self) -> None:
        """Take the answers."""
        last = b"0"
        while True:
            try:
                found = await self._redis.xread({self._answers: last}, block=round(1000 * LOOK_SECONDS))
            except faults():
                await asyncio.sleep(RETRY_SECONDS)
                continue
            for last, fields in found[0][1] if found else ():  # noqa: B007 - the last one read is where we go on
                with suppress(msgspec.MsgspecError, KeyError):
                    answered = msgspec.json.decode(fields[stream.FIELD], type=Answered)
                    future = self._waiting.get(answered.id)
                    if future is not None and not future.done():
                        future.set_result(answered)

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work, name="elsewhere")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
