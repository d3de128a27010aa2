"""What the server says over a table's socket; `Outgoing` is all of it.

Seats, rows and columns are counted from 0. Tiles are counted by color in the order blue, yellow, red, black, white; a
single color is a letter of `BYRKW`. Nothing here ever holds a seed, a secret of a seat, or the order of the bag.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import field

from azulejos.server.protocol.position import Board, Code, Happening, Option, Plain, Position
from azulejos.server.protocol.shared import PROTOCOL, Clock, Emote, SeatKind, Wall

# ---- what an event is about ----


class What(Plain, frozen=True, tag_field="type"):
    """What an event is about."""


class Started(What, frozen=True, tag="started"):
    """The table was made and the first tiles dealt."""


class Played(What, frozen=True, tag="played"):
    """A move; or, on the gray wall, the tiling choices of all seats at once, which nobody saw before."""

    happenings: list[Happening]
    """What each move did, in order."""


class Chose(What, frozen=True, tag="chose"):
    """A seat made one of its hidden tiling choices; which one only its own people are told."""

    seat: int
    """Whose choice."""


class Undone(What, frozen=True, tag="undone"):
    """A seat took back its last decision."""

    seat: int
    """Whose decision."""
    moves: int
    """How many moves went back in all."""


class Resigned(What, frozen=True, tag="resigned"):
    """A seat gave up."""

    seat: int
    """Who gave up."""


class TimedOut(What, frozen=True, tag="timed_out"):
    """A seat's clock ran out."""

    seat: int
    """Whose clock."""


class Substituted(What, frozen=True, tag="substituted"):
    """A computer plays on for a seat."""

    seat: int
    """For whom."""
    level: int
    """How strong it is."""


class CameBack(What, frozen=True, tag="came_back"):
    """A person took the seat back."""

    seat: int
    """Which seat."""


class Renamed(What, frozen=True, tag="renamed"):
    """A seat has a new name."""

    seat: int
    """Which seat."""
    name: str
    """The new name."""


class Assisted(What, frozen=True, tag="assisted"):
    """A seat was given a hint."""

    seat: int
    """Who was helped."""


class Joined(What, frozen=True, tag="joined"):
    """The person of a seat was here for the first time."""

    seat: int
    """Which seat."""


class Rematched(What, frozen=True, tag="rematched"):
    """The next table is ready."""

    table: str
    """Its id."""


Happened: TypeAlias = (
    Started
    | Played
    | Chose
    | Undone
    | Resigned
    | TimedOut
    | Substituted
    | CameBack
    | Renamed
    | Assisted
    | Joined
    | Rematched
)
"""Everything that an event can be about."""


# ---- a table ----


class SeatInfo(Plain, frozen=True):
    """Who sits there."""

    kind: SeatKind
    """A person or a computer."""
    name: str
    """What the person is called."""
    level: int | None = None
    """Of a computer."""
    substitute: int | None = None
    """The level of the computer that plays for an absent person."""
    resigned: bool = False
    """Whether this seat gave up."""
    joined: bool = False
    """Whether the person has ever been here."""


class Result(Plain, frozen=True):
    """How the game ended."""

    reason: Literal["row", "stalled", "round_limit", "resigned", "time"]
    """What ended it."""
    winners: list[int]
    """The seats that won, several if they share the victory."""
    scores: list[int]
    """The final scores by seat."""


class TableInfo(Plain, frozen=True):
    """A table, apart from the position on it."""

    id: str
    """What stands in its address."""
    wall: Wall
    """The colored wall or the gray one."""
    created: str
    """When it was made."""
    seats: list[SeatInfo]
    """Who sits there, in turn order."""
    commitment: str
    """Fixes all deals before the game; see `secret`."""
    clock: Clock | None = None
    """How much time everybody has, if there is a limit."""
    assisted: bool = False
    """Whether anybody took back a move after a computer's move or a deal, or was given a hint."""
    result: Result | None = None
    """How the game ended, if it has."""
    secret: str | None = None
    """After the game: what the deals followed from."""
    next: str | None = None
    """The table of the rematch."""
    same_tiles: bool = False
    """Whether the tiles of an earlier game are dealt again."""


class ClockTime(Plain, frozen=True):
    """What is left on the clocks, in milliseconds, and whose are running."""

    left: list[int]
    """By seat."""
    running: list[int]
    """Several while the tiling choices of the gray wall are made."""


class Choosing(Plain, frozen=True):
    """My own hidden tiling choices, which the others do not see yet."""

    seat: int
    """Which of my seats."""
    chosen: list[str]
    """The cells that I chose."""
    board: Board
    """My board as it is after them."""
    options: list[Option]
    """My next choice; empty when I have made them all."""


class You(Plain, frozen=True):
    """What only this client is told."""

    seats: list[int] = field(default_factory=list)
    """The seats that are mine."""
    undo: list[int] = field(default_factory=list)
    """Of those, the ones that may take back a move now."""
    choosing: list[Choosing] = field(default_factory=list)
    """The hidden choices of each of my seats."""


# ---- messages ----


class Message(Plain, frozen=True, tag_field="type"):
    """Anything that comes out of a socket."""


class Welcome(Message, frozen=True, tag="welcome"):
    """Everything about a table; the answer to `hello`, and to a client that missed too much."""

    table: TableInfo
    """The table."""
    version: int
    """How many events it has seen."""
    position: Position
    """What lies on it."""
    you: You
    """What is mine."""
    log: list[Happening]
    """The moves so far, each with all that it did: the last one, and how every round was scored, follow from it."""
    waiting: list[int]
    """The seats that have to decide: one, or on the gray wall all that still choose."""
    present: list[bool]
    """Who is connected; computers always are."""
    watchers: int
    """How many look on."""
    clock: ClockTime | None = None
    """What is left on the clocks, if there are any."""
    protocol: int = PROTOCOL
    """The version of the protocol that the server speaks."""


class Event(Message, frozen=True, tag="event"):
    """Something that happened and is saved. Versions rise by one."""

    version: int
    """The number of the event."""
    what: Happened
    """What happened."""
    table: TableInfo
    """The table after it."""
    position: Position
    """The position after it."""
    you: You
    """What is mine after it."""
    waiting: list[int]
    """The seats that have to decide now."""
    clock: ClockTime | None = None
    """What is left on the clocks, if there are any."""


class Resumed(Message, frozen=True, tag="resumed"):
    """The answer to `hello` from a client that missed only a little: the events since its version."""

    events: list[Event]
    """In order."""
    you: You
    """What is mine now."""
    present: list[bool]
    """Who is connected."""
    watchers: int
    """How many look on."""


class Accepted(Message, frozen=True, tag="accepted"):
    """The message with this id was obeyed; its event has been sent."""

    id: str | None
    """That of the message."""
    version: int
    """The version of the table after it."""


class Refused(Message, frozen=True, tag="refused"):
    """The message with this id was not obeyed, and why. `version` is the table's."""

    code: Code
    """The reason."""
    arguments: dict[str, str | int] = field(default_factory=dict)
    """What its sentence has to name."""
    id: str | None = None
    """That of the message."""
    version: int | None = None
    """The version of the table."""


class Present(Message, frozen=True, tag="present"):
    """Who is connected."""

    present: list[bool]
    """By seat; computers always are."""
    watchers: int
    """How many look on."""


class Emoted(Message, frozen=True, tag="emoted"):
    """A seat shows a small sign; not saved."""

    seat: int
    """Who shows it."""
    emote: Emote
    """Which sign."""


class HintMove(Plain, frozen=True):
    """A move that a hint recommends."""

    move: str
    """As it is written."""
    margin: float
    """Expected final score less that of the best opponent."""
    win: list[float]
    """Expected share of the victory of each seat."""
    line: list[str]
    """What might follow."""


class Hint(Message, frozen=True, tag="hint"):
    """The best moves, best first."""

    moves: list[HintMove]
    """Several, if there is more than one good one."""
    id: str | None = None
    """That of the question."""


class Pong(Message, frozen=True, tag="pong"):
    """I am here."""

    id: str | None = None
    """That of the question."""


class Closing(Message, frozen=True, tag="closing"):
    """The server ends; come back in a moment."""


Outgoing: TypeAlias = Welcome | Event | Resumed | Accepted | Refused | Present | Emoted | Hint | Pong | Closing
"""Everything that can come out of a table's socket."""
