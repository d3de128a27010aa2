"""What is done at a table when its turn has come, on behalf of somebody who waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

from azulejos.server.tables.refusal import Refuse

MOST_WAITING: Final = 200
"""Messages that may wait at one table; further ones are refused."""

Job: TypeAlias = Callable[[], Awaitable[None]]
"""Something to be done at a table when its turn has come."""
Answer = TypeVar("Answer")
"""What somebody waits for."""


async def nothing() -> None:
    """The job of seeing what is due, which is done after any other."""


async def in_turn(ask: Callable[[], Awaitable[Answer]], jobs: asyncio.Queue[Job], table: asyncio.Task[None]) -> Answer:
    """What is answered after those who wait at a table; raises `Refuse` if that refuses, or if the table has ended."""
    if table.done() or jobs.qsize() >= MOST_WAITING:
        raise Refuse("busy")
    done: asyncio.Future[Answer | Refuse] = asyncio.get_running_loop().create_future()
    jobs.put_nowait(partial(_answer, ask, done))
    waiting: list[asyncio.Future[Any]] = [done, table]
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    answer = done.result() if done.done() else Refuse("busy")
    if isinstance(answer, Refuse):
        raise answer
    return answer


async def _answer(ask: Callable[[], Awaitable[Answer]], done: asyncio.Future[Answer | Refuse]) -> None:
    answer: Answer | Refuse = Refuse("internal")  # what is said of a fault, which the table sees to
    try:
        answer = await ask()
    except Refuse as refuse:
        answer = refuse
    finally:
        done.set_result(answer)
