"""The other servers that share these tables: what is told to them and heard from them, and who runs which table.

What arrives on the bus are hints. Once a second the database is looked at for what they missed: versions that are newer
than ours, leases that nobody alive has, servers that have died. A server that has its database alone has no peers,
holds every lease and looks at nothing.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Final, Protocol

from azulejos.server.bus.messages import Bus, Message
from azulejos.server.storage.store import Store
from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.table import Table

LOOK_SECONDS: Final = 1.0
"""How often the database is looked at."""

log = logging.getLogger(__name__)
"""The logger of this module."""


class SharedTable(Protocol):
    """What a live table does for its peers: a `LiveTable`."""

    def hear(self, message: Message) -> None:
        """Another server tells something."""
        ...

    def look(self, version: int, alive: frozenset[int]) -> None:
        """The database has this version of it, and these servers run."""
        ...

    def introduce(self) -> None:
        """Tell the others who is here, and ask them the same."""
        ...

    def wake(self, held: int | None = None) -> None:
        """Its lease has come, gone, or changed hands: somebody has run its clocks for so many milliseconds."""
        ...


class Peers:
    """This server among those that share its tables."""

    def __init__(self, store: Store, bus: Bus) -> None:
        self._store, self._bus = store, bus
        self.number = store.number or 0
        """The number of this server."""
        self.is_shared = store.number is not None
        """Whether there can be others."""
        self._tables: dict[str, SharedTable] = {}
        self._kept: set[str] = set()  # tables that are to have a holder as long as they are live
        self._held: set[str] = set()
        self._wanted: set[str] = set()
        self._elsewhere: dict[str, int | None] = {}  # which server had a lease when we looked last
        self._given_back: set[str] = set()
        self._wake = asyncio.Event()
        self._is_closed = False
        self._task = asyncio.create_task(self._keep_looking(), name="peers") if self.is_shared else None
        bus.start(self._hear, self._introduce)

    # ---- tables ----

    def expect(self, table: str) -> None:
        """Hear from now on what is told about a table that is about to be loaded."""
        self._bus.follow(table)

    def add(self, table: str, live: SharedTable, *, keep: bool = False) -> None:
        """A table is live here; to keep one means to have its lease in any case, so that no other server deletes it."""
        self._bus.follow(table)
        if keep:
            self._kept.add(table)
        self._tables[table] = live
        live.introduce()

    def remove(self, table: str) -> None:
        """A table is not live here any more, or could not be loaded."""
        self._bus.leave(table)
        self._kept.discard(table)
        self._tables.pop(table, None)
        self.lease(table, wanted=False, keep=False)

    def publish(self, table: str, message: Message) -> None:
        """Tell all others at which this table is live."""
        self._bus.publish(table, message)

    def lease(self, table: str, *, wanted: bool, keep: bool) -> bool:
        """Whether this server runs the clocks and computers of a table now; if it is to, it soon will if it can.

        A lease that is not wanted is given back unless it is to be kept.
        """
        if not self.is_shared:
            return True
        wanted = wanted or table in self._kept
        if wanted and table not in self._held | self._wanted:
            self._wanted.add(table)
            if table not in self._elsewhere:
                self._wake.set()
        elif not wanted:
            self._wanted.discard(table)
            if table in self._held and not keep:
                self._held.discard(table)
                self._given_back.add(table)
                self._wake.set()
        return table in self._held

    async def elapsed(self, table: Table) -> int:
        """For how many milliseconds the clocks of a table that is about to be live here have run at another server."""
        if not self.is_shared or not table.running:
            return 0
        standing = (await self._store.look([table.id])).tables.get(table.id)
        if standing is None or standing.holder in (None, self.number):
            return 0
        return min(standing.held, (await self._store.since(table.id, table.version - 1))[0].age)

    async def close(self) -> None:
        """Give back all leases, and tell and hear nothing any more."""
        if self._is_closed:
            return
        self._is_closed = True
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._given_back |= self._held
            self._wanted.clear()
            with suppress(Refuse):  # leases of a server that has ended are void in any case
                await self._exchange()
        await self._bus.close()

    # ---- what others say and do ----

    def _hear(self, table: str, message: Message) -> None:
        live = self._tables.get(table)
        if live is not None and message.server != self.number:
            live.hear(message)

    def _introduce(self) -> None:
        for live in self._tables.values():
            live.introduce()

    async def _keep_looking(self) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time() + LOOK_SECONDS
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(due):
                    await self._wake.wait()
            self._wake.clear()
            try:
                if loop.time() >= due:
                    due = loop.time() + LOOK_SECONDS
                    await self._look()
                await self._exchange()
            except Refuse:  # which the store has logged
                await asyncio.sleep(LOOK_SECONDS)
            except Exception:
                log.exception("an unexpected fault")
                await asyncio.sleep(LOOK_SECONDS)

    async def _look(self) -> None:
        """See in the database what nobody has told us."""
        found = await self._store.look(list(self._tables))
        for table, standing in found.tables.items():
            live = self._tables.get(table)
            if live is None:
                continue
            live.look(standing.version, found.alive)
            if standing.holder in (None, self.number):
                self._elsewhere.pop(table, None)
            elif self._elsewhere.get(table) != standing.holder:
                self._elsewhere[table] = standing.holder
                live.wake(standing.held)
            if table in self._held and standing.holder != self.number:
                self._held.discard(table)
                live.wake()
        self._elsewhere = {table: holder for table, holder in self._elsewhere.items() if table in self._tables}

    async def _exchange(self) -> None:
        """Give back the leases that are not wanted, and take those that are."""
        given, self._given_back = sorted(self._given_back), set()
        if given:
            try:
                await self._store.release(given)
            except Refuse:
                self._given_back.update(given)
                raise
        asked = self._wanted - self._elsewhere.keys()
        if not asked:
            return
        taken = await self._store.take(sorted(asked))
        self._elsewhere |= dict.fromkeys(asked - taken)
        self._wanted -= taken
        for table in taken:
            live = self._tables.get(table)
            if live is None:
                self._given_back.add(table)
            else:
                self._held.add(table)
                live.wake(0)
