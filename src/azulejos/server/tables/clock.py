"""Clocks: what is left to each seat. They know nothing of the time of day; they are told what was used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.setup import Clock

SHORTEST_SECONDS: Final = 10
"""The least time for a game that can be asked for."""
LONGEST_SECONDS: Final = 24 * 3600
"""The most time for a game that can be asked for."""
MOST_INCREMENT: Final = 600
"""The most seconds that can be added after each move."""


def check_clock(clock: Clock) -> None:
    """Raise `Refuse` unless people can play by this clock."""
    if not SHORTEST_SECONDS <= clock.seconds <= LONGEST_SECONDS or not 0 <= clock.increment <= MOST_INCREMENT:
        raise Refuse("bad_clock", shortest=SHORTEST_SECONDS, longest=LONGEST_SECONDS, increment=MOST_INCREMENT)


def full(clock: Clock | None, seats: int) -> list[int]:
    """The milliseconds of each seat at the start; none without a clock."""
    return [] if clock is None else [clock.seconds * 1000] * seats


def after_use(left: Sequence[int], used: Sequence[int]) -> list[int]:
    """What is left after so much was used.

    >>> after_use([5000, 300], [0, 400])
    [5000, 0]
    """
    return [max(0, have - spent) for have, spent in zip(left, used, strict=True)] if used else list(left)


def used_by(running: Iterable[int], seats: int, elapsed: int) -> list[int]:
    """What each seat used when these clocks ran for so many milliseconds; empty if that is nothing."""
    on = set(running)
    return [elapsed if seat in on else 0 for seat in range(seats)] if on and elapsed > 0 else []


def first_to_fall(left: Sequence[int], running: Sequence[int]) -> int | None:
    """The seat with the least left of the running clocks."""
    return min(running, key=lambda seat: left[seat]) if left and running else None
