"""What the tests of the server's inside stand on: a quick computer, a small application, and tables without sockets."""

from __future__ import annotations

import asyncio
import functools
import random
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ParamSpec

import msgspec
from litestar import Litestar

from azulejos import Dealer, Game
from azulejos.game.view import Wall
from azulejos.server.http.rate_limits import rate_limits
from azulejos.server.http.sockets import table_socket
from azulejos.server.live.client import Client
from azulejos.server.live.live_table import LiveTable
from azulejos.server.live.lobby import Lobby
from azulejos.server.protocol import encoding, incoming
from azulejos.server.protocol import outgoing as out
from azulejos.server.settings import Settings
from azulejos.server.storage.store import Store
from azulejos.server.tables import events as e
from azulejos.server.tables.absence import Absence
from azulejos.server.tables.commands import decide
from azulejos.server.tables.setup import Clock, NewSeat, SeatKind, Setup
from azulejos.server.tables.table import Table
from tests.patience import PATIENCE

Given = ParamSpec("Given")


def runs(test: Callable[Given, Coroutine[Any, Any, None]]) -> Callable[Given, None]:
    """Let a test be a coroutine."""

    @functools.wraps(test)
    def run(*args: Given.args, **kwargs: Given.kwargs) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **kwargs), 5 * PATIENCE))

    return run


@dataclass(frozen=True)
class Chosen:
    move: str


class Quick:
    """Plays anything that is legal, at once; the same in the same position."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def choose(self, position: str, player: str, seed: int) -> Chosen:  # noqa: ARG002
        self.asked.append(position)
        moves = Game.from_position(position).legal_moves
        return Chosen(str(random.Random(f"{position}{player}").choice(moves)))


@functools.cache
def _empty_database() -> bytes:
    """A database with nothing in it, made once: that takes half a second."""

    async def make(path: Path) -> None:
        await (await Store.open(str(path))).close()

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.db"
        thread = threading.Thread(target=lambda: asyncio.run(make(path)))  # there may be a loop in this one
        thread.start()
        thread.join()
        return path.read_bytes()


def lay_out(database: Path) -> None:
    """Put an empty database there unless there is one."""
    if not database.exists():
        database.write_bytes(_empty_database())


def small_app(database: Path, computers: Any, **settings: Any) -> Litestar:
    """Only the sockets, on a real database."""
    lay_out(database)
    chosen = Settings(database=str(database), **settings)

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        app.state.store = await Store.open(chosen.database_url)
        app.state.lobby = Lobby(chosen, app.state.store, computers)
        yield
        await app.state.lobby.close()
        await app.state.store.close()

    app = Litestar([table_socket], lifespan=[running])
    app.state.settings, app.state.rate_limits = chosen, rate_limits(chosen)
    return app


@asynccontextmanager
async def lobby_on(
    database: Path, computers: Any | None = None, away_seconds: int = 0, **options: Any
) -> AsyncIterator[Lobby]:
    """A lobby on a real database."""
    lay_out(database)
    store = await Store.open(str(database))
    settings = Settings(most_tables=1000, away_seconds=away_seconds, lobby=True)
    lobby = Lobby(settings, store, computers or Quick(), **options)
    try:
        yield lobby
    finally:
        await lobby.close()
        await store.close()


def new_table(
    *kinds: SeatKind, wall: Wall = "std", starter: int | None = 0, clock: Clock | None = None, is_open: bool = False
) -> Any:
    return incoming.NewTable([NewSeat(kind, kind.title()) for kind in kinds], wall, starter, clock, open=is_open)


async def seated(lobby: Lobby, *kinds: Any, **options: Any) -> tuple[list[str | None], Any]:
    """A new table and its secrets."""
    made = await lobby.create(new_table(*kinds, **options))
    return made.secrets, await lobby.table(made.table.id)


def moves_of(live: LiveTable) -> list[str]:
    """The moves that may be played at a table now."""
    return [str(move) for move in live.table.game.public.legal_moves]


class Time:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Guest:
    """A client of a `LiveTable` without a socket."""

    def __init__(self, queue: LiveTable) -> None:
        self.queue, self.client = queue, Client()
        self.seen: list[dict[str, Any]] = []

    @staticmethod
    async def at(queue: LiveTable, *secrets: str | None, version: int | None = None) -> Guest:
        guest = Guest(queue)
        known = [secret for secret in secrets if secret is not None]
        queue.join(guest.client, incoming.Hello(secrets=known, version=version))
        await guest.until("welcome", "resumed")
        return guest

    async def next(self) -> dict[str, Any]:
        data = await asyncio.wait_for(self.client.unsent.get(), PATIENCE)
        assert data is not None
        message: dict[str, Any] = msgspec.json.decode(data)
        msgspec.json.decode(data, type=out.Outgoing)  # as the protocol says
        self.seen.append(message)
        return message

    async def until(self, *types: str) -> dict[str, Any]:
        while True:
            message = await self.next()
            if message["type"] in types:
                return message

    async def until_event(self, *whats: str) -> dict[str, Any]:
        while True:
            message = await self.until("event")
            if message["what"]["type"] in whats:
                return message

    async def ask(self, message: Any) -> dict[str, Any]:
        """The answer: accepted or refused."""
        self.queue.submit(self.client, message)
        return await self.until("accepted", "refused")

    def play(self, seat: int, move: str, version: int | None = None) -> Any:
        at = self.queue.table.version if version is None else version
        return self.ask(incoming.Play(seat=seat, move=move, version=at))


@dataclass
class Logic:
    """A table as pure logic, with its log; everybody at it is a person unless said otherwise."""

    kinds: Sequence[SeatKind]
    wall: Wall = "std"
    clock: Clock | None = None
    dealer: Dealer = field(default_factory=lambda: Dealer(bytes(32)))

    def __post_init__(self) -> None:
        seats = [NewSeat(kind, f"P{at}", 3 if kind == "computer" else None) for at, kind in enumerate(self.kinds)]
        self.setup = Setup(self.wall, seats, 0, self.clock)
        self.log: list[e.TableEvent] = []
        self.table = Table("t", "2026-01-02T03:04:05Z", self.setup, self.dealer)
        self.happen(e.Started())

    def happen(self, event: e.TableEvent) -> out.Happened:
        """Let an event happen; what everybody is told of it."""
        self.table, happenings = self.table.after(event)
        self.log.append(event)
        return encoding.told(event, happenings)

    def ask(self, message: Any, *mine: int, present: Sequence[bool] | None = None) -> out.Happened:
        everybody = range(len(self.kinds))
        absence = Absence(0.0, float)
        absence.look(present or [True] * len(self.kinds))
        return self.happen(decide(self.table, message, mine or everybody, absence))

    def moves(self, seat: int) -> list[str]:
        game = self.table.game
        return [str(move) for move in (game.own(seat).moves if game.is_choosing else game.public.legal_moves)]

    def play(self, seat: int, move: str) -> out.Happened:
        return self.ask(incoming.Play(seat=seat, move=move, version=self.table.version))

    def decide(self, seat: int, choice: random.Random) -> out.Happened:
        """Any legal decision, by a person or a computer as the seat has it."""
        move = choice.choice(self.moves(seat))
        if self.table.is_person(seat):
            return self.play(seat, move)
        return self.happen(e.Decided(seat=seat, move=move, person=False))

    def undo(self, seat: int) -> out.Happened:
        return self.ask(incoming.Undo(seat=seat, version=self.table.version))

    def rebuilt(self) -> Table:
        """From what is stored, read back."""
        events = [e.read(e.kind_of(event), e.write(event)) for event in self.log]
        setup = msgspec.json.decode(msgspec.json.encode(self.setup), type=Setup)
        return Table.rebuilt("t", self.table.created, setup, self.dealer, events)
