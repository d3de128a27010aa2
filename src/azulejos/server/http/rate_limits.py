"""How often, and how many at once, somebody may ask for something."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from ipaddress import AddressValueError, IPv6Address
from typing import Any, Final

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from azulejos.server.http.headers import address_of
from azulejos.server.rate_limit import RateLimit
from azulejos.server.settings import Settings
from azulejos.server.tables.refusal import Refuse

CODES_PER_MINUTE: Final = 60
"""QR codes for one address: each takes as long as many moves."""
CHECKS_PER_MINUTE: Final = 240
"""Questions of one address about the server's health, and as many about its figures."""
LOOKS_PER_MINUTE: Final = 1200
"""Looks of one address into the lobby: everybody in a club may have one, and asks every few seconds."""
SOCKETS_AT_FULL_PACE: Final = 5
"""So many sockets of one address may send as fast as one may; all others of that address share this."""
HOST_BITS: Final = 64
"""Bits of an IPv6 address that a household chooses itself, so that all it can choose count as one."""


def key_of(address: str) -> str:
    """Under which key an address is counted: an IPv6 address by its network.

    >>> key_of("192.0.2.7"), key_of("2001:db8:0:1:a:b:c:d"), key_of("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:0:1::/64', '192.0.2.7')
    """
    if ":" not in address:
        return address
    try:
        parsed = IPv6Address(address)
    except AddressValueError:
        return address
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return f"{IPv6Address(int(parsed) >> HOST_BITS << HOST_BITS)}/{128 - HOST_BITS}"


class ConnectionLimit:
    """How many connections each key may hold at the same time, and all of them together.

    >>> limit = ConnectionLimit(1, in_all=2)
    >>> limit.take("a"), limit.take("a"), limit.take("b"), limit.take("c")
    (True, False, True, False)
    >>> limit.give_back("a")
    >>> limit.take("c")
    True
    """

    def __init__(self, most: int, in_all: int = 0) -> None:
        """Allow so many; any number if it is 0."""
        self._most, self._in_all, self._all = most, in_all, 0
        self._taken: dict[str, int] = {}

    def take(self, key: str) -> bool:
        """Whether this key may hold one more; if so it does."""
        held = self._taken.get(key, 0)
        if (self._most and held >= self._most) or (self._in_all and self._all >= self._in_all):
            return False
        self._taken[key] = held + 1
        self._all += 1
        return True

    def give_back(self, key: str) -> None:
        """Let this key hold one less."""
        held = self._taken.get(key, 0) - 1
        self._all -= 1
        if held > 0:
            self._taken[key] = held
        else:
            self._taken.pop(key, None)


def rate_limits(settings: Settings) -> dict[str, RateLimit]:
    """How often one address may ask for what."""
    return {
        "tables": RateLimit(settings.tables_per_minute, 60.0),
        "questions": RateLimit(settings.questions_per_minute, 60.0),
        "unknown": RateLimit(settings.unknown_per_minute, 60.0),
        "messages": RateLimit(SOCKETS_AT_FULL_PACE * settings.messages_per_second, 1.0),
        "codes": RateLimit(CODES_PER_MINUTE, 60.0),
        "lobby": RateLimit(LOOKS_PER_MINUTE, 60.0),
        "health": RateLimit(CHECKS_PER_MINUTE, 60.0),
        "metrics": RateLimit(CHECKS_PER_MINUTE, 60.0),
    }


def limited(what: str) -> Callable[[ASGIConnection[Any, Any, Any, Any], BaseRouteHandler], Awaitable[None]]:
    """A guard for a route: so often and no more."""

    async def check(connection: ASGIConnection[Any, Any, Any, Any], _handler: BaseRouteHandler) -> None:
        """Raise `Refuse` if it is too often. A coroutine: the framework would give anything else a thread."""
        if not connection.app.state.rate_limits[what].take(key_of(address_of(connection.scope))):
            raise Refuse("too_fast")

    return check
