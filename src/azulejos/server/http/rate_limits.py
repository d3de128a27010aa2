"""How often, and how many at once, somebody may ask for something."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from azulejos.server.http.headers import address_of
from azulejos.server.settings import Settings
from azulejos.server.tables.refusal import Refuse

MOST_KEYS: Final = 10_000
"""So many are remembered before those who have asked for nothing lately are forgotten."""


class RateLimit:
    """So many at once for each key, and as many again over a while: a bucket of tokens that fills steadily.

    >>> now = 0.0
    >>> limit = RateLimit(2, 60.0, clock=lambda: now)
    >>> limit.take("a"), limit.take("a"), limit.take("a"), limit.take("b")
    (True, True, False, True)
    >>> now = 30.0
    >>> limit.take("a"), limit.take("a")
    (True, False)
    """

    def __init__(self, count: int, seconds: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Allow `count` in so many seconds; any number if the count is 0."""
        self._count, self._rate, self._clock = count, count / seconds, clock
        self._tokens: dict[str, tuple[float, float]] = {}

    def take(self, key: str = "") -> bool:
        """Whether this key may have one more; if so it has had it."""
        if not self._count:
            return True
        now = self._clock()
        left = self._left(key, now)
        if left < 1:
            self._tokens[key] = (left, now)
            return False
        if len(self._tokens) >= MOST_KEYS and key not in self._tokens:
            self._forget(now)
        self._tokens[key] = (left - 1, now)
        return True

    def _left(self, key: str, now: float) -> float:
        left, then = self._tokens.get(key, (self._count, now))
        return min(self._count, left + (now - then) * self._rate)

    def _forget(self, now: float) -> None:
        """Forget everybody whose bucket is full again; if nobody's is, everybody, rather than grow for ever."""
        self._tokens = {key: value for key, value in self._tokens.items() if self._left(key, now) < self._count}
        if len(self._tokens) >= MOST_KEYS:
            self._tokens.clear()


class ConnectionLimit:
    """How many connections each key may hold at the same time.

    >>> limit = ConnectionLimit(1)
    >>> limit.take("a"), limit.take("a")
    (True, False)
    >>> limit.give_back("a")
    >>> limit.take("a")
    True
    """

    def __init__(self, most: int) -> None:
        """Allow so many; any number if it is 0."""
        self._most = most
        self._taken: dict[str, int] = {}

    def take(self, key: str) -> bool:
        """Whether this key may hold one more; if so it does."""
        held = self._taken.get(key, 0)
        if self._most and held >= self._most:
            return False
        self._taken[key] = held + 1
        return True

    def give_back(self, key: str) -> None:
        """One less."""
        held = self._taken.get(key, 0) - 1
        if held > 0:
            self._taken[key] = held
        else:
            self._taken.pop(key, None)


def rate_limits(settings: Settings) -> dict[str, RateLimit]:
    """How often one address may ask for what."""
    return {
        "tables": RateLimit(settings.tables_per_minute, 60.0),
        "questions": RateLimit(settings.questions_per_minute, 60.0),
    }


def limited(what: str) -> Callable[[ASGIConnection[Any, Any, Any, Any], BaseRouteHandler], None]:
    """A guard for a route: so often and no more."""

    def check(connection: ASGIConnection[Any, Any, Any, Any], _handler: BaseRouteHandler) -> None:
        if not connection.app.state.rate_limits[what].take(address_of(connection.scope)):
            raise Refuse("too_fast")

    return check
