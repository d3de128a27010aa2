"""How often somebody may ask for something."""

from __future__ import annotations

import time
from collections.abc import Callable

MOST_KEYS = 10_000
"""So many are remembered before those who have asked for nothing lately are forgotten."""


class Allowance:
    """So many at once for each key, and as many again over a while: a bucket of tokens that fills steadily.

    >>> now = 0.0
    >>> allowance = Allowance(2, 60.0, clock=lambda: now)
    >>> allowance.take("a"), allowance.take("a"), allowance.take("a"), allowance.take("b")
    (True, True, False, True)
    >>> now = 30.0
    >>> allowance.take("a"), allowance.take("a")
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


class Seats:
    """How many of something each key holds at the same time.

    >>> seats = Seats(1)
    >>> seats.take("a"), seats.take("a")
    (True, False)
    >>> seats.give_back("a")
    >>> seats.take("a")
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
