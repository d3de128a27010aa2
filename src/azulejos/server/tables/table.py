"""A table: what follows from its setup and its events. Nothing here waits, stores or sends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal, assert_never

from msgspec.structs import replace as changed

from azulejos.game.dealer import Dealer
from azulejos.game.happening import Happening
from azulejos.game.record import EVENT, UNKNOWN, Record
from azulejos.players.levels import spec_of
from azulejos.rules import ending
from azulejos.server.tables import clock as clocks
from azulejos.server.tables import events as e
from azulejos.server.tables.info import ClockTime, Listing, Result, SeatInfo, Summary, TableInfo
from azulejos.server.tables.setup import SUBSTITUTE_LEVEL, Setup
from azulejos.server.tables.table_game import TableGame
from azulejos.server.tables.undo import decisions_of


class Table:
    """A table as of its last event; `after` gives the table that follows."""

    __slots__ = (
        "advanced",
        "claimed",
        "created",
        "dealer",
        "fresh_since",
        "game",
        "id",
        "left",
        "next",
        "noted",
        "open",
        "result",
        "seats",
        "setup",
        "version",
    )

    def __init__(self, table_id: str, created: str, setup: Setup, dealer: Dealer) -> None:
        self.id, self.created, self.setup, self.dealer = table_id, created, setup, dealer
        self.game = TableGame(len(setup.seats), setup.wall, setup.starter, dealer, setup.position)
        """The game that is played here."""
        self.seats = [SeatInfo(seat.kind, seat.name, seat.level, joined=seat.kind != "friend") for seat in setup.seats]
        """Who sits there now, by seat."""
        self.version = -1
        """The number of the last event."""
        self.fresh_since = [0] * len(self.seats)
        """For each seat the version since which nothing has changed that it decides upon."""
        self.left = clocks.full(setup.clock, len(self.seats))
        """Milliseconds on the clocks as of the last event."""
        self.advanced = [0] * len(self.seats)
        """For how many decisions to come each seat has its increment already: it took them back once."""
        self.result: Result | None = None
        """How the game ended; None while it goes on."""
        self.next: str | None = None
        """The table of the rematch."""
        self.open = setup.open
        """Whether it is in the lobby."""
        self.claimed: list[str | None] = [None] * len(self.seats)
        """By seat the digest of the secret of whoever came from the lobby."""
        self.noted: tuple[e.Noted, ...] = ()
        """What happened besides moves, the latest last."""

    @classmethod
    def rebuilt(
        cls, table_id: str, created: str, setup: Setup, dealer: Dealer, events: Iterable[e.TableEvent]
    ) -> Table:
        """The table after all these events."""
        table = cls(table_id, created, setup, dealer)
        for event in events:
            table, _ = table.after(event)
        return table

    # ---- what can be asked about it ----

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.seats)

    @property
    def waiting(self) -> list[int]:
        """The seats that have to decide."""
        return [] if self.result else self.game.waiting

    @property
    def assisted(self) -> bool:
        """Whether anybody was given a hint, or took back more than a move of their own."""
        return any(seat.assisted for seat in self.seats)

    def is_person(self, seat: int) -> bool:
        """Whether a person decides for this seat now."""
        info = self.seats[seat]
        return info.kind != "computer" and info.substitute is None

    def is_alone(self, seat: int) -> bool:
        """Whether no other person plays."""
        return not any(self.is_person(other) for other in range(self.players) if other != seat)

    def computer_of(self, seat: int) -> str | None:
        """The player that decides for this seat now, if it is a computer: a spec, or a name that the server knows."""
        info = self.seats[seat]
        level = info.level if info.kind == "computer" else info.substitute
        return spec_of(level) if level else self.setup.seats[seat].player

    @property
    def running(self) -> list[int]:
        """Whose clocks run: those of the people who have to decide, as soon as everybody has been here."""
        people = [seat for seat in range(self.players) if self.is_person(seat)]
        if self.setup.clock is None or not all(self.seats[seat].joined for seat in people):
            return []
        return [seat for seat in self.waiting if seat in people]

    def clock_time(self, elapsed: int) -> ClockTime | None:
        """The clocks, so many milliseconds after the last event; None without clocks."""
        if self.setup.clock is None:
            return None
        running = self.running
        return ClockTime(clocks.after_use(self.left, clocks.used_by(running, self.players, elapsed)), running)

    @property
    def info(self) -> TableInfo:
        """What everybody is told besides the position; the secret of the deals only at the end."""
        return TableInfo(
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
            hints=self.setup.hints,
            open=self.open,
        )

    @property
    def free(self) -> list[int]:
        """The seats that anybody may take: those of friends who have not come, while the table is in the lobby."""
        if not self.open or self.result:
            return []
        return [seat for seat, info in enumerate(self.seats) if self.is_person(seat) and not info.joined]

    def digests_after(self, given: Sequence[str | None]) -> list[str | None]:
        """The digests of the secrets that open the seats now, if these did when the table was made."""
        return [claimed or first for claimed, first in zip(self.claimed, given, strict=True)]

    @property
    def listing(self) -> Listing | None:
        """The table in the lobby; None if it is not there."""
        if not self.open or self.result:
            return None
        setup = self.setup
        return Listing(self.id, setup.wall, self.created, list(self.seats), self.free, setup.clock, setup.hints)

    def listing_since(self, before: Table) -> Listing | Literal["same"] | None:
        """How the table stands in the lobby, if that is not as it was before."""
        listing = self.listing
        return "same" if listing == before.listing else listing

    @property
    def summary(self) -> Summary | None:
        """The game in the list of past games; None while it goes on."""
        if self.result is None:
            return None
        return Summary(self.id, self.setup.wall, self.created, self._names(""), self.result)

    def record(self) -> Record:
        """The record of the game so far; with the secret of the deals when it is over."""
        tags = {"DealCommitment": self.dealer.commitment}
        if self.result:
            tags["DealSecret"] = self.dealer.secret
        date = self.created[:10].replace("-", ".")
        record = self.game.public.record(self._names(UNKNOWN), Event=EVENT, Date=date, **tags)
        if self.result and self.result.reason in ("resigned", "time"):
            tags = {**record.tags, "Termination": self.result.reason}
            return replace(record, result=self.game.public.scores, tags=tags)
        return record

    def _names(self, nameless: str) -> list[str]:
        """Who sits where; a computer without a name is called as the registry of players calls it."""
        return [seat.name or (spec_of(seat.level) if seat.level else nameless) for seat in self.seats]

    # ---- what happens to it ----

    def after(self, event: e.TableEvent) -> tuple[Table, list[Happening]]:  # noqa: PLR0912 - one for each kind of event
        """The table after an event, and what was played because of it; raises `Refuse` if that is no legal move."""
        table = self._copy()
        table.version += 1
        table.left = clocks.after_use(self.left, event.used)
        happenings: list[Happening] = []
        match event:
            case e.Started():
                pass
            case e.Decided():
                happenings = table.game.decide(event.seat, event.move, person=event.person)
                table._decided(event, seen=bool(happenings))
            case e.Undone():
                table._undone(event.seat)
            case e.Resigned():
                table._give_up(event.seat, "resigned")
            case e.TimedOut():
                table._timed_out(event.seat)
            case e.Substituted():
                table._change(event.seat, substitute=event.level)
            case e.CameBack():
                table._change(event.seat, substitute=None)
            case e.Renamed():
                table._change(event.seat, name=event.name)
            case e.Assisted():
                table._change(event.seat, assisted=True)
            case e.Joined():
                table._change(event.seat, joined=True)
            case e.Listed():
                table.open = event.open
            case e.Claimed():
                table._change(event.seat, name=event.name, joined=True, claimed=True)
                table.claimed[event.seat] = event.digest
            case e.Rematched():
                table.next = event.table
            case _:
                assert_never(event)
        if table.result is None and table.game.public.is_over:
            table.result = table._outcome()
        table._note(event)
        return table, happenings

    def _note(self, event: e.TableEvent) -> None:
        """Remember what belongs among the moves for whoever was not there."""
        if not isinstance(event, e.Started | e.Decided | e.Rematched):
            noted = e.Noted(self.version, len(self.game.log), event.told if isinstance(event, e.Claimed) else event)
            self.noted = (*self.noted, noted)[-e.MOST_NOTED :]

    def _copy(self) -> Table:
        table = Table.__new__(Table)
        for name in Table.__slots__:
            value = getattr(self, name)
            setattr(table, name, value.copy() if isinstance(value, (list, TableGame)) else value)
        return table

    def _decided(self, event: e.Decided, *, seen: bool) -> None:
        self._changed_for(event.seat, seen=seen)
        if self.setup.clock and event.person:
            if self.advanced[event.seat]:
                self.advanced[event.seat] -= 1
            else:
                self.left[event.seat] += self.setup.clock.increment * 1000

    def _undone(self, seat: int) -> None:
        in_round = self.game.public.round
        gone = self.game.undo(decisions_of(self.game, seat))
        self.advanced[seat] += sum(decision.person for decision in gone)
        seen = any(decision.plays for decision in gone)
        self._changed_for(seat, seen=seen)
        if seen and (self.game.public.round != in_round or not all(decision.person for decision in gone)):
            self._change(seat, assisted=True)

    def _changed_for(self, seat: int, *, seen: bool) -> None:
        """Note that a seat, or everybody who has seen it, has to decide on something else now."""
        for each in range(self.players) if seen else (seat,):
            self.fresh_since[each] = self.version

    def _timed_out(self, seat: int) -> None:
        self.left[seat] = 0
        if self.setup.clock and self.setup.clock.at_zero == "computer":
            self._change(seat, substitute=SUBSTITUTE_LEVEL)
        else:
            self._give_up(seat, "time")

    def _change(self, seat: int, **fields: Any) -> None:
        self.seats[seat] = changed(self.seats[seat], **fields)

    def _give_up(self, seat: int, reason: Literal["resigned", "time"]) -> None:
        """With two players the other wins; with more a computer plays on for a seat that can no longer win."""
        level = self.seats[seat].level or SUBSTITUTE_LEVEL
        self._change(seat, resigned=True, substitute=level)
        still_in = [seat for seat, info in enumerate(self.seats) if not info.resigned]
        if len(still_in) == 1:
            self.result = Result(reason, still_in, list(self.game.public.scores))

    def _outcome(self) -> Result:
        """The result by R43 and D13, among those who did not give up."""
        outcome = self.game.public.outcome
        assert outcome is not None
        still_in = sum(1 << seat for seat, info in enumerate(self.seats) if not info.resigned)
        bits = ending.winners_among(self.game.public.states[0], still_in)
        winners = [seat for seat in range(self.players) if bits >> seat & 1]
        return Result(outcome.reason, winners, list(outcome.scores))
