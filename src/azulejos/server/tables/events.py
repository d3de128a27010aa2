"""What is stored of a table: how it was set up, and everything that happened since, in order.

The truth about a table is this and nothing else: the position, the clocks, the result follow from it. Deals are not
stored: they follow from the dealer's secret, which is.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec
from msgspec import Struct, field

from azulejos.server.protocol.shared import Clock, SeatKind, Wall


class SeatSetup(Struct, frozen=True, omit_defaults=True):
    """Who sat there when the table was made."""

    kind: SeatKind
    """A person or a computer."""
    name: str = ""
    """What the person is called."""
    level: int | None = None
    """How strong the computer is."""


class Setup(Struct, frozen=True, omit_defaults=True):
    """How a table was set up."""

    wall: Wall
    """The colored wall or the gray one."""
    seats: list[SeatSetup]
    """Who sat down, in turn order."""
    starter: int
    """Who starts the first round."""
    clock: Clock | None = None
    """How much time everybody has, if there is a limit."""
    same_tiles: bool = False
    """Whether the tiles of an earlier game are dealt again."""
    previous: str | None = None
    """The table that this one is the rematch of."""


class Stored(Struct, frozen=True, omit_defaults=True, tag_field="kind", kw_only=True):
    """Anything that happened at a table."""

    at: int = 0
    """When, in milliseconds since 1970."""
    used: list[int] = field(default_factory=list)
    """How many milliseconds each seat's clock ran since the event before; empty: none did."""


class OfSeat(Stored, frozen=True, omit_defaults=True, kw_only=True):
    """Something about one seat."""

    seat: int
    """Which seat."""


class Started(Stored, frozen=True, tag="started"):
    """The table was made."""


class Decided(OfSeat, frozen=True, omit_defaults=True, tag="decided", kw_only=True):
    """A draft, or a tiling choice that stays hidden until all are made."""

    move: str
    """What was decided."""
    person: bool = True
    """Whether a person decided, and not a computer."""


class Undone(OfSeat, frozen=True, tag="undone"):
    """A seat took back its last decision."""


class Resigned(OfSeat, frozen=True, tag="resigned"):
    """A seat gave up."""


class TimedOut(OfSeat, frozen=True, tag="timed_out"):
    """A seat's clock ran out."""


class Substituted(OfSeat, frozen=True, tag="substituted", kw_only=True):
    """A computer plays on for a seat."""

    level: int
    """How strong the computer is."""


class CameBack(OfSeat, frozen=True, tag="came_back"):
    """A person took the seat back."""


class Renamed(OfSeat, frozen=True, tag="renamed", kw_only=True):
    """A seat has a new name."""

    name: str
    """The new name."""


class Assisted(OfSeat, frozen=True, tag="assisted"):
    """A seat was given a hint."""


class Joined(OfSeat, frozen=True, tag="joined"):
    """The person of a seat was here for the first time."""


class Rematched(Stored, frozen=True, tag="rematched", kw_only=True):
    """The next table is ready."""

    table: str
    """The id of the next table."""


Happened: TypeAlias = (
    Started | Decided | Undone | Resigned | TimedOut | Substituted | CameBack | Renamed | Assisted | Joined | Rematched
)
"""Everything that can have happened at a table."""

_ENCODER: Final = msgspec.json.Encoder()
_EVENTS: Final = msgspec.json.Decoder(Happened)
_SETUPS: Final = msgspec.json.Decoder(Setup)


def write(thing: Setup | Happened) -> str:
    """As it is stored.

    >>> write(Decided(seat=1, move="3B4"))
    '{"kind":"decided","seat":1,"move":"3B4"}'
    """
    return _ENCODER.encode(thing).decode()


def read_event(text: str) -> Happened:
    """The event that is stored so."""
    event: Happened = _EVENTS.decode(text)
    return event


def read_setup(text: str) -> Setup:
    """The setup that is stored so."""
    return _SETUPS.decode(text)
