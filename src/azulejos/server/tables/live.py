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
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from azulejos.game.dealer import Dealer
from azulejos.game.record import Record
from azulejos.server import metrics
from azulejos.server.bots.thinking import Answer, Computers, Thinking
from azulejos.server.protocol import encoding as tell
from azulejos.server.protocol import incoming as asked
from azulejos.server.protocol import outgoing as out
from azulejos.server.protocol.shared import PROTOCOL
from azulejos.server.storage.store import Conflict, Store, StoredTable, now_ms
from azulejos.server.tables import clock
from azulejos.server.tables import commands as judge
from azulejos.server.tables import events as e
from azulejos.server.tables.client import Client
from azulejos.server.tables.refuse import Refuse
from azulejos.server.tables.secret import seats_of
from azulejos.server.tables.table import Table

MOST_WAITING: Final = 200
"""Messages that may wait at one table; further ones are refused."""
RESUMABLE: Final = 64
"""A client that missed no more events than this gets them; otherwise everything anew."""
STORAGE_PAUSE: Final = 1.0
"""Seconds to wait before a failed saving is tried again."""

log = logging.getLogger(__name__)
"""The logger of this module."""

Rematch = Callable[[Table, list[str | None], bool], Awaitable[str]]
"""Makes the next table; returns its id."""


class Asked(NamedTuple):
    """A message of a client."""

    client: Client
    """Whose it is."""
    message: Any
    """What it says."""


class Left(NamedTuple):
    """A client has gone."""

    client: Client
    """Who has gone."""


class Hinted(NamedTuple):
    """A hint is ready, or why there is none."""

    client: Client
    """Who asked."""
    message: asked.AskHint
    """The question."""
    since: int
    """The version of the table when it was asked."""
    moves: list[out.HintMove] | Refuse
    """The answer, or why there is none."""


class Tick(NamedTuple):
    """Some clock should be at zero."""


class TableQueue:
    """A table that people are at, or that plays by itself."""

    def __init__(
        self,
        stored: StoredTable,
        store: Store,
        computers: Computers,
        rematch: Rematch,
        pace_ms: int | None = None,
        now: Callable[[], float] = time.monotonic,
        table: Table | None = None,
    ) -> None:
        self.table = table or rebuilt(stored)
        """The table as of its last event."""
        self._digests = stored.digests
        self._store, self._rematch, self._now = store, rematch, now
        self._computers = computers
        self._recent: deque[tuple[Table, out.Happened]] = deque(maxlen=RESUMABLE)
        """What happened last, each with the table after it."""
        self._clients: list[Client] = []
        self._waiting: asyncio.Queue[Any] = asyncio.Queue()
        self._thinking = Thinking(computers, pace_ms, self._waiting.put_nowait)
        self._hints: set[asyncio.Task[None]] = set()
        self._since = now()
        """When the last event was, for the clocks."""
        self._timer: asyncio.TimerHandle | None = None
        self.used_at = now()
        """When somebody last wanted something."""
        self._task = asyncio.create_task(self._run(), name=f"table {stored.id}")
        self._follow()

    # ---- from outside ----

    def ask(self, client: Client, message: Any) -> None:
        """Put a client's message in the queue; the answer goes to the client."""
        if self._waiting.qsize() >= MOST_WAITING:
            raise Refuse("busy")
        self._waiting.put_nowait(Asked(client, message))

    def check(self, hello: asked.Hello) -> None:
        """Refuse a greeting that cannot be answered; it may be said again in other words."""
        if hello.protocol != PROTOCOL:
            raise Refuse("wrong_protocol", protocol=PROTOCOL)
        seats_of(hello.secrets, self._digests)

    def leave(self, client: Client) -> None:
        """A client's socket is closed."""
        self._waiting.put_nowait(Left(client))

    def welcome(self) -> out.Welcome:
        """The table as somebody sees it who only watches."""
        return self._welcome(frozenset())

    def record(self) -> Record:
        """The record of the game so far."""
        return self.table.record()

    @property
    def is_idle(self) -> bool:
        """Whether nobody is here and nothing goes on."""
        busy = self._clients or self._thinking.is_busy or self._hints or self._timer or self._waiting.qsize()
        return not busy

    @property
    def sockets(self) -> int:
        """How many clients are connected."""
        return len(self._clients)

    def say_closing(self) -> None:
        """Tell everybody that the server ends."""
        for client in self._clients:
            client.tell(out.Closing())
            client.end()

    async def close(self) -> None:
        """Do what waits in the queue, then stop; the table goes on when it is loaded again."""
        self._thinking.stop()
        for hint in self._hints:
            hint.cancel()
        await self._waiting.join()
        self._thinking.stop()
        self._task.cancel()
        if self._timer:
            self._timer.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    # ---- one after the other ----

    async def _run(self) -> None:
        while True:
            item = await self._waiting.get()
            try:
                await self._do(item)
            except Exception:
                log.exception("table %s: an unexpected fault", self.table.id)
            finally:
                self._waiting.task_done()
            self._follow()

    async def _do(self, item: Any) -> None:
        self.used_at = self._now()
        if isinstance(item, Asked):
            await self._obey(item.client, item.message)
        elif isinstance(item, Answer):
            await self._play_for_computer(item)
        elif isinstance(item, Left):
            self._forget(item.client)
        elif isinstance(item, Hinted):
            self._give_hint(item)
        else:
            await self._look_at_clocks()

    async def _obey(self, client: Client, message: Any) -> None:
        try:
            if isinstance(message, asked.Hello):
                await self._greet(client, message)
                return
            await self._fall()
            if isinstance(message, asked.ShowEmote):
                self._show_emote(client, message)
            elif isinstance(message, asked.Rematch):
                await self._play_again(client, message)
            elif isinstance(message, asked.AskHint):
                await self._find_hint(client, message)
                return
            else:
                await self._happen(judge.judge(self.table, message, client.seats, self._present()))
            client.tell(out.Accepted(message.id, self.table.version))
        except Refuse as refusal:
            client.refuse(refusal, message.id, self.table.version)
        except Exception:
            log.exception("table %s: an unexpected fault", self.table.id)
            client.refuse(Refuse("internal"), message.id, self.table.version)

    async def _happen(self, event: e.Happened) -> None:
        """Save an event, then let it happen, then tell everybody."""
        table = self.table
        event = replace(event, at=now_ms(), used=clock.used_by(table.running, table.players, self._elapsed()))
        after = table.copy()
        what = after.apply(event)
        summary = after.summary if after.result and not table.result else None
        try:
            await self._store.append(table.id, after.version, event, summary)
        except Conflict:
            await self._reload()
            raise Refuse("stale_version", version=self.table.version) from None
        self.table, self._since = after, self._now()
        self._recent.append((after, what))
        if isinstance(event, e.Decided):
            metrics.MOVES.labels(by="person" if event.person else "computer").inc()
        spread = tell.spread(after, what)
        yours: dict[frozenset[int], bytes] = {}
        for client in self._clients:
            if client.seats not in yours:
                yours[client.seats] = tell.ENCODER.encode(tell.you(after, client.seats))
            client.send(spread.for_client(yours[client.seats]))

    async def _reload(self) -> None:
        """Another process has changed the table: take what is stored, and tell everybody everything."""
        stored = await self._store.load(self.table.id)
        if stored is None or len(stored.events) <= self.table.version + 1:
            log.error("table %s: less is stored than was saved", self.table.id)
            raise Refuse("storage_failed")
        self.table, self._since = rebuilt(stored), self._now()
        self._recent.clear()
        for client in self._clients:
            client.tell(self._welcome(client.seats))

    # ---- clients ----

    async def _greet(self, client: Client, hello: asked.Hello) -> None:
        client.seats = seats_of(hello.secrets, self._digests)
        with suppress(Refuse):  # what cannot be saved now will be at the next visit
            await self._fall()
            for seat in client.seats:
                if not self.table.seats[seat].joined:
                    await self._happen(e.Joined(seat=seat))
        self._clients.append(client)
        missed = None if hello.version is None else self.table.version - hello.version
        if missed is not None and 0 <= missed <= len(self._recent):
            await self._resume(client, missed)
        else:
            client.tell(self._welcome(client.seats))
        self._tell_present(apart_from=client)

    async def _resume(self, client: Client, missed: int) -> None:
        """The last events. What only this client is told is right in the last one."""
        events: list[bytes] = []
        for table, what in list(self._recent)[len(self._recent) - missed :]:
            you = tell.you(table, client.seats)
            events.append(tell.spread(table, what).for_client(tell.ENCODER.encode(you)))
            await asyncio.sleep(0)  # other tables go on
        resumed = out.Resumed([], tell.you(self.table, client.seats), self._present(), self._watchers())
        client.send(tell.encode(resumed).replace(b'"events":[]', b'"events":[' + b",".join(events) + b"]", 1))

    def _forget(self, client: Client) -> None:
        if client in self._clients:
            self._clients.remove(client)
            self._tell_present()

    def _welcome(self, seats: frozenset[int]) -> out.Welcome:
        return tell.welcome(self.table, seats, self._present(), self._watchers(), self._elapsed())

    def _present(self) -> list[bool]:
        here = {seat for client in self._clients for seat in client.seats}
        return [info.kind == "computer" or seat in here for seat, info in enumerate(self.table.seats)]

    def _watchers(self) -> int:
        return sum(not client.seats for client in self._clients)

    def _tell_present(self, apart_from: Client | None = None) -> None:
        message = tell.encode(out.Present(self._present(), self._watchers()))
        for client in self._clients:
            if client is not apart_from:
                client.send(message)

    def _show_emote(self, client: Client, message: asked.ShowEmote) -> None:
        if message.seat not in client.seats:
            raise Refuse("not_your_seat", seat=message.seat)
        shown = tell.encode(out.Emoted(message.seat, message.emote))
        for other in self._clients:
            other.send(shown)

    async def _play_again(self, client: Client, message: asked.Rematch) -> None:
        if not client.seats:
            raise Refuse("not_your_seat")
        if not self.table.result:
            raise Refuse("not_over")
        if self.table.next is None:
            table = await self._rematch(self.table, self._digests, message.same_tiles)
            await self._happen(e.Rematched(table=table))

    # ---- computers ----

    async def _play_for_computer(self, answer: Answer) -> None:
        turn = answer.turn
        if not self._thinking.accepted(turn):
            return
        try:
            await self._fall()
            if turn.seat not in self.table.waiting or self.table.is_person(turn.seat):
                return
            move = judge.check_decision(self.table, turn.seat, answer.move)
            await self._happen(e.Decided(seat=turn.seat, move=str(move), person=False))
        except Refuse as refusal:
            self._thinking.failed()
            log.warning("table %s: the computer's move %s is not played: %s", self.table.id, answer.move, refusal)
        else:
            self._thinking.worked()

    async def _find_hint(self, client: Client, message: asked.AskHint) -> None:
        event = judge.judge(self.table, message, client.seats, self._present())
        if not self.table.assisted:
            await self._happen(event)
        since = self.table.fresh_since[message.seat]
        position = self.table.match.position_for(message.seat)
        task = asyncio.create_task(self._ask_hint(client, message, since, position), name="hint")
        self._hints.add(task)
        task.add_done_callback(self._hints.discard)

    async def _ask_hint(self, client: Client, message: asked.AskHint, since: int, position: str) -> None:
        moves: list[out.HintMove] | Refuse
        try:
            moves = await self._computers.hint(position)
        except Refuse as refusal:
            moves = refusal
        except Exception:
            log.exception("table %s: no hint", self.table.id)
            moves = Refuse("no_computer")
        self._waiting.put_nowait(Hinted(client, message, since, moves))

    def _give_hint(self, hint: Hinted) -> None:
        moves = hint.moves
        if not isinstance(moves, Refuse) and self.table.fresh_since[hint.message.seat] != hint.since:
            moves = Refuse("stale_version", version=self.table.version)
        if isinstance(moves, Refuse):
            hint.client.refuse(moves, hint.message.id, self.table.version)
        else:
            hint.client.tell(out.Hint(moves, hint.message.id))

    def _follow(self) -> None:
        """After anything: see that a computer thinks if one has to, and that the right clock is watched."""
        table = self.table
        people = any(table.is_person(seat) for seat in range(table.players))
        self._thinking.follow(table, wanted=bool(people or self._clients))
        if self._timer:
            self._timer.cancel()
            self._timer = None
        seat = clock.first_to_fall(table.left, table.running)
        if seat is not None:
            seconds = max(0.0, (table.left[seat] - self._elapsed()) / 1000)
            self._timer = asyncio.get_running_loop().call_later(seconds + 0.001, self._waiting.put_nowait, Tick())

    # ---- clocks ----

    def _elapsed(self) -> int:
        """Milliseconds since the last event."""
        return int((self._now() - self._since) * 1000)

    async def _look_at_clocks(self) -> None:
        try:
            await self._fall()
        except Refuse:
            await asyncio.sleep(STORAGE_PAUSE)

    async def _fall(self) -> None:
        """Let everybody time out whose clock is at zero."""
        while True:
            seat = clock.first_to_fall(self.table.left, self.table.running)
            if seat is None or self.table.left[seat] > self._elapsed():
                return
            await self._happen(e.TimedOut(seat=seat))


def rebuilt(stored: StoredTable) -> Table:
    """The table that is stored so."""
    dealer = Dealer.from_text(stored.secret)
    return Table.rebuilt(stored.id, stored.created, stored.setup, dealer, stored.events)
