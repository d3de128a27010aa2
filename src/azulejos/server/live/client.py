"""One open socket at a table, as the table sees it."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import Final

from azulejos.server import metrics
from azulejos.server.protocol import outgoing as out
from azulejos.server.protocol.encoding import encode
from azulejos.server.tables.refusal import Refuse

MOST_UNSENT: Final = 100
"""Messages that may wait for a slow client before it is given up; it comes back and resumes."""


class Telling:
    """How far it is with telling an event to the clients of a table, for the figures.

    If one of them goes away before it is told, this is not finished, and not counted.
    """

    __slots__ = ("_left", "_since")

    def __init__(self, clients: int, since: float) -> None:
        """An event that was saved at this time, by the clock that never goes back, is told to so many."""
        self._left, self._since = clients, since

    def written(self) -> None:
        """One of them has been told."""
        self._left -= 1
        if not self._left:
            metrics.TOLD_SECONDS.observe(time.monotonic() - self._since)


class Client:
    """What waits to be sent to a client, and which seats are its own."""

    def __init__(self, address: str = "") -> None:
        self.address = address
        """The network address that it has."""
        self.seats: frozenset[int] = frozenset()
        """The seats that it may play."""
        self.unsent: asyncio.Queue[bytes | None] = asyncio.Queue()
        """Messages on their way, and None behind the last one."""
        self._tellings: deque[Telling | None] = deque()  # which event each of them tells, if it tells one
        self.too_slow = asyncio.Event()
        """Set when too much waits to be sent: it is given up."""

    def send(self, data: bytes, telling: Telling | None = None) -> None:
        """Send this, which may tell an event, when the client is ready for it."""
        if self.unsent.qsize() < MOST_UNSENT:
            self._tellings.append(telling)
            self.unsent.put_nowait(data)
        else:
            self.too_slow.set()

    def offer(self, data: bytes) -> None:
        """Send this unless much waits already: it is nothing for which a slow client should be given up."""
        if self.unsent.qsize() < MOST_UNSENT // 2:
            self._tellings.append(None)
            self.unsent.put_nowait(data)

    def written(self) -> None:
        """The first of the messages that were on their way has been written to the socket."""
        telling = self._tellings.popleft()
        if telling is not None:
            telling.written()

    def tell(self, message: out.Outgoing) -> None:
        """Send a message."""
        self.send(encode(message))

    def refuse(self, refuse: Refuse, message_id: str | None = None, version: int | None = None) -> None:
        """Say why something was not done."""
        metrics.REFUSALS.labels(code=refuse.refusal.code).inc()
        self.tell(out.Refused(refuse.refusal.code, refuse.refusal.arguments, message_id, version))

    def end(self) -> None:
        """Nothing more will be sent."""
        self.unsent.put_nowait(None)
