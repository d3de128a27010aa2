"""Work that takes more than a few milliseconds: in one thread of its own, one after the other, and only so much of it.

Moves need no thread of this kind, so none of them waits behind it. One thread and not several, because Python lets only
one run at a time: more would not be done sooner, and the loop that serves the tables would get less of the processor.
Tables that people come back to go before everything else: they wait for what has begun, not for what strangers sent.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, TypeVar

from azulejos.server.tables.refusal import Refuse

MOST_WAITING: Final = 300
"""Pieces of work of each kind that may wait; whoever brings one more is told that the server is busy."""

Result = TypeVar("Result")
"""What a piece of work gives."""


class _Line:
    """Those who wait for the thread, the first in front."""

    def __init__(self) -> None:
        self.count = 0
        """How many there are, with the one whose work is being done."""
        self.turns: deque[asyncio.Future[None]] = deque()
        """Those whose turn has not come yet."""


class Work:
    """The thread, and what waits for it."""

    def __init__(self, most_waiting: int = MOST_WAITING) -> None:
        self._thread = ThreadPoolExecutor(1, "work")
        self._most, self._is_busy = most_waiting, False
        self._first, self._others = _Line(), _Line()

    @property
    def waiting(self) -> int:
        """How much waits or is under way."""
        return self._first.count + self._others.count

    async def do(self, function: Callable[[], Result]) -> Result:
        """What a function gives; it is never begun if whoever waits for it is cancelled before its turn."""
        return await self._do(function, self._others)

    async def do_first(self, function: Callable[[], Result]) -> Result:
        """What a function gives that goes before all others."""
        return await self._do(function, self._first)

    def close(self) -> None:
        """Finish what has begun, and nothing else."""
        for turn in (*self._first.turns, *self._others.turns):
            turn.cancel()
        self._thread.shutdown(cancel_futures=True)

    async def _do(self, function: Callable[[], Result], line: _Line) -> Result:
        if line.count >= self._most:
            raise Refuse("busy")
        line.count += 1
        try:
            await self._wait(line)
            return await self._run(function)
        finally:
            line.count -= 1

    async def _wait(self, line: _Line) -> None:
        """Wait until the thread is ours."""
        if not self._is_busy:
            self._is_busy = True
            return
        turn = asyncio.get_running_loop().create_future()
        line.turns.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it was our turn already
                self._pass_on()
            raise

    async def _run(self, function: Callable[[], Result]) -> Result:
        loop = asyncio.get_running_loop()

        def pass_on(_: object) -> None:
            with suppress(RuntimeError):  # the loop may have ended
                loop.call_soon_threadsafe(self._pass_on)

        done = self._thread.submit(function)
        done.add_done_callback(pass_on)  # not when whoever waits gives up: then the thread goes on
        return await asyncio.wrap_future(done)

    def _pass_on(self) -> None:
        """Let the next one have the thread."""
        for line in (self._first, self._others):
            while line.turns:
                turn = line.turns.popleft()
                if not turn.done():
                    turn.set_result(None)
                    return
        self._is_busy = False
