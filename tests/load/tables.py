"""Many tables at once, played over real sockets against a real server process, and what that costs.

    python -m tests.load.tables --tables 200 --seconds 30
    python -m tests.load.tables --tables 200 --seconds 30 --processes 2

The second starts a PostgreSQL and a Redis, and so many servers on them at one port; `--processes 1` has one there.
Every table has two clients. One plays a random legal move after a while; the time until the *other* client has the
event is what is measured. Versions are checked on every socket: nothing may be lost or come out of order.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import msgspec
from rich.console import Console
from rich.table import Table
from websockets.asyncio.client import ClientConnection, connect

from tests.server.live import Live, live_server, servers_of

UNLIMITED: dict[str, Any] = {
    "tables_per_minute": "0",
    "questions_per_minute": "0",
    "messages_per_second": "0",
    "sockets_per_address": "0",
    "connections_per_address": "0",
    "most_tables": "1000000",
}
NEW_TABLE = {"seats": [{"kind": "here", "name": "Ana"}, {"kind": "here", "name": "Rui"}]}
PATIENCE_SECONDS = 20.0
"""An event that has not come by then is lost."""


class Choice(msgspec.Struct):
    """A legal move."""

    move: str


class Seen(msgspec.Struct):
    """What a client looks at in a position."""

    options: list[Choice] = []


class Said(msgspec.Struct):
    """What a client looks at in a message."""

    type: str
    version: int | None = None
    position: Seen | None = None
    waiting: list[int] = []
    code: str | None = None


@dataclass
class Tally:
    """What was seen on all tables."""

    seconds: list[float] = field(default_factory=list)
    moves: int = 0
    games: int = 0
    lost: int = 0
    out_of_order: int = 0
    refused: dict[str, int] = field(default_factory=dict)


class Client:
    """One socket of a table."""

    def __init__(self, socket: ClientConnection, tally: Tally) -> None:
        self._socket, self._tally = socket, tally
        self.last: Said | None = None
        self.version = -1
        self._arrived: dict[int, float] = {}
        self._news = asyncio.Event()
        self._task = asyncio.create_task(self._listen())

    async def say(self, message: dict[str, object]) -> None:
        """Send a message."""
        await self._socket.send(msgspec.json.encode(message).decode())

    async def wait_for(self, version: int) -> float | None:
        """When an event came, or None if it did not."""
        deadline = time.perf_counter() + PATIENCE_SECONDS
        while version not in self._arrived:
            self._news.clear()
            try:
                await asyncio.wait_for(self._news.wait(), deadline - time.perf_counter())
            except TimeoutError:
                return None
        return self._arrived.pop(version)

    async def close(self) -> None:
        """Leave."""
        self._task.cancel()
        await self._socket.close()

    async def _listen(self) -> None:
        decode = msgspec.json.Decoder(Said).decode
        async for text in self._socket:
            now = time.perf_counter()
            said = decode(text)
            if said.type == "refused":
                code = said.code or "?"
                self._tally.refused[code] = self._tally.refused.get(code, 0) + 1
            if said.type in ("welcome", "event") and said.version is not None:
                if said.type == "event" and said.version != self.version + 1:
                    self._tally.out_of_order += 1
                self.version, self.last = said.version, said
                self._arrived[said.version] = now
                self._news.set()


@dataclass
class Opened:
    """A table with a client on each seat."""

    name: str
    clients: list[Client]


async def open_table(live: Live, http: httpx.AsyncClient, tally: Tally) -> Opened:
    """A new table, and both clients at it."""
    created = (await http.post("/api/tables", json=NEW_TABLE)).raise_for_status().json()
    name = created["table"]["id"]
    clients = [Client(await connect(live.sockets + name, max_size=None), tally) for _ in range(2)]
    for client, secret in zip(clients, created["secrets"], strict=True):
        await client.say({"type": "hello", "secrets": [secret]})
    while any(client.last is None for client in clients):
        await asyncio.sleep(0.01)
    return Opened(name, clients)


async def close_table(table: Opened, http: httpx.AsyncClient, tally: Tally) -> None:
    """Leave a table; whatever it has saved and a client does not have is lost."""
    final = (await http.get(f"/api/tables/{table.name}")).raise_for_status().json()["version"]
    for client in table.clients:
        if client.version < final:
            await client.wait_for(final)
        tally.lost += final - client.version
        await client.close()


async def play_tables(
    table: Opened, live: Live, http: httpx.AsyncClient, tally: Tally, pace: float, ends: float
) -> None:
    """Play one table after the other until time is up."""
    await asyncio.sleep(random.uniform(0, pace))  # tables do not play in step
    while True:
        await play(table.clients, tally, pace, ends)
        await close_table(table, http, tally)
        if time.perf_counter() >= ends:
            return
        table = await open_table(live, http, tally)


async def play(clients: list[Client], tally: Tally, pace: float, ends: float) -> None:
    """Play a game until it is over or time is up."""
    while time.perf_counter() < ends:
        now = max((client.last for client in clients if client.last), key=lambda said: said.version or 0)
        if not now.waiting or now.position is None or now.version is None:
            tally.games += 1
            return
        seat, move = now.waiting[0], random.choice(now.position.options).move
        sent = time.perf_counter()
        await clients[seat].say({"type": "play", "seat": seat, "version": now.version, "move": move})
        arrived = await clients[1 - seat].wait_for(now.version + 1)
        if arrived is None or await clients[seat].wait_for(now.version + 1) is None:
            tally.lost += 1
            return
        tally.moves += 1
        tally.seconds.append(arrived - sent)
        await asyncio.sleep(random.uniform(0.5, 1.5) * pace)


async def measure(live: Live, tables: int, seconds: float, pace: float) -> tuple[Tally, float, float]:
    """Play so many tables for so long; what was seen, how long it really took, and what it cost the processor."""
    tally = Tally()
    limits = httpx.Limits(max_connections=10)
    async with httpx.AsyncClient(base_url=live.url, timeout=60, limits=limits) as http:
        opened = [await open_table(live, http, tally) for _ in range(tables)]
        started, busy = time.perf_counter(), cpu_of(live)
        ends = started + seconds
        await asyncio.gather(*(play_tables(table, live, http, tally, pace, ends) for table in opened))
        return tally, time.perf_counter() - started, cpu_of(live) - busy


def memory_of(live: Live) -> float:
    """The memory of all servers in MB, where the system tells it."""
    try:
        stats = [Path(f"/proc/{process}/status").read_text() for process in processes_of(live)]
    except OSError:
        return float("nan")
    lines = [line for status in stats for line in status.splitlines() if line.startswith("VmRSS")]
    return sum(int(line.split()[1]) for line in lines) / 1024


def cpu_of(live: Live) -> float:
    """Seconds of processor time that all servers have used, where the system tells it."""
    try:
        stats = [Path(f"/proc/{process}/stat").read_text() for process in processes_of(live)]
    except OSError:
        return float("nan")
    fields = [stat.rpartition(")")[2].split() for stat in stats]
    return sum(int(each[11]) + int(each[12]) for each in fields) / 100


def processes_of(live: Live) -> list[int]:
    """The server, or those that it has started."""
    return servers_of(live) or [live.process.pid]


@contextmanager
def loaded_server(folder: Path, processes: int) -> Iterator[Live]:
    """A server on a file, or so many on a PostgreSQL and a Redis."""
    if not processes:
        with live_server(folder, **UNLIMITED) as live:
            yield live
        return
    from tests.server.postgres import new_cluster
    from tests.server.redis_server import new_redis

    with new_cluster() as cluster, new_redis() as redis:
        shared = {"database": cluster.url(cluster.new()), "bus": redis.url(), "workers": processes}
        with live_server(folder, "--processes", str(processes), **(UNLIMITED | shared)) as live:
            yield live


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description="Load the server with many tables")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between the moves of a table")
    parser.add_argument(
        "--processes", type=int, default=0, help="servers on a PostgreSQL and a Redis; 0: one on a file"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, loaded_server(Path(folder), options.processes) as live:
        before = memory_of(live)
        tally, seconds, busy = asyncio.run(measure(live, options.tables, options.seconds, options.pace))
        after = memory_of(live)
    print_table(options.tables, tally, seconds, before, after, busy)


def print_table(tables: int, tally: Tally, seconds: float, before: float, after: float, busy: float) -> None:
    """What was measured."""
    cuts = [1000 * cut for cut in statistics.quantiles(tally.seconds, n=100, method="inclusive")]
    table = Table("what", "figure", title="move sent by one client until the other one has its event")
    table.columns[1].justify = "right"
    rows = {
        "tables": f"{tables}",
        "sockets": f"{2 * tables}",
        "moves": f"{tally.moves}",
        "moves/s": f"{tally.moves / seconds:.1f}",
        "games finished": f"{tally.games}",
        "p50": f"{cuts[49]:.1f} ms",
        "p95": f"{cuts[94]:.1f} ms",
        "p99": f"{cuts[98]:.1f} ms",
        "longest": f"{1000 * max(tally.seconds):.1f} ms",
        "lost": f"{tally.lost}",
        "out of order": f"{tally.out_of_order}",
        "refused": f"{tally.refused or 0}",
        "memory of the server": f"{before:.0f} MB, then {after:.0f} MB",
        "processor of the server": f"{busy / seconds:.0%} of one core",
        "processor for a move": f"{1000 * busy / max(1, tally.moves):.2f} ms",
    }
    for row in rows.items():
        table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    main()
