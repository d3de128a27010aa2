"""What happened at tables since some version: what is asked at the same moment is asked of the database once.

A question alone costs as much as saving an event, and a busy server is told of a thousand events a second by others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from sqlalchemy import and_, or_, select
from sqlalchemy.engine import Connection

from azulejos.server.storage import schema
from azulejos.server.storage.database import now_ms
from azulejos.server.tables import events as e

MOST_TOGETHER: Final = 50
"""The most tables in one question."""


class Saved(NamedTuple):
    """An event as it is stored."""

    table: str
    """The id of its table."""
    version: int
    """The version of the table that it led to."""
    event: e.TableEvent
    """What happened."""
    at: int
    """When, in milliseconds since 1970 by the clock of the server that saved it."""

    @property
    def age(self) -> int:
        """Milliseconds since; none if our clock is behind that of the server that saved it."""
        return max(0, now_ms() - self.at)


class _Asked(NamedTuple):
    """A question that waits."""

    table: str
    version: int
    answer: asyncio.Future[list[Saved]]


Read: TypeAlias = Callable[[Callable[[Connection], list[Saved]]], Awaitable[list[Saved]]]
"""Runs a question in a thread that reads."""


class CatchingUp:
    """The questions for what happened since, one to the database at a time."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._asked: list[_Asked] = []
        self._task: asyncio.Task[None] | None = None

    async def since(self, table: str, version: int) -> list[Saved]:
        """What happened at a table after this version, in order."""
        asked = _Asked(table, version, asyncio.get_running_loop().create_future())
        self._asked.append(asked)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._answer_all(), name="catching up")
        return await asked.answer

    async def _answer_all(self) -> None:
        while self._asked:
            batch, self._asked = self._asked[:MOST_TOGETHER], self._asked[MOST_TOGETHER:]
            try:
                found = await self._read(partial(_since, batch))
            except Exception as fault:  # whoever waits is told, whatever it is
                for asked in batch:
                    if not asked.answer.done():
                        asked.answer.set_exception(fault)
                continue
            for asked in batch:
                if not asked.answer.done():
                    asked.answer.set_result(
                        [saved for saved in found if saved.table == asked.table and saved.version > asked.version]
                    )


def _since(batch: Sequence[_Asked], connection: Connection) -> list[Saved]:
    found = schema.events.c
    query = select(found.table_id, found.version, found.kind, found.payload, found.at)
    query = query.where(or_(*(and_(found.table_id == each.table, found.version > each.version) for each in batch)))
    rows = connection.execute(query.order_by(found.table_id, found.version))
    return [Saved(table, version, e.read(kind, payload), at) for table, version, kind, payload, at in rows]
