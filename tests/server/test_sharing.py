"""Two servers that share their tables, in one process on a real PostgreSQL: told alike, in order, and played once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import text

from azulejos.server.bus.messages import Shown
from azulejos.server.live.audience import REACTIONS
from azulejos.server.protocol import incoming
from azulejos.server.protocol.answers import ClaimedSeat
from azulejos.server.storage import schema
from azulejos.server.storage.database import StorageError
from azulejos.server.storage.store import Store
from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.setup import Clock
from tests.server.postgres import Cluster
from tests.server.several import Server, seated, servers, until, versions
from tests.server.standins import Guest, Time, moves_of, new_table, runs


@pytest.fixture
def url(cluster: Cluster, name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("azulejos.server.live.peers.LOOK_SECONDS", 0.1)
    return cluster.url(name)


@runs
async def test_a_game_whose_people_are_at_different_servers(url: str) -> None:
    async with servers(url) as made:
        secrets, tables = await seated(made, "here", "here")
        guests = [await Guest.at(table, secret) for table, secret in zip(tables, secrets, strict=True)]
        first = await Guest.at(tables[0])
        last = await Guest.at(tables[1])
        while not tables[0].table.result:
            seat = tables[0].table.waiting[0]
            await until(lambda: tables[0].table.version == tables[1].table.version)
            assert (await guests[seat].play(seat, moves_of(tables[seat])[0]))["type"] == "accepted"
            event, same = await first.until("event"), await last.until("event")
            assert event == same
            await until(lambda: tables[0].table.version == tables[1].table.version)
        assert versions(first) == versions(last) == list(range(1, tables[0].table.version + 1))


@runs
async def test_presence_and_reactions_at_all_servers(url: str) -> None:
    async with servers(url) as made:
        secrets, tables = await seated(made, "here", "friend")
        guest = await Guest.at(tables[0], secrets[0])
        friend = await Guest.at(tables[1], secrets[1])
        assert friend.seen[-1]["present"] == [True, True]
        assert (await guest.until_event("joined"))["what"]["seat"] == 1
        while (await guest.until("present"))["present"] != [True, True]:
            pass
        await Guest.at(tables[1])
        while (await guest.until("present"))["watchers"] != 1:
            pass
        await friend.ask(incoming.ShowEmote(seat=1, emote="wow"))
        assert (await guest.until("emoted"))["emote"] == "wow"
        assert (await guest.ask(incoming.Substitute(seat=1)))["code"] == "seat_not_absent"
        await made[1].die()
        while (await guest.until("present"))["present"] != [True, False]:
            pass


@runs
async def test_reactions_are_limited_where_they_are_shown(url: str) -> None:
    async with servers(url) as made:
        secrets, tables = await seated(made, "here", "friend")
        friend = await Guest.at(tables[1], secrets[1])
        for _ in range(3 * REACTIONS):  # of a seat that reacts at many servers, each of which allows some
            made[0].lobby._peers.publish(tables[0].table.id, Shown(server=1, seat=0, emote="wow"))
        made[0].lobby._peers.publish(tables[0].table.id, Shown(server=1, seat=1, emote="oops"))
        while (await friend.until("emoted"))["seat"] != 1:
            pass
        assert sum(seen["type"] == "emoted" and seen["seat"] == 0 for seen in friend.seen) == REACTIONS


@runs
async def test_people_at_different_servers_agree_that_somebody_is_replaced(url: str) -> None:
    async with servers(url, away_seconds=60, now=lambda: 0.0) as made:
        secrets, tables = await seated(made, "here", "here", "friend")
        ana, rui = await Guest.at(tables[0], secrets[0]), await Guest.at(tables[1], secrets[1])
        await until(lambda: tables[0]._audience.present(tables[0].table) == [True, True, False])
        assert (await ana.ask(incoming.Substitute(seat=2)))["code"] == "not_away_long"
        await until(lambda: tables[1]._absence._wishes.get(2) == {0})
        assert (await rui.ask(incoming.Substitute(seat=2)))["type"] == "accepted"


@runs
async def test_who_is_away_is_so_for_a_server_that_loads_the_table_later(url: str) -> None:
    now = 100.0
    async with servers(url, away_seconds=60, now=lambda: now) as made:
        created = await made[0].lobby.create(new_table("here", "friend"))
        first = await made[0].lobby.table(created.table.id)
        await Guest.at(first)
        now = 150.0
        second = await made[1].lobby.table(created.table.id)
        ana = await Guest.at(second, created.secrets[0])
        await until(lambda: second._absence._since.get(1) == 100.0)
        assert (await ana.ask(incoming.Substitute(seat=1)))["arguments"] == {"seat": 1, "seconds": 10}
        now = 160.0
        assert (await ana.ask(incoming.Substitute(seat=1)))["type"] == "accepted"


@runs
async def test_without_a_bus_others_look_at_the_database(url: str) -> None:
    async with servers(url) as made:
        secrets, tables = await seated(made, "here", "here")
        made[0].bus.is_well = False
        guests = [await Guest.at(table, secret) for table, secret in zip(tables, secrets, strict=True)]
        for _ in range(6):
            seat = tables[0].table.waiting[0]
            assert (await guests[seat].play(seat, moves_of(tables[seat])[0]))["type"] == "accepted"
            await until(lambda: tables[0].table.version == tables[1].table.version)
        made[0].bus.is_well = True
        assert versions(guests[0])[:5] == versions(guests[1])[:5] == [1, 2, 3, 4, 5]


@runs
async def test_who_is_quicker_wins_and_the_other_decides_once_more(url: str) -> None:
    async with servers(url) as made:
        secrets, tables = await seated(made, "here", "here")
        for server in made:
            server.bus.is_well = False
        guests = [await Guest.at(table, *secrets) for table in tables]
        moves = moves_of(tables[0])
        answers = await asyncio.gather(*(guest.play(0, moves[at]) for at, guest in enumerate(guests)))
        assert sorted(answer["type"] for answer in answers) == ["accepted", "refused"]
        assert next(answer["code"] for answer in answers if answer["type"] == "refused") == "stale_version"
        renaming = [guest.ask(incoming.Rename(seat=0, name=name)) for guest, name in zip(guests, "xy", strict=True)]
        answers = await asyncio.gather(*renaming)
        assert sorted(answer["version"] for answer in answers) == [2, 3]
        await until(lambda: tables[0].table.version == tables[1].table.version == 3)
        assert tables[0].table.info == tables[1].table.info


@runs
async def test_a_computer_is_asked_by_one_server_and_by_the_next_when_that_dies(url: str) -> None:
    async with servers(url, 3) as made:
        secrets, tables = await seated(made, "here", "computer")
        guests = [await Guest.at(table, secrets[0]) for table in tables]
        left = [0, 1, 2]
        while left:
            table, guest = tables[left[-1]], guests[left[-1]]
            for _ in range(3):
                await until(lambda table=table: table.table.waiting == [0])
                assert (await guest.play(0, moves_of(table)[0]))["type"] == "accepted"
            await until(lambda table=table: table.table.waiting == [0])
            await until(lambda: len({tables[at].table.version for at in left}) == 1)
            holder = next(at for at in left if made[at].lobby._peers._held)
            if len(left) == 3:
                assert [len(server.computers.asked) for server in made] == [3 * (at == holder) for at in range(3)]
            left.remove(holder)
            await made[holder].die()
        assert all(server.computers.asked for server in made)


@runs
async def test_computers_among_themselves_play_where_somebody_watches(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("azulejos.server.live.computers.WATCHING_PACE_MS", 5)
    async with servers(url) as made:
        _, tables = await seated(made, "computer", "computer")
        watcher = await Guest.at(tables[0])
        for _ in range(3):
            await watcher.until("event")
        other = await Guest.at(tables[1])
        tables[0].leave(watcher.client)
        await until(lambda: made[1].computers.asked)
        for _ in range(3):
            await other.until("event")


@runs
async def test_clocks_run_for_all_servers_and_fall_once(url: str) -> None:
    time = Time()
    async with servers(url, now=time) as made:
        secrets, tables = await seated(made, "here", "here", clock=Clock(60))
        guests = [await Guest.at(table, *secrets) for table in tables]
        await all_know_who_holds_it(made)
        time.now += 20
        assert (await guests[1].play(0, moves_of(tables[1])[0]))["type"] == "accepted"
        await until(lambda: tables[0].table.version == 1)
        assert tables[0].table.left == tables[1].table.left
        assert tables[0].table.left[0] <= 40_000
        assert tables[0].table.left[1] == 60_000
        time.now += 61
        answers = await asyncio.gather(*(guest.play(1, moves_of(tables[0])[0], 1) for guest in guests))
        assert [answer["code"] for answer in answers] == ["game_over"] * 2
        await until(lambda: tables[0].table.version == tables[1].table.version == 2)


@runs
async def test_time_that_nobody_ran_a_clock_is_forgiven_by_all_alike(url: str) -> None:
    time = Time()
    async with servers(url, 3, now=time) as made:
        secrets, tables = await seated(made, "here", "here", clock=Clock(600))
        for table in tables:
            await Guest.at(table, *secrets)
        await all_know_who_holds_it(made)
        time.now += 100
        assert all(table._elapsed() >= 100_000 for table in tables)
        holder = next(at for at, server in enumerate(made) if server.lobby._peers._held)
        await made[holder].die()
        await all_know_who_holds_it([server for at, server in enumerate(made) if at != holder])
        left = [table for at, table in enumerate(tables) if at != holder]
        assert all(table._elapsed() < 100_000 for table in left)


async def all_know_who_holds_it(made: list[Server]) -> None:
    """Wait until one server has the lease of the only table, and the others have seen that."""

    def holders() -> set[int | None]:
        return {
            server.store.number
            if server.lobby._peers._held
            else next(iter(server.lobby._peers._elsewhere.values()), None)
            for server in made
        }

    numbers = {server.store.number for server in made}
    await until(lambda: len(holders()) == 1 and holders() <= numbers)


@runs
async def test_a_clock_is_not_forgiven_who_comes_back_at_another_server(url: str) -> None:
    async with servers(url) as made:
        created = await made[0].lobby.create(new_table("here", "here", clock=Clock(60)))
        table = await made[0].lobby.table(created.table.id)
        await Guest.at(table, *created.secrets)
        await until(lambda: made[0].lobby._peers._held)
        await asyncio.sleep(0.3)
        again = await Guest.at(await made[1].lobby.table(created.table.id), *created.secrets)
        assert again.seen[-1]["clock"]["left"][0] <= 59_700


@runs
async def test_a_rematch_that_both_ask_for_is_one(url: str) -> None:
    async with servers(url) as made:
        secrets, tables = await seated(made, "here", "here")
        guests = [await Guest.at(table, secret) for table, secret in zip(tables, secrets, strict=True)]
        await guests[0].ask(incoming.Resign(seat=0))
        await until(lambda: tables[1].table.result)
        answers = await asyncio.gather(*(guest.ask(incoming.Rematch()) for guest in guests))
        assert [answer["type"] for answer in answers] == ["accepted"] * 2
        await until(lambda: tables[0].table.version == tables[1].table.version)
        assert tables[0].table.next == tables[1].table.next


@runs
async def test_who_has_seen_more_than_a_server_knows_is_not_sent_back(url: str) -> None:
    async with servers(url) as made:
        secrets, tables = await seated(made, "here", "here")
        for server in made:
            server.bus.is_well = False
        guest = await Guest.at(tables[0], *secrets)
        await guest.play(0, moves_of(tables[0])[0])
        table = await made[1].lobby.table(tables[0].table.id)  # as every request and socket does
        assert table.table.version == 1


@runs
async def test_nobody_waits_for_a_table_that_has_ended(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with servers(url) as made:
        secrets, tables = await seated(made, "here", "here")

        async def fails(*_args: Any) -> Any:
            raise RuntimeError("a fault that nobody has thought of")

        with monkeypatch.context() as patch:
            patch.setattr(made[0].store, "since", fails)
            patch.setattr(made[0].store, "load", fails)
            await asyncio.gather(*(tables[0].refresh() for _ in range(3)))
            assert tables[0].has_ended
        again = await made[0].lobby.table(tables[0].table.id)
        assert again is not tables[0]
        assert (await (await Guest.at(again, *secrets)).play(0, moves_of(again)[0]))["type"] == "accepted"


@runs
async def test_servers_with_and_without_a_bus_keep_each_other_out(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("azulejos.server.storage.store.BUSY_MS", 100)
    for first, second in ((True, False), (False, True), (False, False)):
        store = await Store.open(url, shared=first)
        with pytest.raises(StorageError, match="another azulejos server uses it; several can share it"):
            await Store.open(url, shared=second)
        await store.close()


def test_several_servers_start_at_once_on_a_new_database(cluster: Cluster) -> None:
    @runs
    async def test() -> None:
        url = cluster.url(cluster.new())
        stores = await asyncio.gather(*(Store.open(url, shared=True) for _ in range(4)))
        assert len({store.number for store in stores}) == 4
        for store in stores:
            await store.close()

    test()


@runs
async def test_one_seat_is_claimed_at_two_servers(url: str) -> None:
    async with servers(url) as made:
        created = await made[0].lobby.create(new_table("here", "friend", "friend", is_open=True))
        tables = [await server.lobby.table(created.table.id) for server in made]
        assert [[listing.id for listing in await server.store.lobby()] for server in made] == [[created.table.id]] * 2
        claims = [server.lobby.claim(table, "Eva") for server, table in zip(made * 2, tables * 2, strict=True)]
        answers = await asyncio.gather(*claims, return_exceptions=True)
        won = {answer.seat: answer.secret for answer in answers if isinstance(answer, ClaimedSeat)}
        assert sorted(won) == [1, 2]
        assert [str(answer) for answer in answers if isinstance(answer, Refuse)] == ["seat_taken"] * 2
        await until(lambda: tables[0].table.version == tables[1].table.version)
        for table in tables:  # each secret opens its seat everywhere
            assert [(await Guest.at(table, won[seat])).client.seats for seat in (1, 2)] == [{1}, {2}]


@runs
async def test_an_older_server_goes_on_beside_a_newer_one(cluster: Cluster, own: str) -> None:
    async with servers(cluster.url(own), 1) as (old,):
        secrets, (table,) = await seated([old], "here", "here")
        ana = await Guest.at(table, secrets[0])
        newer = "ALTER TABLE tables ADD fragrance text; UPDATE alembic_version SET version_num = '9999'"
        cluster.ask(newer, own)  # a step that adds something, and leaves the oldest program that can go on as it was
        assert (await ana.play(0, moves_of(table)[0]))["type"] == "accepted"
        async with servers(cluster.url(own), 1) as (again,):  # it can even be started anew
            assert (await again.lobby.table(table.table.id)).table.version == table.table.version


@runs
async def test_a_step_that_shuts_older_servers_out_waits_for_their_end(
    cluster: Cluster, own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = cluster.url(own)

    def become_newer(patch: pytest.MonkeyPatch) -> None:
        step = text("UPDATE alembic_version SET version_num = '9999'")
        patch.setattr(schema, "HEAD", "9999")
        patch.setattr(schema, "OLDEST", "9999")
        patch.setattr("azulejos.server.storage.database.migrate", lambda connection: connection.execute(step))

    async with servers(url, 2) as (old, other):
        secrets, (table, _) = await seated([old, other], "here", "here")
        ana = await Guest.at(table, secrets[0])
        with monkeypatch.context() as patch:
            become_newer(patch)
            with pytest.raises(StorageError, match="older servers use it, which could not go on"):
                await Store.open(url, shared=True)
        assert (await ana.play(0, moves_of(table)[0]))["type"] == "accepted"  # nothing has changed for them
    become_newer(monkeypatch)
    stores = await asyncio.gather(*(Store.open(url, shared=True) for _ in range(3)))  # new ones can start together
    assert cluster.ask("SELECT oldest FROM compatibility", own) == [("9999",)]
    for store in stores:
        await store.close()
