"""Who is away from a table, since when, and whether a computer may take the seat."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence

from msgspec import Struct

from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.table import Table

FEWEST_OTHERS = 2
"""So many others can agree that somebody is replaced at once; one alone would only be impatient."""


class EmptySeat(Struct, frozen=True):
    """A seat at which nobody is."""

    seat: int
    """The seat."""
    ms: int
    """For how many milliseconds."""
    wishes: list[int]
    """The seats of those who want a computer there."""


class Absence:
    """The empty seats of a table."""

    def __init__(self, patience: float, now: Callable[[], float]) -> None:
        self._patience, self._now = patience, now
        self._since: dict[int, float] = {}
        self._wishes: dict[int, set[int]] = {}

    def look(self, present: Sequence[bool]) -> None:
        """Note who is here now: for each seat whether somebody is."""
        for seat, here in enumerate(present):
            if here:
                self._since.pop(seat, None)
                self._wishes.pop(seat, None)
            else:
                self._since.setdefault(seat, self._now())

    @property
    def empty(self) -> list[EmptySeat]:
        """The empty seats, as servers that share the table tell each other."""
        return [
            EmptySeat(seat, int((self._now() - since) * 1000), sorted(self._wishes.get(seat, ())))
            for seat, since in self._since.items()
        ]

    def hear(self, empty: Iterable[EmptySeat]) -> None:
        """Note what another server knows of seats that are empty here, too: it may have the table for longer."""
        for other in empty:
            if other.seat in self._since:
                self._since[other.seat] = min(self._since[other.seat], self._now() - other.ms / 1000)
                self._wishes.setdefault(other.seat, set()).update(other.wishes)

    def check(self, table: Table, seat: int, mine: Collection[int]) -> None:
        """Raise `Refuse` if somebody with these seats may not have a computer play for a seat, or not yet.

        One may for oneself; for somebody who is away after a while, or when all other people, of whom there are
        several, have asked for it.
        """
        if seat in mine:
            return
        since = self._since.get(seat)
        if since is None:
            raise Refuse("seat_not_absent", seat=seat)
        left = since + self._patience - self._now()
        if left <= 0:
            return
        wishes = self._wishes.setdefault(seat, set())
        wishes.update(mine)
        others = {other for other in range(table.players) if other != seat and table.is_person(other)}
        if len(others) < FEWEST_OTHERS or not others <= wishes:
            raise Refuse("not_away_long", seat=seat, seconds=math.ceil(left))
