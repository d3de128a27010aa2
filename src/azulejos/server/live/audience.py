"""Everybody who is connected to a table, and what all of them are told."""

from __future__ import annotations

from collections.abc import Sequence

from azulejos.game.happening import Happening
from azulejos.server.live.client import Client
from azulejos.server.protocol import encoding
from azulejos.server.protocol import outgoing as out
from azulejos.server.tables.events import TableEvent
from azulejos.server.tables.table import Table


class Audience:
    """The clients at a table."""

    def __init__(self) -> None:
        self.clients: list[Client] = []
        """Everybody, in the order in which they came."""

    @property
    def watchers(self) -> int:
        """How many only look on."""
        return sum(not client.seats for client in self.clients)

    def present(self, table: Table) -> list[bool]:
        """Whether somebody is here for each seat; computers always are."""
        here = {seat for client in self.clients for seat in client.seats}
        return [info.kind == "computer" or seat in here for seat, info in enumerate(table.seats)]

    def broadcast(self, table: Table, happened: TableEvent, happenings: Sequence[Happening]) -> None:
        """Tell everybody of the event that led to a table."""
        event = encoding.event(table, happened, happenings)
        encoded: dict[frozenset[int], bytes] = {}
        for client in self.clients:
            if client.seats not in encoded:
                encoded[client.seats] = encoding.encode(encoding.for_seats(event, table, client.seats))
            client.send(encoded[client.seats])

    def tell(self, message: out.Outgoing, apart_from: Client | None = None) -> None:
        """Send everybody the same message."""
        data = encoding.encode(message)
        for client in self.clients:
            if client is not apart_from:
                client.send(data)

    def tell_present(self, table: Table, apart_from: Client | None = None) -> None:
        """Tell everybody who is here."""
        self.tell(out.Present(self.present(table), self.watchers), apart_from)

    def welcome(self, table: Table, seats: frozenset[int], elapsed: int) -> out.Welcome:
        """Everything about the table, so many milliseconds after its last event, for the client with these seats."""
        return encoding.welcome(table, seats, self.present(table), self.watchers, elapsed)
