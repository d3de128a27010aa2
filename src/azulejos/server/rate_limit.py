"""A bucket of tokens: how often something may be done by each who does it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

MOST_KEYS: Final = 10_000
"""So many are remembered before the one is forgotten that has asked for nothing the longest."""


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
        self._tokens: dict[str, tuple[float, float]] = {}  # in the order in which they were last asked for

    def take(self, key: str = "") -> bool:
        """Whether this key may have one more; if so it has had it."""
        if not self._count:
            return True
        now = self._clock()
        left = self._left(key, now)
        self._tokens.pop(key, None)
        self._tokens[key] = (left - (left >= 1), now)
        if len(self._tokens) > MOST_KEYS:
            del self._tokens[next(iter(self._tokens))]
        return left >= 1

    def is_used_up(self, key: str = "") -> bool:
        """Whether this key may have no more at the moment."""
        return bool(self._count) and self._left(key, self._clock()) < 1

    def _left(self, key: str, now: float) -> float:
        left, then = self._tokens.get(key, (self._count, now))
        return min(self._count, left + (now - then) * self._rate)
