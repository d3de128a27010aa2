"""What the store needs of a database, whichever it is, and how one is brought up to date."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from sqlalchemy import delete, func, insert, select
from sqlalchemy.engine import Connection, Engine

from azulejos.server.storage import schema

VERSIONS: Final = "alembic_version"
"""The table in which Alembic notes the last step."""


class StorageError(Exception):
    """The database cannot be used, and why."""


class Database(Protocol):
    """A database that is open: `sqlite.File` or `postgres.Served`."""

    engine: Engine
    """The engine for reading."""
    number: int | None
    """Which of the servers that share it this one is; None: it has the database alone."""

    def writing(self) -> AbstractContextManager[Connection]:
        """A transaction that writes; raises `StorageError` if what is written could be lost."""
        ...

    def check(self) -> None:
        """Raise `StorageError` if nothing can be written at the moment."""
        ...

    def alone(self, task: int) -> AbstractContextManager[Callable[[], bool]]:
        """Keep the servers that share the database from a task meanwhile, if none of them does it already.

        Gives a question: whether the task is this server's, and still is.
        """
        ...

    def close(self) -> None:
        """Close the database."""
        ...


def now_ms() -> int:
    """The time as it is stored: milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def reason(fault: BaseException) -> str:
    """What went wrong, in one line and without the statement."""
    if isinstance(fault, OSError) and fault.strerror:
        return fault.strerror
    cause = getattr(fault, "orig", None) or fault
    told = getattr(getattr(cause, "diag", None), "message_primary", None)  # PostgreSQL repeats the statement after it
    lines = str(told or cause).splitlines()
    return "; ".join(dict.fromkeys(" ".join(line.split()) for line in lines if line.strip())) or type(fault).__name__


def is_full(fault: BaseException) -> bool:
    """Whether the disk of a database has no room left."""
    cause = getattr(fault, "orig", None)
    return getattr(cause, "sqlite_errorname", None) == "SQLITE_FULL" or getattr(cause, "sqlstate", None) == "53100"


def count(connection: Connection) -> int:
    """How many tables are stored."""
    return int(connection.scalar(select(func.count()).select_from(schema.tables)) or 0)


@dataclass(frozen=True, slots=True)
class Stand:
    """How far a database has come."""

    names: frozenset[str]
    """Its tables."""
    step: str | None = None
    """The last step of `migrations` that it has seen; None: none."""
    oldest: str | None = None
    """The step of the oldest programs that can use it, where that is written."""

    @property
    def is_behind(self) -> bool:
        """Whether it lacks steps that this program has; one that a newer program has changed does not."""
        return self.step is None or self.step < schema.HEAD

    @property
    def shuts_out_older(self) -> bool:
        """Whether programs that use it now could not after this one has brought it up to date."""
        return self.is_behind and self.step is not None and self.step < schema.OLDEST

    def check(self) -> None:
        """Raise `StorageError` unless it is a database of ours that this program can use."""
        is_other = bool(self.names - {VERSIONS}) if self.step is None else schema.tables.name not in self.names
        if is_other:  # with a step, too: other programs use Alembic
            raise StorageError("it holds something else")
        if self.step is not None and self.step > schema.HEAD and (self.oldest is None or self.oldest > schema.HEAD):
            raise StorageError(
                f"it was made by a newer version of this program (schema {self.step}, this one knows {schema.HEAD})"
            )


def stand_of(names: Iterable[str], ask: Callable[[str], str | None]) -> Stand:
    """How far a database with tables of these names has come; asked are statements that answer with one word."""
    named = frozenset(names)
    step = ask(f"SELECT version_num FROM {VERSIONS}") if VERSIONS in named else None
    mark = schema.compatibility.name
    return Stand(named, step, ask(f"SELECT oldest FROM {mark}") if mark in named else None)


def bring_up_to_date(stand: Stand, writing: Callable[[], AbstractContextManager[Connection]]) -> None:
    """Run the steps that a database lacks which has come so far."""
    stand.check()
    if stand.is_behind:
        with writing() as connection:
            migrate(connection)
            connection.execute(delete(schema.compatibility))
            connection.execute(insert(schema.compatibility).values(oldest=schema.OLDEST))


def migrate(connection: Connection, last: str = "head") -> None:
    """Run all steps that a database lacks, up to this one."""
    from alembic import command  # noqa: PLC0415 - half a second that only a first start needs
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, last)
