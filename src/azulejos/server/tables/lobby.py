"""The hall: makes tables, finds them, and keeps those in memory at which something goes on."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, Protocol

from azulejos.game.dealer import Dealer
from azulejos.server import metrics
from azulejos.server.bots.thinking import Computers
from azulejos.server.http.security import clean_name
from azulejos.server.protocol.answers import Created
from azulejos.server.protocol.incoming import NewSeat, NewTable
from azulejos.server.storage.store import Store, StoredTable, now_ms
from azulejos.server.tables import events as e
from azulejos.server.tables import secret
from azulejos.server.tables.clock import check_clock
from azulejos.server.tables.live import TableQueue, rebuilt
from azulejos.server.tables.refuse import Refuse
from azulejos.server.tables.table import Table

DEFAULT_LEVEL: Final = 2
"""The level of a computer if nobody says which."""
IDLE_SECONDS: Final = 60.0
"""A table at which nothing went on for so long leaves the memory."""
SWEEP_SECONDS: Final = 15.0
"""How often such tables are looked for."""
LONGEST_ID: Final = 24
"""Longer ids are of no table."""

log = logging.getLogger(__name__)
"""The logger of this module."""


class HallSettings(Protocol):
    """What the hall has to know: a part of `settings.Settings`."""

    @property
    def pace_ms(self) -> int | None:
        """Between the moves of computers."""
        ...

    @property
    def most_tables(self) -> int:
        """Tables in the database; 0 for any number."""
        ...


class Hall:
    """All tables of this server."""

    def __init__(
        self,
        settings: HallSettings,
        store: Store,
        computers: Computers,
        *,
        now: Callable[[], float] = time.monotonic,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self._settings, self._store, self._computers = settings, store, computers
        self._now, self._idle_seconds = now, idle_seconds
        self._live: dict[str, TableQueue] = {}
        self._loading: dict[str, asyncio.Task[TableQueue]] = {}
        self._sweeper = asyncio.create_task(self._sweep(), name="hall")
        self._closed = False

    @property
    def live_tables(self) -> int:
        """Tables in memory."""
        return len(self._live)

    @property
    def live_sockets(self) -> int:
        """Clients at all tables."""
        return sum(table.sockets for table in self._live.values())

    async def create(self, new: NewTable) -> Created:
        """Make a table; its game begins at once."""
        if new.clock is not None:
            check_clock(new.clock)
        if new.starter is not None and new.starter >= len(new.seats):
            raise Refuse("bad_seats", seats=len(new.seats))
        starter = secrets.randbelow(len(new.seats)) if new.starter is None else new.starter
        setup = e.Setup(new.wall, [_seat(seat) for seat in new.seats], starter, new.clock)
        links = [None if seat.kind == "computer" else secret.new_secret() for seat in setup.seats]
        digests = [None if link is None else secret.digest(link) for link in links]
        queue = await self._open(setup, Dealer(), digests)
        return Created(queue.table.info, links)

    async def table(self, table_id: str) -> TableQueue:
        """The table with this id, from memory or from the store; raises `Refuse` if there is none."""
        if self._closed:
            raise Refuse("busy")
        queue = self._live.get(table_id)
        if queue is None:
            if len(table_id) > LONGEST_ID:
                raise Refuse("unknown_table")
            loading = self._loading.get(table_id)
            if loading is None:
                loading = self._loading[table_id] = asyncio.create_task(self._load(table_id))
                loading.add_done_callback(lambda _: self._loading.pop(table_id, None))
            queue = await asyncio.shield(loading)
        queue.used_at = self._now()
        return queue

    def say_closing(self) -> None:
        """Tell everybody that the server ends; to be called while their sockets are still open."""
        self._closed = True
        for queue in self._live.values():
            queue.say_closing()

    async def close(self) -> None:
        """Finish what waits at every table, and let all of them go."""
        self.say_closing()
        self._sweeper.cancel()
        await asyncio.gather(*self._loading.values(), return_exceptions=True)
        await asyncio.gather(*(queue.close() for queue in self._live.values()))
        self._live.clear()
        metrics.TABLES.set(0)

    async def _open(self, setup: e.Setup, dealer: Dealer, digests: list[str | None]) -> TableQueue:
        if self._closed:
            raise Refuse("busy")
        if self._settings.most_tables and self._store.tables >= self._settings.most_tables:
            raise Refuse("too_many_tables")
        created = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        started = e.Started(at=now_ms())
        stored = StoredTable(secret.new_id(), created, setup, dealer.secret, digests, [started])
        await self._store.add(stored)
        metrics.MADE.inc()
        return self._enter(stored)

    async def _load(self, table_id: str) -> TableQueue:
        stored = await self._store.load(table_id)
        if stored is None:
            raise Refuse("unknown_table")
        try:
            table = await asyncio.to_thread(rebuilt, stored)  # one with many undos takes seconds
            return self._enter(stored, table)
        except Exception as fault:
            log.exception("table %s cannot be rebuilt from what is stored", table_id)
            raise Refuse("storage_failed") from fault

    def _enter(self, stored: StoredTable, table: Table | None = None) -> TableQueue:
        pace = self._settings.pace_ms
        queue = TableQueue(stored, self._store, self._computers, self._rematch, pace, self._now, table)
        self._live[stored.id] = queue
        metrics.TABLES.set(len(self._live))
        return queue

    async def _rematch(self, table: Table, digests: list[str | None], same_tiles: bool) -> str:
        """The next table: the same people with the same links, each a seat further; or the same tiles once more."""
        order = list(range(table.players))
        if not same_tiles:
            order = order[1:] + order[:1]
        seats = [e.SeatSetup(table.seats[seat].kind, table.seats[seat].name, table.seats[seat].level) for seat in order]
        setup = e.Setup(table.setup.wall, seats, table.setup.starter, table.setup.clock, same_tiles, table.id)
        dealer = table.dealer if same_tiles else Dealer()
        return (await self._open(setup, dealer, [digests[seat] for seat in order])).table.id

    async def _sweep(self) -> None:
        """Let go of tables at which nothing goes on."""
        while True:
            await asyncio.sleep(min(SWEEP_SECONDS, self._idle_seconds))
            for table_id, queue in list(self._live.items()):
                if queue.is_idle and self._now() - queue.used_at >= self._idle_seconds:
                    del self._live[table_id]
                    metrics.TABLES.set(len(self._live))
                    await queue.close()


def _seat(seat: NewSeat) -> e.SeatSetup:
    level = (seat.level or DEFAULT_LEVEL) if seat.kind == "computer" else None
    return e.SeatSetup(seat.kind, clean_name(seat.name), level)
