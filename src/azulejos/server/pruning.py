"""What is old goes: tables at which nothing has happened for long are deleted, or kept as records in files first."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Collection, Sequence
from pathlib import Path
from typing import Final

from azulejos.server.storage.database import now_ms
from azulejos.server.storage.store import Store
from azulejos.server.storage.stored_table import StoredTable

DAY_MS: Final = 24 * 3600 * 1000
"""Milliseconds of a day."""
PRUNING: Final = 1
"""The number of this task, which one of several servers does for all."""
TOGETHER: Final = 100
"""Tables that go in one transaction: moves of others wait for it."""

log = logging.getLogger(__name__)
"""The logger of this module."""


async def prune(
    store: Store,
    days: float,
    archive: Path | None = None,
    *,
    spared: Callable[[], Collection[str]] = tuple,
    work: Callable[[Callable[[], str]], Awaitable[str]] = asyncio.to_thread,
) -> int:
    """Delete the tables at which nothing has happened for so many days; returns how many that were.

    With a folder for the archive their records are in a file of the month in which they were made before they go, and a
    table whose record cannot be written stays. Those that are `spared` stay, too. Of servers that share the tables one
    does this: two would write a record twice.
    """
    gone = 0
    async with store.alone(PRUNING) as is_ours:
        old = await too_old(store, days) if await is_ours() else []
        for at in range(0, len(old), TOGETHER):
            part = _without(old[at : at + TOGETHER], spared())
            if not await is_ours():
                break
            if archive is not None:
                part = [table for table in part if await _archived(store, table, archive, work)]
            gone += await store.remove(_without(part, spared()), _before(days))
    return gone


async def too_old(store: Store, days: float) -> list[str]:
    """The tables at which nothing has happened for so many days."""
    return await store.old(_before(days))


def _without(tables: Sequence[str], spared: Collection[str]) -> list[str]:
    """The tables but for those at which somebody has sat down meanwhile."""
    return [table for table in tables if table not in spared]


def _before(days: float) -> int:
    return now_ms() - int(days * DAY_MS)


async def _archived(
    store: Store, table: str, archive: Path, work: Callable[[Callable[[], str]], Awaitable[str]]
) -> bool:
    """Write the record of a table into the archive; whether that could be done."""
    stored = await store.load(table)
    if stored is None:
        return False
    try:
        await work(lambda: _write(stored, archive))
    except Exception as fault:  # a table that no version can rebuild, or a disk that is full
        log.error("table %s stays, for it cannot be archived: %s", table, fault)
        return False
    return True


def _write(stored: StoredTable, archive: Path) -> str:
    """Add the record of a table to the file of its month; returns the record."""
    record = stored.table().record().text()
    archive.mkdir(parents=True, exist_ok=True)
    with (archive / f"{stored.created[:7]}.azul").open("a", encoding="utf-8") as file:
        file.write(record + "\n")
        file.flush()
        os.fsync(file.fileno())
    return record
