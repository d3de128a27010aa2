"""The tables of the lobby, as the database has them for all servers that share it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from sqlalchemy import bindparam, select, update
from sqlalchemy.engine import Connection

from azulejos.server.storage import schema
from azulejos.server.storage.database import now_ms
from azulejos.server.tables.info import Listing

MOST_LISTED: Final = 100
"""Tables that are told at once."""
ATTENDED_SECONDS: Final = 45
"""A table at which nobody of its people was for so long is not told."""
LIST: Final = (
    update(schema.tables)
    .where(schema.tables.c.id == bindparam("of"))
    .values(listing=bindparam("listing"), attended=bindparam("attended"))
)
"""Changes what the lobby tells of a table."""


def row(table: str, listing: Listing | None) -> dict[str, str | int | None]:
    """What is put into `LIST`: how a table stands in the lobby, or that it is there no longer."""
    return {"of": table, **columns(listing)}


def columns(listing: Listing | None) -> dict[str, str | int | None]:
    """What a table's row says of the lobby."""
    text = None if listing is None else msgspec.json.encode(listing).decode()
    return {"listing": text, "attended": text and now_ms()}


def find(connection: Connection) -> list[Listing]:
    """The tables at which somebody is, the newest first."""
    found = schema.tables.c
    since = now_ms() - ATTENDED_SECONDS * 1000
    query = select(found.listing).where(found.listing.is_not(None), found.attended > since)
    query = query.order_by(found.created.desc()).limit(MOST_LISTED)
    return [msgspec.json.decode(text, type=Listing) for text in connection.scalars(query)]


def attend(connection: Connection, tables: Sequence[str]) -> None:
    """Note that somebody is at these tables now.

    One that another server changes at this moment is left out: it is noted next time, and nobody waits for each other.
    """
    found = schema.tables.c
    idle = select(found.id).where(found.id.in_(tables), found.listing.is_not(None)).with_for_update(skip_locked=True)
    connection.execute(update(schema.tables).where(found.id.in_(idle)).values(attended=now_ms()))
