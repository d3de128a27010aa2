"""A real server process, killed in the middle of a game: nothing that anybody was told is lost."""

from __future__ import annotations

import asyncio
import json
import random
import signal
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

from azulejos import read_record
from azulejos.game.replay import replay
from tests.patience import PATIENCE
from tests.server.live import Live, live_server

SEATS = {"seats": [{"kind": "here", "name": "Ana"}, {"kind": "friend", "name": "Rui"}], "wall": "gray", "starter": 0}


async def play_on(live: Live, table: str, secrets: list[str], most: int, choice: random.Random) -> dict[str, Any]:
    """Play for both seats until so many decisions were accepted; the last thing that was told."""
    async with connect(live.sockets + table) as client:
        await client.send(json.dumps({"type": "hello", "secrets": secrets}))
        last: dict[str, Any] = {}
        accepted = 0
        while True:
            message = json.loads(await asyncio.wait_for(client.recv(), PATIENCE))
            assert message["type"] != "refused", message
            if message["type"] in ("welcome", "event"):
                last = message
            accepted += message["type"] == "accepted"
            if last["table"].get("result") or accepted >= most:
                return last
            if message["type"] in ("welcome", "accepted"):
                seat = last["waiting"][0]
                choosing = [own for own in last["you"].get("choosing", []) if own["seat"] == seat]
                options = choosing[0]["options"] if choosing else last["position"]["options"]
                move = choice.choice(options)["move"]
                await client.send(json.dumps({"type": "play", "seat": seat, "move": move, "version": last["version"]}))


def test_a_killed_server_goes_on_where_it_was(tmp_path: Path) -> None:
    choice = random.Random(11)
    with live_server(tmp_path, "--workers", "1", messages_per_second=0) as live:
        made = httpx.post(f"{live.url}/api/tables", json=SEATS, timeout=PATIENCE).json()
        table, secrets = made["table"]["id"], made["secrets"]
        last = asyncio.run(play_on(live, table, secrets, 17, choice))
        assert live.stop(signal.SIGKILL) == -signal.SIGKILL
    with live_server(tmp_path, "--workers", "1", messages_per_second=0) as live:
        again = httpx.get(f"{live.url}/api/tables/{table}", timeout=PATIENCE).json()
        for key in ("version", "position", "waiting", "table"):
            assert again[key] == last[key]
        last = asyncio.run(play_on(live, table, secrets, 1000, choice))
        record = read_record(httpx.get(f"{live.url}/api/tables/{table}/record.azul", timeout=PATIENCE).text)
        assert list(replay(record).scores) == last["table"]["result"]["scores"]
        assert record.tags["DealSecret"] == last["table"]["secret"]
        assert live.stop() in (0, -signal.SIGTERM)
