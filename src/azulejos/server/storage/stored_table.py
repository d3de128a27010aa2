"""A table as it is stored: its rows in the database, and the table that follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.engine import Connection

from azulejos.game.dealer import Dealer
from azulejos.server.storage import listed, schema
from azulejos.server.storage.database import now_ms
from azulejos.server.tables import events as e
from azulejos.server.tables.info import Listing, Summary
from azulejos.server.tables.setup import Setup
from azulejos.server.tables.table import Table


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
    last_at: int = 0
    """When the last of it was saved, in milliseconds since 1970; 0 if it is not saved yet."""

    def table(self) -> Table:
        """The table that follows from all this."""
        return Table.rebuilt(self.id, self.created, self.setup, Dealer.from_text(self.secret), self.events)


def as_json(thing: Setup | Summary) -> str:
    """How it is stored."""
    return msgspec.json.encode(thing).decode()


def event_row(table: str, version: int, event: e.TableEvent) -> dict[str, Any]:
    """The row of an event that happens now."""
    return {"table_id": table, "version": version, "kind": e.kind_of(event), "payload": e.write(event), "at": now_ms()}


def table_row(table: StoredTable, listing: Listing | None) -> dict[str, Any]:
    """The row of a new table, and how it stands in the lobby."""
    row = {"id": table.id, "created": table.created, "setup": as_json(table.setup), "secret": table.secret}
    return row | listed.columns(listing)


def seat_rows(table: StoredTable) -> list[dict[str, Any]]:
    """The rows of its people's seats."""
    return [
        {"table_id": table.id, "seat": seat, "digest": digest}
        for seat, digest in enumerate(table.digests)
        if digest is not None
    ]


def load(connection: Connection, table: str) -> StoredTable | None:
    """A table with all its events, or None if there is no such table."""
    row = connection.execute(select(schema.tables).where(schema.tables.c.id == table)).first()
    if row is None:
        return None
    seats = select(schema.seats).where(schema.seats.c.table_id == table)
    digests = {found.seat: found.digest for found in connection.execute(seats)}
    found = schema.events.c
    query = select(found.kind, found.payload, found.at).where(found.table_id == table).order_by(found.version)
    rows = connection.execute(query).all()
    if not rows:  # it was deleted in between
        return None
    events = [e.read(kind, payload) for kind, payload, _ in rows]
    setup = msgspec.json.decode(row.setup, type=Setup)
    known = [digests.get(seat) for seat in range(len(setup.seats))]
    return StoredTable(row.id, row.created, setup, row.secret, known, events, rows[-1].at)
