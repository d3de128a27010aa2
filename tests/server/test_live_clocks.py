"""Clocks at a live table."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from azulejos.server.tables.setup import Clock
from tests.server.standins import Guest, Time, lobby_on, moves_of, runs, seated


@runs
async def test_clocks_run_and_fall(tmp_path: Path) -> None:
    time = Time()
    async with lobby_on(tmp_path / "t.db", now=time) as lobby:
        secrets, queue = await seated(lobby, "here", "here", clock=Clock(60, 5))
        guest = await Guest.at(queue, *secrets)
        assert guest.seen[-1]["clock"] == {"left": [60000, 60000], "running": [0]}
        time.now += 20
        await guest.play(0, moves_of(queue)[0])
        assert guest.seen[-2]["clock"] == {"left": [45000, 60000], "running": [1]}
        time.now += 1
        assert (await Guest.at(queue)).seen[-1]["clock"] == {"left": [45000, 59000], "running": [1]}
        time.now += 59.5
        answer = await guest.play(1, moves_of(queue)[0])  # too late, although nobody has looked at the clock yet
        assert answer["code"] == "game_over"
        assert queue.table.result is not None
        assert (queue.table.result.reason, queue.table.result.winners) == ("time", [0])


@runs
async def test_a_clock_falls_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("azulejos.server.tables.clock.SHORTEST_SECONDS", 0)
    async with lobby_on(tmp_path / "t.db") as lobby:
        secrets, queue = await seated(lobby, "here", "friend", clock=Clock(0, at_zero="computer"))
        guest = await Guest.at(queue, secrets[0])
        await asyncio.sleep(0.05)
        assert queue.table.is_person(0)  # nobody's time goes while a friend has never been here
        await Guest.at(queue, secrets[1])
        event = await guest.until_event("timed_out")
        assert event["table"]["seats"][0]["substitute"] == 3


@runs
async def test_a_restart_gives_nobody_time_but_takes_none_either(tmp_path: Path) -> None:
    time = Time()
    async with lobby_on(tmp_path / "t.db", now=time) as lobby:
        secrets, queue = await seated(lobby, "here", "here", clock=Clock(60))
        guest = await Guest.at(queue, *secrets)
        time.now += 10
        await guest.play(0, moves_of(queue)[0])
    time.now += 3600
    async with lobby_on(tmp_path / "t.db", now=time) as lobby:
        queue = await lobby.table(queue.table.id)
        assert queue.table.left == [50000, 60000]
