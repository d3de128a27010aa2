"""Deleting tables from the database."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, func, select
from sqlalchemy.engine import Connection

from azulejos.server.storage import schema


def remove(connection: Connection, tables: Sequence[str], before: int) -> int:
    """Delete those of these tables at which nothing has happened since a time; returns how many.

    A table whose row somebody else has locked is in use and stays. PostgreSQL lets nobody add an event to one that is
    locked here: whoever wants to is told that there is no such table any more, and a move is never deleted after it
    was accepted. Whether a table is old is asked once it is locked, for until then something may have happened.
    """
    row = schema.tables.c
    lock = select(row.id).where(row.id.in_(tables)).order_by(row.id).with_for_update(skip_locked=True)
    locked = list(connection.scalars(lock))
    found = schema.events.c
    query = select(found.table_id).where(found.table_id.in_(locked)).group_by(found.table_id)
    old = list(connection.scalars(query.having(func.max(found.at) < before)))
    for table, key in (
        (schema.events, schema.events.c.table_id),
        (schema.seats, schema.seats.c.table_id),
        (schema.tables, schema.tables.c.id),
    ):
        connection.execute(delete(table).where(key.in_(old)))
    return len(old)
