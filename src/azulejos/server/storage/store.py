"""Everything that lasts: tables, the digests of their seats' secrets, and their events, in a database.

An event is saved before anybody is told of it. One task does all the writing, and what waits to be saved at the same
moment goes into one transaction: saving takes a millisecond or more, and it is the same for one as for fifty. The
database is worked with in threads of its own: a whole transaction is one trip there and back.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import msgspec
from sqlalchemy import bindparam, insert, literal, select, tuple_, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from azulejos.game.dealer import Dealer
from azulejos.server import metrics
from azulejos.server.storage import address, schema, sqlite
from azulejos.server.storage.database import Database, StorageError, count, reason
from azulejos.server.tables import events as e
from azulejos.server.tables.info import Summary
from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.setup import Setup
from azulejos.server.tables.table import Table

READERS: Final = 4
"""How many threads read."""
BUSY_MS: Final = 3000
"""Milliseconds to wait for another process that writes."""
MOST_TOGETHER: Final = 200
"""The most savings in one transaction."""
NUL: Final = "\0"
"""A letter that no text in PostgreSQL can hold."""

Found = TypeVar("Found")
"""What a question to the database gives."""

log = logging.getLogger(__name__)
"""The logger of this module."""


class Conflict(Exception):
    """Somebody else has saved an event with this version."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table as it is stored."""

    id: str
    """What stands in its address."""
    created: str
    """When it was made."""
    setup: Setup
    """How it was set up."""
    secret: str
    """The dealer's secret."""
    digests: list[str | None]
    """The digests of its seats' secrets; None for a computer's."""
    events: list[e.TableEvent]
    """Everything that happened since, in order."""

    def table(self) -> Table:
        """The table that follows from all this."""
        return Table.rebuilt(self.id, self.created, self.setup, Dealer.from_text(self.secret), self.events)


@dataclass(slots=True)
class _Saving:
    """Rows that are to be saved together, or not at all."""

    events: list[dict[str, Any]]
    tables: list[dict[str, Any]] = field(default_factory=list)
    seats: list[dict[str, Any]] = field(default_factory=list)
    endings: list[dict[str, Any]] = field(default_factory=list)
    done: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Store:
    """The database; made by `Store.open`."""

    def __init__(self, database: Database, tables: int) -> None:
        self._database, self._engine = database, database.engine
        self._readers = ThreadPoolExecutor(READERS, "store-read")
        self._write_thread = ThreadPoolExecutor(1, "store-write")
        self._queue: list[_Saving] = []
        self._wake = asyncio.Event()
        self._writer = asyncio.create_task(self._write_all(), name="store")
        self._closing = False
        self.tables = tables
        """How many tables are stored."""

    @classmethod
    async def open(cls, database: str) -> Store:
        """Open a database and bring it up to date: a file, sqlite:///FILE or postgresql://USER@HOST/NAME."""
        return cls(*await asyncio.to_thread(_opened, database))

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
        return await self._read(lambda connection: _load(connection, table))

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
            lambda connection: [msgspec.json.decode(text, type=Summary) for text in connection.scalars(query)]
        )

    async def is_well(self) -> bool:
        """Whether the database answers."""
        try:
            await self._read(count)
            await asyncio.get_running_loop().run_in_executor(self._readers, self._database.check)
        except (Refuse, StorageError):
            return False
        return True

    async def _read(self, function: Callable[[Connection], Found]) -> Found:
        def read() -> Found:
            with self._engine.connect() as connection:
                return function(connection)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, read)
        except (SQLAlchemyError, msgspec.MsgspecError) as fault:
            log.error("cannot read from the database: %s", reason(fault))
            raise Refuse("storage_failed") from fault

    # ---- writing ----

    async def add(self, table: StoredTable) -> None:
        """Save a new table."""
        events = [_event_row(table.id, version, event) for version, event in enumerate(table.events)]
        await self._saved(_Saving(events, tables=[_table_row(table)], seats=_seat_rows(table)))
        self.tables += 1

    async def append(self, table: str, version: int, event: e.TableEvent, summary: Summary | None = None) -> None:
        """Save an event, and with the one that ends a game its summary.

        Raises `Conflict` if the version is taken, `Refuse` if it cannot be saved.
        """
        row = _event_row(table, version, event)
        ends = [] if summary is None else [{"of": table, "finished": row["at"], "summary": _json(summary)}]
        await self._saved(_Saving([row], endings=ends))

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
                (insert(schema.events), [row for saving in batch for row in saving.events]),
                (_END, [row for saving in batch for row in saving.endings]),
            ):
                if rows:
                    connection.execute(statement, rows)


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


def _json(thing: Setup | Summary) -> str:
    return msgspec.json.encode(thing).decode()


def _event_row(table: str, version: int, event: e.TableEvent) -> dict[str, Any]:
    at = time.time_ns() // 1_000_000
    return {"table_id": table, "version": version, "kind": e.kind_of(event), "payload": e.write(event), "at": at}


def _table_row(table: StoredTable) -> dict[str, Any]:
    return {"id": table.id, "created": table.created, "setup": _json(table.setup), "secret": table.secret}


def _seat_rows(table: StoredTable) -> list[dict[str, Any]]:
    return [
        {"table_id": table.id, "seat": seat, "digest": digest}
        for seat, digest in enumerate(table.digests)
        if digest is not None
    ]


def _load(connection: Connection, table: str) -> StoredTable | None:
    row = connection.execute(select(schema.tables).where(schema.tables.c.id == table)).first()
    if row is None:
        return None
    seats = select(schema.seats).where(schema.seats.c.table_id == table)
    digests = {found.seat: found.digest for found in connection.execute(seats)}
    found = schema.events.c
    rows = connection.execute(select(found.kind, found.payload).where(found.table_id == table).order_by(found.version))
    events = [e.read(kind, payload) for kind, payload in rows]
    setup = msgspec.json.decode(row.setup, type=Setup)
    known = [digests.get(seat) for seat in range(len(setup.seats))]
    return StoredTable(row.id, row.created, setup, row.secret, known, events)


def _opened(database: str) -> tuple[Database, int]:
    """The database, and how many tables it has."""
    if not address.is_postgres(database):
        return sqlite.opened(database, BUSY_MS)
    from azulejos.server.storage import postgres  # noqa: PLC0415 - only it needs psycopg

    return postgres.opened(database, BUSY_MS, READERS)
