"""A table: what follows from its setup and its events. Nothing here waits, stores or sends."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from msgspec.structs import replace as changed

from azulejos.game.dealer import Dealer
from azulejos.game.moves import Move
from azulejos.game.record import UNKNOWN, Record
from azulejos.players.levels import spec_of
from azulejos.rules import ending
from azulejos.server.protocol import outgoing as out
from azulejos.server.protocol.answers import Summary
from azulejos.server.protocol.wire import happening_of
from azulejos.server.tables import clock as clocks
from azulejos.server.tables import events as e
from azulejos.server.tables.match import Decision, Match
from azulejos.server.tables.undo import decisions_after_undo

SUBSTITUTE_LEVEL: Final = 3
"""Plays on for a seat that resigned or has no time left."""


class Table:
    """A table as of its last event; `apply` is the only thing that changes it."""

    __slots__ = (
        "advanced",
        "assisted",
        "created",
        "dealer",
        "fresh_since",
        "id",
        "left",
        "match",
        "next",
        "result",
        "seats",
        "setup",
        "version",
    )

    def __init__(self, table_id: str, created: str, setup: e.Setup, dealer: Dealer) -> None:
        self.id, self.created, self.setup, self.dealer = table_id, created, setup, dealer
        self.match = Match(len(setup.seats), setup.wall, setup.starter, dealer)
        """The game itself."""
        self.seats = [
            out.SeatInfo(seat.kind, seat.name, seat.level, joined=seat.kind != "friend") for seat in setup.seats
        ]
        """Who sits there now, by seat."""
        self.version = -1
        """Of the last event."""
        self.fresh_since = [0] * len(self.seats)
        """For each seat the version since which nothing has changed that it decides upon."""
        self.left = clocks.full(setup.clock, len(self.seats))
        """Milliseconds on the clocks as of the last event."""
        self.advanced = [0] * len(self.seats)
        """For how many decisions to come each seat has its increment already: it took them back once."""
        self.assisted = False
        """Whether anybody was given a hint, or took back more than a move of their own."""
        self.result: out.Result | None = None
        """How the game ended; None while it goes on."""
        self.next: str | None = None
        """The table of the rematch."""

    @classmethod
    def rebuilt(
        cls, table_id: str, created: str, setup: e.Setup, dealer: Dealer, events: Iterable[e.Happened]
    ) -> Table:
        """The table after all these events."""
        table = cls(table_id, created, setup, dealer)
        for event in events:
            table.apply(event)
        return table

    def copy(self) -> Table:
        """An independent table, to try an event on before it is saved."""
        table = Table.__new__(Table)
        for name in Table.__slots__:
            value = getattr(self, name)
            setattr(table, name, value.copy() if isinstance(value, (list, Match)) else value)
        return table

    # ---- what can be asked about it ----

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.seats)

    @property
    def waiting(self) -> list[int]:
        """The seats that have to decide."""
        return [] if self.result else self.match.waiting

    def is_person(self, seat: int) -> bool:
        """Whether a person decides for this seat now."""
        info = self.seats[seat]
        return info.kind != "computer" and info.substitute is None

    def level_of(self, seat: int) -> int | None:
        """The level of the computer that decides for this seat now, if one does."""
        info = self.seats[seat]
        return info.level if info.kind == "computer" else info.substitute

    @property
    def running(self) -> list[int]:
        """Whose clocks run: of the people who have to decide, those who have ever been here."""
        if self.setup.clock is None:
            return []
        return [seat for seat in self.waiting if self.is_person(seat) and self.seats[seat].joined]

    @property
    def info(self) -> out.TableInfo:
        """What everybody is told besides the position; the secret of the deals only at the end."""
        return out.TableInfo(
            id=self.id,
            wall=self.setup.wall,
            created=self.created,
            seats=list(self.seats),
            commitment=self.dealer.commitment,
            clock=self.setup.clock,
            assisted=self.assisted,
            result=self.result,
            secret=self.dealer.secret if self.result else None,
            next=self.next,
            same_tiles=self.setup.same_tiles,
        )

    @property
    def summary(self) -> Summary | None:
        """For the list of past games, when it is one."""
        if self.result is None:
            return None
        return Summary(self.id, self.setup.wall, self.created, self._names(""), self.result)

    def record(self) -> Record:
        """The record of the game so far; with the secret of the deals when it is over."""
        tags = {"DealCommitment": self.dealer.commitment}
        if self.result:
            tags["DealSecret"] = self.dealer.secret
        date = self.created[:10].replace("-", ".")
        record = Record.of(self.match.game, self._names(UNKNOWN), Event="Azulejos", Date=date, **tags)
        if self.result and self.result.reason in ("resigned", "time"):
            tags = {**record.tags, "Termination": self.result.reason}
            return replace(record, result=self.match.game.scores, tags=tags)
        return record

    def _names(self, nameless: str) -> list[str]:
        """Who sits where; a computer without a name is called as the registry of players calls it."""
        return [seat.name or (spec_of(seat.level) if seat.level else nameless) for seat in self.seats]

    # ---- what happens to it ----

    def apply(self, event: e.Happened) -> out.Happened:
        """Let a saved event happen; returns what everybody is told of it."""
        self.version += 1
        self.left = clocks.after_use(self.left, event.used)
        happen: Callable[[Table, Any], out.Happened] = _HAPPEN[type(event)]
        told = happen(self, event)
        if self.result is None and self.match.game.is_over:
            self.result = self._outcome()
        return told

    def _started(self, _event: e.Started) -> out.Happened:
        return out.Started()

    def _decided(self, event: e.Decided) -> out.Happened:
        happenings = self.match.decide(Decision(event.seat, Move.parse(event.move), event.person))
        if self.left and event.person and self.setup.clock:
            if self.advanced[event.seat]:
                self.advanced[event.seat] -= 1
            else:
                self.left[event.seat] += self.setup.clock.increment * 1000
        if happenings:
            self.fresh_since = [self.version] * self.players
            return out.Played([happening_of(happening) for happening in happenings])
        self.fresh_since[event.seat] = self.version
        return out.Chose(event.seat)

    def _undone(self, event: e.Undone) -> out.Happened:
        before = self.match
        kept = decisions_after_undo(before, event.seat)
        gone = before.decisions[len(kept) :]
        unseen = bool(before.hidden.get(event.seat))
        self.advanced[event.seat] += 1 if unseen else sum(decision.person for decision in gone)
        self.match = before.replayed(kept)
        if unseen:
            self.fresh_since[event.seat] = self.version
            return out.Undone(event.seat, 1)
        self.fresh_since = [self.version] * self.players
        if not all(decision.person for decision in gone) or self.match.game.round != before.game.round:
            self.assisted = True
        return out.Undone(event.seat, len(gone))

    def _resigned(self, event: e.Resigned) -> out.Happened:
        self._give_up(event.seat, "resigned")
        return out.Resigned(event.seat)

    def _timed_out(self, event: e.TimedOut) -> out.Happened:
        self.left[event.seat] = 0
        if self.setup.clock and self.setup.clock.at_zero == "computer":
            self._change(event.seat, substitute=SUBSTITUTE_LEVEL)
        else:
            self._give_up(event.seat, "time")
        return out.TimedOut(event.seat)

    def _substituted(self, event: e.Substituted) -> out.Happened:
        self._change(event.seat, substitute=event.level)
        return out.Substituted(event.seat, event.level)

    def _came_back(self, event: e.CameBack) -> out.Happened:
        self._change(event.seat, substitute=None)
        return out.CameBack(event.seat)

    def _renamed(self, event: e.Renamed) -> out.Happened:
        self._change(event.seat, name=event.name)
        return out.Renamed(event.seat, event.name)

    def _assisted(self, event: e.Assisted) -> out.Happened:
        self.assisted = True
        return out.Assisted(event.seat)

    def _joined(self, event: e.Joined) -> out.Happened:
        self._change(event.seat, joined=True)
        return out.Joined(event.seat)

    def _rematched(self, event: e.Rematched) -> out.Happened:
        self.next = event.table
        return out.Rematched(event.table)

    def _change(self, seat: int, **fields: Any) -> None:
        self.seats[seat] = changed(self.seats[seat], **fields)

    def _give_up(self, seat: int, reason: Any) -> None:
        """With two players the other wins; with more a computer plays on for a seat that can no longer win."""
        level = self.seats[seat].level or SUBSTITUTE_LEVEL
        self._change(seat, resigned=True, substitute=level)
        still_in = [seat for seat, info in enumerate(self.seats) if not info.resigned]
        if len(still_in) == 1:
            self.result = out.Result(reason, still_in, list(self.match.game.scores))

    def _outcome(self) -> out.Result:
        """R43, D13 among those who did not give up."""
        outcome = self.match.game.outcome
        assert outcome is not None
        state = self.match.game.states[0]
        rank = {
            seat: (outcome.scores[seat], int(ending.complete_rows(state, seat)))
            for seat, info in enumerate(self.seats)
            if not info.resigned
        }
        best = max(rank.values())
        return out.Result(outcome.reason, [seat for seat in rank if rank[seat] == best], list(outcome.scores))


_HAPPEN: Final[dict[type, Any]] = {
    e.Started: Table._started,
    e.Decided: Table._decided,
    e.Undone: Table._undone,
    e.Resigned: Table._resigned,
    e.TimedOut: Table._timed_out,
    e.Substituted: Table._substituted,
    e.CameBack: Table._came_back,
    e.Renamed: Table._renamed,
    e.Assisted: Table._assisted,
    e.Joined: Table._joined,
    e.Rematched: Table._rematched,
}
