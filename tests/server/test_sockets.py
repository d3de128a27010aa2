"""Sockets of a real server: order, sizes, speeds, garbage, secrets, the end."""

from __future__ import annotations

import asyncio
import functools
import json
import logging
import random
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn
import websockets
from websockets.asyncio.client import ClientConnection, connect

from azulejos.server import logs
from azulejos.server.live.lobby import Lobby
from azulejos.server.protocol import incoming
from azulejos.server.rate_limit import RateLimit
from tests.patience import PATIENCE
from tests.server.standins import Quick, new_table, runs, small_app

GARBAGE: tuple[str | bytes, ...] = (
    "",
    "{",
    "null",
    "[]",
    "[" * 4000,
    '{"type":"nonsense"}',
    '{"type":"play"}',
    '{"type":"ping","more":1}',
    '{"type":"play","seat":-1,"move":"1B1","version":0}',
    '{"type":"play","seat":0,"move":"1B1","version":1e99}',
    '{"type":"emote","seat":0,"emote":"<script>"}',
    '{"type":"rename","seat":0,"name":"\\ud800"}',
    '{"type":"ping","id":"' + "x" * 41 + '"}',
    b"\xff\xfe",
    b'{"type":"ping"',
)


class Server(uvicorn.Server):
    """A server in this process."""

    address: str
    lobby: Lobby


@asynccontextmanager
async def serving(folder: Path, **settings: Any) -> AsyncIterator[Server]:
    listener = socket.create_server(("127.0.0.1", 0))
    app = small_app(folder / "t.db", Quick(), **settings)
    config = uvicorn.Config(app, log_level="error", ws="websockets-sansio", ws_per_message_deflate=False)
    server = Server(config)
    server.address = f"ws://127.0.0.1:{listener.getsockname()[1]}/ws/tables/"
    task = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        await asyncio.sleep(0.01)
    server.lobby = app.state.lobby
    try:
        yield server
    finally:
        server.should_exit = True
        await task


async def say(client: ClientConnection, **message: Any) -> None:
    await client.send(json.dumps(message))


async def hear(client: ClientConnection, *types: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(client.recv(), PATIENCE))
        if not types or message["type"] in types:
            return message


@runs
async def test_a_whole_game_of_two_plain_clients(tmp_path: Path) -> None:
    async with serving(tmp_path, messages_per_second=0) as server:
        made = await server.lobby.create(new_table("here", "friend", wall="gray"))
        address = server.address + made.table.id
        choice = random.Random(4)

        async def play(seat: int) -> dict[str, Any]:
            async with connect(address) as client:
                await say(client, type="hello", secrets=[made.secrets[seat]])
                decided: tuple[Any, ...] = ()
                while True:
                    message = await hear(client, "welcome", "event", "refused")
                    assert message["type"] != "refused"
                    if message["table"].get("result"):
                        return message
                    choosing = message["you"].get("choosing", [])
                    options = choosing[0]["options"] if choosing else message["position"]["options"]
                    basis = (message["position"]["line"], len(choosing and choosing[0]["chosen"]))
                    if seat in message["waiting"] and basis != decided:
                        decided = basis
                        move = choice.choice(options)["move"]
                        await say(client, type="play", seat=seat, move=move, version=message["version"])

        first, second = await asyncio.gather(play(0), play(1))
        assert first["version"] == second["version"]
        assert first["position"] == second["position"]
        assert (first["you"]["seats"], second["you"]["seats"]) == ([0], [1])


@runs
async def test_order_and_garbage(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        made = await server.lobby.create(new_table("here", "here"))
        async with connect(server.address + made.table.id) as client:
            await say(client, type="play", seat=0, move="1B1", version=0, id="a")
            answer = await hear(client)
            assert (answer["code"], answer["id"]) == ("hello_first", "a")
            await say(client, type="ping", id="p")
            assert await hear(client) == {"type": "pong", "id": "p"}
            await say(client, type="hello", secrets=["x" * 32])
            assert (await hear(client))["code"] == "wrong_link"
            await say(client, type="hello", protocol=99)
            assert (await hear(client))["code"] == "wrong_protocol"
            await say(client, type="hello", secrets=[made.secrets[0]])
            assert (await hear(client))["type"] == "welcome"
            await say(client, type="hello")
            assert (await hear(client))["code"] == "already_said_hello"
            for wrong in GARBAGE:
                await client.send(wrong)
                answer = await hear(client)
                assert (answer["type"], answer["code"]) == ("refused", "bad_message"), wrong
            await client.send('{"type":"ping","id":"' + "x" * 5000 + '"}')
            assert (await hear(client))["code"] == "too_large"
            await client.send(b'{"type":"ping","id":"bytes"}')
            assert (await hear(client))["id"] == "bytes"
            assert [table.sockets for table in server.lobby._live.values()] == [1]


@runs
async def test_an_unknown_table(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        for wrong in ("nosuchtable", "x" * 500, "%00", "..", "%F0%9F%98%80"):
            async with connect(server.address + wrong) as client:
                assert (await hear(client))["code"] == "unknown_table"
                with pytest.raises(websockets.ConnectionClosed):
                    await hear(client)
                assert client.close_code == 4404


@runs
async def test_too_fast_and_sent_away_in_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    standing_still = functools.partial(RateLimit, clock=lambda: 0.0)
    monkeypatch.setattr("azulejos.server.http.sockets.RateLimit", standing_still)
    async with serving(tmp_path, messages_per_second=5) as server:
        made = await server.lobby.create(new_table("here", "here"))
        async with connect(server.address + made.table.id) as client:
            for _ in range(120):
                await say(client, type="ping")
            codes: list[str] = []
            with suppress(websockets.ConnectionClosed):
                while len(codes) < 1000:
                    answer = await hear(client)
                    codes.append(answer.get("code", answer["type"]))
            assert codes[:10] == ["pong"] * 10
            assert set(codes[10:]) == {"too_fast"}
            assert client.close_code == 1008
        async with connect(server.address + made.table.id) as client:  # nobody else suffers
            await say(client, type="hello")
            assert (await hear(client))["type"] == "welcome"


@runs
async def test_secrets_are_in_no_log_and_in_nobody_elses_messages(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        async with serving(tmp_path) as server:
            made = await server.lobby.create(new_table("here", "friend"))
            secrets = [secret for secret in made.secrets if secret]
            async with connect(server.address + made.table.id) as watcher:
                await say(watcher, type="hello")
                await hear(watcher, "welcome")
                async with connect(server.address + made.table.id) as client:
                    await say(client, type="hello", secrets=secrets)
                    await hear(client, "welcome")
                    await say(client, type="rename", seat=1, name="Rui")
                    await hear(client, "accepted")
                    await say(client, type="emote", seat=0, emote="wow")
                heard = [json.dumps(await hear(watcher)) for _ in range(3)]
            queue = await server.lobby.table(made.table.id)
            hidden = [*secrets, queue.table.dealer.secret]
    everything = "\n".join(heard) + "\n".join(
        record.getMessage() for record in caplog.records if not record.name.startswith("websockets.client")
    )
    assert "Rui" in everything
    assert not [secret for secret in hidden if secret in everything]
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("t.db*"))
    assert not [secret for secret in secrets if secret.encode() in stored]


@runs
async def test_the_end_of_the_server_is_told(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        made = await server.lobby.create(new_table("here", "here"))
        async with connect(server.address + made.table.id) as client:
            await say(client, type="hello")
            await hear(client, "welcome")
            server.lobby.say_closing()
            assert await hear(client) == {"type": "closing"}
            with pytest.raises(websockets.ConnectionClosed):
                await hear(client)
            assert client.close_code == 1001


@runs
async def test_a_client_that_vanishes_is_forgotten(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        made = await server.lobby.create(new_table("here", "here"))
        async with connect(server.address + made.table.id) as watcher:
            await say(watcher, type="hello")
            await hear(watcher, "welcome")
            client = await connect(server.address + made.table.id)
            await say(client, type="hello", secrets=[made.secrets[0]])
            assert (await hear(watcher, "present"))["present"] == [True, False]
            client.transport.abort()
            assert (await hear(watcher, "present"))["present"] == [False, False]


@runs
async def test_a_client_that_does_not_read_is_sent_away(tmp_path: Path) -> None:
    async with serving(tmp_path, messages_per_second=0) as server:
        made = await server.lobby.create(new_table("here", "here"))
        address = server.address + made.table.id
        queue = await server.lobby.table(made.table.id)
        async with connect(address) as client, connect(address, max_queue=1) as deaf:
            await say(deaf, type="hello")
            await hear(deaf, "welcome")
            deaf.transport.pause_reading()
            await say(client, type="hello", secrets=made.secrets)
            await hear(client, "welcome")
            for _ in range(2000):
                for visitor in queue._audience.clients:
                    if not visitor.seats:
                        visitor.send(b"x" * 50_000)
                await asyncio.sleep(0.001)
                if queue.sockets == 1:
                    break
            assert queue.sockets == 1
            await say(client, type="rename", seat=0, name="Ana")
            await hear(client, "accepted")
            deaf.transport.abort()


@runs
async def test_a_text_that_is_none_closes_the_socket(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    logging.getLogger("uvicorn.error").addFilter(logs.is_no_strangers_fault)
    async with serving(tmp_path) as server:
        made = await server.lobby.create(new_table("here", "here"))
        async with connect(server.address + made.table.id) as client:
            await client.send(b"\xff{", text=True)
            with pytest.raises(websockets.ConnectionClosed):
                await client.recv()
            assert client.close_code == 1007
    assert capfd.readouterr().err == ""


@runs
async def test_a_fault_of_ours_in_a_message_is_logged(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("azulejos.server.http.sockets._Visit._greet", fail)
    async with serving(tmp_path) as server:
        made = await server.lobby.create(new_table("here", "here"))
        async with connect(server.address + made.table.id) as client:
            await say(client, type="hello")
            with pytest.raises(websockets.ConnectionClosed):
                await client.recv()
    assert "a bug" in capfd.readouterr().err


def test_the_largest_message_that_is_read() -> None:
    assert incoming.MOST_BYTES == 4096
