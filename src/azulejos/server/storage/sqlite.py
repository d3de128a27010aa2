"""A database that is a file of SQLite: opening it, and noticing when somebody has removed or replaced it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from filelock import FileLock, Timeout
from sqlalchemy import event as listen
from sqlalchemy.engine import URL, Connection, Engine, create_engine
from sqlalchemy.exc import SQLAlchemyError

from azulejos.server.storage import address, schema
from azulejos.server.storage.database import Stand, StorageError, bring_up_to_date, count, reason, stand_of

HEAD_BYTES: Final = 100
"""Bytes that a file of SQLite has at least."""
LOCK: Final = ".lock"
"""The end of the name of the file that a server keeps locked while it uses a database."""
IN_USE: Final = "another azulejos server uses it (several can share a PostgreSQL database, with --bus)"
"""Why a second server is refused."""


class File:
    """The file of the database: what is written after somebody has removed, replaced or cut it would be lost."""

    number: int | None = None
    """A file is never shared."""

    def __init__(self, engine: Engine, path: Path, lock: FileLock) -> None:
        self.engine = engine
        """The database as SQLAlchemy sees it."""
        self._path, self._identity, self._lock = path, _identity(path.stat()), lock

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes."""
        self.check()
        with _writing(self.engine) as connection:
            yield connection

    def check(self) -> None:
        """Raise unless it is still the same file and has a head."""
        try:
            found = self._path.stat()
        except OSError as fault:
            raise StorageError(f"the file {str(self._path)!r} has gone: {fault.strerror}") from fault
        if _identity(found) != self._identity or found.st_size < HEAD_BYTES:
            raise StorageError(f"the file {str(self._path)!r} is not the one that was opened")

    def alone(self, task: int) -> AbstractContextManager[Callable[[], bool]]:  # noqa: ARG002 - there is nobody else
        """Every task is this server's."""
        return nullcontext(lambda: True)

    def close(self) -> None:
        """Close all connections, and let another server have it."""
        self.engine.dispose()
        self._lock.release()


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


@contextmanager
def _writing(engine: Engine) -> Iterator[Connection]:
    with engine.connect().execution_options(azulejos_writes=True) as connection, connection.begin():
        yield connection


def opened(database: str, busy_ms: int) -> tuple[File, int]:
    """The database in a file, brought up to date, and how many tables it has; waits so long for who else writes."""
    try:
        path = address.path_of(database)
    except ValueError as fault:
        raise StorageError(str(fault)) from None
    engine = _engine(path, busy_ms)
    lock = FileLock(f"{path}{LOCK}", timeout=busy_ms / 1000, thread_local=False)
    try:
        _make_file(path)
        found = _look_first(path, busy_ms)
        _take(lock)
        bring_up_to_date(found, lambda: _writing(engine))
        with engine.connect() as connection:
            return File(engine, path, lock), count(connection)
    except (OSError, sqlite3.Error, SQLAlchemyError, StorageError) as fault:
        engine.dispose()
        lock.release()
        raise StorageError(f"cannot use the database {str(path)!r}: {reason(fault)}") from fault


def _take(lock: FileLock) -> None:
    try:
        lock.acquire()
    except Timeout:
        raise StorageError(IN_USE) from None


def _make_file(path: Path) -> None:
    """A new file that nobody else may read: it holds the dealers' secrets."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _engine(path: Path, busy_ms: int) -> Engine:
    def set_up(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin where `_begin` says
        for pragma in (f"busy_timeout = {busy_ms}", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")

    engine = create_engine(URL.create(address.SQLITE, database=str(path)), hide_parameters=True)
    listen.listen(engine, "connect", set_up)
    listen.listen(engine, "begin", _begin)
    return engine


def _begin(connection: Any) -> None:
    writes = connection.get_execution_options().get("azulejos_writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def look(path: Path) -> int | None:
    """How many tables are stored in a file, or None if it has nothing in it yet.

    Changes nothing; raises `StorageError` if the file cannot be used.
    """
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as connection:
            stand = _look_at(connection)
            stand.check()
            if stand.step is None:
                return None
            (tables,) = connection.execute(f"SELECT count(*) FROM {schema.tables.name}").fetchone()
            return int(tables)
    except sqlite3.Error as fault:
        raise StorageError(reason(fault)) from fault


def _look_first(path: Path, busy_ms: int) -> Stand:
    """The same as `_look_at`, of a file that is going to be written; raises if it cannot be."""
    with closing(sqlite3.connect(path, timeout=busy_ms / 1000)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        return _look_at(connection)


def _look_at(connection: sqlite3.Connection) -> Stand:
    def ask(statement: str) -> str | None:
        (found,) = connection.execute(statement).fetchone() or (None,)
        return found

    names = (name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'"))
    return stand_of(names, ask)
