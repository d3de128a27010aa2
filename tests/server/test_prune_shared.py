"""Old tables go from a PostgreSQL that several servers share: once, and never with a move that was accepted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import event as listen

from azulejos import read_records
from azulejos.server.live.lobby import Lobby
from azulejos.server.pruning import prune
from azulejos.server.settings import Settings
from azulejos.server.storage.store import Store
from tests.server.postgres import Cluster
from tests.server.several import servers, until
from tests.server.standins import Guest, Quick, new_table, runs
from tests.server.test_store import a_table, decided

DAYS = 7
MOVE = """INSERT INTO events VALUES ('t', 1, 'decided', '{"type":"decided","seat":0,"move":"1B1"}', %s)"""
"""A move as another server saves it."""
NOW = 2**52
"""Later than anything."""


@pytest.fixture
def url(cluster: Cluster, name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("azulejos.server.live.peers.LOOK_SECONDS", 0.1)
    return cluster.url(name)


def age(cluster: Cluster, name: str) -> None:
    """Let everything that is stored have happened long ago."""
    cluster.ask("UPDATE events SET at = 1000 + version", name)


def moves(cluster: Cluster, name: str) -> int:
    ((found,),) = cluster.ask("SELECT count(*) FROM events WHERE version = 1", name)
    return int(found)


@runs
async def test_a_move_that_comes_while_its_table_goes_is_not_accepted(cluster: Cluster, url: str, name: str) -> None:
    store = await Store.open(url, shared=True)
    await store.add(a_table())
    age(cluster, name)
    accepted: list[bool] = []

    def move_first(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith("DELETE FROM events"):
            with psycopg.connect(url) as other:
                other.execute("SET lock_timeout = 200")
                try:
                    other.execute(MOVE, [NOW])
                    other.commit()
                    accepted.append(True)
                except psycopg.errors.LockNotAvailable:
                    accepted.append(False)

    listen.listen(store._database._writer, "before_cursor_execute", move_first)  # type: ignore[attr-defined]
    gone = await store.remove(["t"], NOW)
    assert (accepted, gone, moves(cluster, name)) == ([False], 1, 0)
    await store.close()


@runs
async def test_a_table_at_which_a_move_is_being_saved_stays(cluster: Cluster, url: str, name: str) -> None:
    store = await Store.open(url, shared=True)
    await store.add(a_table())
    age(cluster, name)
    with psycopg.connect(url) as other:
        other.execute(MOVE, [NOW])
        assert await prune(store, DAYS) == 0
        other.commit()
    assert moves(cluster, name) == 1
    assert await prune(store, DAYS) == 0
    assert (await store.load("t")) is not None
    await store.close()


@runs
async def test_two_servers_write_each_record_once(cluster: Cluster, url: str, name: str, tmp_path: Path) -> None:
    first, second = [await Store.open(url, shared=True) for _ in range(2)]
    for number in range(3):
        await first.add(a_table(f"t{number}"))
    age(cluster, name)
    gone: list[int] = []

    async def slowly(write: Callable[[], str]) -> str:
        if not gone:  # the other server prunes just when this one has begun to write
            gone.append(await prune(second, DAYS, tmp_path))
        return await asyncio.to_thread(write)

    work: Callable[[Callable[[], str]], Awaitable[str]] = slowly
    gone.append(await prune(first, DAYS, tmp_path, work=work))
    assert gone == [0, 3]
    (archive,) = tmp_path.iterdir()
    with archive.open() as lines:
        assert len(list(read_records(lines))) == 3
    assert await prune(second, DAYS, tmp_path) == 0  # the lock is free again, and there is nothing left
    for store in (first, second):
        await store.close()


@runs
async def test_a_lost_connection_ends_the_task_of_one(cluster: Cluster, url: str, name: str) -> None:
    store = await Store.open(url, shared=True)
    async with store.alone(1) as is_ours:
        assert await is_ours()
        cluster.ask(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid::int8 = "
            f"{int.from_bytes(b'task', 'big')}",
            name,
        )
        assert not await is_ours()
    await store.close()


@runs
async def test_an_old_table_at_which_people_are_stays_for_every_server(cluster: Cluster, url: str, name: str) -> None:
    async with servers(url, 1) as (made,):
        created = await made.lobby.create(new_table("here", "here"))
        age(cluster, name)
        store = await Store.open(url, shared=True)
        other = Lobby(Settings(most_tables=1000, keep_days=DAYS), store, Quick())
        assert other._pruner
        other._pruner.cancel()
        live = await other.table(created.table.id)
        guest = await Guest.at(live)
        held = "SELECT 1 FROM tables WHERE holder IS NOT NULL"
        await until(lambda: cluster.ask(held, name))
        assert await prune(made.store, DAYS) == 0
        live.leave(guest.client)
        await other.close()
        assert await prune(made.store, DAYS) == 1
        await store.close()


@runs
async def test_tables_that_others_make_are_counted(url: str) -> None:
    async with servers(url) as (one, other):
        for _ in range(3):
            await one.lobby.create(new_table("here", "here"))
        await until(lambda: other.store.tables == 3)
        await one.store.append((await one.store.old(NOW))[0], 1, decided())
        assert await one.store.remove(await one.store.old(NOW), NOW) == 3
        await until(lambda: other.store.tables == 0)
