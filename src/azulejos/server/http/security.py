"""What keeps strangers out: headers, same origin, sizes, how often, and names that cannot play tricks.

`Guard` stands before the whole application, so that nothing is answered without it.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
import unicodedata
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from azulejos.server import metrics
from azulejos.server.http.rate_limits import Allowance, Seats
from azulejos.server.protocol.answers import Failure
from azulejos.server.protocol.outgoing import Refused
from azulejos.server.settings import LOOPBACK, Settings
from azulejos.server.tables.refuse import Refuse

Scope = MutableMapping[str, Any]
"""What ASGI tells of a connection."""
Message = MutableMapping[str, Any]
"""A message of ASGI."""
Receive = Callable[[], Awaitable[Message]]
"""Waits for the next message."""
Send = Callable[[Message], Awaitable[None]]
"""Sends a message."""
Asgi = Callable[[Any, Any, Any], Awaitable[None]]
"""An application, or something that stands before one."""

MOST_BODY: Final = 128 * 1024
"""Bytes of a request: a record to be replayed is the largest thing that anybody sends."""
BODY_SECONDS: Final = 20.0
"""How long a request's body may take to arrive."""
LONGEST_NAME: Final = 24
"""Characters of a person's name."""
MOST_MARKS: Final = 3
"""Accents on one letter; more are meant to cover the lines above and below."""
BLANKS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Letters and marks by the book, of which nothing is seen."""
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "media-src 'self' blob: data:; manifest-src 'self'; connect-src {connect}; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'"
)
"""What the page may load and do: only what comes from here."""
HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=(), interest-cohort=()"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
"""What every answer says to browsers."""
HOST: Final = re.compile(r"(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
"""What a host in a request may look like."""
SAFE_METHODS: Final = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing."""
STATUS: Final = {
    "unknown_table": 404,
    "not_found": 404,
    "method_not_allowed": 405,
    "wrong_origin": 403,
    "wrong_link": 403,
    "not_your_seat": 403,
    "too_large": 413,
    "too_fast": 429,
    "too_many_tables": 503,
    "busy": 503,
    "no_computer": 503,
    "storage_failed": 503,
    "internal": 500,
}
"""The status of a refusal over HTTP; 400 for all others."""
TRY_AGAIN: Final = 1013
"""The code with which a socket is closed."""

REQUESTS: Final = logging.getLogger("azulejos.requests")
"""Where every request is logged."""


class Guard:
    """Checks every request and socket before the application sees it, and completes every answer."""

    def __init__(self, app: Asgi, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._sockets = Seats(settings.sockets_per_address)

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
                given = list(message.get("headers", ()))
                message["headers"] = [*given, *extra_headers(scope), *_kept_by_nobody(given)]
            await send(message)

        try:
            check_origin(scope, self._settings)
        except Refuse as refusal:
            await answer_refusal(refusal, complete)
        else:
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
        address = address_of(scope)
        try:
            check_origin(scope, self._settings)
        except Refuse as refusal:
            await deny_socket(scope, refusal, send)
            return
        if not self._sockets.take(address):
            await close_socket(Refuse("too_fast"), receive, send)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            self._sockets.give_back(address)


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


KNOWN_METHODS: Final = (*SAFE_METHODS, "POST", "PUT", "PATCH", "DELETE")
"""Methods that the figures name; others are counted together."""


def allowances(settings: Settings) -> dict[str, Allowance]:
    """How often one address may ask for what."""
    return {
        "tables": Allowance(settings.tables_per_minute, 60.0),
        "hints": Allowance(settings.hints_per_minute, 60.0),
        "questions": Allowance(settings.questions_per_minute, 60.0),
    }


def limited(what: str) -> Callable[[ASGIConnection[Any, Any, Any, Any], BaseRouteHandler], None]:
    """A guard for a route: so often and no more."""

    def check(connection: ASGIConnection[Any, Any, Any, Any], _handler: BaseRouteHandler) -> None:
        if not connection.app.state.allowances[what].take(address_of(connection.scope)):
            raise Refuse("too_fast")

    return check


def address_of(scope: Any) -> str:
    """The address that a request came from; the one a proxy names if that proxy is trusted (uvicorn sees to that)."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def header_of(scope: Any, name: bytes) -> str | None:
    """A header of a request."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), None)


def check_origin(scope: Any, settings: Settings) -> None:
    """Refuse what another site makes a browser send, and names that are not ours.

    A client that is not a browser sends no Origin and is let through: it has nobody's rights but its own. The Host is
    checked because a foreign name that points at this machine would make any page of that name "the same origin".
    """
    host = header_of(scope, b"host") or ""
    if not HOST.fullmatch(host) or not is_ours(host, settings):
        raise Refuse("wrong_origin")
    if scope["type"] == "http" and scope["method"] in SAFE_METHODS:
        return
    origin = header_of(scope, b"origin")
    if origin is None:
        if header_of(scope, b"sec-fetch-site") not in (None, "same-origin", "none"):
            raise Refuse("wrong_origin")
        return
    allowed = [place_of(url) for url in (f"http://{host}", f"https://{host}", settings.public_url)]
    place = place_of(origin)
    if place is None or place not in allowed:
        raise Refuse("wrong_origin")


def is_ours(host: str, settings: Settings) -> bool:
    """Whether this is a name under which the server wants to be known.

    >>> is_ours("localhost:8421", Settings()), is_ours("evil.example", Settings())
    (True, False)
    >>> is_ours("tiles.example", Settings(public_url="https://tiles.example"))
    True
    """
    if not settings.is_local:
        return True
    name = urlsplit(f"//{host}").hostname
    return name in LOOPBACK or name == urlsplit(settings.public_url).hostname


def place_of(url: str) -> tuple[str, str, int | None] | None:
    """Scheme, name and port of an address, or None if it has none.

    >>> place_of("https://Tiles.example") == place_of("https://tiles.example:443")
    True
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    return parts.scheme, parts.hostname, port or {"http": 80, "https": 443}[parts.scheme]


def extra_headers(scope: Any) -> list[tuple[bytes, bytes]]:
    """The headers that every answer gets."""
    host = header_of(scope, b"host") or ""
    connect = "'self'" + (f" ws://{host} wss://{host}" if HOST.fullmatch(host) else "")
    return [(b"content-security-policy", POLICY.format(connect=connect).encode()), *HEADERS]


def _kept_by_nobody(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """What does not say how long it may be kept is kept by no browser and no proxy."""
    return [] if any(name == b"cache-control" for name, _ in headers) else [(b"cache-control", b"no-store")]


async def answer_refusal(refusal: Refuse, send: Send) -> None:
    """Answer a request with a refusal."""
    metrics.REFUSALS.labels(code=refusal.code).inc()
    body = msgspec.json.encode(Failure(refusal.code, refusal.arguments))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": STATUS.get(refusal.code, 400), "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def deny_socket(scope: Scope, refusal: Refuse, send: Send) -> None:
    """Answer the request for a socket with a refusal instead."""
    metrics.REFUSALS.labels(code=refusal.code).inc()
    if "websocket.http.response" not in (scope.get("extensions") or {}):
        await send({"type": "websocket.close", "code": 1008})
        return
    body = msgspec.json.encode(Failure(refusal.code, refusal.arguments))
    headers = [(b"content-type", b"application/json"), *extra_headers(scope)]
    start = {"type": "websocket.http.response.start", "status": STATUS.get(refusal.code, 400), "headers": headers}
    await send(start)
    await send({"type": "websocket.http.response.body", "body": body})


async def close_socket(refusal: Refuse, receive: Receive, send: Send) -> None:
    """Open a socket only to say why it is closed: a page cannot read the answer to a request for one."""
    metrics.REFUSALS.labels(code=refusal.code).inc()
    await receive()
    await send({"type": "websocket.accept"})
    text = msgspec.json.encode(Refused(refusal.code, refusal.arguments)).decode()
    await send({"type": "websocket.send", "text": text})
    await send({"type": "websocket.close", "code": TRY_AGAIN})


def clean_name(text: str) -> str:
    """A name as it may be shown: one line, nothing invisible, nothing that turns the direction of writing.

    >>> clean_name("  Ana   Sousa ")
    'Ana Sousa'
    >>> clean_name("Rui" + chr(0x202E) + "esrever")
    'Ruiesrever'
    """
    visible = "".join(letter for letter in text if _is_visible(letter) or letter.isspace())
    name = _thin_marks(" ".join(unicodedata.normalize("NFC", visible).split()))
    if len(name) > LONGEST_NAME or (text.strip() and not name):
        raise Refuse("bad_name")
    return name


def _is_visible(letter: str) -> bool:
    return letter.isprintable() and letter not in BLANKS


def _thin_marks(text: str) -> str:
    kept: list[str] = []
    marks = MOST_MARKS  # one that stands first would sit on whatever is written before the name
    for letter in text:
        marks = marks + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        if marks <= MOST_MARKS:
            kept.append(letter)
    return "".join(kept)


def printable(text: str) -> str:
    """Foreign text for a line of a log: short, and on one line."""
    return "".join(letter if letter.isprintable() else "?" for letter in text[:100])
