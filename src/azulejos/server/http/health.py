"""Whether the server is well, and its figures: for whoever looks after it, and for programs that do."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Awaitable, Callable, Sequence
from ipaddress import ip_address
from typing import Any, Final

from litestar import Response, get
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from msgspec import Struct

from azulejos.server import metrics
from azulejos.server.bus.messages import Bus
from azulejos.server.http.headers import address_of, header_of
from azulejos.server.http.rate_limits import limited
from azulejos.server.http.refusals import AnyRequest
from azulejos.server.settings import Settings

KEPT_SECONDS: Final = 2.0
"""For so long an answer is given again: however many ask, the database is asked once."""
FOR_OPERATORS: Final = (
    "The figures are shown on the server's own machine, and to whoever sends AZULEJOS_METRICS_TOKEN as\n"
    "Authorization: Bearer TOKEN\n"
)
"""What everybody else is told."""

Check = Callable[[], Awaitable[str | None]]
"""What is wrong with a part of the server, in a few words that may be public; None if nothing is."""


class Checks:
    """The parts of a server that can fail, asked at most once in a while."""

    def __init__(self, checks: Sequence[Check], clock: Callable[[], float] = time.monotonic) -> None:
        self._checks, self._clock = tuple(checks), clock
        self._asking: asyncio.Task[list[str]] | None = None
        self._asked = 0.0

    async def troubles(self) -> list[str]:
        """What is wrong."""
        now = self._clock()
        if self._asking is None or (self._asking.done() and now - self._asked >= KEPT_SECONDS):
            self._asking, self._asked = asyncio.create_task(self._ask(), name="health"), now
        return await asyncio.shield(self._asking)

    async def _ask(self) -> list[str]:
        return [trouble for check in self._checks if (trouble := await check()) is not None]


def trouble_of(bus: Bus) -> Check:
    """The check of a bus."""

    async def trouble() -> str | None:
        return None if bus.is_well else "the bus does not answer"

    return trouble


class Figures:
    """The figures as they are printed, at most once in a while."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._until, self._printed = clock, -KEPT_SECONDS, b""

    def printed(self) -> bytes:
        """Counts and times, perhaps a little old."""
        if self._clock() >= self._until:
            self._printed, self._until = metrics.printed(), self._clock() + KEPT_SECONDS
        return self._printed


class Wellness(Struct, frozen=True, omit_defaults=True):
    """The answer to whether a server is well."""

    status: str
    """`ok`, or `failing`."""
    computers: bool
    """Whether the computers have everything loaded."""
    reason: str = ""
    """What is wrong; a server that is well may still lack somebody who thinks for its computers."""


@get("/health", operation_id="health", guards=[limited("health")])
async def health(request: AnyRequest) -> Response[Wellness]:
    """Whether the server can save games, with status 503 and the reason if not; whether its computers are loaded."""
    troubles = await request.app.state.checks.troubles()
    ready = bool(request.app.state.bots.ready)
    if troubles:
        return Response(Wellness("failing", ready, "; ".join(troubles)), status_code=503)
    reason = "" if ready or request.app.state.settings.workers else "nobody thinks for the computers"
    return Response(Wellness("ok", ready, reason))


async def _is_operator(connection: ASGIConnection[Any, Any, Any, Any], _handler: BaseRouteHandler) -> None:
    settings: Settings = connection.app.state.settings
    connection.state.is_operator = _comes_from_here(connection.scope) or _has_token(
        connection.scope, settings.metrics_token
    )


def _comes_from_here(scope: Any) -> bool:
    """Whether a request comes from this machine, and not through a proxy on it."""
    try:
        is_here = ip_address(address_of(scope)).is_loopback
    except ValueError:
        return False
    return is_here and header_of(scope, b"x-forwarded-for") is None and header_of(scope, b"forwarded") is None


def _has_token(scope: Any, token: str) -> bool:
    given = header_of(scope, b"authorization") or ""
    return bool(token) and hmac.compare_digest(given.encode(), f"Bearer {token}".encode())


@get("/metrics", include_in_schema=False, guards=[limited("metrics"), _is_operator])
async def show_metrics(request: AnyRequest) -> Response[bytes]:
    """Counts and times for Prometheus."""
    if not request.state.is_operator:
        return Response(FOR_OPERATORS.encode(), status_code=403, media_type="text/plain")
    figures: Figures = request.app.state.figures
    return Response(figures.printed(), media_type=metrics.CONTENT_TYPE)
