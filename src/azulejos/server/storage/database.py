"""What the store needs of a database, whichever it is, and how one is brought up to date."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final, Protocol

from sqlalchemy import func, select
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

    def writing(self) -> AbstractContextManager[Connection]:
        """A transaction that writes; raises `StorageError` if what is written could be lost."""
        ...

    def check(self) -> None:
        """Raise `StorageError` if nothing can be written at the moment."""
        ...

    def close(self) -> None:
        """Close the database."""
        ...


def reason(fault: BaseException) -> str:
    """What went wrong, in one line and without the statement."""
    if isinstance(fault, OSError) and fault.strerror:
        return fault.strerror
    cause = getattr(fault, "orig", None) or fault
    told = getattr(getattr(cause, "diag", None), "message_primary", None)  # PostgreSQL repeats the statement after it
    lines = str(told or cause).splitlines()
    return "; ".join(dict.fromkeys(" ".join(line.split()) for line in lines if line.strip())) or type(fault).__name__


def count(connection: Connection) -> int:
    """How many tables are stored."""
    return int(connection.scalar(select(func.count()).select_from(schema.tables)) or 0)


def check_step(names: set[str], found: str | None) -> None:
    """Raise `StorageError` unless tables of these names and this last step are those of a database of ours."""
    is_other = schema.tables.name not in names if found is not None else bool(names - {VERSIONS})
    if is_other:  # with a step, too: other programs use Alembic
        raise StorageError("it holds something else")
    if found is not None and found > schema.HEAD:
        raise StorageError(
            f"it was made by a newer version of this program (schema {found}, this one knows {schema.HEAD})"
        )


def bring_up_to_date(
    names: set[str], found: str | None, writing: Callable[[], AbstractContextManager[Connection]]
) -> None:
    """Run the steps that a database lacks which has tables of these names and has seen this step last."""
    check_step(names, found)
    if found != schema.HEAD:
        with writing() as connection:
            migrate(connection)


def migrate(connection: Connection, last: str = "head") -> None:
    """Run all steps that a database lacks, up to this one."""
    from alembic import command  # noqa: PLC0415 - half a second that only a first start needs
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, last)
