"""Several servers that share their tables, in one process: a store, a lobby and a bus for each."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from azulejos.server.bus.memory import Memory
from azulejos.server.live.lobby import Lobby
from azulejos.server.settings import Settings
from azulejos.server.storage.store import Store
from tests.patience import PATIENCE
from tests.server.standins import Guest, Quick, new_table


@dataclass
class Server:
    """One of several servers."""

    store: Store
    lobby: Lobby
    bus: Memory
    computers: Quick

    async def close(self) -> None:
        await self.lobby.close()
        await self.store.close()

    async def die(self) -> None:
        """End without giving anything back, as far as the others can see."""
        peers = self.lobby._peers
        assert peers._task
        peers._task.cancel()
        self.bus.is_well = False
        readers, self.store._readers = self.store._readers, ThreadPoolExecutor(1)
        await asyncio.to_thread(readers.shutdown)  # a look that is under way would take the lock again
        await asyncio.to_thread(self.store._database.close)


@asynccontextmanager
async def servers(url: str, count: int = 2, away_seconds: int = 0, **options: Any) -> AsyncIterator[list[Server]]:
    together: list[Memory] = []
    made: list[Server] = []
    for _ in range(count):
        store, bus, computers = await Store.open(url, shared=True), Memory(together), Quick()
        chosen = Settings(most_tables=1000, lobby=True, away_seconds=away_seconds)
        lobby = Lobby(chosen, store, computers, bus, **options)
        made.append(Server(store, lobby, bus, computers))
    try:
        yield made
    finally:
        for server in made:
            await server.close()


async def seated(made: list[Server], *kinds: Any, **options: Any) -> tuple[list[Any], list[Any]]:
    """A table, made at the first server, as each of them has it; and its secrets."""
    created = await made[0].lobby.create(new_table(*kinds, **options))
    return created.secrets, [await server.lobby.table(created.table.id) for server in made]


def versions(guest: Guest) -> list[int]:
    return [seen["version"] for seen in guest.seen if seen["type"] == "event"]


async def until(condition: Any) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)
