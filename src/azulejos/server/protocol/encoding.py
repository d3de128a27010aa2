"""What clients are told about a table: encoded once for all of them, but for `you`, which is each one's own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final, TypeVar, cast

import msgspec
from msgspec.structs import replace

from azulejos.game.happening import Happening
from azulejos.server.protocol import outgoing as out
from azulejos.server.protocol.position import BoardInfo, HappeningInfo, Option, Position
from azulejos.server.protocol.shared import PROTOCOL
from azulejos.server.tables import events as e
from azulejos.server.tables.table import Table
from azulejos.server.tables.undo import may_undo

Part = TypeVar("Part")
"""A part of a message."""

_ENCODER: Final = msgspec.json.Encoder()


def encode(message: out.Outgoing) -> bytes:
    """A message as it is sent."""
    return _ENCODER.encode(message)


def _encoded(part: Part) -> Part:
    """A part of a message that is encoded now, and copied whenever the message is."""
    return cast("Part", msgspec.Raw(_ENCODER.encode(part)))


def event(table: Table, happened: e.TableEvent, happenings: Sequence[Happening]) -> out.Event:
    """The event that led to a table, ready but for `you`."""
    return out.Event(
        version=table.version,
        what=_encoded(told(happened, happenings)),
        table=_encoded(table.info),
        position=_encoded(Position.of(table.game.public)),
        you=out.You(),
        waiting=table.waiting,
        clock=table.clock_time(0),
    )


def told(happened: e.TableEvent, happenings: Sequence[Happening]) -> out.Happened:
    """What everybody is told of an event: the event itself, but of a decision what was played, if anything was."""
    if isinstance(happened, e.Claimed):
        return happened.told
    if not isinstance(happened, e.Decided):
        return happened
    if not happenings:
        return out.Chose(seat=happened.seat, used=happened.used)
    return out.Played(happenings=[HappeningInfo.of(happening) for happening in happenings], used=happened.used)


def missed(message: out.Event, seats: Iterable[int]) -> out.Event:
    """An event for a client that missed it: what is its own it is told as of now, not as of then."""
    return replace(message, you=out.You(sorted(seats)))


def you(table: Table, seats: Iterable[int]) -> out.You:
    """What the clients with these seats are told alone."""
    mine = sorted(seats)
    if table.result:
        return out.You(mine)
    undo = [seat for seat in mine if table.is_person(seat) and may_undo(table.game, seat, alone=table.is_alone(seat))]
    choosing = [_choosing(table, seat) for seat in mine] if table.game.is_choosing else []
    return out.You(mine, undo, choosing)


def _choosing(table: Table, seat: int) -> out.Choosing:
    own = table.game.own(seat)
    chosen = [str(move) for move in table.game.hidden(seat)]
    return out.Choosing(seat, chosen, BoardInfo.of(own.board), Option.all_of(own.states) if own.moves else [])


def welcome(table: Table, mine: Collection[int], present: Sequence[bool], watchers: int, elapsed: int) -> out.Welcome:
    """Everything about a table for the client with these seats."""
    return out.Welcome(
        table=table.info,
        version=table.version,
        position=Position.of(table.game.public),
        you=you(table, mine),
        log=[HappeningInfo.of(happening) for happening in table.game.log],
        waiting=table.waiting,
        present=list(present),
        watchers=watchers,
        protocol=PROTOCOL,
        clock=table.clock_time(elapsed),
        noted=list(table.noted),
    )
