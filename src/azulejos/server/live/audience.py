"""Everybody who is connected to a table, and what all of them are told."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

from msgspec.structs import replace

from azulejos.server.bus.messages import Connected
from azulejos.server.live.client import Client, Telling
from azulejos.server.protocol import encoding
from azulejos.server.protocol import outgoing as out
from azulejos.server.protocol.shared import Emote
from azulejos.server.rate_limit import RateLimit
from azulejos.server.tables.absence import EmptySeat
from azulejos.server.tables.table import Table

RESUMABLE: Final = 32
"""A client that missed no more events than this gets them; otherwise everything anew."""
REACTIONS: Final = 5
"""Reactions of a seat in a while."""
REACTION_SECONDS: Final = 5.0
"""Seconds over which the reactions of a seat are counted."""
PRESENT_SECONDS: Final = 0.25
"""Between two messages about who is here."""


class Audience:
    """The clients at a table."""

    def __init__(self) -> None:
        self.clients: list[Client] = []
        """Everybody, in the order in which they came."""
        self.elsewhere: dict[int, Connected] = {}
        """Who is at the same table by way of other servers, by their numbers."""
        self._recent: deque[out.Event] = deque(maxlen=RESUMABLE)  # encoded, but for what is each client's own
        self._reactions = RateLimit(REACTIONS, REACTION_SECONDS)
        self._next_present = 0.0
        self._later: asyncio.TimerHandle | None = None

    @property
    def watchers(self) -> int:
        """How many only look on."""
        return self._watchers_here + sum(other.watchers for other in self.elsewhere.values())

    @property
    def _watchers_here(self) -> int:
        return sum(not client.seats for client in self.clients)

    @property
    def _seats_here(self) -> set[int]:
        return {seat for client in self.clients for seat in client.seats}

    def here(self, server: int, empty: list[EmptySeat], *, asks: bool = False) -> Connected:
        """Who is here and who nowhere, as the server with this number tells the others."""
        seats, watchers = sorted(self._seats_here), self._watchers_here
        return Connected(server=server, seats=seats, watchers=watchers, empty=empty, asks=asks)

    def meet(self, other: Connected) -> bool:
        """Note who is connected to another server; whether that has changed."""
        before = self.elsewhere.get(other.server)
        self.elsewhere[other.server] = other
        return before is None or (before.seats, before.watchers) != (other.seats, other.watchers)

    def miss(self, alive: frozenset[int]) -> None:
        """Forget who was connected to servers that are not among these."""
        self.elsewhere = {server: here for server, here in self.elsewhere.items() if server in alive}

    def present(self, table: Table) -> list[bool]:
        """Whether somebody is here for each seat; computers always are."""
        here = self._seats_here.union(*(other.seats for other in self.elsewhere.values()))
        return [info.kind == "computer" or seat in here for seat, info in enumerate(table.seats)]

    def broadcast(self, event: out.Event, table: Table, since: float) -> None:
        """Tell everybody of the event that led to a table, and was saved at this time."""
        self._recent.append(event)
        telling = Telling(len(self.clients), since)
        encoded: dict[frozenset[int], bytes] = {}
        for client in self.clients:
            if client.seats not in encoded:
                own = replace(event, you=encoding.you(table, client.seats))
                encoded[client.seats] = encoding.encode(own)
            client.send(encoded[client.seats], telling)

    def tell(self, message: out.Outgoing, apart_from: Client | None = None) -> None:
        """Send everybody the same message."""
        data = encoding.encode(message)
        for client in self.clients:
            if client is not apart_from:
                client.send(data)

    def may_show(self, seat: int) -> bool:
        """Whether a seat may show one more reaction now, however many sockets it has."""
        return self._reactions.take(str(seat))

    def show(self, seat: int, emote: Emote) -> None:
        """Show everybody a reaction; whoever is slow misses it."""
        data = encoding.encode(out.Emoted(seat, emote))
        for client in self.clients:
            client.offer(data)

    def tell_present(self, table: Table, apart_from: Client | None = None) -> None:
        """Tell everybody who is here; if somebody comes and goes all the time, only now and then."""
        loop = asyncio.get_running_loop()
        if loop.time() >= self._next_present:
            self._next_present = loop.time() + PRESENT_SECONDS
            self.tell(out.Present(self.present(table), self.watchers), apart_from)
        elif self._later is None:
            self._later = loop.call_at(self._next_present, self._tell_present_later, table)

    def _tell_present_later(self, table: Table) -> None:
        self._later = None
        self.tell_present(table)

    def bring_up_to_date(self, client: Client, table: Table, version: int | None, elapsed: int) -> None:
        """Tell a client that has seen this version what it missed, or everything."""
        missed = None if version is None else table.version - version
        if missed is None or not 0 <= missed <= len(self._recent):
            client.tell(self.welcome(table, client.seats, elapsed))
            return
        recent = list(self._recent)[len(self._recent) - missed :]
        events = [encoding.missed(event, client.seats) for event in recent]
        client.tell(out.Resumed(events, encoding.you(table, client.seats), self.present(table), self.watchers))

    def begin_anew(self, table: Table) -> None:
        """Tell everybody everything."""
        self._recent.clear()
        for client in self.clients:
            client.tell(self.welcome(table, client.seats, 0))

    def end(self, last: out.Outgoing | None = None) -> None:
        """Send everybody away, perhaps with a last message; they come back by themselves."""
        if last is not None:
            self.tell(last)
        for client in self.clients:
            client.end()

    def welcome(self, table: Table, seats: frozenset[int], elapsed: int) -> out.Welcome:
        """Everything about the table, so many milliseconds after its last event, for the client with these seats."""
        return encoding.welcome(table, seats, self.present(table), self.watchers, elapsed)
