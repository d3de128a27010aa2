"""The lobby as it is told: however many ask, the database is asked once a second."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

import msgspec

from azulejos.server.protocol.answers import LobbyList
from azulejos.server.storage.store import Store

KEPT_SECONDS: Final = 1.0
"""For so long an answer is given again."""


def timestamp() -> str:
    """The time as tables are dated by."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


class Listings:
    """The tables of the lobby, encoded."""

    def __init__(self, store: Store, *, offered: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self._store, self._offered, self._clock = store, offered, clock
        self._asking: asyncio.Task[bytes] | None = None
        self._asked = 0.0

    async def told(self) -> bytes:
        """What everybody is told who looks into the lobby."""
        now = self._clock()
        if self._asking is None or (self._asking.done() and now - self._asked >= KEPT_SECONDS):
            self._asking, self._asked = asyncio.create_task(self._ask(), name="listings"), now
        return await asyncio.shield(self._asking)

    async def _ask(self) -> bytes:
        tables = await self._store.lobby() if self._offered else []
        return msgspec.json.encode(LobbyList(self._offered, timestamp(), tables))
