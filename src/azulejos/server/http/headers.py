"""Headers: whether a request comes from our own page, and what every answer says to browsers."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import urlsplit

from azulejos.server.settings import LOOPBACK, Settings
from azulejos.server.tables.refusal import Refuse

Pairs = list[tuple[bytes, bytes]]
"""Headers as ASGI has them."""

POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; media-src 'self' blob: data:; manifest-src 'self'; connect-src {connect}; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""What the page may load and do: only what comes from here. Compiling the rules for it counts as evaluating code."""
ALWAYS: Final = (
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


def completed(scope: Any, given: Pairs) -> Pairs:
    """The headers of an answer, with those that every answer has; what does not say how long it may be kept is not."""
    host = header_of(scope, b"host") or ""
    connect = "'self'" + (f" ws://{host} wss://{host}" if HOST.fullmatch(host) else "")
    policy = (b"content-security-policy", POLICY.format(connect=connect).encode())
    is_kept = any(name == b"cache-control" for name, _ in given)
    return [*given, policy, *ALWAYS, *(() if is_kept else ((b"cache-control", b"no-store"),))]
