"""A database on a PostgreSQL server: one connection writes and holds a lock, so that no second server can write.

Servers that share the database hold the same lock together, and each the one of its own number (`leases`).
Every write goes through the connection that holds the lock: whoever loses the connection has lost the lock and takes it
again with the next one, or is refused. If a connection is lost while a transaction is being committed, nobody can know
whether it was. Then nothing is told; if it was, the next event at that table finds its version taken, and the table is
loaded again.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import event as listen
from sqlalchemy import text
from sqlalchemy.engine import Connection, Engine, create_engine
from sqlalchemy.exc import SQLAlchemyError

from azulejos.server.storage import address, leases
from azulejos.server.storage.database import Stand, StorageError, bring_up_to_date, count, reason, stand_of

LOCK: Final = int.from_bytes(b"azulejos", "big")
"""Whoever holds this lock in a database writes there."""
SETTING_UP: Final = LOCK + 1
"""Whoever holds this lock brings the database up to date."""
TASKS: Final = int.from_bytes(b"task", "big")
"""The first half of the locks of tasks that one server does for all; the second is the task."""
IN_USE: Final = "another azulejos server uses it; several can share it if all of them are started with --bus"
"""Why a second server is refused."""
OLDER_RUN: Final = "older servers use it, which could not go on after it is brought up to date: stop them first"
"""Why a newer server is refused beside older ones."""
MISSING: Final = "PostgreSQL needs the extra `postgres`: pip install 'azulejos[postgres]'"
"""What to do where the driver is not installed."""
ENCODING: Final = "UTF8"
"""The encoding of a database: names of people need all letters."""
POOL_SECONDS: Final = 10.0
"""How long to wait for a connection that somebody else uses."""
CONNECTION: Final = {
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",  # milliseconds
}
"""A server that does not answer is given up soon; an address may say otherwise."""
KEEPALIVES: Final = {
    "tcp_keepalives_idle": 10,
    "tcp_keepalives_interval": 5,
    "tcp_keepalives_count": 3,
    "tcp_user_timeout": 25_000,  # the same time for an answer that was on its way
}
"""The same seen from PostgreSQL: it frees the lock of a machine that is gone, by itself only after hours."""
HINTS: Final = (
    (r"database .* does not exist", "`createdb` makes it"),
    (r"no password supplied", "it can be in the address, in PGPASSWORD or in ~/.pgpass"),
    (r"permission denied for schema", "the user has to own the database"),
)
"""What can be done about a fault, by what PostgreSQL says."""

_VISIBLE: Final = text(
    "SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE relkind IN ('r', 'p') "
    "AND pg_table_is_visible(pg_class.oid) AND nspname NOT IN ('pg_catalog', 'information_schema')"
)
_END_OWN: Final = (
    "SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid) "
    f"WHERE locktype = 'advisory' AND classid = {LOCK >> 32} AND objid = {LOCK & 0xFFFFFFFF} "
    "AND application_name = current_setting('application_name') AND pid <> pg_backend_pid()"
)
"""PostgreSQL may not have noticed that a connection of ours is gone."""
_HOLDS: Final = (
    "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = {0} >> 32 AND objid = {0} & 4294967295 "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_OLDER: Final = text(f"SELECT count(*) FROM ({_HOLDS.format(LOCK)} EXCEPT {_HOLDS.format(SETTING_UP)}) AS older")
"""Servers that use the database and are not about to bring it up to date themselves."""
_FACTS: Final = (
    "SELECT oid, current_setting('server_encoding'), current_setting('transaction_read_only') "
    "FROM pg_database WHERE datname = current_database()"
)
_LASTING: Final = (
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
)


class Served:
    """A database on a PostgreSQL server."""

    def __init__(self, url: str, busy_ms: int, readers: int, number: int | None = None) -> None:
        dbapi, options = _driver(), _options(url)
        self._connection_options = options | {"application_name": "azulejos"}
        name = f"azulejos {secrets.token_hex(8)}"
        self._busy_ms, self._dbapi = busy_ms, dbapi
        self.number = number
        """Which of the servers that share it this one is; None: it has the database alone."""
        self._oid: int | None = None
        self.engine = _engine(dbapi, self._connection_options, readers)
        """The database as SQLAlchemy sees it."""
        self._writer = _engine(dbapi, options | {"application_name": name}, 1)
        listen.listen(self.engine, "connect", self._set_up)
        listen.listen(self._writer, "connect", self._set_up)
        listen.listen(self._writer, "connect", self._take)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction on the connection that holds the lock."""
        with self._writer.connect() as connection, connection.begin():
            yield connection

    def check(self) -> None:
        """Raise unless the lock is held, or can be had again."""
        try:
            with self._writer.connect():
                pass
        except SQLAlchemyError as fault:
            raise StorageError(_reason(fault)) from fault

    @contextmanager
    def alone(self, task: int) -> Iterator[Callable[[], bool]]:
        """Hold the lock of a task on a connection of its own, unless another server holds it."""
        try:
            connection = self._dbapi.connect(**self._connection_options, autocommit=True)
        except self._dbapi.Error as fault:
            raise StorageError(_reason(fault)) from fault
        with closing(connection):
            (is_ours,) = connection.execute(f"SELECT pg_try_advisory_lock({TASKS}, {task})").fetchone()

            def is_still_ours() -> bool:
                with suppress(self._dbapi.Error):
                    connection.execute("SELECT")  # a lost connection has lost the lock
                    return bool(is_ours)
                return False

            yield is_still_ours

    def close(self) -> None:
        """Close all connections, and free the lock with them."""
        self.engine.dispose()
        self._writer.dispose()

    def _set_up(self, connection: Any, _record: Any) -> None:
        _in_autocommit(connection, f"SET lock_timeout = {self._busy_ms}")

    def _take(self, connection: Any, _record: Any) -> None:
        """Take the lock for a new connection that is to write; see that it can, and that what it writes will last."""
        try:
            for name, value in KEEPALIVES.items():
                _in_autocommit(connection, f"SET {name} = {value}")
            self._check_facts(*_in_autocommit(connection, _FACTS))
            _in_autocommit(connection, _LASTING)
            _in_autocommit(connection, _END_OWN)
            self._lock(connection)
        except BaseException as fault:
            with suppress(self._dbapi.Error):
                connection.close()
            if isinstance(fault, self._dbapi.errors.LockNotAvailable):
                raise StorageError(IN_USE) from fault
            raise

    def _lock(self, connection: Any) -> None:
        if self.number is None:
            _in_autocommit(connection, f"SELECT pg_advisory_lock({LOCK})")
        else:
            _in_autocommit(connection, f"SELECT pg_advisory_lock_shared({LOCK})")
            _in_autocommit(connection, leases.lock_of(self.number))

    def _check_facts(self, oid: int, encoding: str, read_only: str) -> None:
        _check_kind(encoding, read_only)
        if self._oid not in (None, oid):
            raise StorageError("it is not the one that was opened: start the server again")
        self._oid = oid


def _check_kind(encoding: str, read_only: str) -> None:
    if encoding != ENCODING:
        raise StorageError(f"its encoding is {encoding}: make one with {ENCODING}")
    if read_only == "on":
        raise StorageError("it is read-only, perhaps a standby")


def _in_autocommit(connection: Any, statement: str) -> Any:
    """The first row of the answer, if there is one, without a transaction."""
    connection.autocommit = True
    try:
        cursor = connection.execute(statement)
        return cursor.fetchone() if cursor.description else None
    finally:
        if not connection.broken:
            connection.autocommit = False


def opened(database: str, busy_ms: int, readers: int, *, shared: bool = False) -> tuple[Served, int]:
    """The database at an address, brought up to date, and how many tables it has; waits so long for a lock."""
    try:
        url = address.read(database)
    except ValueError as fault:
        raise StorageError(str(fault)) from None
    served: Served | None = None
    try:
        served = Served(url, busy_ms, readers, leases.new_number() if shared else None)
        with served.writing() as connection:
            connection.execute(text(f"SELECT pg_advisory_xact_lock({SETTING_UP})"))
            stand = _look_at(connection)
            stand.check()
            if stand.shuts_out_older:
                _wait_for_older(connection, busy_ms)
            bring_up_to_date(stand, lambda: nullcontext(connection))
        with served.writing() as connection:
            return served, count(connection)
    except (SQLAlchemyError, StorageError) as fault:
        if served:
            served.close()
        raise StorageError(f"cannot use the database {address.shown(url)!r}: {_reason(fault)}") from fault


@dataclass(frozen=True, slots=True)
class Seen:
    """What a look at a database tells."""

    version: str
    """The version of PostgreSQL."""
    size: int
    """The size of the database in bytes."""
    tables: int | None
    """How many tables are stored; None if the database has nothing in it yet."""
    in_use: bool
    """Whether a server uses the database."""


def look(url: str) -> Seen:
    """Look at a database, and change nothing; raises `StorageError` if it cannot be used."""
    engine = _engine(_driver(), _options(url), 1)
    try:
        with engine.connect() as connection:
            _, encoding, read_only = connection.execute(text(_FACTS)).one()
            _check_kind(encoding, read_only)
            stand = _look_at(connection)
            stand.check()
            facts = connection.execute(text(_SEEN)).one()
            return Seen(facts.version, facts.size, None if stand.step is None else count(connection), facts.in_use)
    except SQLAlchemyError as fault:
        raise StorageError(_reason(fault)) from fault
    finally:
        engine.dispose()


_SEEN: Final = (
    "SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS size, "
    f"EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = {LOCK >> 32} "
    f"AND objid = {LOCK & 0xFFFFFFFF} AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) "
    "AS in_use"
)


def _look_at(connection: Connection) -> Stand:
    return stand_of(connection.scalars(_VISIBLE), lambda statement: connection.scalar(text(statement)))


def _wait_for_older(connection: Connection, busy_ms: int) -> None:
    """Raise `StorageError` if servers go on using the database that could not after it is brought up to date."""
    until = time.monotonic() + busy_ms / 1000
    while connection.scalar(_OLDER):
        if time.monotonic() > until:
            raise StorageError(OLDER_RUN)
        time.sleep(0.1)  # it may be one that is starting, as this one is


def _driver() -> Any:
    try:
        import psycopg  # noqa: PLC0415 - an extra
    except ImportError as fault:
        raise StorageError(MISSING) from fault
    return psycopg


def _options(url: str) -> dict[str, str]:
    """What libpq is told."""
    dbapi = _driver()
    try:
        chosen: dict[str, str] = dbapi.conninfo.conninfo_to_dict(url)
    except dbapi.Error as fault:
        raise StorageError(reason(fault)) from fault
    return CONNECTION | chosen | {"client_encoding": ENCODING}


def _engine(dbapi: Any, options: dict[str, str], connections: int) -> Engine:
    return create_engine(
        "postgresql+psycopg://",
        creator=lambda: dbapi.connect(**options),
        hide_parameters=True,
        pool_size=connections,
        max_overflow=0,
        pool_pre_ping=True,
        pool_timeout=POOL_SECONDS,
    )


def _reason(fault: BaseException) -> str:
    """What went wrong, with what can be done about it where that is known."""
    told = re.sub(r"^connection (failed|is bad): ", "", reason(fault))
    hints = [hint for pattern, hint in HINTS if re.search(pattern, told)]
    return f"{told} ({hints[0]})" if hints else told
