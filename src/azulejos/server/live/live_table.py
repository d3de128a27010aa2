"""A live table: everything that is asked of it waits in one queue and is done one after the other.

What is accepted is saved first and told then; if it cannot be saved, nothing has happened.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Final, TypeAlias, TypeVar

from msgspec.structs import replace

from azulejos.server import metrics
from azulejos.server.bus import messages as bus
from azulejos.server.live.audience import Audience
from azulejos.server.live.client import Client
from azulejos.server.live.computers import ComputerMove, Computers, ComputerSeats, turn_of
from azulejos.server.live.peers import Peers
from azulejos.server.live.turns import MOST_WAITING, Job, in_turn, nothing
from azulejos.server.protocol import encoding, incoming
from azulejos.server.protocol import outgoing as out
from azulejos.server.protocol.shared import PROTOCOL
from azulejos.server.storage.store import Conflict, Store
from azulejos.server.tables import clock
from azulejos.server.tables import events as e
from azulejos.server.tables.absence import Absence
from azulejos.server.tables.commands import decide
from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.seat_secrets import seats_of
from azulejos.server.tables.table import Table
from azulejos.server.traces import traced

STORAGE_PAUSE: Final = 1.0
"""Seconds to wait before a failed saving is tried again."""

log = logging.getLogger(__name__)
"""The logger of this module."""

MakeRematch: TypeAlias = Callable[[Table, list[str | None], bool], Awaitable[str]]
"""Makes the next table; returns its id."""
Enacted = TypeVar("Enacted", bound=e.TableEvent)
"""An event of one kind."""


class LiveTable:
    """A table that people are at, or that plays by itself."""

    def __init__(
        self,
        table: Table,
        digests: list[str | None],
        store: Store,
        computers: Computers,
        rematch: MakeRematch,
        peers: Peers,
        pace_ms: int | None = None,
        now: Callable[[], float] = time.monotonic,
        elapsed: int = 0,
        away_seconds: float = 0.0,
    ) -> None:
        self.table = table
        """The table as of its last event."""
        self.used_at = now()
        """When somebody last wanted something."""
        self.has_ended = False
        """Whether it does nothing any more, because of a fault after which it could not be rebuilt."""
        self._digests, self._store, self._rematch, self._now, self._peers = digests, store, rematch, now, peers
        self._since = now() - elapsed / 1000  # when the last event was, for the clocks
        self._absence = Absence(away_seconds, now)
        self._audience = Audience()
        self._jobs: asyncio.Queue[Job] = asyncio.Queue()
        self._computers = ComputerSeats(computers, pace_ms, self._let_computer_play)
        self._timer: asyncio.TimerHandle | None = None
        self._task = asyncio.create_task(self._run(), name=f"table {table.id}")
        self._is_behind = False
        self._follow()

    # ---- from outside ----

    def join(self, client: Client, hello: incoming.Hello) -> None:
        """Let a client in after those who wait; a greeting that is refused may be said again in other words."""
        if hello.protocol != PROTOCOL:
            raise Refuse("wrong_protocol", protocol=PROTOCOL)
        client.seats = seats_of(hello.secrets, self.table.digests_after(self._digests))
        self.submit(client, hello)

    def submit(self, client: Client, message: incoming.ForTable) -> None:
        """Put a client's message in the queue; the answer goes to the client."""
        if self.has_ended or self._jobs.qsize() >= MOST_WAITING:
            raise Refuse("busy")
        self._jobs.put_nowait(traced("message", partial(self._answer, client, message), type=incoming.kind_of(message)))

    async def enact(self, decided: Callable[[Table], Enacted]) -> Enacted:
        """Let an event happen, which is decided upon when its turn has come; raises `Refuse` if that refuses it."""

        async def enacted() -> Enacted:
            while not await self._commit(event := decided(self.table)):
                pass
            return event

        return await in_turn(enacted, self._jobs, self._task)

    def leave(self, client: Client) -> None:
        """A client's socket is closed."""
        self._jobs.put_nowait(partial(self._forget, client))

    def welcome(self) -> out.Welcome:
        """The table as somebody sees it who only watches."""
        return self._audience.welcome(self.table, frozenset(), self._elapsed())

    @property
    def is_idle(self) -> bool:
        """Whether nobody is here and nothing goes on."""
        return not (self.sockets or self._computers.are_busy or self._timer or self.waiting)

    @property
    def waiting(self) -> int:
        """How much waits to be done."""
        return self._jobs.qsize()

    @property
    def is_attended(self) -> bool:
        """Whether one of its people is connected."""
        return any(client.seats for client in self._audience.clients)

    @property
    def sockets(self) -> int:
        """How many clients are connected."""
        return len(self._audience.clients)

    async def refresh(self) -> None:
        """See that nothing is missing which other servers have saved."""
        if self._peers.is_shared:
            with suppress(Refuse):
                await in_turn(self._catch_up, self._jobs, self._task)

    def say_closing(self) -> None:
        """Tell everybody that the server ends."""
        self._audience.end(out.Closing())

    async def close(self) -> None:
        """Do what waits in the queue, then stop; the table goes on when it is loaded again."""
        self._computers.stop()
        if not self.has_ended:
            await self._jobs.join()
        self._computers.stop()
        self._task.cancel()
        if self._timer:
            self._timer.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    # ---- from other servers ----

    def hear(self, message: bus.Message) -> None:
        """Another server tells something about this table."""
        match message:
            case bus.Changed():
                self._look_for(message.version)
            case bus.Connected():
                self._jobs.put_nowait(partial(self._meet, message))
            case bus.Shown() if self._audience.may_show(message.seat):
                self._audience.show(message.seat, message.emote)

    def look(self, version: int, alive: frozenset[int]) -> None:
        """The database has this version of the table, and these servers run."""
        self._look_for(version)
        if self._audience.elsewhere.keys() - alive:
            self._jobs.put_nowait(partial(self._miss, alive))

    def introduce(self) -> None:
        """Tell the others who is here, and ask them the same."""
        self._tell_others(asks=True)

    def wake(self, held: int | None = None) -> None:
        """See what has to be done: the lease has come, gone or changed hands; clocks that nobody ran stood still."""
        if held is not None:
            self._since = max(self._since, self._now() - held / 1000)
        self._jobs.put_nowait(nothing)

    def _look_for(self, version: int) -> None:
        if version > self.table.version and not self._is_behind:
            self._is_behind = True
            self._jobs.put_nowait(self._look_behind)

    async def _look_behind(self) -> None:
        with suppress(Refuse):  # the next look will tell
            await self._catch_up()

    async def _meet(self, other: bus.Connected) -> None:
        if other.asks:
            self._tell_others()
        if self._audience.meet(other):
            self._audience.tell_present(self.table)
        self._absence.hear(other.empty)

    async def _miss(self, alive: frozenset[int]) -> None:
        """Forget who was connected to servers that have died."""
        self._audience.miss(alive)
        self._audience.tell_present(self.table)

    def _tell_others(self, *, asks: bool = False) -> None:
        here = self._audience.here(self._peers.number, self._absence.empty, asks=asks)
        self._peers.publish(self.table.id, here)

    # ---- one after the other ----

    async def _run(self) -> None:
        while True:
            job = await self._jobs.get()
            self.used_at = self._now()
            try:
                await job()
                self._follow()
            except Exception:
                log.exception("table %s: an unexpected fault, it is rebuilt", self.table.id)
                await self._rebuild()
            finally:
                self._jobs.task_done()
            if self.has_ended:
                return

    async def _rebuild(self) -> None:
        """Begin anew with what is stored: after such a fault what is in memory cannot be relied upon."""
        try:
            self._computers.stop()
            stored = await self._store.load(self.table.id)
            assert stored is not None, "it is not stored"
            self.table, self._since = await asyncio.to_thread(stored.table), self._now()
            self._audience.begin_anew(self.table)
            self._follow()
        except Exception:
            log.exception("table %s cannot go on: it is loaded again when somebody comes", self.table.id)
            self.has_ended = True
            self._audience.end()

    async def _answer(self, client: Client, message: incoming.ForTable) -> None:
        """Do what a client asks, or say why not; a command once more whenever another server was quicker."""
        try:
            match message:
                case incoming.Hello():
                    await self._greet(client, message.version)
                    return  # it has an answer of its own
                case incoming.Rematch():
                    await self._play_again(client, message)
                case incoming.ShowEmote():
                    self._show_emote(client, message)
                case _:
                    is_done = False
                    while not is_done:
                        await self._time_out()
                        is_done = await self._commit(decide(self.table, message, client.seats, self._absence))
            client.tell(out.Accepted(message.id, self.table.version))
        except Refuse as refuse:
            client.refuse(refuse, message.id, self.table.version)
            if isinstance(message, incoming.Substitute):
                self._tell_others()  # at other servers somebody may wish the same
        except Exception:
            client.refuse(Refuse("internal"), message.id, self.table.version)
            raise

    async def _commit(self, event: e.TableEvent) -> bool:
        """See what an event leads to, save it, and only then tell everybody.

        Returns False if another server has saved something before it: the table is then the one after that.
        """
        table = self.table
        event = replace(event, used=clock.used_by(table.running, table.players, self._elapsed()))
        after, happenings = table.after(event)
        summary = None if table.result else after.summary
        try:
            await self._store.append(table.id, after.version, event, summary, after.listing_since(table))
        except Conflict:
            await self._catch_up()
            if self.table is table:
                log.error("table %s: less is stored than was saved", table.id)
                raise Refuse("storage_failed") from None
            return False
        saved = time.monotonic()
        if isinstance(event, e.Decided):
            metrics.MOVES.labels(by="person" if event.person else "computer").inc()
        self._peers.publish(table.id, bus.Changed(server=self._peers.number, version=after.version))
        self.table, self._since = after, self._now()
        self._audience.broadcast(encoding.event(after, event, happenings), after, saved)
        return True

    async def _catch_up(self) -> None:
        """Let happen here what other servers have saved."""
        self._is_behind = False
        for saved in await self._store.since(self.table.id, self.table.version):
            after, happenings = self.table.after(saved.event)
            if after.version != saved.version:
                log.error("table %s: event %d is missing", after.id, after.version)
                raise Refuse("storage_failed")
            self.table, self._since = after, self._now() - saved.age / 1000
            told = encoding.event(after, saved.event, happenings)
            self._audience.broadcast(told, after, time.monotonic() - saved.age / 1000)
            await asyncio.sleep(0)  # other tables go on

    # ---- clients ----

    async def _greet(self, client: Client, version: int | None) -> None:
        with suppress(Refuse):  # what cannot be saved now will be at the next visit
            await self._time_out()
            for seat in client.seats:
                while not self.table.seats[seat].joined:
                    await self._commit(e.Joined(seat=seat))
        self._audience.clients.append(client)
        self._audience.bring_up_to_date(client, self.table, version, self._elapsed())
        self._audience.tell_present(self.table, apart_from=client)
        self._tell_others()

    async def _forget(self, client: Client) -> None:
        if client in self._audience.clients:
            self._audience.clients.remove(client)
            self._audience.tell_present(self.table)
            self._tell_others()

    def _show_emote(self, client: Client, message: incoming.ShowEmote) -> None:
        if message.seat not in client.seats:
            raise Refuse("not_your_seat", seat=message.seat)
        if not self._audience.may_show(message.seat):
            raise Refuse("too_fast")
        self._audience.show(message.seat, message.emote)
        shown = bus.Shown(server=self._peers.number, seat=message.seat, emote=message.emote)
        self._peers.publish(self.table.id, shown)

    async def _play_again(self, client: Client, message: incoming.Rematch) -> None:
        await self._time_out()
        if not client.seats:
            raise Refuse("not_your_seat")
        if not self.table.result:
            raise Refuse("not_over")
        following: str | None = None
        while self.table.next is None:
            digests = self.table.digests_after(self._digests)
            following = following or await self._rematch(self.table, digests, message.same_tiles)
            await self._commit(e.Rematched(table=following))

    # ---- computers ----

    def _follow(self) -> None:
        """After anything: see that a computer thinks if one has to, and that the right clock is watched."""
        table = self.table
        self._absence.look(self._audience.present(table))
        people = any(table.is_person(seat) for seat in range(table.players))
        plays = turn_of(table) is not None and bool(people or self.sockets)
        seat = clock.first_to_fall(table.left, table.running)
        is_ours = self._peers.lease(table.id, wanted=plays or seat is not None, keep=bool(self.sockets))
        self._computers.follow(table, wanted=plays and is_ours)
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if seat is not None and is_ours:
            seconds = max(0.0, (table.left[seat] - self._elapsed()) / 1000)
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(seconds + 0.001, self._jobs.put_nowait, self._look_at_clocks)

    def _let_computer_play(self, answer: ComputerMove) -> None:
        self._jobs.put_nowait(partial(self._play_for_computer, answer))

    async def _play_for_computer(self, answer: ComputerMove) -> None:
        if not self._computers.accept(answer.turn):
            return
        try:
            await self._time_out()
            if turn_of(self.table) != answer.turn:
                return
            await self._commit(e.Decided(seat=answer.turn.seat, move=answer.move, person=False))
        except Refuse as refuse:
            self._computers.failed()
            log.warning("table %s: the computer's move %s is not played: %s", self.table.id, answer.move, refuse)
        else:
            self._computers.worked()

    # ---- clocks ----

    def _elapsed(self) -> int:
        """Milliseconds since the last event."""
        return int((self._now() - self._since) * 1000)

    async def _look_at_clocks(self) -> None:
        try:
            await self._time_out()
        except Refuse:
            await asyncio.sleep(STORAGE_PAUSE)

    async def _time_out(self) -> None:
        """Let everybody time out whose clock is at zero."""
        while True:
            seat = clock.first_to_fall(self.table.left, self.table.running)
            if seat is None or self.table.left[seat] > self._elapsed():
                return
            await self._commit(e.TimedOut(seat=seat))
