"""Connections as uvicorn keeps them, less patient: nobody may hold one open, or fill memory, by doing nothing.

`Requests` and `Sockets` are what `uvicorn.Config` is given as `http` and `ws`.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

HEAD_SECONDS: Final = 15.0
"""For the head of a request, from the first byte or from the opening of the connection."""
STUCK_SECONDS: Final = 30.0
"""After so long without taking what is sent, the other side is cut off."""


class Requests(H11Protocol):
    """A connection for requests: their heads have to come in time, and the answers have to be read."""

    _head: asyncio.TimerHandle | None = None
    _stuck: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        _cancel(self._head, self._stuck)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """The first bytes of a request, or more of it."""
        if self._head is None and self._is_between_requests:
            self._wait_for_head()
        super().data_received(data)
        if not self._is_between_requests:
            _cancel(self._head)
            self._head = None

    def handle_websocket_upgrade(self, event: Any) -> None:
        """From here on it is a socket."""
        _cancel(self._head, self._stuck)
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        """The other side does not read."""
        self._stuck = self._stuck or self.loop.call_later(STUCK_SECONDS, self.transport.abort)
        super().pause_writing()

    def resume_writing(self) -> None:
        """It does."""
        _cancel(self._stuck)
        self._stuck = None
        super().resume_writing()

    @property
    def _is_between_requests(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _wait_for_head(self) -> None:
        self._head = self.loop.call_later(HEAD_SECONDS, self.transport.abort)


class Sockets(WebSocketsSansIOProtocol):
    """A socket that reads nothing while the other side does not: pings are answered without being asked for."""

    _stuck: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        _cancel(self._stuck)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The other side does not read."""
        super().pause_writing()
        self.transport.pause_reading()
        self._stuck = self._stuck or self.loop.call_later(STUCK_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """It does."""
        super().resume_writing()
        _cancel(self._stuck)
        self._stuck = None
        if not self.read_paused:
            self.transport.resume_reading()


def _cancel(*timers: asyncio.TimerHandle | None) -> None:
    for timer in timers:
        if timer is not None:
            timer.cancel()
