"""Computers that think elsewhere, over a real Redis: killed, stopped, of another version, too busy, not there."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import redis
from websockets.sync.client import connect

from azulejos.game.game import Game
from azulejos.players.levels import FULL_STRENGTH
from azulejos.server.bots import elsewhere, stream
from azulejos.server.bots.elsewhere import Elsewhere
from azulejos.server.bots.pool import Pool
from azulejos.server.bots.stream import GROUP, Answered, Asked
from azulejos.server.bots.thinker import StreamThinker
from azulejos.server.settings import Settings
from azulejos.server.tables.refusal import Refuse
from tests.command import refusal
from tests.load.tables import UNLIMITED
from tests.patience import PATIENCE
from tests.server.live import live_server
from tests.server.postgres import Cluster
from tests.server.redis_server import RedisServer
from tests.server.standins import runs
from tests.server.test_bots import FAKE, POSITION
from tests.server.test_redis_bus import POSTGRES, until

LEGAL = [str(move) for move in Game.from_position(POSITION).legal_moves]
"""What somebody elsewhere plays in these tests is the last of them, and what our own workers play the first."""
QUESTIONS, THINKERS = stream.keys(stream.version())


def player(move: str, seconds: float = 0.0) -> tuple[str, ...]:
    """A worker that plays this move after a while."""
    return (
        sys.executable,
        "-Sc",
        textwrap.dedent(FAKE.replace("GO", f"time.sleep({seconds}), say('bestmove {move}')")),
    )


@pytest.fixture
def server(redis_server: RedisServer) -> RedisServer:
    """A Redis with nothing in it."""
    with redis.Redis.from_url(redis_server.url()) as client:
        client.flushall()
    return redis_server


@pytest.fixture
def client(server: RedisServer) -> Iterator[Any]:
    with redis.Redis.from_url(server.url()) as client:
        yield client


@asynccontextmanager
async def asking(url: str, workers: int = 0, most: int = 1000) -> AsyncIterator[Elsewhere]:
    """A server's computers."""
    local = Pool(workers, command=player(LEGAL[0]), thinking_ms=2000)
    bots = Elsewhere(url, local, most=most)
    await bots.start()
    try:
        yield bots
    finally:
        await bots.close()


@asynccontextmanager
async def thinking(url: str, command: tuple[str, ...] = (), version: str = "") -> AsyncIterator[StreamThinker]:
    """Somebody who thinks, in this process."""
    thinker = StreamThinker(url, Pool(1, command=command or player(LEGAL[-1])), version=version)
    await thinker.join()
    running = asyncio.create_task(thinker.run())
    try:
        yield thinker
    finally:
        thinker.end()
        await running
        await thinker.close()


@contextmanager
def thinkers(url: str, count: int) -> Iterator[dict[int, subprocess.Popen[str]]]:
    """So many that think in processes of their own."""
    command = [sys.executable, "-m", "azulejos", "think", "--workers", "1"]
    environment = os.environ | {"AZULEJOS_BUS": url}
    started = [subprocess.Popen(command, text=True, stdout=subprocess.PIPE, env=environment) for _ in range(count)]
    try:
        yield {process.pid: process for process in started}
    finally:
        for process in started:
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.communicate()


async def move_of(bots: Elsewhere, player: str = "level4", seed: int = 1) -> str:
    return str((await bots.choose(POSITION, player, seed)).move)


def holder(client: Any) -> int | None:
    """The process that has the question that was taken last."""
    pending = client.xpending_range(QUESTIONS, GROUP, "-", "+", 10) if client.exists(QUESTIONS) else []
    return int(pending[-1]["consumer"].decode().split("-")[-2]) if pending else None


def left(client: Any) -> dict[str, int]:
    """What is left in Redis that does not go by itself, and questions."""
    for_ever = {key.decode(): -1 for key in client.scan_iter() if client.ttl(key) < 0}
    waiting = client.xlen(QUESTIONS) + client.xpending(QUESTIONS, GROUP)["pending"]
    return for_ever | ({"questions": waiting} if waiting else {})


@runs
async def test_who_dies_or_stalls_has_the_work_taken_over(server: RedisServer, client: Any) -> None:
    with thinkers(server.url(), 2) as processes:
        async with asking(server.url()) as bots:
            await until(lambda: client.zcard(THINKERS) == 2)
            await until(lambda: bots.thinkers)
            level = await move_of(bots, "level2", seed=5)
            assert level == await move_of(bots, "level2", seed=5)
            for number in (signal.SIGSTOP, signal.SIGKILL):
                waiting = asyncio.create_task(move_of(bots, FULL_STRENGTH.spec))
                await until(lambda: holder(client) in processes)
                taken_by = holder(client)
                assert taken_by
                os.kill(taken_by, number)
                assert await waiting in LEGAL
                if number == signal.SIGSTOP:  # it comes back, answers what nobody asks any more, and goes on
                    os.kill(taken_by, signal.SIGCONT)
                    await until(lambda: not left(client))
                else:
                    processes.pop(taken_by)
            (last,) = processes.values()
            assert level == await move_of(bots, "level2", seed=5), "whoever answers plays a level alike"
            last.terminate()
            assert await asyncio.to_thread(last.wait, PATIENCE) == 0
            await until(lambda: not bots.thinkers)
            assert left(client) == {}


@runs
async def test_what_is_left_behind_goes(server: RedisServer, client: Any) -> None:
    async with asking(server.url()) as bots, thinking(server.url(), player(LEGAL[-1], 0.3)):
        await until(lambda: bots.thinkers)
        assert set(await asyncio.gather(*(move_of(bots, seed=seed) for seed in range(5)))) == {LEGAL[-1]}
        given_up = asyncio.create_task(move_of(bots))
        await until(lambda: client.xlen(QUESTIONS) == 1)
        given_up.cancel()
        await until(lambda: left(client) == {})


def test_answers_that_nobody_reads_are_few(server: RedisServer, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "MOST_ANSWERS", 10)
    question = msgspec.json.encode(Asked("1", "answers", stream.version(), "nowhere", "level1", 1))

    @runs
    async def test() -> None:
        async with thinking(server.url()):
            for _ in range(500):
                client.xadd(QUESTIONS, {stream.FIELD: question})
            await until(lambda: not left(client))

    test()
    assert 10 <= client.xlen("answers") < 200
    assert 0 < client.ttl("answers") <= stream.GONE_SECONDS


def test_asked_twice_is_asked_once_and_old_ones_go(client: Any) -> None:
    client.xadd("questions", {stream.FIELD: b"old"}, id="1-1")
    keys, limits = ("questions", "asked"), (1, stream.GONE_SECONDS, stream.KEPT_SECONDS)
    for _ in range(2):
        assert client.eval(stream.ASK, 2, *keys, stream.FIELD, b"new", *limits) == 1
    assert client.eval(stream.ASK, 2, "questions", "more", stream.FIELD, b"more", *limits) == 0
    assert [fields for _, fields in client.xrange("questions")] == [{stream.FIELD: b"new"}]
    client.eval(stream.WITHDRAW, 2, *keys)
    assert client.xlen("questions") == 0
    assert all(client.ttl(key) > 0 for key in client.scan_iter())


@runs
async def test_our_own_workers_think_for_those_who_cannot(server: RedisServer, client: Any) -> None:
    async with asking(server.url(), workers=1) as bots:
        assert await move_of(bots) == LEGAL[0], "nobody is there"
        async with thinking(server.url(), version="0.0-other"):
            await until(lambda: client.zcard(stream.keys("0.0-other")[1]))
            assert await move_of(bots) == LEGAL[0], "only somebody with other networks is there"
        async with thinking(server.url(), (sys.executable, "-Sc", textwrap.dedent(FAKE.replace("GO", "sys.exit(1)")))):
            await until(lambda: bots.thinkers)
            assert await move_of(bots) == LEGAL[0], "somebody is there whose workers break down"
        await until(lambda: not bots.thinkers)
        async with thinking(server.url()):
            await until(lambda: bots.thinkers)
            assert await move_of(bots) == LEGAL[-1]
            assert await move_of(bots, "greedy") == LEGAL[0], "a player that others may not have"
            bots._most = 0
            assert await move_of(bots) == LEGAL[0], "too much waits"


@runs
async def test_a_server_without_workers_refuses_what_is_too_much(server: RedisServer) -> None:
    async with asking(server.url(), most=1) as bots, thinking(server.url(), player(LEGAL[-1], 0.5)):
        await until(lambda: bots.thinkers)
        answers = await asyncio.gather(*(move_of(bots, seed=seed) for seed in range(3)), return_exceptions=True)
        assert answers.count(LEGAL[-1]) == 1
        assert [str(answer) for answer in answers if isinstance(answer, Refuse)] == ["busy", "busy"]


def test_a_server_without_anybody_waits_a_little_and_plays_on(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    @runs
    async def test() -> None:
        async with asking(server.url()) as bots:
            waiting = asyncio.create_task(move_of(bots))
            async with thinking(server.url()):
                assert await waiting == LEGAL[-1], "somebody has come in time"
            monkeypatch.setattr(elsewhere, "NONE_SECONDS", 0.2)
            await until(lambda: not bots.thinkers)
            assert await move_of(bots) in LEGAL
            assert not bots.ready

    test()
    assert "a quick player answers for level4 after nobody else did" in caplog.text


@runs
async def test_redis_goes_and_comes_back(server: RedisServer) -> None:
    async with asking(server.url(), workers=1) as bots, thinking(server.url(), player(LEGAL[-1], 1.0)):
        await until(lambda: bots.thinkers)
        waiting = asyncio.create_task(move_of(bots))
        await asyncio.sleep(0.3)
        await asyncio.to_thread(server.stop)
        assert await waiting == LEGAL[0]
        assert await move_of(bots) == LEGAL[0]
        await asyncio.to_thread(server.start)
        await until(lambda: bots.thinkers)
        assert await move_of(bots) == LEGAL[-1]


@runs
async def test_nonsense_is_neither_done_nor_kept(server: RedisServer, client: Any, tmp_path: Path) -> None:
    file, ours = tmp_path / "done", stream.version()
    good = Asked("1", "answers", ours, POSITION, "level1", 1)
    bad = [
        msgspec.structs.replace(good, spec=f"process:touch {file}"),
        msgspec.structs.replace(good, version="0.0-other"),
        msgspec.structs.replace(good, position="nowhere"),
    ]
    unreadable = msgspec.json.encode(msgspec.structs.replace(good, spec="net", milliseconds=10**9))
    async with thinking(server.url()):
        for message in (b"", b"\xff", b"{}", b"9" * 10_000, unreadable, *map(msgspec.json.encode, [*bad, good])):
            client.xadd(QUESTIONS, {stream.FIELD: message})
        client.xadd(QUESTIONS, {"other": "field"})
        await until(lambda: client.xlen("answers") == len(bad) + 1 and not left(client))
    said = [msgspec.json.decode(fields[stream.FIELD], type=Answered) for _, fields in client.xrange("answers")]
    assert [answered.move for answered in said] == [""] * len(bad) + [LEGAL[-1]]
    assert all(answered.fault for answered in said[:-1])
    assert not file.exists()


@pytest.mark.parametrize("move", ["9W1", "tiles", ""])
def test_nonsense_from_elsewhere_is_no_move(server: RedisServer, client: Any, move: str) -> None:
    @runs
    async def test() -> None:
        async with asking(server.url(), workers=1) as bots:
            client.zadd(THINKERS, {"somebody": 2**40})
            await until(lambda: bots.thinkers)
            waiting = asyncio.create_task(move_of(bots))
            await until(lambda: client.xlen(QUESTIONS))
            ((_, fields),) = client.xrange(QUESTIONS)
            asked = msgspec.json.decode(fields[stream.FIELD], type=Asked)
            client.xadd(asked.answers, {stream.FIELD: b"?"})
            answered = Answered(asked.id, asked.version, move)
            client.xadd(asked.answers, {stream.FIELD: msgspec.json.encode(answered)})
            assert await waiting == LEGAL[0]

    test()


# ---- whole programs ----


def test_a_server_without_workers(cluster: Cluster, name: str, server: RedisServer, tmp_path: Path) -> None:
    seats = [{"kind": "computer", "level": 1}, {"kind": "computer", "level": 8}]
    chosen = UNLIMITED | {"workers": 0, "pace_ms": 0, "database": cluster.url(name), "bus": server.url()}
    with live_server(tmp_path, **chosen) as live, httpx.Client(base_url=live.url, timeout=PATIENCE) as ask:
        reason = "nobody thinks for the computers"
        assert ask.get("/health").json() == {"status": "ok", "computers": False, "reason": reason}
        with thinkers(server.url(), 1):
            _wait(lambda: ask.get("/health").json()["computers"])
            table = ask.post("/api/tables", json={"seats": seats}).json()["table"]["id"]
            with connect(live.sockets + table) as socket:  # at a table that nobody sees computers rest
                socket.send(json.dumps({"type": "hello"}))
                while json.loads(socket.recv(PATIENCE)).get("version", 0) < 4:
                    pass
            told = ask.get("/metrics").text
            assert re.search(r"^azulejos_thinkers 1\.0$", told, re.MULTILINE)
            assert 'azulejos_think_seconds_count{who="level8"}' in told
            assert re.search(r"^azulejos_think_queue \d", told, re.MULTILINE)
        _wait(lambda: not ask.get("/health").json()["computers"])


def _wait(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_what_cannot_think_says_why(server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "expected --bus redis://HOST:PORT" in refusal("think")
    assert "cannot read the address of the bus" in refusal("think", "--bus", "localhost")
    assert "workers must be a whole number from 1" in refusal("think", "--bus", server.url(), "--workers", "0")
    assert "cannot use the Redis at 127.0.0.1:1: " in refusal("think", "--bus", "redis://:wr0ng@127.0.0.1:1")
    monkeypatch.setenv("AZULEJOS_BUS", f"redis://:wr0ng@127.0.0.1:{server.port}")
    refused = refusal("think")
    assert f"cannot use the Redis at 127.0.0.1:{server.port}: " in refused
    assert "wr0ng" not in refused


def test_settings_without_workers() -> None:
    assert Settings(database=POSTGRES, bus="redis://localhost", workers=0).workers == 0
    with pytest.raises(ValueError, match="0 workers need --bus"):
        Settings(workers=0)
    with pytest.raises(ValueError, match="--player needs at least 1 worker"):
        Settings(database=POSTGRES, bus="redis://localhost", workers=0, players=("greedy",))
