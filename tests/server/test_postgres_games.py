"""Real servers on a real PostgreSQL: whole games, either of them killed in the middle, and a second server."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect

from azulejos import read_record
from azulejos.game.replay import replay
from tests.patience import PATIENCE
from tests.server import test_killed
from tests.server.live import Live, live_server
from tests.server.postgres import ENCODED, OWNER, PASSWORD, Cluster

SEATS = {"seats": [{"kind": "here", "name": "Ana"}, {"kind": "here", "name": "Rui"}], "wall": "gray", "starter": 0}
RETRY = {"storage_failed", "stale_version", "busy"}


@pytest.fixture
def name(cluster: Cluster) -> str:
    """A database that the server has to set up."""
    return cluster.new()


def choose(now: dict[str, Any], choice: random.Random) -> dict[str, Any]:
    """Anything that may be played."""
    seat = now["waiting"][0]
    choosing = [own for own in now["you"].get("choosing", []) if own["seat"] == seat]
    options = choosing[0]["options"] if choosing else now["position"]["options"]
    return {"type": "play", "seat": seat, "move": choice.choice(options)["move"], "version": now["version"]}


async def said(client: ClientConnection) -> dict[str, Any]:
    """The next message, but for word of who is there: a client of before may still be leaving."""
    while True:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(client.recv(), PATIENCE))
        if message["type"] != "present":
            return message


async def play(
    live: Live, made: dict[str, Any], choice: random.Random, may_go_on: Callable[[int], bool] = lambda _: True
) -> tuple[dict[str, Any], list[int], int]:
    """Play to the end whatever happens: the last state, all versions that were told, and how often it was refused."""
    told: list[int] = []
    refusals, now = 0, dict[str, Any]()
    async with connect(live.sockets + made["table"]["id"]) as client:
        await client.send(json.dumps({"type": "hello", "secrets": made["secrets"]}))
        while True:
            message = await said(client)
            if message["type"] in ("welcome", "event"):
                now = message
                told.append(message["version"])
            if now["table"].get("result"):
                return now, told, refusals
            if message["type"] == "refused":
                assert message["code"] in RETRY, message
                refusals += 1
                await asyncio.sleep(0.02)
            if message["type"] in ("welcome", "accepted", "refused"):
                while not may_go_on(now["version"]):
                    await asyncio.sleep(0.005)
                await client.send(json.dumps(choose(now, choice)))


def check_game(live: Live, cluster: Cluster, name: str, last: dict[str, Any]) -> None:
    """That the record replays to the same end, and the database has every version once."""
    table = last["table"]["id"]
    record = read_record(httpx.get(f"{live.url}/api/tables/{table}/record.azul", timeout=PATIENCE).text)
    assert list(replay(record).scores) == last["table"]["result"]["scores"]
    versions = cluster.ask("SELECT version FROM events WHERE table_id = %s ORDER BY version", name, table)
    assert [version for (version,) in versions] == list(range(last["version"] + 1))
    assert [game["id"] for game in httpx.get(f"{live.url}/api/games", timeout=PATIENCE).json()] == [table]


def make_table(live: Live, seats: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = httpx.post(f"{live.url}/api/tables", json=seats, timeout=PATIENCE).raise_for_status().json()
    return made


def test_a_whole_game(cluster: Cluster, name: str, tmp_path: Path) -> None:
    flags = ("--workers", "1", "--log-json")
    with live_server(tmp_path, *flags, messages_per_second=0, database=cluster.url(name)) as live:
        last, told, refusals = asyncio.run(play(live, make_table(live, SEATS), random.Random(3)))
        assert refusals == 0
        assert told == sorted(set(told))
        check_game(live, cluster, name, last)
        assert httpx.get(f"{live.url}/health", timeout=PATIENCE).json()["status"] == "ok"
        assert httpx.get(f"{live.url}/api/tables/%00", timeout=PATIENCE).status_code == 404
        assert live.stop() in (0, -signal.SIGTERM)
        assert "Traceback" not in live.logged()


def test_a_killed_server_goes_on_where_it_was(
    cluster: Cluster, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test on SQLite, on PostgreSQL: its servers are started with another database."""
    starts = []

    @contextmanager
    def on_postgres(folder: Path, *flags: str, **settings: Any) -> Iterator[Live]:
        starts.append(flags)
        with live_server(folder, *flags, database=cluster.url(name), **settings) as live:
            yield live

    monkeypatch.setattr(test_killed, "live_server", on_postgres)
    test_killed.test_a_killed_server_goes_on_where_it_was(tmp_path)
    assert len(starts) == 2
    assert not list(tmp_path.glob("*.db"))


def test_a_killed_database_loses_nothing_and_the_table_goes_on(cluster: Cluster, name: str, tmp_path: Path) -> None:
    choice = random.Random(5)

    async def test(live: Live) -> None:
        made = make_table(live, SEATS)
        before = await test_killed.play_on(live, made["table"]["id"], made["secrets"], 12, choice)
        async with connect(live.sockets + made["table"]["id"]) as client:
            await client.send(json.dumps({"type": "hello", "secrets": made["secrets"]}))
            now = await said(client)
            assert (now["version"], now["position"]) == (before["version"], before["position"])
            cluster.stop(signal.SIGKILL)
            move = choose(now, choice)
            await client.send(json.dumps(move))
            answer = await said(client)
            assert (answer["type"], answer["code"], answer["version"]) == ("refused", "storage_failed", now["version"])
            for path in ("/health", "/api/games", "/api/tables/other"):
                assert httpx.get(live.url + path, timeout=PATIENCE).status_code == 503, path
            shown = httpx.get(f"{live.url}/api/tables/{made['table']['id']}", timeout=PATIENCE).json()
            assert shown["version"] == now["version"]
            await asyncio.to_thread(cluster.start)
            await client.send(json.dumps(move))
            assert (await said(client))["version"] == now["version"] + 1
        last, _, _ = await play(live, made, choice)
        check_game(live, cluster, name, last)

    try:
        with live_server(tmp_path, "--workers", "1", messages_per_second=0, database=cluster.url(name)) as live:
            asyncio.run(test(live))
            assert httpx.get(f"{live.url}/health", timeout=PATIENCE).json()["status"] == "ok"
            live.stop()
            assert "cannot write to the database" in live.logged()
            assert "Traceback" not in live.logged()
            assert PASSWORD not in live.logged()
            assert ENCODED not in live.logged()
    finally:
        cluster.start()


def test_a_game_while_the_database_is_killed_again_and_again(cluster: Cluster, name: str, tmp_path: Path) -> None:
    over, kills, reached = threading.Event(), 0, 0

    def kill() -> None:
        nonlocal kills
        while not over.wait(0.005):
            if reached >= 20 * (kills + 1):
                cluster.stop(signal.SIGKILL)
                kills += 1
                cluster.start()

    def may_go_on(version: int) -> bool:
        """However quick this machine is, the game does not run away from who kills."""
        nonlocal reached
        reached = version
        return version < 20 * (kills + 1) + 10 or not killer.is_alive()

    killer = threading.Thread(target=kill)
    try:
        with live_server(tmp_path, "--workers", "1", messages_per_second=0, database=cluster.url(name)) as live:
            made = make_table(live, SEATS)
            killer.start()
            last, told, refusals = asyncio.run(play(live, made, random.Random(7), may_go_on))
            over.set()
            killer.join()
            assert kills >= 2
            assert refusals >= 1
            assert told == sorted(told)  # nothing that was told was ever taken back
            check_game(live, cluster, name, last)
    finally:
        over.set()
        if killer.ident:
            killer.join()
        cluster.start()


def test_a_second_server_is_refused_until_the_first_is_gone(cluster: Cluster, name: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "azulejos", "serve", "--port", "0"]
    chosen = os.environ | {"AZULEJOS_DATABASE": cluster.url(name)}
    with live_server(tmp_path, "--workers", "1", database=cluster.url(name)) as live:
        made = make_table(live, SEATS)
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False, env=chosen)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
        assert f"'postgresql://{OWNER}@127.0.0.1:{cluster.port}/{name}': another azulejos server uses it" in done.stderr
        assert "several can share it if all of them are started with --bus" in done.stderr
        assert httpx.get(f"{live.url}/health", timeout=PATIENCE).status_code == 200
        live.stop(signal.SIGKILL)
    with live_server(tmp_path, "--workers", "1", database=cluster.socket_url(name)) as live:
        assert httpx.get(f"{live.url}/api/tables/{made['table']['id']}", timeout=PATIENCE).status_code == 200
