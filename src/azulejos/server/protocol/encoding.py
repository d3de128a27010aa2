"""What clients are told about a table: the same for all but for `you`, which is put in for each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, cast

import msgspec

from azulejos.server.protocol import outgoing as out
from azulejos.server.protocol import position as shown
from azulejos.server.protocol.wire import board_of, happening_of, options_of, position_of
from azulejos.server.tables.clock import after_use, used_by
from azulejos.server.tables.table import Table
from azulejos.server.tables.undo import may_undo

ENCODER: Final = msgspec.json.Encoder()
"""Writes messages."""
GAP: Final = b"\0"
"""Stands for `you` in an encoded event: a byte that no JSON contains."""


@dataclass(frozen=True, slots=True)
class Spread:
    """An event encoded once for all clients, with a gap for what only one is told."""

    version: int
    """The version of the table after the event."""
    head: bytes
    """What stands before the gap."""
    tail: bytes
    """What stands behind it."""

    def for_client(self, you: bytes) -> bytes:
        """The event for one client."""
        return self.head + you + self.tail


def encode(message: out.Message) -> bytes:
    """A message as it is sent."""
    return ENCODER.encode(message)


def spread(table: Table, what: out.Happened, position: shown.Position | None = None) -> Spread:
    """The event that has just happened at a table."""
    event = out.Event(
        version=table.version,
        what=what,
        table=table.info,
        position=position or position_of(table.match.game),
        you=cast("out.You", msgspec.Raw(GAP)),
        waiting=table.waiting,
        clock=clock_time(table, 0),
    )
    head, _, tail = ENCODER.encode(event).partition(GAP)
    return Spread(table.version, head, tail)


def you(table: Table, seats: Iterable[int]) -> out.You:
    """What the client with these seats is told alone."""
    mine = sorted(seats)
    if table.result:
        return out.You(mine)
    undo = [seat for seat in mine if table.is_person(seat) and may_undo(table.match, seat)]
    choosing = [_choosing(table, seat) for seat in mine] if table.match.is_choosing else []
    return out.You(mine, undo, choosing)


def _choosing(table: Table, seat: int) -> out.Choosing:
    own = table.match.own(seat)
    chosen = [str(move) for move in table.match.hidden.get(seat, ())]
    return out.Choosing(seat, chosen, board_of(own.board), options_of(own.states) if own.moves else [])


def clock_time(table: Table, elapsed: int) -> out.ClockTime | None:
    """The clocks, so many milliseconds after the last event."""
    if table.setup.clock is None:
        return None
    running = table.running
    return out.ClockTime(after_use(table.left, used_by(running, table.players, elapsed)), running)


def welcome(table: Table, mine: Collection[int], present: Sequence[bool], watchers: int, elapsed: int) -> out.Welcome:
    """Everything about a table for the client with these seats."""
    return out.Welcome(
        table=table.info,
        version=table.version,
        position=position_of(table.match.game),
        you=you(table, mine),
        log=[happening_of(played) for played in table.match.played],
        waiting=table.waiting,
        present=list(present),
        watchers=watchers,
        clock=clock_time(table, elapsed),
    )
