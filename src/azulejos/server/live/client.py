"""One open socket at a table, as the table sees it."""

from __future__ import annotations

import asyncio
from typing import Final

from azulejos.server import metrics
from azulejos.server.protocol import outgoing as out
from azulejos.server.protocol.encoding import encode
from azulejos.server.tables.refusal import Refuse

MOST_UNSENT: Final = 100
"""Messages that may wait for a slow client before it is given up; it comes back and resumes."""


class Client:
    """What waits to be sent to a client, and which seats are its own."""

    def __init__(self, address: str = "") -> None:
        self.address = address
        """The network address that it has."""
        self.seats: frozenset[int] = frozenset()
        """The seats that it may play."""
        self.unsent: asyncio.Queue[bytes | None] = asyncio.Queue()
        """Messages on their way, and None behind the last one."""
        self.too_slow = asyncio.Event()
        """Set when too much waits to be sent: it is given up."""

    def send(self, data: bytes) -> None:
        """Send this when the client is ready for it."""
        if self.unsent.qsize() < MOST_UNSENT:
            self.unsent.put_nowait(data)
        else:
            self.too_slow.set()

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
