"""Connections as uvicorn keeps them, less patient: nobody may hold one open, or fill memory, by doing nothing.

`Requests` and `Sockets` are what `uvicorn.Config` is given as `http` and `ws`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from azulejos.server.http.rate_limits import ConnectionLimit, key_of
from azulejos.server.settings import Settings

HEAD_SECONDS: Final = 15.0
"""For the head of a request, from the first byte or from the opening of the connection."""
STUCK_SECONDS: Final = 30.0
"""After so long without taking what is sent, the other side is cut off."""


class Doors:
    """How many connections may be open, by address and in all; those of a proxy that is trusted count in all only."""

    def __init__(self, settings: Settings) -> None:
        self._by_address = ConnectionLimit(settings.connections_per_address)
        self._in_all = ConnectionLimit(settings.most_connections)
        self._proxies = _TrustedHosts(list(settings.trusted_proxies))

    def let_in(self, transport: asyncio.Transport) -> Callable[[], None] | None:
        """Take a place for a connection; what gives it back, or None if there is none."""
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if isinstance(peer, tuple) else ""
        key = "" if not address or address in self._proxies else key_of(address)
        if not self._in_all.take(""):
            return None
        if not key:
            return partial(self._in_all.give_back, "")
        if not self._by_address.take(key):
            self._in_all.give_back("")
            return None
        return partial(self._leave, key)

    def _leave(self, key: str) -> None:
        self._in_all.give_back("")
        self._by_address.give_back(key)


class Requests(H11Protocol):
    """A connection for requests: their heads have to come in time, and the answers have to be read.

    One that is one too many is cut off before anything is read.
    """

    _head: asyncio.TimerHandle | None = None
    _stuck: asyncio.TimerHandle | None = None
    _give_back: Callable[[], None] | None = None

    def __init__(self, *args: Any, doors: Doors | None = None, **kwargs: Any) -> None:
        """Also takes the doors through which it may come in."""
        super().__init__(*args, **kwargs)
        self._doors = doors

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request, if there is room."""
        super().connection_made(transport)
        if self._doors is not None:
            self._give_back = self._doors.let_in(transport)
            if self._give_back is None:
                transport.abort()
                return
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        _cancel(self._head, self._stuck)
        if self._give_back:
            self._give_back()
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
        """Become a socket: from here on the head of a request is not waited for."""
        _cancel(self._head, self._stuck)
        super().handle_websocket_upgrade(event)
        follower = self.transport.get_protocol()
        if isinstance(follower, Sockets):  # which is told when the connection is lost
            follower.give_back = self._give_back

    def pause_writing(self) -> None:
        """The other side does not read."""
        self._stuck = self._stuck or self.loop.call_later(STUCK_SECONDS, self.transport.abort)
        super().pause_writing()

    def resume_writing(self) -> None:
        """The other side reads again."""
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
    give_back: Callable[[], None] | None = None
    """Makes room for another connection."""

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        _cancel(self._stuck)
        if self.give_back:
            self.give_back()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The other side does not read."""
        super().pause_writing()
        self.transport.pause_reading()
        self._stuck = self._stuck or self.loop.call_later(STUCK_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """The other side reads again."""
        super().resume_writing()
        _cancel(self._stuck)
        self._stuck = None
        if not self.read_paused:
            self.transport.resume_reading()


def _cancel(*timers: asyncio.TimerHandle | None) -> None:
    for timer in timers:
        if timer is not None:
            timer.cancel()
