"""What the server says. Every type of message is here; `Outgoing` is what comes out of a table's socket.

Seats, rows and columns are counted from 0. Tiles are counted by color in the order blue, yellow, red, black, white; a
single color is a letter of `BYRKW`. Nothing here ever holds a seed, a secret of a seat, or the order of the bag.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import field

from azulejos.server.messages_position import Board, Code, Happening, Option, Plain, Position
from azulejos.server.messages_shared import PROTOCOL, Clock, Emote, SeatKind, Wall

# ---- what an event is about ----


class What(Plain, frozen=True, tag_field="type"):
    """What an event is about."""


class Started(What, frozen=True, tag="started"):
    """The table was made and the first tiles dealt."""


class Played(What, frozen=True, tag="played"):
    """A move; or, on the gray wall, the tiling choices of all seats at once, which nobody saw before."""

    happenings: list[Happening]


class Chose(What, frozen=True, tag="chose"):
    """A seat made one of its hidden tiling choices; which one only its own people are told."""

    seat: int


class Undone(What, frozen=True, tag="undone"):
    """A seat took back its last decision."""

    seat: int
    moves: int
    """How many moves went back in all."""


class Resigned(What, frozen=True, tag="resigned"):
    """A seat gave up."""

    seat: int


class TimedOut(What, frozen=True, tag="timed_out"):
    """A seat's clock ran out."""

    seat: int


class Substituted(What, frozen=True, tag="substituted"):
    """A computer plays on for a seat."""

    seat: int
    level: int


class CameBack(What, frozen=True, tag="came_back"):
    """A person took the seat back."""

    seat: int


class Renamed(What, frozen=True, tag="renamed"):
    """A seat has a new name."""

    seat: int
    name: str


class Assisted(What, frozen=True, tag="assisted"):
    """A seat was given a hint."""

    seat: int


class Joined(What, frozen=True, tag="joined"):
    """The person of a seat was here for the first time."""

    seat: int


class Rematched(What, frozen=True, tag="rematched"):
    """The next table is ready."""

    table: str


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


# ---- a table ----


class SeatInfo(Plain, frozen=True):
    """Who sits there."""

    kind: SeatKind
    name: str
    level: int | None = None
    """Of a computer."""
    substitute: int | None = None
    """The level of the computer that plays for an absent person."""
    resigned: bool = False
    joined: bool = False
    """Whether the person has ever been here."""


class Result(Plain, frozen=True):
    """How the game ended."""

    reason: Literal["row", "stalled", "round_limit", "resigned", "time"]
    winners: list[int]
    scores: list[int]


class TableInfo(Plain, frozen=True):
    """A table, apart from the position on it."""

    id: str
    wall: Wall
    created: str
    seats: list[SeatInfo]
    commitment: str
    """Fixes all deals before the game; see `secret`."""
    clock: Clock | None = None
    assisted: bool = False
    """Whether anybody took back a move after a computer's move or a deal, or was given a hint."""
    result: Result | None = None
    secret: str | None = None
    """After the game: what the deals followed from."""
    next: str | None = None
    """The table of the rematch."""
    same_tiles: bool = False
    """Whether the tiles of an earlier game are dealt again."""


class ClockTime(Plain, frozen=True):
    """What is left on the clocks, in milliseconds, and whose are running."""

    left: list[int]
    running: list[int]
    """Several while the tiling choices of the gray wall are made."""


class Choosing(Plain, frozen=True):
    """My own hidden tiling choices, which the others do not see yet."""

    seat: int
    chosen: list[str]
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


class LogEntry(Plain, frozen=True):
    """A move that was played, for the list of moves."""

    round: int
    seat: int
    move: str
    taken: int = 0
    marker: bool = False


# ---- messages ----


class Message(Plain, frozen=True, tag_field="type"):
    """Anything that comes out of a socket."""


class Welcome(Message, frozen=True, tag="welcome"):
    """Everything about a table; the answer to `hello`, and to a client that missed too much."""

    table: TableInfo
    version: int
    position: Position
    you: You
    log: list[LogEntry]
    waiting: list[int]
    """The seats that have to decide: one, or on the gray wall all that still choose."""
    present: list[bool]
    """Who is connected; computers always are."""
    watchers: int
    clock: ClockTime | None = None
    protocol: int = PROTOCOL


class Event(Message, frozen=True, tag="event"):
    """Something that happened and is saved. Versions rise by one."""

    version: int
    what: Happened
    table: TableInfo
    position: Position
    you: You
    waiting: list[int]
    clock: ClockTime | None = None


class Resumed(Message, frozen=True, tag="resumed"):
    """The answer to `hello` from a client that missed only a little: the events since its version."""

    events: list[Event]
    you: You
    present: list[bool]
    watchers: int


class Accepted(Message, frozen=True, tag="accepted"):
    """The message with this id was obeyed; its event has been sent."""

    id: str | None
    version: int


class Refused(Message, frozen=True, tag="refused"):
    """The message with this id was not obeyed, and why. `version` is the table's."""

    code: Code
    arguments: dict[str, str | int] = field(default_factory=dict)
    id: str | None = None
    version: int | None = None


class Present(Message, frozen=True, tag="present"):
    """Who is connected."""

    present: list[bool]
    watchers: int


class Emoted(Message, frozen=True, tag="emoted"):
    """A seat shows a small sign; not saved."""

    seat: int
    emote: Emote


class HintMove(Plain, frozen=True):
    """A move that a hint recommends."""

    move: str
    margin: float
    """Expected final score less that of the best opponent."""
    win: list[float]
    """Expected share of the victory of each seat."""
    line: list[str]
    """What might follow."""


class Hint(Message, frozen=True, tag="hint"):
    """The best moves, best first."""

    moves: list[HintMove]
    id: str | None = None


class Pong(Message, frozen=True, tag="pong"):
    """I am here."""

    id: str | None = None


class Closing(Message, frozen=True, tag="closing"):
    """The server ends; come back in a moment."""


Outgoing: TypeAlias = Welcome | Event | Resumed | Accepted | Refused | Present | Emoted | Hint | Pong | Closing


# ---- answers over HTTP ----


class Created(Plain, frozen=True):
    """A new table, and the secrets of its people's seats (none for a computer's)."""

    table: TableInfo
    secrets: list[str | None]


class LevelInfo(Plain, frozen=True):
    """A computer opponent."""

    level: int
    name: Code
    rating: int | None = None


class Summary(Plain, frozen=True):
    """A game in the list of past games."""

    id: str
    wall: Wall
    created: str
    names: list[str]
    result: Result


class Looked(Plain, frozen=True):
    """A position as asked for, and what the moves to it did."""

    position: Position
    happenings: list[Happening]


class Step(Plain, frozen=True):
    """A step of a replay: what happened, and the position after it."""

    happening: Happening | None
    position: Position


class Replay(Plain, frozen=True):
    """A whole game."""

    wall: Wall
    names: list[str]
    steps: list[Step]
    result: list[int] | None
    table: str | None = None


class Failure(Plain, frozen=True):
    """Why a request was refused."""

    code: Code
    arguments: dict[str, str | int] = field(default_factory=dict)
