"""The lobby: makes tables, finds them, and keeps those in memory at which something goes on."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

import msgspec

from azulejos.game.dealer import Dealer
from azulejos.rules.state import MAX_PLAYERS
from azulejos.server import metrics
from azulejos.server.live.computers import Computers
from azulejos.server.live.live_table import LiveTable
from azulejos.server.protocol.answers import Created
from azulejos.server.protocol.incoming import MovedTable, NewTable
from azulejos.server.settings import Settings
from azulejos.server.storage.store import Store, StoredTable
from azulejos.server.tables import seat_secrets
from azulejos.server.tables.clock import check_clock
from azulejos.server.tables.events import Started, TableEvent
from azulejos.server.tables.moving import check_moved
from azulejos.server.tables.names import clean_name
from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.setup import DEFAULT_LEVEL, NewSeat, Setup
from azulejos.server.tables.table import Table

IDLE_SECONDS: Final = 60.0
"""A table at which nothing went on for so long leaves the memory."""
SWEEP_SECONDS: Final = 15.0
"""How often tables are looked for that may leave the memory."""
FEWEST_SEATS: Final = 2
"""A table has at least so many seats."""
LONGEST_ID: Final = 24
"""Characters of the longest id that a table may have."""

log = logging.getLogger(__name__)
"""The logger of this module."""


class Lobby:
    """All tables of this server."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        computers: Computers,
        *,
        now: Callable[[], float] = time.monotonic,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self._settings, self._store, self._computers = settings, store, computers
        self._now, self._idle_seconds = now, idle_seconds
        self._live: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._sweeper = asyncio.create_task(self._sweep(), name="lobby")
        self._closed = False

    async def create(self, new: NewTable) -> Created:
        """Make a table; its game begins at once."""
        if new.clock is not None:
            check_clock(new.clock)
        if new.starter is not None and new.starter >= len(new.seats):
            raise Refuse("bad_seats", seats=len(new.seats))
        starter = secrets.randbelow(len(new.seats)) if new.starter is None else new.starter
        setup = Setup(new.wall, [self._seat(seat) for seat in new.seats], starter, new.clock)
        return await self._seat_people(setup, Dealer(), [Started()])

    async def take_over(self, moved: MovedTable) -> Created:
        """Go on with a table from somebody's own browser, whatever happened at it: it is played once more here."""
        given = moved.setup
        if given.clock is not None:
            check_clock(given.clock)
        if not FEWEST_SEATS <= len(given.seats) <= MAX_PLAYERS or not 0 <= given.starter < len(given.seats):
            raise Refuse("bad_seats", seats=len(given.seats))
        seats = [self._seat(seat) for seat in given.seats]
        setup = Setup(given.wall, seats, given.starter, given.clock, position=given.position)
        dealer = Dealer.from_text(moved.secret)
        await asyncio.to_thread(check_moved, setup, dealer, moved.events)
        return await self._seat_people(setup, dealer, moved.events)

    async def _seat_people(self, setup: Setup, dealer: Dealer, events: list[TableEvent]) -> Created:
        """Open a table with a link for each of its people."""
        links = [None if seat.kind == "computer" else seat_secrets.new_secret() for seat in setup.seats]
        digests = [None if link is None else seat_secrets.digest(link) for link in links]
        live = await self._open(setup, dealer, digests, events)
        return Created(live.table.info, links)

    async def table(self, table_id: str) -> LiveTable:
        """The table with this id, from memory or from the store; raises `Refuse` if there is none."""
        if self._closed:
            raise Refuse("busy")
        live = self._live.get(table_id)
        if live is None:
            if len(table_id) > LONGEST_ID:
                raise Refuse("unknown_table")
            loading = self._loading.get(table_id)
            if loading is None:
                loading = self._loading[table_id] = asyncio.create_task(self._load(table_id))
                loading.add_done_callback(lambda _: self._loading.pop(table_id, None))
            live = await asyncio.shield(loading)
        live.used_at = self._now()
        return live

    def say_closing(self) -> None:
        """Tell everybody that the server ends; to be called while their sockets are still open."""
        self._closed = True
        for live in self._live.values():
            live.say_closing()

    async def close(self) -> None:
        """Finish what waits at every table, and let all of them go."""
        self.say_closing()
        self._sweeper.cancel()
        await asyncio.gather(*self._loading.values(), return_exceptions=True)
        await asyncio.gather(*(live.close() for live in self._live.values()))
        self._live.clear()
        metrics.TABLES.set(0)

    async def _open(
        self, setup: Setup, dealer: Dealer, digests: list[str | None], events: list[TableEvent]
    ) -> LiveTable:
        if self._closed:
            raise Refuse("busy")
        if self._settings.most_tables and self._store.tables >= self._settings.most_tables:
            raise Refuse("too_many_tables")
        created = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        stored = StoredTable(seat_secrets.new_id(), created, setup, dealer.secret, digests, events)
        await self._store.add(stored)
        metrics.MADE.inc()
        return self._enter(stored.table(), digests)

    async def _load(self, table_id: str) -> LiveTable:
        stored = await self._store.load(table_id)
        if stored is None:
            raise Refuse("unknown_table")
        try:
            table = await asyncio.to_thread(stored.table)  # a long one takes a while
            return self._enter(table, stored.digests)
        except Exception as fault:
            log.exception("table %s cannot be rebuilt from what is stored", table_id)
            raise Refuse("storage_failed") from fault

    def _enter(self, table: Table, digests: list[str | None]) -> LiveTable:
        pace = self._settings.pace_ms
        live = LiveTable(table, digests, self._store, self._computers, self._rematch, pace, self._now)
        self._live[table.id] = live
        metrics.TABLES.set(len(self._live))
        return live

    async def _rematch(self, table: Table, digests: list[str | None], same_tiles: bool) -> str:
        """The next table: the same people with the same links, each a seat further; or the same tiles once more."""
        order = list(range(table.players))
        if not same_tiles:
            order = order[1:] + order[:1]
        seats = [msgspec.structs.replace(table.setup.seats[seat], name=table.seats[seat].name) for seat in order]
        position = table.setup.position if same_tiles else ""
        setup = Setup(table.setup.wall, seats, table.setup.starter, table.setup.clock, same_tiles, table.id, position)
        dealer = table.dealer if same_tiles else Dealer()
        return (await self._open(setup, dealer, [digests[seat] for seat in order], [Started()])).table.id

    def _seat(self, seat: NewSeat) -> NewSeat:
        """The seat as it is stored: only a computer has a level, or else is a player that this server offers."""
        name = clean_name(seat.name)
        if seat.kind != "computer":
            return NewSeat(seat.kind, name)
        if seat.player is None:
            return NewSeat(seat.kind, name, seat.level or DEFAULT_LEVEL)
        if seat.player not in self._settings.player_specs:
            raise Refuse("bad_seats")
        return NewSeat(seat.kind, name or seat.player, player=seat.player)

    async def _sweep(self) -> None:
        """Let go of tables at which nothing goes on."""
        while True:
            await asyncio.sleep(min(SWEEP_SECONDS, self._idle_seconds))
            for table_id, live in list(self._live.items()):
                if live.is_idle and self._now() - live.used_at >= self._idle_seconds:
                    del self._live[table_id]
                    metrics.TABLES.set(len(self._live))
                    await live.close()
