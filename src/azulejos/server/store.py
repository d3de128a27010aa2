"""Everything that lasts: tables, the digests of their seats' secrets, and their events, in a database.

An event is saved before anybody is told of it. One task does all the writing, and what waits to be saved at the same
moment goes into one transaction: saving takes a millisecond or more, and it is the same for one as for fifty. The
database is worked with in threads of its own: a whole transaction is one trip there and back.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from sqlalchemy import bindparam, func, insert, select, update
from sqlalchemy import event as listen
from sqlalchemy.engine import URL, Connection, Engine, create_engine
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from azulejos.server import events as e
from azulejos.server import metrics, schema
from azulejos.server.messages_out import Summary
from azulejos.server.refuse import Refuse

SCHEME: Final = "sqlite"
READERS: Final = 4
HEAD_BYTES: Final = 100
"""A file of SQLite is never shorter."""
BUSY_MS: Final = 3000
"""How long to wait for another process that writes."""
MOST_TOGETHER: Final = 200
"""Events in one transaction."""

Found = TypeVar("Found")

log = logging.getLogger(__name__)


class StorageError(Exception):
    """The database cannot be used, and why."""


class Conflict(Exception):
    """Somebody else has saved an event with this version."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table as it is stored."""

    id: str
    created: str
    setup: e.Setup
    secret: str
    """The dealer's."""
    digests: list[str | None]
    """Of the secrets of its seats; none for a computer's."""
    events: list[e.Happened]


@dataclass(slots=True)
class _Saving:
    """Rows that are to be saved together, or not at all."""

    done: asyncio.Future[None]
    events: list[dict[str, Any]]
    tables: list[dict[str, Any]] = field(default_factory=list)
    seats: list[dict[str, Any]] = field(default_factory=list)
    endings: list[dict[str, Any]] = field(default_factory=list)


class _File:
    """The file of the database: what is written after somebody has removed, replaced or cut it would be lost."""

    def __init__(self, path: Path) -> None:
        self._path, self._identity = path, _identity(path.stat())

    def check(self) -> None:
        """Raise unless it is still the same file and has a head."""
        try:
            found = self._path.stat()
        except OSError as fault:
            raise StorageError(f"the file {str(self._path)!r} has gone: {fault.strerror}") from fault
        if _identity(found) != self._identity or found.st_size < HEAD_BYTES:
            raise StorageError(f"the file {str(self._path)!r} is not the one that was opened")


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


class Store:
    """The database; made by `Store.open`."""

    def __init__(self, engine: Engine, tables: int, file: _File) -> None:
        self._engine, self._file = engine, file
        self._readers = ThreadPoolExecutor(READERS, "store-read")
        self._write_thread = ThreadPoolExecutor(1, "store-write")
        self._queue: list[_Saving] = []
        self._wake = asyncio.Event()
        self._writer = asyncio.create_task(self._write_all(), name="store")
        self._closing = False
        self.tables = tables
        """How many there are."""

    @classmethod
    async def open(cls, database: str) -> Store:
        """Open a database, a file or an address such as sqlite:///FILE, and bring it up to date."""
        path = _path(database)
        engine, tables = await asyncio.to_thread(_opened, path)
        return cls(engine, tables, _File(path))

    async def close(self) -> None:
        """Save what waits, and close."""
        self._closing = True
        self._wake.set()
        await self._writer
        self._readers.shutdown()
        self._write_thread.shutdown()
        self._engine.dispose()

    # ---- reading ----

    async def load(self, table: str) -> StoredTable | None:
        """A table with all its events, or None if there is no such table."""
        return await self._read(lambda connection: _load(connection, table))

    async def past_games(self, limit: int = 20, before: str | None = None) -> list[Summary]:
        """Finished games, newest first; `before` is when the last one seen was made."""
        found = schema.tables.c
        query = select(found.summary).where(found.finished.is_not(None))
        if before is not None:
            query = query.where(found.created < before)
        query = query.order_by(found.created.desc(), found.id.desc()).limit(limit)
        return await self._read(
            lambda connection: [msgspec.json.decode(text, type=Summary) for text in connection.scalars(query)]
        )

    async def is_well(self) -> bool:
        """Whether the database answers."""
        try:
            await self._read(_count)
            self._file.check()
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
            log.error("cannot read from the database: %s", getattr(fault, "orig", None) or fault)
            raise Refuse("storage_failed") from fault

    # ---- writing ----

    async def add(self, table: StoredTable) -> None:
        """Save a new table."""
        saving = self._saving([_event_row(table.id, at, event) for at, event in enumerate(table.events)])
        saving.tables, saving.seats = [_table_row(table)], _seat_rows(table)
        await self._queued(saving)
        self.tables += 1

    async def append(self, table: str, version: int, event: e.Happened, summary: Summary | None = None) -> None:
        """Save an event, and with the one that ends a game its summary.

        Raises `Conflict` if the version is taken, `Refuse` if it cannot be saved.
        """
        saving = self._saving([_event_row(table, version, event)])
        if summary is not None:
            text = msgspec.json.encode(summary).decode()
            saving.endings = [{"of": table, "finished": event.at, "summary": text}]
        await self._queued(saving)

    def _saving(self, events: list[dict[str, Any]]) -> _Saving:
        return _Saving(asyncio.get_running_loop().create_future(), events)

    async def _queued(self, saving: _Saving) -> None:
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
            return
        for saving in batch:
            _settle(saving.done, None)

    def _save(self, batch: Sequence[_Saving]) -> None:
        self._file.check()
        with self._engine.connect().execution_options(azulejos_writes=True) as connection, connection.begin():
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
    log.error("cannot write to the database: %s", getattr(fault, "orig", None) or fault)
    return Refuse("storage_failed")


def _event_row(table: str, version: int, event: e.Happened) -> dict[str, Any]:
    kind = str(event.__struct_config__.tag)
    return {"table_id": table, "version": version, "kind": kind, "payload": e.write(event), "at": event.at}


def _table_row(table: StoredTable) -> dict[str, Any]:
    return {"id": table.id, "created": table.created, "setup": e.write(table.setup), "secret": table.secret}


def _seat_rows(table: StoredTable) -> list[dict[str, Any]]:
    return [
        {"table_id": table.id, "seat": seat, "digest": digest}
        for seat, digest in enumerate(table.digests)
        if digest is not None
    ]


def now_ms() -> int:
    """The time of day in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def _load(connection: Connection, table: str) -> StoredTable | None:
    row = connection.execute(select(schema.tables).where(schema.tables.c.id == table)).first()
    if row is None:
        return None
    seats = select(schema.seats).where(schema.seats.c.table_id == table)
    digests = {found.seat: found.digest for found in connection.execute(seats)}
    payloads = connection.scalars(
        select(schema.events.c.payload).where(schema.events.c.table_id == table).order_by(schema.events.c.version)
    )
    events = [e.read_event(payload) for payload in payloads]
    setup = e.read_setup(row.setup)
    known = [digests.get(seat) for seat in range(len(setup.seats))]
    return StoredTable(row.id, row.created, setup, row.secret, known, events)


def _count(connection: Connection) -> int:
    return int(connection.scalar(select(func.count()).select_from(schema.tables)) or 0)


# ---- opening ----


def _path(database: str) -> Path:
    """The file that is meant by a path or by an address such as sqlite:///FILE."""
    scheme, separator, rest = database.partition("://")
    if not separator:
        return Path(database).expanduser().absolute()
    if scheme.partition("+")[0] != SCHEME:
        raise StorageError(f"cannot use a database of the kind {scheme!r}: expected a file or sqlite:///FILE")
    return Path(rest.removeprefix("/")).absolute()


def _opened(path: Path) -> tuple[Engine, int]:
    """The database in a file, brought up to date, and how many tables it has."""
    engine = _engine(path)
    try:
        _make_file(path)
        _bring_up_to_date(engine, path)
        with engine.connect() as connection:
            return engine, _count(connection)
    except (OSError, sqlite3.Error, SQLAlchemyError, StorageError) as fault:
        engine.dispose()
        reason = fault.strerror if isinstance(fault, OSError) else getattr(fault, "orig", None) or fault
        raise StorageError(f"cannot use the database {str(path)!r}: {reason}") from fault


def _make_file(path: Path) -> None:
    """A new file that nobody else may read: it holds the dealers' secrets."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _engine(path: Path) -> Engine:
    engine = create_engine(URL.create(SCHEME, database=str(path)), hide_parameters=True)
    listen.listen(engine, "connect", _set_up)
    listen.listen(engine, "begin", _begin)
    return engine


def _set_up(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # transactions begin where `_begin` says
    for pragma in (f"busy_timeout = {BUSY_MS}", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Any) -> None:
    writes = connection.get_execution_options().get("azulejos_writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _bring_up_to_date(engine: Engine, path: Path) -> None:
    names, found = _look_at(path)
    if found == schema.HEAD:
        return
    if names - {_VERSIONS} and found is None:
        raise StorageError("it holds something else")
    if found is not None and found > schema.HEAD:
        raise StorageError(
            f"it was made by a newer version of this program (schema {found}, this one knows {schema.HEAD})"
        )
    with engine.connect().execution_options(azulejos_writes=True) as connection, connection.begin():
        migrate(connection)


def _look_at(path: Path) -> tuple[set[str], str | None]:
    """The tables in a file and the last step of `migrations` it has seen; raises if the file cannot be used."""
    with closing(sqlite3.connect(path, timeout=BUSY_MS / 1000)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if _VERSIONS not in names:
            return names, None
        (found,) = connection.execute(f"SELECT version_num FROM {_VERSIONS}").fetchone() or (None,)
        return names, found


_VERSIONS: Final = "alembic_version"


def migrate(connection: Connection) -> None:
    """Run all steps that a database lacks."""
    from alembic import command  # noqa: PLC0415 - half a second that only a first start needs
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
