"""A live table: everything that is asked of it waits in one queue and is done one after the other.

What is accepted is saved first and told then; if it cannot be saved, nothing has happened.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from azulejos.game.happening import Happening
from azulejos.server import metrics
from azulejos.server.live.audience import Audience
from azulejos.server.live.client import Client
from azulejos.server.live.computers import ComputerMove, Computers, ComputerSeats
from azulejos.server.protocol import encoding, incoming
from azulejos.server.protocol import outgoing as out
from azulejos.server.protocol.shared import PROTOCOL
from azulejos.server.storage.store import Conflict, Store
from azulejos.server.tables import clock
from azulejos.server.tables import events as e
from azulejos.server.tables.commands import decide
from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.seat_secrets import seats_of
from azulejos.server.tables.table import Table

MOST_WAITING: Final = 200
"""Messages that may wait at one table; further ones are refused."""
RESUMABLE: Final = 64
"""A client that missed no more events than this gets them; otherwise everything anew."""
STORAGE_PAUSE: Final = 1.0
"""Seconds to wait before a failed saving is tried again."""

log = logging.getLogger(__name__)
"""The logger of this module."""

MakeRematch: TypeAlias = Callable[[Table, list[str | None], bool], Awaitable[str]]
"""Makes the next table; returns its id."""
Job: TypeAlias = Callable[[], Awaitable[None]]
"""Something to be done at a table when its turn has come."""


class Moment(NamedTuple):
    """An event as it may have to be told once more."""

    table: Table
    """The table after it."""
    happened: e.TableEvent
    """The event."""
    happenings: list[Happening]
    """What was played because of it."""


class LiveTable:
    """A table that people are at, or that plays by itself."""

    def __init__(
        self,
        table: Table,
        digests: list[str | None],
        store: Store,
        computers: Computers,
        rematch: MakeRematch,
        pace_ms: int | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.table = table
        """The table as of its last event."""
        self.used_at = now()
        """When somebody last wanted something."""
        self._digests, self._store, self._rematch, self._now = digests, store, rematch, now
        self._since = now()  # when the last event was, for the clocks
        self._recent: deque[Moment] = deque(maxlen=RESUMABLE)
        self._audience = Audience()
        self._jobs: asyncio.Queue[Job] = asyncio.Queue()
        self._computers = ComputerSeats(computers, pace_ms, self._let_computer_play)
        self._timer: asyncio.TimerHandle | None = None
        self._task = asyncio.create_task(self._run(), name=f"table {table.id}")
        self._follow()

    # ---- from outside ----

    def join(self, client: Client, hello: incoming.Hello) -> None:
        """Let a client in after those who wait; a greeting that is refused may be said again in other words."""
        if hello.protocol != PROTOCOL:
            raise Refuse("wrong_protocol", protocol=PROTOCOL)
        client.seats = seats_of(hello.secrets, self._digests)
        self.submit(client, hello)

    def submit(self, client: Client, message: incoming.Incoming) -> None:
        """Put a client's message in the queue; the answer goes to the client."""
        if self._jobs.qsize() >= MOST_WAITING:
            raise Refuse("busy")
        self._jobs.put_nowait(partial(self._answer, client, message))

    def leave(self, client: Client) -> None:
        """A client's socket is closed."""
        self._jobs.put_nowait(partial(self._forget, client))

    def welcome(self) -> out.Welcome:
        """The table as somebody sees it who only watches."""
        return self._audience.welcome(self.table, frozenset(), self._elapsed())

    @property
    def is_idle(self) -> bool:
        """Whether nobody is here and nothing goes on."""
        busy = self.sockets or self._computers.are_busy or self._timer or self._jobs.qsize()
        return not busy

    @property
    def sockets(self) -> int:
        """How many clients are connected."""
        return len(self._audience.clients)

    def say_closing(self) -> None:
        """Tell everybody that the server ends."""
        self._audience.tell(out.Closing())
        for client in self._audience.clients:
            client.end()

    async def close(self) -> None:
        """Do what waits in the queue, then stop; the table goes on when it is loaded again."""
        self._computers.stop()
        await self._jobs.join()
        self._computers.stop()
        self._task.cancel()
        if self._timer:
            self._timer.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    # ---- one after the other ----

    async def _run(self) -> None:
        while True:
            job = await self._jobs.get()
            self.used_at = self._now()
            try:
                await job()
            except Exception:
                log.exception("table %s: an unexpected fault", self.table.id)
            finally:
                self._jobs.task_done()
            self._follow()

    async def _answer(self, client: Client, message: incoming.Incoming) -> None:
        """Do what a client asks, or say why not."""
        try:
            if isinstance(message, incoming.Command):
                await self._time_out()
                await self._commit(decide(self.table, message, client.seats, self._audience.present(self.table)))
            elif not await self._serve(client, message):
                return  # it has an answer of its own
            client.tell(out.Accepted(message.id, self.table.version))
        except Refuse as refuse:
            client.refuse(refuse, message.id, self.table.version)
        except Exception:
            log.exception("table %s: an unexpected fault", self.table.id)
            client.refuse(Refuse("internal"), message.id, self.table.version)

    async def _serve(self, client: Client, message: incoming.Incoming) -> bool:
        """Do what is no command; returns whether it remains to be said that it was accepted."""
        match message:
            case incoming.Hello():
                await self._greet(client, message.version)
            case incoming.Rematch():
                await self._play_again(client, message)
                return True
            case incoming.ShowEmote():
                self._show_emote(client, message)
                return True
        return False

    async def _commit(self, event: e.TableEvent) -> None:
        """See what an event leads to, save it, and only then tell everybody."""
        table = self.table
        event = replace(event, used=clock.used_by(table.running, table.players, self._elapsed()))
        after, happenings = table.after(event)
        try:
            await self._store.append(table.id, after.version, event, None if table.result else after.summary)
        except Conflict:
            await self._reload()
            raise Refuse("stale_version", version=self.table.version) from None
        self.table, self._since = after, self._now()
        if isinstance(event, e.Decided):
            metrics.MOVES.labels(by="person" if event.person else "computer").inc()
        self._recent.append(Moment(after, event, happenings))
        self._audience.broadcast(after, event, happenings)

    async def _reload(self) -> None:
        """Another process has changed the table: take what is stored, and tell everybody everything."""
        stored = await self._store.load(self.table.id)
        if stored is None or len(stored.events) <= self.table.version + 1:
            log.error("table %s: less is stored than was saved", self.table.id)
            raise Refuse("storage_failed")
        self.table, self._since = stored.table(), self._now()
        self._recent.clear()
        for client in self._audience.clients:
            client.tell(self._audience.welcome(self.table, client.seats, self._elapsed()))

    # ---- clients ----

    async def _greet(self, client: Client, version: int | None) -> None:
        with suppress(Refuse):  # what cannot be saved now will be at the next visit
            await self._time_out()
            for seat in client.seats:
                if not self.table.seats[seat].joined:
                    await self._commit(e.Joined(seat=seat))
        self._audience.clients.append(client)
        missed = None if version is None else self.table.version - version
        if missed is not None and 0 <= missed <= len(self._recent):
            await self._resume(client, missed)
        else:
            client.tell(self._audience.welcome(self.table, client.seats, self._elapsed()))
        self._audience.tell_present(self.table, apart_from=client)

    async def _resume(self, client: Client, missed: int) -> None:
        """Tell a client the last events."""
        events: list[out.Event] = []
        for moment in list(self._recent)[len(self._recent) - missed :]:
            events.append(encoding.for_seats(encoding.event(*moment), moment.table, client.seats))
            await asyncio.sleep(0)  # other tables go on
        you = encoding.you(self.table, client.seats)
        client.tell(out.Resumed(events, you, self._audience.present(self.table), self._audience.watchers))

    async def _forget(self, client: Client) -> None:
        if client in self._audience.clients:
            self._audience.clients.remove(client)
            self._audience.tell_present(self.table)

    def _show_emote(self, client: Client, message: incoming.ShowEmote) -> None:
        if message.seat not in client.seats:
            raise Refuse("not_your_seat", seat=message.seat)
        self._audience.tell(out.Emoted(message.seat, message.emote))

    async def _play_again(self, client: Client, message: incoming.Rematch) -> None:
        await self._time_out()
        if not client.seats:
            raise Refuse("not_your_seat")
        if not self.table.result:
            raise Refuse("not_over")
        if self.table.next is None:
            following = await self._rematch(self.table, self._digests, message.same_tiles)
            await self._commit(e.Rematched(table=following))

    # ---- computers ----

    def _follow(self) -> None:
        """After anything: see that a computer thinks if one has to, and that the right clock is watched."""
        table = self.table
        people = any(table.is_person(seat) for seat in range(table.players))
        self._computers.follow(table, wanted=bool(people or self.sockets))
        if self._timer:
            self._timer.cancel()
            self._timer = None
        seat = clock.first_to_fall(table.left, table.running)
        if seat is not None:
            seconds = max(0.0, (table.left[seat] - self._elapsed()) / 1000)
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(seconds + 0.001, self._jobs.put_nowait, self._look_at_clocks)

    def _let_computer_play(self, answer: ComputerMove) -> None:
        self._jobs.put_nowait(partial(self._play_for_computer, answer))

    async def _play_for_computer(self, answer: ComputerMove) -> None:
        seat = answer.turn.seat
        if not self._computers.accept(answer.turn):
            return
        try:
            await self._time_out()
            if seat not in self.table.waiting or self.table.is_person(seat):
                return
            await self._commit(e.Decided(seat=seat, move=answer.move, person=False))
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
