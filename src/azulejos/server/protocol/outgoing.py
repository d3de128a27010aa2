"""What the server says over a table's socket; `Outgoing` is all of it.

Seats, rows and columns are counted from 0. Tiles are counted by color in the order blue, yellow, red, black, white; a
single color is a letter of `BYRKW`. Nothing here ever holds a seed, a secret of a seat, or the order of the bag.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import field

from azulejos.game.refusal import Refusal
from azulejos.server.protocol.position import BoardInfo, HappeningInfo, MessagePart, Option, Position
from azulejos.server.protocol.shared import Emote
from azulejos.server.tables.events import Noted, OfSeat, Timed, ToldAsStored
from azulejos.server.tables.info import ClockTime, TableInfo

# ---- what an event is about ----


class Played(Timed, frozen=True, tag="played", kw_only=True):
    """A move; or, on the gray wall, the tiling choices of all seats at once, which nobody saw before."""

    happenings: list[HappeningInfo]
    """What each move did, in order."""


class Chose(OfSeat, frozen=True, tag="chose"):
    """A seat made one of its hidden tiling choices; which one only its own people are told."""


Happened: TypeAlias = Played | Chose | ToldAsStored
"""Everything that an event can be about."""


# ---- what only one client is told ----


class Choosing(MessagePart, frozen=True):
    """My own hidden tiling choices, which the others do not see yet."""

    seat: int
    """The seat, one of mine."""
    chosen: list[str]
    """The cells that I chose."""
    board: BoardInfo
    """My board as it is after them."""
    options: list[Option]
    """My next choice; empty when I have made them all."""


class You(MessagePart, frozen=True):
    """What only this client is told."""

    seats: list[int] = field(default_factory=list)
    """The seats that are mine."""
    undo: list[int] = field(default_factory=list)
    """Those of my seats that may take back a move now."""
    choosing: list[Choosing] = field(default_factory=list)
    """The hidden choices of each of my seats."""


# ---- messages ----


class OutgoingMessage(MessagePart, frozen=True, tag_field="type"):
    """Anything that comes out of a socket."""


class Situation(OutgoingMessage, frozen=True, kw_only=True):
    """A table as a client sees it."""

    version: int
    """How many events it has seen: the number of the last one."""
    table: TableInfo
    """The table."""
    position: Position
    """What lies on it."""
    you: You
    """What is mine."""
    waiting: list[int]
    """The seats that have to decide: one, or on the gray wall all that still choose."""
    clock: ClockTime | None = None
    """What is left on the clocks, if there are any."""


class Welcome(Situation, frozen=True, tag="welcome", kw_only=True):
    """Everything about a table; the answer to `hello`, and to a client that missed too much."""

    log: list[HappeningInfo]
    """The moves so far, each with all that it did: the last one, and how every round was scored, follow from it."""
    present: list[bool]
    """Who is connected; computers always are."""
    watchers: int
    """How many look on."""
    protocol: int
    """The version of the protocol that the server speaks."""
    noted: list[Noted] = field(default_factory=list)
    """What happened besides moves, the latest last: undone, joined, resigned and the like."""


class Event(Situation, frozen=True, tag="event", kw_only=True):
    """Something that happened and is saved, and the table after it. Versions rise by one."""

    what: Happened
    """What happened."""


class Resumed(OutgoingMessage, frozen=True, tag="resumed"):
    """The answer to `hello` from a client that missed only a little: the events since its version."""

    events: list[Event]
    """The events since, in order."""
    you: You
    """What is mine now."""
    present: list[bool]
    """Who is connected."""
    watchers: int
    """How many look on."""


class Accepted(OutgoingMessage, frozen=True, tag="accepted"):
    """The message with this id was obeyed; its event has been sent."""

    id: str | None
    """The id of the message."""
    version: int
    """The version of the table after it."""


class Refused(Refusal, frozen=True, tag="refused", tag_field="type"):
    """The message with this id was not obeyed, and why. `version` is the table's."""

    id: str | None = None
    """The id of the message."""
    version: int | None = None
    """The version of the table."""


class Present(OutgoingMessage, frozen=True, tag="present"):
    """Who is connected."""

    present: list[bool]
    """Who is connected, by seat; computers always are."""
    watchers: int
    """How many look on."""


class Emoted(OutgoingMessage, frozen=True, tag="emoted"):
    """A seat shows a small sign; not saved."""

    seat: int
    """Who shows it."""
    emote: Emote
    """The sign that is shown."""


class Pong(OutgoingMessage, frozen=True, tag="pong"):
    """I am here."""

    id: str | None = None
    """The id of the question."""


class Closing(OutgoingMessage, frozen=True, tag="closing"):
    """The server ends; come back in a moment."""


Outgoing: TypeAlias = Welcome | Event | Resumed | Accepted | Refused | Present | Emoted | Pong | Closing
"""Everything that can come out of a table's socket."""
