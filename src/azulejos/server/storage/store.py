"""Everything that lasts: tables, the digests of their seats' secrets, and their events, in a database.

An event is saved before anybody is told of it. One task does all the writing, and what waits to be saved at the same
moment goes into one transaction: saving takes a millisecond or more, and it is the same for one as for fifty. The
database is worked with in threads of its own: a whole transaction is one trip there and back.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Final, Literal, TypeVar

import msgspec
from sqlalchemy import bindparam, func, insert, literal, select, text, tuple_, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from azulejos.server import metrics, traces
from azulejos.server.storage import address, leases, listed, pruned, schema, sqlite, stored_table
from azulejos.server.storage.catching_up import CatchingUp, Saved
from azulejos.server.storage.database import VERSIONS, Database, StorageError, count, is_full, reason
from azulejos.server.storage.stored_table import StoredTable, as_json, event_row, seat_rows, table_row
from azulejos.server.tables import events as e
from azulejos.server.tables.info import Listing, Summary
from azulejos.server.tables.refusal import Refuse

READERS: Final = 4
"""How many threads read."""
BUSY_MS: Final = 3000
"""Milliseconds to wait for another process that writes."""
MOST_TOGETHER: Final = 200
"""The most savings in one transaction."""
COUNT_REST: Final = 100
"""After counting tables it is not done again for so many times as long: a million take a good part of a second."""
NUL: Final = "\0"
"""A letter that no text in PostgreSQL can hold."""

Found = TypeVar("Found")
"""What a question to the database gives."""

log = logging.getLogger(__name__)
"""The logger of this module."""


class Conflict(Exception):
    """Somebody else has saved an event with this version."""


@dataclass(slots=True)
class _Saving:
    """Rows that are to be saved together, or not at all."""

    events: list[dict[str, Any]]
    tables: list[dict[str, Any]] = field(default_factory=list)
    seats: list[dict[str, Any]] = field(default_factory=list)
    endings: list[dict[str, Any]] = field(default_factory=list)
    listings: list[dict[str, Any]] = field(default_factory=list)
    done: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Store:
    """The database; made by `Store.open`."""

    def __init__(self, database: Database, tables: int) -> None:
        self._database, self._engine = database, database.engine
        self._readers = ThreadPoolExecutor(READERS, "store-read")
        self._catching_up = CatchingUp(self._read)
        self._write_thread = ThreadPoolExecutor(1, "store-write")
        self._queue: list[_Saving] = []
        self._wake = asyncio.Event()
        self._writer = asyncio.create_task(self._write_all(), name="store")
        self._closing = False
        self.tables = tables
        """How many tables are stored; those that other servers make are counted now and then."""
        self._count_at = 0.0

    @classmethod
    async def open(cls, database: str, *, shared: bool = False) -> Store:
        """Open a database and bring it up to date: a file, sqlite:///FILE or postgresql://USER@HOST/NAME.

        Only the last can be shared with other servers, and only with those that share it too.
        """
        return cls(*await asyncio.to_thread(_opened, database, shared))

    @property
    def number(self) -> int | None:
        """Which of the servers that share the database this one is; None: it has the database alone."""
        return self._database.number

    @property
    def waiting(self) -> int:
        """How many events wait to be saved."""
        return len(self._queue)

    async def close(self) -> None:
        """Save what waits, and close."""
        self._closing = True
        self._wake.set()
        await self._writer
        self._readers.shutdown()
        self._write_thread.shutdown()
        self._database.close()

    # ---- reading ----

    async def load(self, table: str) -> StoredTable | None:
        """A table with all its events, or None if there is no such table."""
        if NUL in table:  # which PostgreSQL takes in no text
            return None
        return await self._read(lambda connection: stored_table.load(connection, table))

    async def since(self, table: str, version: int) -> list[Saved]:
        """What happened at a table after this version, in order."""
        return await self._catching_up.since(table, version)

    async def past_games(self, limit: int = 20, before: str | None = None) -> list[Summary]:
        """Finished games, newest first; `before` is the table of the last one seen."""
        found = schema.tables.c
        query = select(found.summary).where(found.finished.is_not(None))
        if before is not None:
            seen = before.partition(NUL)[0]
            made = select(found.created).where(found.id == seen).scalar_subquery()
            query = query.where(tuple_(found.created, found.id) < tuple_(made, literal(seen)))
        query = query.order_by(found.created.desc(), found.id.desc()).limit(limit)
        return await self._read(
            lambda connection: [msgspec.json.decode(found, type=Summary) for found in connection.scalars(query)]
        )

    async def lobby(self) -> list[Listing]:
        """The tables of the lobby at which somebody is, the newest first."""
        return await self._read(listed.find)

    async def is_well(self) -> bool:
        """Whether something can be saved."""
        return await self.trouble() is None

    async def trouble(self) -> str | None:
        """Why nothing can be saved at the moment, as everybody may know it; None if something can."""

        def try_to_write() -> None:
            with self._database.writing() as connection:
                connection.execute(_TRIAL)

        try:
            await self._read(lambda connection: connection.execute(_LOOK))
            await asyncio.get_running_loop().run_in_executor(self._write_thread, try_to_write)
        except Refuse:
            return "the database does not answer"
        except (SQLAlchemyError, StorageError) as fault:
            log.error("cannot write to the database: %s", reason(fault))
            return "the database has no room left" if is_full(fault) else "the database cannot be written"
        return None

    # ---- what is old ----

    async def old(self, before: int) -> list[str]:
        """The tables at which nothing has happened since this time, in milliseconds since 1970."""
        found = schema.events.c
        query = select(found.table_id).group_by(found.table_id).having(func.max(found.at) < before)
        return await self._read(lambda connection: list(connection.scalars(query)))

    async def remove(self, tables: Sequence[str], before: int) -> int:
        """Delete those of these tables at which still nothing has happened since this time; returns how many.

        Those stay that another server has at the moment.
        """

        def removed(connection: Connection) -> int:
            own = self.number
            held = leases.held_elsewhere(connection, tables, own) if own is not None else frozenset()
            return pruned.remove(connection, [table for table in tables if table not in held], before)

        gone = await self._lease(removed)
        self.tables -= gone
        return gone

    @asynccontextmanager
    async def alone(self, task: int) -> AsyncIterator[Callable[[], Awaitable[bool]]]:
        """Keep the servers that share the database from a task meanwhile; gives the question whether it is ours."""
        loop = asyncio.get_running_loop()
        kept = self._database.alone(task)
        try:
            is_ours = await loop.run_in_executor(self._readers, kept.__enter__)
        except StorageError as fault:
            raise _storage_failed(fault) from fault
        try:
            yield lambda: loop.run_in_executor(self._readers, is_ours)
        finally:
            await loop.run_in_executor(self._readers, kept.__exit__, None, None, None)

    # ---- sharing ----

    async def look(self, tables: Sequence[str]) -> leases.Look:
        """How these tables stand, and who shares them; takes the locks of this server again if they were lost."""
        try:
            await asyncio.get_running_loop().run_in_executor(self._readers, self._database.check)
        except StorageError as fault:
            raise _storage_failed(fault) from fault
        await self._count_again()
        return await self._read(lambda connection: leases.look(connection, tables))

    async def _count_again(self) -> None:
        """Count the tables that are stored, as often as that takes next to no time."""
        if time.monotonic() >= self._count_at:
            started = time.monotonic()
            self.tables = await self._read(count)
            self._count_at = time.monotonic() + COUNT_REST * (time.monotonic() - started)

    async def take(self, tables: Sequence[str]) -> frozenset[str]:
        """Take the leases of those of the tables that no other living server has; returns these."""
        return await self._lease(lambda connection: leases.take(connection, tables, self.number or 0))

    async def release(self, tables: Sequence[str]) -> None:
        """Give back the leases of these tables."""
        await self._lease(lambda connection: leases.release(connection, tables, self.number or 0))

    async def attend(self, tables: Sequence[str]) -> None:
        """Note that somebody is at these tables, which are in the lobby."""
        await self._lease(lambda connection: listed.attend(connection, tables))

    async def _lease(self, function: Callable[[Connection], Found]) -> Found:
        def lease() -> Found:
            with self._database.writing() as connection:
                return function(connection)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._write_thread, lease)
        except (SQLAlchemyError, StorageError) as fault:
            raise _storage_failed(fault) from fault

    async def _read(self, function: Callable[[Connection], Found]) -> Found:
        def read() -> Found:
            with self._engine.connect() as connection:
                return function(connection)

        try:
            with metrics.READ_SECONDS.time():
                return await asyncio.get_running_loop().run_in_executor(self._readers, read)
        except (SQLAlchemyError, msgspec.MsgspecError) as fault:
            log.error("cannot read from the database: %s", reason(fault))
            raise Refuse("storage_failed") from fault

    # ---- writing ----

    async def add(self, table: StoredTable, listing: Listing | None = None) -> None:
        """Save a new table, and how it stands in the lobby."""
        events = [event_row(table.id, version, event) for version, event in enumerate(table.events)]
        await self._saved(_Saving(events, tables=[table_row(table, listing)], seats=seat_rows(table)))
        self.tables += 1

    async def append(
        self,
        table: str,
        version: int,
        event: e.TableEvent,
        summary: Summary | None = None,
        listing: Listing | Literal["same"] | None = "same",
    ) -> None:
        """Save an event, with the one that ends a game its summary, and how the table stands in the lobby then.

        Raises `Conflict` if the version is taken, `Refuse` if it cannot be saved.
        """
        row = event_row(table, version, event)
        ends = [] if summary is None else [{"of": table, "finished": row["at"], "summary": as_json(summary)}]
        lists = [] if listing == "same" else [listed.row(table, listing)]
        with traces.span("commit", table=table, version=version, kind=row["kind"]):
            await self._saved(_Saving([row], endings=ends, listings=lists))

    async def _saved(self, saving: _Saving) -> None:
        if self._closing:
            raise Refuse("storage_failed")
        self._queue.append(saving)
        self._wake.set()
        await saving.done

    async def _write_all(self) -> None:
        while self._queue or not self._closing:
            if not self._queue:
                self._wake.clear()
                await self._wake.wait()
                continue
            batch, self._queue = self._queue[:MOST_TOGETHER], self._queue[MOST_TOGETHER:]
            with metrics.COMMIT_SECONDS.time():
                await self._write(batch)

    async def _write(self, batch: Sequence[_Saving]) -> None:
        """Save these together; if that fails each alone, so that one does not spoil the others."""
        error: Exception | None = None
        try:
            await asyncio.get_running_loop().run_in_executor(self._write_thread, self._save, batch)
        except Exception as fault:
            if len(batch) > 1 and isinstance(fault, IntegrityError):
                for saving in batch:
                    await self._write([saving])
                return
            error = Conflict() if isinstance(fault, IntegrityError) else _storage_failed(fault)
        for saving in batch:
            _settle(saving.done, error)

    def _save(self, batch: Sequence[_Saving]) -> None:
        with self._database.writing() as connection:
            for statement, rows in (
                (insert(schema.tables), [row for saving in batch for row in saving.tables]),
                (insert(schema.seats), [row for saving in batch for row in saving.seats]),
                (insert(schema.events), sorted((row for saving in batch for row in saving.events), key=_KEY)),
                (_END, [row for saving in batch for row in saving.endings]),
                (listed.LIST, [row for saving in batch for row in saving.listings]),
            ):
                if rows:
                    connection.execute(statement, rows)


_LOOK: Final = select(schema.tables.c.id).limit(1)
_TRIAL: Final = text(f"UPDATE {VERSIONS} SET version_num = version_num")
"""Changes nothing, but is written."""
_KEY: Final = itemgetter("table_id", "version")
"""Rows that several servers save are saved in one order, or they would wait for each other for ever."""
_END: Final = (
    update(schema.tables)
    .where(schema.tables.c.id == bindparam("of"))
    .values(finished=bindparam("finished"), summary=bindparam("summary"))
)


def _settle(done: asyncio.Future[None], error: Exception | None) -> None:
    if done.done():  # whoever waited has gone
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)


def _storage_failed(fault: Exception) -> Refuse:
    log.error("cannot write to the database: %s", reason(fault))
    return Refuse("storage_failed")


def _opened(database: str, shared: bool) -> tuple[Database, int]:
    """The database, and how many tables it has."""
    if not address.is_postgres(database):
        return sqlite.opened(database, BUSY_MS)
    from azulejos.server.storage import postgres  # noqa: PLC0415 - only it needs psycopg

    return postgres.opened(database, BUSY_MS, READERS, shared=shared)
