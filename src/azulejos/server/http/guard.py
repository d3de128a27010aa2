"""The guard before the whole application: nothing is answered without it.

It checks where a request comes from, how long it takes and how many sockets an address has; it completes the headers of
every answer, and it logs.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from azulejos.server import metrics, traces
from azulejos.server.http.headers import SAFE_METHODS, address_of, check_origin, completed
from azulejos.server.http.rate_limits import ConnectionLimit, key_of
from azulejos.server.http.refusals import Message, Receive, Scope, Send, answer, close_socket, deny_socket
from azulejos.server.logs import printable
from azulejos.server.settings import Settings
from azulejos.server.tables.refusal import Refuse

Asgi = Callable[[Any, Any, Any], Awaitable[None]]
"""An application, or something that stands before one."""

MOST_BODY: Final = 128 * 1024
"""Bytes of a request: a table that moves here, with all its events, is the largest thing that anybody sends."""
BODY_SECONDS: Final = 20.0
"""How long a request's body may take to arrive."""
KNOWN_METHODS: Final = (*SAFE_METHODS, "POST", "PUT", "PATCH", "DELETE")
"""Methods that the figures name; others are counted together."""

REQUESTS: Final = logging.getLogger("azulejos.requests")
"""Where every request is logged."""


class Guard:
    """Checks every request and socket before the application sees it, and completes every answer."""

    def __init__(self, app: Asgi, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._sockets = ConnectionLimit(settings.sockets_per_address, settings.most_sockets)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Let it through, or refuse it."""
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._request(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        status = 0

        async def complete(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = completed(scope, list(message.get("headers", ())))
            await send(message)

        try:
            check_origin(scope, self._settings)
        except Refuse as refuse:
            await answer(refuse, complete)
        else:
            with traces.span("request", method=scope["method"], path=_kind_of(scope["path"])):
                await self._app(scope, _patient(receive), complete)
        seconds = time.perf_counter() - started
        metrics.REQUEST_SECONDS.labels(method=scope["method"] if scope["method"] in KNOWN_METHODS else "other").observe(
            seconds
        )
        REQUESTS.log(
            logging.INFO if status < 500 else logging.WARNING,
            "%s %s %d",
            printable(scope["method"]),
            printable(scope["path"]),
            status,
            extra={"from": address_of(scope), "ms": round(1000 * seconds, 1)},
        )

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        key = key_of(address_of(scope))
        try:
            check_origin(scope, self._settings)
        except Refuse as refuse:
            await deny_socket(refuse, scope, send)
            return
        if not self._sockets.take(key):
            await close_socket(Refuse("too_fast"), receive, send)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            self._sockets.give_back(key)


def _kind_of(path: str) -> str:
    """What is asked for, without the table that it is about, whose link would be complete with it.

    >>> _kind_of("/api/tables/avhaaj5egcdv/record.azul"), _kind_of("/t/avhaaj5egcdv")
    ('/api/tables', '/t')
    """
    parts = path.split("/")
    return "/".join(parts[: 3 if parts[1:2] == ["api"] else 2])


def _patient(receive: Receive) -> Receive:
    """Wait only so long for the whole body of a request."""
    until = asyncio.get_running_loop().time() + BODY_SECONDS
    whole = False

    async def patient() -> Message:
        nonlocal whole
        if whole:
            return await receive()
        try:
            async with asyncio.timeout_at(until):
                message = await receive()
        except TimeoutError:
            raise Refuse("bad_message", reason=f"not all of it came within {BODY_SECONDS:g} s") from None
        whole = not message.get("more_body", False)
        return message

    return patient
