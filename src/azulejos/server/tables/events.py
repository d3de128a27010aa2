"""Everything that can happen at a table, as it is stored and as everybody is told of it.

The truth about a table is its setup and its events, in order, and nothing else: the position, the clocks, the result
follow from them. Deals are not stored: they follow from the dealer's secret, which is.
"""

from __future__ import annotations

from typing import Final, TypeAlias, get_args

import msgspec
from msgspec import Struct, field


class Timed(Struct, frozen=True, omit_defaults=True, tag_field="type", kw_only=True):
    """Anything that happened at a table, with the time until it did."""

    used: list[int] = field(default_factory=list)
    """How many milliseconds each seat's clock ran since the event before; empty: none did."""


class OfSeat(Timed, frozen=True, kw_only=True):
    """Something about one seat."""

    seat: int
    """The seat that it is about."""


class Started(Timed, frozen=True, tag="started"):
    """The table was made and the first tiles dealt."""


class Decided(OfSeat, frozen=True, tag="decided", kw_only=True):
    """A draft, or a tiling choice that stays hidden until all are made; clients are told what came of it."""

    move: str
    """What was decided."""
    person: bool = True
    """Whether a person decided, and not a computer."""


class Undone(OfSeat, frozen=True, tag="undone", kw_only=True):
    """A seat took back its last decision."""

    moves: int = 0
    """How many moves that everybody had seen went back; version 0.1.0 did not store it."""


class Resigned(OfSeat, frozen=True, tag="resigned"):
    """A seat gave up."""


class TimedOut(OfSeat, frozen=True, tag="timed_out"):
    """A seat's clock ran out."""


class Substituted(OfSeat, frozen=True, tag="substituted", kw_only=True):
    """A computer plays on for a seat."""

    level: int
    """The level of the computer."""


class CameBack(OfSeat, frozen=True, tag="came_back"):
    """A person took the seat back."""


class Renamed(OfSeat, frozen=True, tag="renamed", kw_only=True):
    """A seat has a new name."""

    name: str
    """The new name."""


class Assisted(OfSeat, frozen=True, tag="assisted"):
    """A seat took a hint."""


class Joined(OfSeat, frozen=True, tag="joined"):
    """The person of a seat was here for the first time."""


class Listed(OfSeat, frozen=True, tag="listed", kw_only=True):
    """The table was put on the list of the lobby, or taken off it."""

    open: bool = True
    """Whether it is on the list now."""


class Claimed(OfSeat, frozen=True, tag="claimed", kw_only=True):
    """Somebody from the lobby took a free seat; clients are told that the seat's person has joined."""

    name: str
    """What the person is called."""
    digest: str
    """The digest of the secret that opens the seat from now on, instead of the one in its link."""

    @property
    def told(self) -> Joined:
        """What everybody may know of it."""
        return Joined(seat=self.seat, used=self.used)


class Rematched(Timed, frozen=True, tag="rematched", kw_only=True):
    """The next table is ready."""

    table: str
    """The id of the next table."""


ToldAsStored: TypeAlias = (
    Started | Undone | Resigned | TimedOut | Substituted | CameBack | Renamed | Assisted | Joined | Listed | Rematched
)
"""Events of which clients are told exactly what is stored."""
TableEvent: TypeAlias = Decided | Claimed | ToldAsStored
"""Everything that can happen at a table."""


class Noted(Struct, frozen=True):
    """Something that happened besides moves, and where among them."""

    version: int
    """The number of the event."""
    moves: int
    """How many moves stood after it."""
    what: ToldAsStored
    """What happened."""


MOST_NOTED: Final = 100
"""So many of them a table remembers."""

_ENCODER: Final = msgspec.json.Encoder()
_BY_KIND: Final[dict[str, type[TableEvent]]] = {str(each.__struct_config__.tag): each for each in get_args(TableEvent)}


def kind_of(event: TableEvent) -> str:
    """The word for what happened.

    >>> kind_of(TimedOut(seat=1))
    'timed_out'
    """
    return str(event.__struct_config__.tag)


def write(event: TableEvent) -> str:
    """An event as it is stored.

    >>> write(Decided(seat=1, move="3B4"))
    '{"type":"decided","seat":1,"move":"3B4"}'
    """
    return _ENCODER.encode(event).decode()


def read(kind: str, text: str) -> TableEvent:
    """The event of a kind that is stored so; version 0.1.0 wrote the kind and the time of day once more.

    >>> read("decided", '{"kind":"decided","at":1772366400000,"seat":1,"move":"3B4"}')
    Decided(used=[], seat=1, move='3B4', person=True)
    """
    if kind not in _BY_KIND:
        raise msgspec.ValidationError(f"cannot read an event of the kind {kind!r}")
    return msgspec.json.decode(text, type=_BY_KIND[kind])
