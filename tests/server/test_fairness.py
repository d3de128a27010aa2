"""What one person at a table can do to another, and what a fault does to a table: as little as possible."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest

from azulejos.server.live import audience
from azulejos.server.live.client import MOST_UNSENT, Client
from azulejos.server.live.live_table import LiveTable
from azulejos.server.live.lobby import Lobby
from azulejos.server.protocol import incoming
from tests.patience import PATIENCE
from tests.server.standins import Guest, lobby_on, new_table, runs


async def seated(lobby: Lobby, *kinds: Any) -> tuple[list[str], LiveTable]:
    created = await lobby.create(new_table(*kinds))
    return [secret for secret in created.secrets if secret], await lobby.table(created.table.id)


# ---- reactions ----


@runs
async def test_reactions_count_by_seat_and_throw_nobody_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audience, "REACTION_SECONDS", 1e9)
    async with lobby_on(tmp_path / "t.db") as lobby:
        secrets, table = await seated(lobby, "here", "here")
        victim = await Guest.at(table, secrets[1])
        sockets = [await Guest.at(table, secrets[0]) for _ in range(8)]
        wow = incoming.ShowEmote(seat=0, emote="wow")
        answers = [await socket.ask(wow) for _ in range(20) for socket in sockets]
        shown = [answer for answer in answers if answer["type"] == "accepted"]
        assert len(shown) == audience.REACTIONS
        assert {answer["code"] for answer in answers if answer["type"] == "refused"} == {"too_fast"}
        assert not victim.client.too_slow.is_set()
        assert (await Guest.at(table, secrets[1])).seen[-1]["version"] == table.table.version


def test_a_slow_reader_misses_reactions_and_nothing_else() -> None:
    client = Client()
    for _ in range(3 * MOST_UNSENT):
        client.offer(b"{}")
    assert not client.too_slow.is_set()
    for _ in range(MOST_UNSENT // 2):
        client.send(b"{}")
    assert not client.too_slow.is_set()
    client.send(b"{}")
    assert client.too_slow.is_set()


@runs
async def test_coming_and_going_throws_nobody_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audience, "PRESENT_SECONDS", PATIENCE)
    async with lobby_on(tmp_path / "t.db") as lobby:
        secrets, table = await seated(lobby, "here", "here")
        victim = await Guest.at(table, secrets[1])
        for _ in range(2 * MOST_UNSENT):
            guest = await Guest.at(table)
            table.leave(guest.client)
        assert not victim.client.too_slow.is_set()
        monkeypatch.setattr(audience, "PRESENT_SECONDS", 0.0)
        table._audience._next_present = 0.0
        table._audience.tell_present(table.table)
        while victim.seen[-1].get("watchers") != 0:
            await victim.until("present")  # the last one is true


# ---- computers for people ----


@runs
async def test_a_person_is_replaced_only_after_a_while(tmp_path: Path) -> None:
    now = 0.0
    async with lobby_on(tmp_path / "t.db", away_seconds=60, now=lambda: now) as lobby:
        secrets, table = await seated(lobby, "here", "friend")
        host = await Guest.at(table, secrets[0])
        friend = await Guest.at(table, secrets[1])
        now = 100.0
        assert (await host.ask(incoming.Substitute(seat=1)))["code"] == "seat_not_absent"
        table.leave(friend.client)
        await host.ask(incoming.Rename(seat=0, name="Ana"))  # behind the one who left
        now = 130.0
        answer = await host.ask(incoming.Substitute(seat=1))
        assert (answer["code"], answer["arguments"]) == ("not_away_long", {"seat": 1, "seconds": 30})
        friend = await Guest.at(table, secrets[1])
        table.leave(friend.client)
        await host.ask(incoming.Rename(seat=0, name="Eva"))
        now = 165.0
        assert (await host.ask(incoming.Substitute(seat=1)))["arguments"]["seconds"] == 25  # away since 130
        now = 190.0
        assert (await host.ask(incoming.Substitute(seat=1)))["type"] == "accepted"
        assert (await host.ask(incoming.Substitute(seat=0)))["type"] == "accepted"  # one's own seat at any time


@runs
async def test_a_person_is_replaced_when_everybody_else_agrees(tmp_path: Path) -> None:
    async with lobby_on(tmp_path / "t.db", away_seconds=60, now=lambda: 0.0) as lobby:
        secrets, table = await seated(lobby, "friend", "friend", "friend", "computer")
        ana, rui = await Guest.at(table, secrets[0]), await Guest.at(table, secrets[1])
        for _ in range(2):
            assert (await ana.ask(incoming.Substitute(seat=2)))["code"] == "not_away_long"
        assert (await rui.ask(incoming.Substitute(seat=2)))["type"] == "accepted"


# ---- faults ----


@runs
async def test_a_fault_rebuilds_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        secrets, table = await seated(lobby, "here", "here")
        guest = await Guest.at(table, *secrets)
        move = str(table.table.game.public.legal_moves[0])
        await guest.play(0, move)
        before, was = table.table, table._follow
        failures = iter([RuntimeError("a bug")])

        def follow() -> None:
            for failure in failures:
                raise failure
            was()

        monkeypatch.setattr(table, "_follow", follow)
        with caplog.at_level(logging.ERROR):
            await guest.ask(incoming.Rename(seat=0, name="Ana"))
            told = await guest.until("welcome")
        assert "an unexpected fault, it is rebuilt" in caplog.text
        assert (told["version"], told["table"]["seats"][0]["name"]) == (before.version + 1, "Ana")
        assert table.table is not before
        answer = await guest.play(1, str(table.table.game.public.legal_moves[0]))
        assert answer["type"] == "accepted"


@runs
async def test_a_table_that_cannot_be_rebuilt_ends_and_is_loaded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        secrets, table = await seated(lobby, "here", "here")
        guest = await Guest.at(table, *secrets)

        def follow() -> None:
            raise RuntimeError("a bug that stays")

        monkeypatch.setattr(table, "_follow", follow)
        table.submit(guest.client, incoming.Rename(seat=0, name="Ana"))
        while (await asyncio.wait_for(guest.client.unsent.get(), PATIENCE)) is not None:
            pass  # the last thing that a socket hears
        assert table.has_ended
        again = await lobby.table(table.table.id)
        assert again is not table
        assert again.table.seats[0].name == "Ana"
        guest = await Guest.at(again, *secrets)
        assert (await guest.play(0, str(again.table.game.public.legal_moves[0])))["type"] == "accepted"
