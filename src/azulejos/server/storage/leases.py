"""Who runs the clocks and the computers of a table, where several servers share a PostgreSQL database.

Every server has a number and holds an advisory lock of that number on the connection with which it writes. A table
names the number of its holder; that of a server which has died means nothing, for PostgreSQL frees the lock with the
connection. So there is no time to agree upon, and nothing to renew. A lease only saves work: what keeps two servers
from playing the same move is that a version can be stored once.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import text
from sqlalchemy.engine import Connection

from azulejos.server.storage.database import now_ms

NUMBERS: Final = int.from_bytes(b"hold", "big")
"""The first half of the locks that servers hold on their numbers; the second is the number."""

_ALIVE: Final = (
    f"SELECT objid::int8 FROM pg_locks WHERE locktype = 'advisory' AND classid = {NUMBERS} AND objsubid = 2 "
    "AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_STANDING: Final = text(
    "SELECT id, holder, held, (SELECT max(version) FROM events WHERE table_id = tables.id) FROM tables "
    "WHERE id = ANY(:tables)"
)
_TAKE: Final = text(
    "UPDATE tables SET holder = :own, held = :now WHERE id IN (SELECT id FROM tables WHERE id = ANY(:tables) "
    f"AND (holder IS NULL OR holder = :own OR holder NOT IN ({_ALIVE})) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED) "
    "RETURNING id"
)
_RELEASE: Final = text("UPDATE tables SET holder = NULL WHERE id = ANY(:tables) AND holder = :own")


@dataclass(frozen=True, slots=True)
class Shared:
    """How a table stands in the database."""

    version: int
    """The number of its last event."""
    holder: int | None
    """The number of the server that runs its clocks and computers, if it is alive."""
    held: int
    """For how many milliseconds it has done so."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at the database tells about some tables and those who share them."""

    alive: frozenset[int]
    """The numbers of the servers that run."""
    tables: dict[str, Shared]
    """The tables by their ids."""


def new_number() -> int:
    """A number for a server."""
    return secrets.randbelow(2**31 - 1) + 1


def lock_of(number: int) -> str:
    """The statement that takes the lock of a number."""
    return f"SELECT pg_advisory_lock({NUMBERS}, {number})"


def look(connection: Connection, tables: Sequence[str]) -> Look:
    """How these tables stand."""
    alive = frozenset(connection.scalars(text(_ALIVE)))
    rows = connection.execute(_STANDING, {"tables": list(tables)})
    now = now_ms()
    found = {
        table: Shared(version, holder if holder in alive else None, max(0, now - (held or now)))
        for table, holder, held, version in rows
    }
    return Look(alive, found)


def take(connection: Connection, tables: Sequence[str], own: int) -> frozenset[str]:
    """Take those of the tables that no living server has; returns them."""
    return frozenset(connection.scalars(_TAKE, {"tables": list(tables), "own": own, "now": now_ms()}))


def held_elsewhere(connection: Connection, tables: Sequence[str], own: int) -> frozenset[str]:
    """Those of the tables that another living server has."""
    found = look(connection, tables).tables
    return frozenset(table for table, standing in found.items() if standing.holder not in (None, own))


def release(connection: Connection, tables: Sequence[str], own: int) -> None:
    """Give tables back that are one's own."""
    connection.execute(_RELEASE, {"tables": list(tables), "own": own})
