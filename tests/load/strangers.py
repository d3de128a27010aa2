"""What one stranger can do to everybody else: people play at some tables while somebody at another address asks for
everything that costs something, as fast as the server lets him.

    python -m tests.load.strangers --seconds 10
    python -m tests.load.strangers --seconds 10 --at-once 300 --only records "tables that move here"
    python -m tests.load.strangers --seconds 60 --limits

Each row is one kind of attack, the last one all kinds at once. Without `--limits` those by address are off; with it
only the last row is shown.
What is measured is the same as in `tests.load.tables`: a move until the other client has it.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import multiprocessing
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from pathlib import Path

import httpx
from rich.console import Console
from rich.table import Table
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from azulejos import Dealer
from azulejos.server.tables import events as e
from azulejos.server.tables.setup import NewSeat, Setup
from azulejos.server.tables.table import Table as GameTable
from tests.load.tables import NEW_TABLE, UNLIMITED, Opened, Tally, open_table, play
from tests.server.live import Live, live_server

STRANGER = "127.0.0.9"
"""Another address of this machine, so that the others have limits of their own."""
AT_ONCE = 30
"""Requests that the stranger has on their way at a time, unless he is told otherwise."""
PACE = 0.25
"""Seconds between the moves at a table."""
SOCKETS = "sockets"
"""The attack by sockets that are opened and closed."""
SHARE_OF_SOCKETS = 0.2
"""How much of all attacks together is by sockets."""
JSON = {"content-type": "application/json"}
TITLE = "move until the other client has it, ms"
TOKEN = "figures"
LOOSE = UNLIMITED | {"unknown_per_minute": "0", "connections_per_address": "0", "metrics_token": TOKEN}

Ask = Callable[[httpx.AsyncClient], Awaitable[int]]
"""Asks once, and the status of the answer."""


def moved_table(events: int = 990) -> dict[str, object]:
    """A table for /api/tables/moved, with as many events as may be: most tiles go to the floor."""
    dealer = Dealer.from_text("1" * 64)
    setup = Setup("std", [NewSeat("here", "Ana"), NewSeat("here", "Rui")], 0)
    happened: list[e.TableEvent] = [e.Started()]
    table, _ = GameTable("", "", setup, dealer).after(happened[0])
    while len(happened) < events:
        game = table.game.public
        previews = game.previews()
        open_ended = [move for move in previews if not previews[move].completes] or list(previews)
        move = min(open_ended, key=lambda move: (previews[move].taken, str(move)[-1] == "f"))
        happened.append(e.Decided(seat=game.turn, move=str(move)))
        table, _ = table.after(happened[-1])
    seats = [{"kind": "here", "name": "Ana"}, {"kind": "here", "name": "Rui"}]
    told = [{"type": e.kind_of(each)} | _fields(each) for each in happened]
    return {"setup": {"wall": "std", "seats": seats, "starter": 0}, "secret": "1" * 64, "events": told}


def _fields(event: e.TableEvent) -> dict[str, object]:
    return {"seat": event.seat, "move": event.move} if isinstance(event, e.Decided) else {}


def attacks(table: str, moved: dict[str, object]) -> dict[str, Ask]:
    """Every kind of request, by its name."""
    body = json.dumps(moved).encode()  # once: who attacks does not spend his time on that
    numbers = itertools.count()

    async def status(answer: Awaitable[httpx.Response]) -> int:
        return (await answer).status_code

    link = "http://127.0.0.1/" + 280 * "x"
    headers = {"authorization": f"Bearer {TOKEN}"}
    return {
        "tables that move here": lambda http: status(http.post("/api/tables/moved", content=body, headers=JSON)),
        "records": lambda http: status(http.get(f"/api/tables/{table}/record.azul")),
        "QR codes": lambda http: status(http.post("/api/code", json={"link": link})),
        "unknown tables": lambda http: status(http.get(f"/api/tables/none{next(numbers)}")),
        "health": lambda http: status(http.get("/health")),
        "metrics": lambda http: status(http.get("/metrics", headers=headers)),
        "new tables": lambda http: status(http.post("/api/tables", json=NEW_TABLE)),
    }


async def visit(address: str) -> str:
    """Open a socket, say hello, hear the whole table, go."""
    try:
        async with connect(address, local_addr=(STRANGER, 0), max_size=None) as socket:
            await socket.send('{"type":"hello"}')
            await socket.recv()
            return "socket"
    except (OSError, WebSocketException):
        return "no socket"


@dataclass(frozen=True)
class Attack:
    """What a stranger does, in a process of his own: what he spends on it is not the people's time."""

    url: str
    sockets: str
    table: str
    kinds: list[str]
    at_once: int

    def run(self, ready: Event, stop: Event, told: Queue[Counter[int | str]]) -> None:
        """Ask until told to stop; what was answered."""
        told.put(asyncio.run(self._ask_all(ready, stop)))

    async def _ask_all(self, ready: Event, stop: Event) -> Counter[int | str]:
        seen: Counter[int | str] = Counter()
        asks = [ask for name, ask in attacks(self.table, moved_table()).items() if name in self.kinds]
        limits = httpx.Limits(max_connections=self.at_once)
        transport = httpx.AsyncHTTPTransport(local_address=STRANGER, limits=limits)

        async def keep_asking() -> None:
            while True:
                if SOCKETS in self.kinds and (not asks or random.random() < SHARE_OF_SOCKETS):
                    seen[await visit(self.sockets + self.table)] += 1
                else:
                    with suppress(httpx.HTTPError):
                        seen[await random.choice(asks)(stranger)] += 1

        async with httpx.AsyncClient(base_url=self.url, timeout=120, transport=transport) as stranger:
            ready.set()
            asking = [asyncio.create_task(keep_asking()) for _ in range(self.at_once)]
            while not stop.is_set():
                await asyncio.sleep(0.05)
            for task in asking:
                task.cancel()
            await asyncio.gather(*asking, return_exceptions=True)
        return seen


class Players:
    """People at tables, who are not the stranger; their games last longer than any measurement."""

    def __init__(self, live: Live, http: httpx.AsyncClient, tables: int) -> None:
        self._live, self._http, self._tables = live, http, tables
        self._opened: list[Opened] = []

    async def sit_down(self) -> Tally:
        """Open the tables; what will be seen at them."""
        tally = Tally()
        self._opened = [await open_table(self._live, self._http, tally) for _ in range(self._tables)]
        return tally

    async def play(self, tally: Tally, seconds: float) -> None:
        """Play for so long."""
        ends = time.perf_counter() + seconds
        await asyncio.gather(*(play(table.clients, tally, PACE, ends) for table in self._opened))
        await asyncio.gather(*(client.close() for table in self._opened for client in table.clients))


@dataclass(frozen=True)
class Plan:
    """What is measured."""

    seconds: float
    tables: int
    at_once: int
    only: list[str]
    """The kinds of attack that are made alone; none of them: all, and all together."""
    only_all: bool


async def measure(live: Live, plan: Plan, console: Console) -> None:
    """Every attack alone and all together, or only the latter."""
    rows = Table("attack", "asked", "moves", "p50", "p95", "p99", "longest", title=TITLE)
    moved = moved_table()
    async with httpx.AsyncClient(base_url=live.url, timeout=60) as http:
        people = Players(live, http, plan.tables)
        answer = await http.post("/api/tables/moved", json=moved)
        table = answer.raise_for_status().json()["table"]["id"]
        every = [*attacks(table, moved), SOCKETS]
        alone = [] if plan.only_all else [[name] for name in every if not plan.only or name in plan.only]
        for kinds in [[], *alone, *([] if plan.only else [every])]:
            attack = Attack(live.url, live.sockets, table, kinds, plan.at_once)
            name = "all" if kinds == every else kinds[0] if kinds else "none"
            rows.add_row(name, *await under_attack(people, plan.seconds, attack))
    console.print(rows)


async def under_attack(people: Players, seconds: float, attack: Attack) -> list[str]:
    """Play while a stranger does all this; what he was answered, and how long moves took."""
    tally = await people.sit_down()
    if not attack.kinds:
        await people.play(tally, seconds)
        return ["", *figures(tally)]
    context = multiprocessing.get_context("spawn")
    ready, stop, told = context.Event(), context.Event(), context.Queue()
    stranger = context.Process(target=attack.run, args=(ready, stop, told), daemon=True)
    stranger.start()
    await asyncio.to_thread(ready.wait)
    try:
        await people.play(tally, seconds)
    finally:
        stop.set()
        seen: Counter[int | str] = await asyncio.to_thread(told.get)
        await asyncio.to_thread(stranger.join)
    return [" ".join(f"{key}:{count}" for key, count in sorted(seen.items(), key=str)), *figures(tally)]


def figures(tally: Tally) -> list[str]:
    """Moves, and what they took."""
    cuts = [1000 * cut for cut in statistics.quantiles(tally.seconds, n=100, method="inclusive")]
    taken = [cuts[49], cuts[94], cuts[98], 1000 * max(tally.seconds)]
    return [str(tally.moves), *(f"{value:.1f}" for value in taken)]


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description="Attack the server from one address while others play")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--at-once", type=int, default=AT_ONCE, help="requests that the stranger has on their way")
    parser.add_argument("--only", nargs="+", default=[], help="these kinds of attack, by their names")
    parser.add_argument("--limits", action="store_true", help="all kinds at once, with the limits as they are")
    options = parser.parse_args()
    settings = {"metrics_token": TOKEN, "tables_per_minute": 60} if options.limits else LOOSE  # people make 40 tables
    with tempfile.TemporaryDirectory() as folder, live_server(Path(folder), **settings) as live:
        plan = Plan(options.seconds, options.tables, options.at_once, options.only, options.limits)
        asyncio.run(measure(live, plan, Console(width=150)))


if __name__ == "__main__":
    main()
