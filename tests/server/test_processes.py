"""Several server processes on one PostgreSQL and one Redis, each of which is killed: nothing is lost or told twice."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect

from azulejos import read_record
from azulejos.game.replay import replay
from tests.load.tables import UNLIMITED
from tests.patience import PATIENCE
from tests.server.live import Live, live_server, servers_of
from tests.server.postgres import Cluster
from tests.server.redis_server import RedisServer
from tests.server.roaming import Tally, play_tables
from tests.server.wire import Wire, wire_to

KILLS = int(os.environ.get("AZULEJOS_KILLS", "3"))
"""How many processes are killed."""
MOVES_APART = 15
"""So many moves are accepted between two kills at least."""
FEW_MOVES = 6
"""So many are accepted before and after a fault in which others learn of a move once a second only."""
PEOPLE = {"seats": [{"kind": "here", "name": "Ana"}, {"kind": "friend", "name": "Rui"}], "wall": "gray"}
WITH_COMPUTER = {"seats": [{"kind": "here", "name": "Ana"}, {"kind": "friend"}, {"kind": "computer", "level": 1}]}
WITH_CLOCK = {**PEOPLE, "clock": {"seconds": 3600}}


def listening(live: Live) -> int:
    """How many processes listen at the port."""
    port = f":{int(live.host.rpartition(':')[2]):04X}"
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()]
    return sum(line[1].endswith(port) and line[3] == "0A" for line in lines)


@contextmanager
def processes(folder: Path, count: int, url: str, bus: str, *more: str) -> Iterator[Live]:
    """So many servers at one port."""
    flags = ("--processes", str(count), "--workers", "1", *more)
    with live_server(folder, *flags, **(UNLIMITED | {"workers": 1, "database": url, "bus": bus})) as live:
        yield live


async def play_while(live: list[Live], happens: Callable[[Tally], Any], *tables: dict[str, Any]) -> Tally:
    """Play at these servers, table after table, as long as something else goes on; what was seen."""
    tally, over, turns = Tally(), asyncio.Event(), itertools.count()

    def where() -> Live:  # each client at another one than the client before it
        return live[next(turns) % len(live)]

    playing = [
        asyncio.create_task(play_tables(lambda: where().url, lambda: where().sockets, table, tally, over, 100 * at))
        for at, table in enumerate(tables)
    ]
    try:
        await happens(tally)
    finally:
        over.set()
    await asyncio.wait_for(asyncio.gather(*playing), PATIENCE)
    return tally


async def more_moves(tally: Tally, count: int = MOVES_APART) -> None:
    """Wait until so many more were accepted."""
    wanted = len(tally.accepted) + count
    async with asyncio.timeout(PATIENCE):
        while len(tally.accepted) < wanted:
            await asyncio.sleep(0.02)


def check(live: Live, cluster: Cluster, name: str, tally: Tally) -> None:
    """Everything that was accepted is stored, without gaps, and all games can be replayed."""
    assert tally.faults == []
    rows = cluster.ask("SELECT table_id, version, payload FROM events ORDER BY table_id, version", name)
    stored = {(table, version): json.loads(payload) for table, version, payload in rows}
    lost = {key: move for key, move in tally.accepted.items() if stored.get(key, {}).get("move") != move}
    assert lost == {}
    tables = {table for table, _, _ in rows}
    for table in tables:
        versions = [version for of, version, _ in rows if of == table]
        assert versions == list(range(len(versions)))
    for table in sorted(tables)[:5]:
        record = httpx.get(f"{live.url}/api/tables/{table}/record.azul", timeout=PATIENCE).text
        replay(read_record(record))


def test_killed_again_and_again(cluster: Cluster, name: str, redis_server: RedisServer, tmp_path: Path) -> None:
    choice = random.Random(KILLS)
    with processes(tmp_path, 3, cluster.url(name), redis_server.url()) as live:

        async def kill(tally: Tally) -> None:
            for number in range(KILLS):
                await more_moves(tally)
                os.kill(choice.choice(servers_of(live)[:2]), signal.SIGKILL)  # the youngest may have no sockets yet
                await more_moves(tally)
                async with asyncio.timeout(PATIENCE):
                    while listening(live) < 3:
                        await asyncio.sleep(0.05)
                print(f"kill {number + 1}: {len(tally.accepted)} moves accepted, {tally.lost_sockets} sockets lost")

        tally = asyncio.run(play_while([live], kill, PEOPLE, WITH_COMPUTER, WITH_CLOCK, PEOPLE))
        assert tally.lost_sockets >= KILLS
        assert tally.games >= 4
        check(live, cluster, name, tally)
        assert live.stop() == 0
        assert "Traceback" not in live.logged()


def test_all_are_replaced_while_people_play(
    cluster: Cluster, name: str, redis_server: RedisServer, tmp_path: Path
) -> None:
    with processes(tmp_path, 2, cluster.url(name), redis_server.url()) as live:
        before = servers_of(live)

        async def roll(tally: Tally) -> None:
            await more_moves(tally)
            live.process.send_signal(signal.SIGHUP)
            async with asyncio.timeout(PATIENCE):
                while set(before) & set(servers_of(live)):
                    assert listening(live) >= 2  # there is always somebody to come to
                    await asyncio.sleep(0.05)
            await more_moves(tally)

        tally = asyncio.run(play_while([live], roll, PEOPLE, WITH_COMPUTER, WITH_CLOCK))
        assert tally.lost_sockets > 0
        check(live, cluster, name, tally)
        assert len(servers_of(live)) == 2
        assert live.stop() == 0
        assert "has died" not in live.logged()
        assert "Traceback" not in live.logged()


@contextmanager
def two_servers(
    cluster: Cluster, name: str, redis_server: RedisServer, folder: Path
) -> Iterator[tuple[Wire, list[Live]]]:
    """Two servers, and the wire by which the first of them hears of the other."""
    with ExitStack() as stack:
        wire = stack.enter_context(wire_to(redis_server.port))
        lives = []
        for at, port in enumerate((wire.port, redis_server.port)):
            (own := folder / str(at)).mkdir()
            chosen = UNLIMITED | {"workers": 1, "database": cluster.url(name), "bus": redis_server.url(port)}
            lives.append(stack.enter_context(live_server(own, **chosen)))
        yield wire, lives


async def logs(live: Live, what: str, times: int = 1) -> None:
    """Wait until a server has logged this so often."""
    async with asyncio.timeout(PATIENCE):
        while live.logged().count(what) < times:
            await asyncio.sleep(0.1)


def reason_of(live: Live) -> str:
    """What a server says is wrong with it."""
    return str(httpx.get(f"{live.url}/health", timeout=PATIENCE).json().get("reason", ""))


async def sees_a_reaction(here: Live, there: Live) -> None:
    """A reaction at one server is seen at the other, to which only the bus carries it."""
    made = httpx.post(f"{here.url}/api/tables", json=PEOPLE, timeout=PATIENCE).json()
    async with asyncio.timeout(PATIENCE), connect(there.sockets + made["table"]["id"]) as watching:
        await watching.send('{"type":"hello"}')
        await watching.recv()
        async with connect(here.sockets + made["table"]["id"]) as playing:
            await playing.send(json.dumps({"type": "hello", "secrets": made["secrets"]}))
            said = ""
            while '"emoted"' not in said:
                await playing.send('{"type":"emote","seat":0,"emote":"wow"}')
                with suppress(TimeoutError):
                    said = str(await asyncio.wait_for(watching.recv(), 1))


@pytest.mark.parametrize("fault", [Wire.hold_cut, Wire.swallow], ids=["cut", "silent"])
def test_one_server_cannot_reach_redis_and_follows_by_looking_until_it_can(
    fault: Callable[[Wire], None], cluster: Cluster, name: str, redis_server: RedisServer, tmp_path: Path
) -> None:
    with two_servers(cluster, name, redis_server, tmp_path) as (wire, lives):
        asyncio.run(sees_a_reaction(*lives))

        async def part(tally: Tally) -> None:
            await more_moves(tally, FEW_MOVES)
            fault(wire)
            await more_moves(tally, FEW_MOVES)
            await logs(lives[0], "the bus is away")
            assert await asyncio.to_thread(reason_of, lives[0]) == "the bus does not answer"
            assert await asyncio.to_thread(reason_of, lives[1]) == ""
            await more_moves(tally, FEW_MOVES)
            assert "the bus is back" not in lives[0].logged()
            wire.mend()
            await logs(lives[0], "the bus is back")
            await more_moves(tally, FEW_MOVES)

        tally = asyncio.run(play_while(lives, part, PEOPLE, WITH_COMPUTER))
        asyncio.run(sees_a_reaction(*lives))
        asyncio.run(sees_a_reaction(*reversed(lives)))
        check(lives[0], cluster, name, tally)
        assert "the bus is away" not in lives[1].logged()
        for live in lives:
            assert "Traceback" not in live.logged()


def test_redis_goes_and_one_server_loses_it_and_postgresql_restarts(
    cluster: Cluster, name: str, redis_server: RedisServer, tmp_path: Path
) -> None:
    with two_servers(cluster, name, redis_server, tmp_path) as (wire, lives):

        async def trouble(tally: Tally) -> None:
            await more_moves(tally)
            wire.cut()
            await logs(lives[0], "the bus is back")
            assert "the bus is away" not in lives[1].logged()
            await more_moves(tally)
            await asyncio.to_thread(redis_server.stop)
            for times, live in zip((2, 1), lives, strict=True):
                await logs(live, "the bus is away", times)
            await more_moves(tally)
            await asyncio.to_thread(cluster.stop, signal.SIGINT)
            await asyncio.to_thread(cluster.start)
            await more_moves(tally)
            await asyncio.to_thread(redis_server.start)
            for times, live in zip((2, 1), lives, strict=True):
                await logs(live, "the bus is back", times)
            await more_moves(tally)
            lives[1].process.send_signal(signal.SIGTERM)  # a server that ends hands over
            lives.pop()
            await more_moves(tally)

        try:
            tally = asyncio.run(play_while(lives, trouble, PEOPLE, WITH_COMPUTER, WITH_CLOCK))
        finally:
            cluster.start()
        check(lives[0], cluster, name, tally)


def test_who_starts_several_ends_all(cluster: Cluster, name: str, redis_server: RedisServer, tmp_path: Path) -> None:
    async def sees_all(live: Live) -> None:
        """A move at one socket comes out of all others, wherever they hang."""
        made = httpx.post(f"{live.url}/api/tables", json=PEOPLE, timeout=PATIENCE).json()
        sockets = [await connect(live.sockets + made["table"]["id"]) for _ in range(8)]
        for socket in sockets:
            await socket.send(json.dumps({"type": "hello", "secrets": made["secrets"]}))
        seen = [json.loads(await socket.recv()) for socket in sockets]
        seat, now = seen[-1]["waiting"][0], seen[-1]
        move = {"type": "play", "seat": seat, "version": now["version"], "move": now["position"]["options"][0]["move"]}
        await sockets[0].send(json.dumps(move))
        for socket in sockets:
            async with asyncio.timeout(PATIENCE):
                while (said := json.loads(await socket.recv()))["type"] != "event" or said["what"]["type"] != "played":
                    pass
        for socket in sockets:
            await socket.close()

    with processes(tmp_path, 2, cluster.url(name), redis_server.url()) as live:
        asyncio.run(sees_all(live))
        children = servers_of(live)
        assert len(children) == 2
        live.stop(signal.SIGKILL)
        for child in children:
            _wait_for_end(child)


def _wait_for_end(process: int) -> None:
    async def wait() -> None:
        async with asyncio.timeout(PATIENCE):
            while Path(f"/proc/{process}").exists() and "Z" not in Path(f"/proc/{process}/stat").read_text().split()[2]:
                await asyncio.sleep(0.05)

    asyncio.run(wait())


def test_one_seat_is_claimed_at_several_processes(
    cluster: Cluster, name: str, redis_server: RedisServer, tmp_path: Path
) -> None:
    async def claim_all(live: Live) -> list[dict[str, Any]]:
        """Many at once, each by a connection of its own, which any process may have."""
        made = httpx.post(f"{live.url}/api/tables", json=PEOPLE | {"open": True}, timeout=PATIENCE).json()
        seats = f"{live.url}/api/tables/{made['table']['id']}/seats"

        async def claim(at: int) -> dict[str, Any]:
            async with httpx.AsyncClient(timeout=PATIENCE) as client:
                answer: dict[str, Any] = (await client.post(seats, json={"name": f"P{at}"})).json()
                return answer

        listing = httpx.get(f"{live.url}/api/lobby", timeout=PATIENCE).json()
        assert [(table["id"], table["free"]) for table in listing["tables"]] == [(made["table"]["id"], [1])]
        return await asyncio.gather(*map(claim, range(12)))

    with processes(tmp_path, 2, cluster.url(name), redis_server.url(), "--lobby") as live:
        answers = asyncio.run(claim_all(live))
        assert [answer["seat"] for answer in answers if "secret" in answer] == [1]
        assert [answer["code"] for answer in answers if "code" in answer] == ["seat_taken"] * 11
        assert "Traceback" not in live.logged()
