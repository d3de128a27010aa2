"""What a client may say. Every type of message is here; `Incoming` is what arrives on a table's socket.

Seats are counted from 0. `id` is anything the client likes: it comes back with the answer.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct

from azulejos.game.view import Wall
from azulejos.players.levels import LEVELS
from azulejos.server.protocol.shared import PROTOCOL, Emote
from azulejos.server.tables.events import TableEvent
from azulejos.server.tables.setup import SUBSTITUTE_LEVEL, Clock, Name, NewSeat, Setup

MOST_BYTES: Final = 4096
"""A longer message on a socket is refused unread."""
MOST_MOVED: Final = 1000
"""Events of a table that comes from somebody's own browser."""

Seat: TypeAlias = Annotated[int, Meta(ge=0, le=3)]
"""The number of a seat, from 0."""
LevelNumber: TypeAlias = Annotated[int, Meta(ge=1, le=len(LEVELS))]
"""The level of a computer."""
Version: TypeAlias = Annotated[int, Meta(ge=0)]
"""How many events a table has seen."""
Secret: TypeAlias = Annotated[str, Meta(min_length=16, max_length=64)]
"""What proves that a seat is mine."""
Identity: TypeAlias = Annotated[str, Meta(max_length=40)]
"""Names a message, so that its answer can name it too."""
MoveText: TypeAlias = Annotated[str, Meta(max_length=3)]
"""A move as it is written."""


class IncomingMessage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Anything that arrives on a socket."""

    id: Identity | None = msgspec.field(default=None, name="id")
    """Chosen by the client; the answer carries it too."""


class Hello(IncomingMessage, frozen=True, tag="hello", kw_only=True):
    """The first message: who I am, and the last version that I have seen, if any."""

    secrets: Annotated[list[Secret], Meta(max_length=4)] = msgspec.field(default_factory=list)
    """The secrets of the seats that I play; none to watch."""
    version: Version | None = None
    """The last version that I have seen."""
    protocol: int = PROTOCOL
    """The version of the protocol that I speak."""


class Play(IncomingMessage, frozen=True, tag="play", kw_only=True):
    """Play a move such as `3B4`, or on the gray wall choose a cell such as `t35`."""

    move: MoveText
    """What I play."""
    version: Version
    """The version that I saw when I decided: a stale one is refused."""
    seat: Seat
    """My seat."""


class Undo(IncomingMessage, frozen=True, tag="undo", kw_only=True):
    """Take back my last decision."""

    version: Version
    """The version that I saw when I decided."""
    seat: Seat
    """My seat, whose decision it was."""


class Resign(IncomingMessage, frozen=True, tag="resign", kw_only=True):
    """Give up."""

    seat: Seat
    """My seat."""


class Substitute(IncomingMessage, frozen=True, tag="substitute", kw_only=True):
    """Let a computer play for a person who is away, or for myself."""

    seat: Seat
    """The seat for which the computer plays."""
    level: LevelNumber = SUBSTITUTE_LEVEL
    """The level of the computer."""


class ComeBack(IncomingMessage, frozen=True, tag="come_back", kw_only=True):
    """Take my seat back from the computer."""

    seat: Seat
    """My seat."""


class Rename(IncomingMessage, frozen=True, tag="rename", kw_only=True):
    """Change the name on my seat."""

    seat: Seat
    """My seat."""
    name: Name
    """The new name."""


class Open(IncomingMessage, frozen=True, tag="open", kw_only=True):
    """Put my table into the lobby, where anybody may take a free seat, or take it out again."""

    seat: Seat
    """My seat, at the device on which the table was made."""
    open: bool
    """Whether it is to be there."""


class ShowEmote(IncomingMessage, frozen=True, tag="emote", kw_only=True):
    """Show everybody a small sign."""

    seat: Seat
    """My seat."""
    emote: Emote
    """The sign that is shown."""


class TakeHint(IncomingMessage, frozen=True, tag="hint", kw_only=True):
    """Say that I take a hint, which I find myself; everybody is told, and the game is marked as assisted."""

    version: Version
    """The version that I see."""
    seat: Seat
    """My seat."""


class Rematch(IncomingMessage, frozen=True, tag="rematch", kw_only=True):
    """After the game: a new table with the same people; the seats move on by one."""

    same_tiles: bool = False
    """Deal the same tiles again, everybody on the same seat."""


class Ping(IncomingMessage, frozen=True, tag="ping", kw_only=True):
    """Are you there?"""


Command: TypeAlias = Play | Undo | Resign | Substitute | ComeBack | Rename | TakeHint | Open
"""What leads to an event and to nothing else."""
ForTable: TypeAlias = Hello | Command | ShowEmote | Rematch
"""What a table answers when its turn has come."""
Incoming: TypeAlias = ForTable | Ping
"""Everything that may arrive on a table's socket."""


def kind_of(message: Incoming) -> str:
    """The word for what a message asks.

    >>> kind_of(Resign(seat=1))
    'resign'
    """
    return str(message.__struct_config__.tag)


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be made."""

    seats: Annotated[list[NewSeat], Meta(min_length=2, max_length=4)]
    """Who plays, in turn order."""
    wall: Wall = "std"
    """The colored wall or the gray one."""
    starter: Seat | None = None
    """Who starts; by lot if not given."""
    clock: Clock | None = None
    """How much time everybody has; none: as much as they like."""
    hints: bool = True
    """Whether people may take hints."""
    open: bool = False
    """Whether it is in the lobby: anybody may take a friend's seat, or watch."""


class ClaimSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """A free seat at a table of the lobby is to be mine."""

    name: Name = ""
    """What I am called."""


class MovedTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of somebody's own browser that is to go on here: all that is known of it."""

    setup: Setup
    """How it was set up; a seat may have become a friend's since."""
    secret: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    """What its deals follow from."""
    events: Annotated[list[TableEvent], Meta(min_length=1, max_length=MOST_MOVED)]
    """What happened so far."""


class AskCode(Struct, frozen=True, forbid_unknown_fields=True):
    """A link to be drawn as a QR code; in the body of a request because links to seats are secret."""

    link: Annotated[str, Meta(min_length=1, max_length=300)]
    """What the code is to say."""
