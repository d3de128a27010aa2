"""The lobby: makes tables, finds them, and keeps those in memory at which something goes on."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from azulejos.game.dealer import Dealer
from azulejos.rules.state import MAX_PLAYERS
from azulejos.server import metrics
from azulejos.server.bus.memory import Memory
from azulejos.server.bus.messages import Bus
from azulejos.server.live.computers import Computers
from azulejos.server.live.listings import timestamp
from azulejos.server.live.live_table import LiveTable
from azulejos.server.live.peers import Peers
from azulejos.server.protocol.answers import ClaimedSeat, Created
from azulejos.server.protocol.incoming import MovedTable, NewTable
from azulejos.server.pruning import DAY_MS, prune
from azulejos.server.settings import Settings
from azulejos.server.storage.database import now_ms
from azulejos.server.storage.store import Store
from azulejos.server.storage.stored_table import StoredTable
from azulejos.server.tables import seat_secrets
from azulejos.server.tables.clock import check_clock
from azulejos.server.tables.commands import claim
from azulejos.server.tables.events import Started, TableEvent
from azulejos.server.tables.moving import check_moved
from azulejos.server.tables.names import clean_name
from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.setup import DEFAULT_LEVEL, NewSeat, Setup
from azulejos.server.tables.table import Table
from azulejos.server.work import Work

IDLE_SECONDS: Final = 60.0
"""A table at which nothing went on for so long leaves the memory."""
SWEEP_SECONDS: Final = 15.0
"""How often tables are looked for that may leave the memory."""
PRUNE_SECONDS: Final = 6 * 3600.0
"""How often tables are looked for that are so old that they go."""
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
        bus: Bus | None = None,
        *,
        now: Callable[[], float] = time.monotonic,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self._settings, self._store, self._computers = settings, store, computers
        self._now, self._idle_seconds = now, idle_seconds
        self._peers = Peers(store, bus or Memory())
        self._live: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._sweeper = asyncio.create_task(self._sweep(), name="lobby")
        self._pruner = asyncio.create_task(self._prune(), name="prune") if settings.keep_days else None
        self._closed = False
        self.work = Work()
        """The thread for what takes long."""

    async def create(self, new: NewTable) -> Created:
        """Make a table; its game begins at once."""
        if new.clock is not None:
            check_clock(new.clock)
        if new.starter is not None and new.starter >= len(new.seats):
            raise Refuse("bad_seats", seats=len(new.seats))
        starter = secrets.randbelow(len(new.seats)) if new.starter is None else new.starter
        if new.open:
            self._check_lobby()
        seats = [self._seat(seat) for seat in new.seats]
        setup = Setup(new.wall, seats, starter, new.clock, hints=new.hints, open=new.open)
        return await self._seat_people(_begun(setup, Dealer()), [Started()])

    async def take_over(self, moved: MovedTable) -> Created:
        """Go on with a table from somebody's own browser, whatever happened at it: it is played once more here."""
        given = moved.setup
        if given.clock is not None:
            check_clock(given.clock)
        if not FEWEST_SEATS <= len(given.seats) <= MAX_PLAYERS or not 0 <= given.starter < len(given.seats):
            raise Refuse("bad_seats", seats=len(given.seats))
        seats = [self._seat(seat) for seat in given.seats]
        setup = Setup(given.wall, seats, given.starter, given.clock, position=given.position, hints=given.hints)
        dealer = Dealer.from_text(moved.secret)
        check = partial(check_moved, setup, dealer, moved.events, seat_secrets.new_id(), timestamp())
        return await self._seat_people(await self.work.do(check), moved.events)

    async def claim(self, live: LiveTable, name: str) -> ClaimedSeat:
        """Take a free seat at a table of the lobby, for somebody of this name."""
        self._check_lobby()
        secret = seat_secrets.new_secret()
        event = await live.enact(lambda table: claim(table, name, seat_secrets.digest(secret)))
        return ClaimedSeat(event.seat, secret)

    def _check_lobby(self) -> None:
        if not self._settings.has_lobby:
            raise Refuse("no_lobby")

    async def _seat_people(self, table: Table, events: list[TableEvent]) -> Created:
        """Open a table, which is the one after these events, with a link for each of its people."""
        links = [None if seat.kind == "computer" else seat_secrets.new_secret() for seat in table.setup.seats]
        digests = [None if link is None else seat_secrets.digest(link) for link in links]
        live = await self._open(table, digests, events)
        return Created(live.table.info, links)

    def __contains__(self, table_id: str) -> bool:
        return table_id in self._live

    async def table(self, table_id: str) -> LiveTable:
        """The table with this id, from memory or from the store; raises `Refuse` if there is none."""
        if self._closed:
            raise Refuse("busy")
        live = self._live.get(table_id)
        if live is not None and live.has_ended:
            await self._drop(live)
            live = self._live.get(table_id)
        if live is None:
            if len(table_id) > LONGEST_ID:
                raise Refuse("unknown_table")
            loading = self._loading.get(table_id)
            if loading is None:
                loading = self._loading[table_id] = asyncio.create_task(self._load(table_id))
                loading.add_done_callback(lambda _: self._loading.pop(table_id, None))
            live = await asyncio.shield(loading)
        await live.refresh()
        live.used_at = self._now()
        return live

    async def _drop(self, live: LiveTable) -> None:
        """Let a table go that has ended."""
        if self._live.get(live.table.id) is live:
            del self._live[live.table.id]
            self._peers.remove(live.table.id)
            await live.close()

    @property
    def waiting(self) -> int:
        """How much waits to be done at all tables."""
        return sum(live.waiting for live in list(self._live.values()))

    def say_closing(self) -> None:
        """Tell everybody that the server ends; to be called while their sockets are still open."""
        self._closed = True
        for live in self._live.values():
            live.say_closing()

    async def close(self) -> None:
        """Finish what waits at every table, and let all of them go."""
        self.say_closing()
        self._sweeper.cancel()
        if self._pruner:
            self._pruner.cancel()
            await asyncio.gather(self._pruner, return_exceptions=True)
        await asyncio.gather(*self._loading.values(), return_exceptions=True)
        await asyncio.gather(*(live.close() for live in self._live.values()))
        self._live.clear()
        self.work.close()
        await self._peers.close()
        metrics.TABLES.set(0)

    async def _open(self, table: Table, digests: list[str | None], events: list[TableEvent]) -> LiveTable:
        if self._closed:
            raise Refuse("busy")
        if self._settings.most_tables and self._store.tables >= self._settings.most_tables:
            raise Refuse("too_many_tables", most=self._settings.most_tables)
        stored = StoredTable(table.id, table.created, table.setup, table.dealer.secret, digests, events)
        await self._store.add(stored, table.listing)
        metrics.MADE.inc()
        return self._enter(table, digests)

    async def _load(self, table_id: str) -> LiveTable:
        self._peers.expect(table_id)
        try:
            stored = await self._store.load(table_id)
            if stored is None:
                raise Refuse("unknown_table")
            return await self._rebuild(stored)
        except Refuse:
            self._peers.remove(table_id)
            raise

    async def _rebuild(self, stored: StoredTable) -> LiveTable:
        try:
            table = await self.work.do_first(stored.table)
        except Exception as fault:
            log.exception("table %s cannot be rebuilt from what is stored", stored.id)
            raise Refuse("storage_failed") from fault
        is_old = 0 < self._settings.keep_days * DAY_MS / 2 < now_ms() - stored.last_at
        return self._enter(table, stored.digests, await self._peers.elapsed(table), is_old=is_old)

    def _enter(self, table: Table, digests: list[str | None], elapsed: int = 0, *, is_old: bool = False) -> LiveTable:
        pace, peers = self._settings.pace_ms, self._peers
        live = LiveTable(
            table,
            digests,
            self._store,
            self._computers,
            self._rematch,
            peers,
            pace,
            self._now,
            elapsed,
            self._settings.away_seconds,
        )
        self._live[table.id] = live
        peers.add(table.id, live, keep=is_old)
        metrics.TABLES.set(len(self._live))
        return live

    async def _rematch(self, table: Table, digests: list[str | None], same_tiles: bool) -> str:
        """The next table: the same people with the same links, each a seat further; or the same tiles once more."""
        order = list(range(table.players))
        if not same_tiles:
            order = order[1:] + order[:1]
        seats = [msgspec.structs.replace(table.setup.seats[seat], name=table.seats[seat].name) for seat in order]
        position = table.setup.position if same_tiles else ""
        setup = msgspec.structs.replace(
            table.setup, seats=seats, same_tiles=same_tiles, previous=table.id, position=position, open=False
        )
        dealer = table.dealer if same_tiles else Dealer()
        following = _begun(setup, dealer)
        return (await self._open(following, [digests[seat] for seat in order], [Started()])).table.id

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

    async def _prune(self) -> None:
        """Delete old tables now and every few hours; those in memory are somebody's."""
        archive = Path(self._settings.archive) if self._settings.archive else None
        while True:
            try:
                gone = await prune(
                    self._store, self._settings.keep_days, archive, spared=self._somebodys, work=self.work.do
                )
                if gone:
                    log.info("%d tables were old and have gone", gone)
            except Refuse:  # the store has said why
                pass
            except Exception:
                log.exception("old tables could not be removed")
            await asyncio.sleep(PRUNE_SECONDS)

    def _somebodys(self) -> set[str]:
        """The tables that are in memory, or soon will be."""
        return {*self._live, *self._loading}

    async def _attend(self) -> None:
        """Note at which tables of the lobby somebody is: the others are not told."""
        attended = [table_id for table_id, live in self._live.items() if live.table.open and live.is_attended]
        if attended:
            with suppress(Refuse):  # the store has said why
                await self._store.attend(attended)

    async def _sweep(self) -> None:
        """Let go of tables at which nothing goes on."""
        while True:
            await asyncio.sleep(min(SWEEP_SECONDS, self._idle_seconds))
            await self._attend()
            for table_id, live in list(self._live.items()):
                if live.is_idle and self._now() - live.used_at >= self._idle_seconds:
                    del self._live[table_id]
                    metrics.TABLES.set(len(self._live))
                    await live.close()
                    if table_id not in self._live:  # somebody may have come back
                        self._peers.remove(table_id)


def _begun(setup: Setup, dealer: Dealer) -> Table:
    """A new table, at which the game has begun."""
    return Table.rebuilt(seat_secrets.new_id(), timestamp(), setup, dealer, [Started()])
