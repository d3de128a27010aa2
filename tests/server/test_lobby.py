"""The lobby: who is told what, who gets a seat, and who does not."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from azulejos.server.live.listings import Listings
from azulejos.server.live.lobby import Lobby
from azulejos.server.protocol import incoming
from azulejos.server.protocol.answers import ClaimedSeat, LobbyList
from azulejos.server.settings import Settings
from azulejos.server.storage import listed
from azulejos.server.storage.store import Store
from azulejos.server.tables import events as e
from azulejos.server.tables.info import Listing
from azulejos.server.tables.moving import _can_happen
from azulejos.server.tables.refusal import Refuse
from tests.server.standins import Guest, Logic, Time, lobby_on, moves_of, new_table, runs, seated


async def told(lobby: Lobby) -> list[Listing]:
    answer = await Listings(lobby._store, offered=True).told()
    return msgspec.json.decode(answer, type=LobbyList).tables


def code_of(answer: Any) -> str:
    assert isinstance(answer, Refuse), answer
    return answer.refusal.code


@runs
async def test_a_table_is_told_until_its_seat_is_taken_and_watched_after_that(tmp_path: Path) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        await lobby.create(new_table("here", "friend"))  # not open: told to nobody
        secrets, live = await seated(lobby, "here", "friend", is_open=True)
        host = await Guest.at(live, secrets[0])
        (found,) = await told(lobby)
        assert (found.id, found.free, [seat.name for seat in found.seats]) == (live.table.id, [1], ["Here", "Friend"])
        mine = await lobby.claim(live, "  Eva ")
        assert mine.seat == 1
        event = await host.until("event")
        assert event["what"] == {"type": "joined", "seat": 1}
        assert event["table"]["seats"][1] == {"kind": "friend", "name": "Eva", "joined": True, "claimed": True}
        (found,) = await told(lobby)
        assert found.free == []
        eva = await Guest.at(live, mine.secret)
        assert eva.client.seats == {1}


@runs
async def test_nothing_that_is_told_opens_a_seat(tmp_path: Path) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        secrets, live = await seated(lobby, "here", "friend", is_open=True)
        watcher = await Guest.at(live)
        mine = await lobby.claim(live, "Eva")
        await watcher.until("event")
        said = json.dumps(watcher.seen) + msgspec.json.encode(await told(lobby)).decode()
        for secret in (*secrets, mine.secret):
            assert secret
            assert secret not in said
        assert "digest" not in said


@runs
async def test_the_link_of_a_seat_that_was_taken_opens_it_no_longer(tmp_path: Path) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        secrets, live = await seated(lobby, "here", "friend", is_open=True)
        mine = await lobby.claim(live, "Eva")
        with pytest.raises(Refuse, match="wrong_link"):
            await Guest.at(live, secrets[1])
        assert (await Guest.at(live, mine.secret)).client.seats == {1}
    async with lobby_on(tmp_path / "t.db") as lobby:  # nor after a restart
        live = await lobby.table(live.table.id)
        with pytest.raises(Refuse, match="wrong_link"):
            await Guest.at(live, secrets[1])
        assert (await Guest.at(live, mine.secret)).client.seats == {1}


@runs
async def test_of_many_who_want_one_seat_one_gets_it(tmp_path: Path) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        _, live = await seated(lobby, "here", "friend", "friend", is_open=True)
        answers = await asyncio.gather(*(lobby.claim(live, f"P{at}") for at in range(5)), return_exceptions=True)
        won = [answer.seat for answer in answers if isinstance(answer, ClaimedSeat)]
        assert sorted(won) == [1, 2]
        assert {code_of(answer) for answer in answers if not isinstance(answer, ClaimedSeat)} == {"seat_taken"}


@runs
async def test_the_host_takes_the_table_off_the_list_and_puts_it_back(tmp_path: Path) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        secrets, live = await seated(lobby, "here", "friend")
        host, friend = await Guest.at(live, secrets[0]), await Guest.at(live, secrets[1])
        with pytest.raises(Refuse, match="seat_taken"):
            await lobby.claim(live, "Eva")
        answer = await friend.ask(incoming.Open(seat=1, open=True))
        assert (answer["type"], answer["code"]) == ("refused", "not_your_seat")
        assert (await host.ask(incoming.Open(seat=0, open=True)))["type"] == "accepted"
        (found,) = await told(lobby)
        assert found.free == []  # the friend is there
        assert (await host.ask(incoming.Open(seat=0, open=False)))["type"] == "accepted"
        assert await told(lobby) == []


@runs
async def test_a_table_at_which_nobody_is_any_more_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = Time()
    monkeypatch.setattr(listed, "now_ms", lambda: int(now() * 1000))
    async with lobby_on(tmp_path / "t.db") as lobby:
        secrets, live = await seated(lobby, "here", "friend", is_open=True)
        guest = await Guest.at(live, secrets[0])
        now.now += listed.ATTENDED_SECONDS
        assert await told(lobby) == []
        await lobby._attend()
        assert len(await told(lobby)) == 1
        live.leave(guest.client)
        await Guest.at(live)  # a watcher is not somebody to play with
        now.now += listed.ATTENDED_SECONDS
        await lobby._attend()
        assert await told(lobby) == []


@runs
async def test_a_game_that_is_over_is_not_told_and_its_rematch_not_open(tmp_path: Path) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        secrets, live = await seated(lobby, "here", "friend", is_open=True)
        mine = await lobby.claim(live, "Eva")
        host, eva = await Guest.at(live, secrets[0]), await Guest.at(live, mine.secret)
        assert (await host.play(0, moves_of(live)[0]))["type"] == "accepted"
        await eva.ask(incoming.Resign(seat=1))
        assert await told(lobby) == []
        await host.ask(incoming.Rematch())
        assert live.table.next
        rematch = await lobby.table(live.table.next)
        assert not rematch.table.open
        assert (await Guest.at(rematch, mine.secret)).client.seats == {0}


@runs
async def test_a_server_without_a_lobby(tmp_path: Path) -> None:
    store = await Store.open(str(tmp_path / "t.db"))
    lobby = Lobby(Settings(), store, None)  # type: ignore[arg-type]
    try:
        with pytest.raises(Refuse, match="no_lobby"):
            await lobby.create(new_table("here", "friend", is_open=True))
        _, live = await seated(lobby, "here", "friend")
        with pytest.raises(Refuse, match="no_lobby"):
            await lobby.claim(live, "Eva")
        answer = msgspec.json.decode(await Listings(store, offered=False).told(), type=LobbyList)
        assert (answer.offered, answer.tables) == (False, [])
    finally:
        await lobby.close()
        await store.close()


@runs
async def test_however_many_look_the_database_is_asked_once_a_second() -> None:
    now, asked = Time(), 0

    class Counting:
        async def lobby(self) -> list[Listing]:
            nonlocal asked
            asked += 1
            return []

    listings = Listings(Counting(), offered=True, clock=now)  # type: ignore[arg-type]
    await asyncio.gather(*(listings.told() for _ in range(20)))
    now.now += 0.9
    await listings.told()
    assert asked == 1
    now.now += 0.2
    await listings.told()
    assert asked == 2


def test_a_table_of_a_browser_brings_nobody_from_a_lobby() -> None:
    logic = Logic(["here", "friend"])
    for event in (e.Listed(seat=0), e.Claimed(seat=1, name="Eva", digest="ab" * 32)):
        assert not _can_happen(logic.table, event)
