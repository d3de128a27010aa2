"""The store on a real PostgreSQL: as on SQLite, only one server at a time, and back by itself when the database is."""

from __future__ import annotations

import asyncio
import inspect
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from azulejos.server.live.lobby import Lobby
from azulejos.server.settings import Settings
from azulejos.server.storage import schema
from azulejos.server.storage.database import StorageError
from azulejos.server.storage.store import Conflict, Store
from azulejos.server.tables.info import Result, Summary
from azulejos.server.tables.refusal import Refuse
from tests.patience import PATIENCE
from tests.server import test_live_table, test_store
from tests.server.postgres import ENCODED, PASSWORD, Cluster, binaries
from tests.server.standins import Guest, Quick, lay_out, new_table, runs
from tests.server.test_store import a_table, decided
from tests.server.wire import wire_to

LONG_MS = 60_000
"""To wait for a lock, or an end, that comes: on a machine that does nothing else in milliseconds."""


@pytest.fixture
def url(cluster: Cluster, name: str) -> str:
    return cluster.url(name)


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    store = await Store.open(url)
    try:
        yield store
    finally:
        await store.close()


# ---- as on SQLite ----

AS_ON_SQLITE: list[Callable[..., None]] = [
    test_store.test_what_is_saved_is_there_when_opened_again,
    test_store.test_many_at_once_and_one_that_comes_too_late,
    test_store.test_many_tables_are_made_at_once,
    test_store.test_past_games_newest_first_page_by_page,
    test_store.test_nothing_that_was_saved_is_lost_when_the_process_is_killed,
    *(value for key, value in vars(test_live_table).items() if key.startswith("test_")),
]


@pytest.mark.parametrize("test", AS_ON_SQLITE, ids=lambda test: test.__name__.removeprefix("test_"))
def test_as_on_sqlite(test: Callable[..., None], url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests of the store and of the tables, as they are, with another database behind them."""
    lay_out(tmp_path / "t.db")  # which they look for, and nobody opens
    real, opens = Store.open, []

    async def on_postgres(database: str) -> Store:
        opens.append(database)
        return await real(url)

    monkeypatch.setattr(Store, "open", on_postgres)
    monkeypatch.setattr(test_store, "WRITER", test_store.WRITER.replace("sys.argv[1]", repr(url)))
    known = {"tmp_path": tmp_path, "monkeypatch": monkeypatch}
    test(**{parameter: known[parameter] for parameter in inspect.signature(test).parameters})
    assert opens


@runs
async def test_a_new_database_gets_the_same_schema(cluster: Cluster) -> None:
    async with opened(cluster.socket_url(cluster.new())) as store:
        with store._engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            differences = compare_metadata(context, schema.metadata)
        assert [found for found in differences if found[0] != "remove_index"] == []
        assert sorted(found[1].name for found in differences) == ["tables_by_created", "tables_listed"]


@runs
async def test_keys_are_ordered_as_on_sqlite_whatever_the_language(cluster: Cluster) -> None:
    icu = "TEMPLATE template0 ENCODING UTF8 LOCALE_PROVIDER icu ICU_LOCALE 'en'"
    async with opened(cluster.url(cluster.new(icu))) as store:
        for name in "aBc":
            await store.add(a_table(name))
            summary = Summary(name, "std", "2026-01-01T00:00:00Z", ["Ána 🂡", ""], Result("row", [0], [1, 0]))
            await store.append(name, 1, decided(), summary)
        found = await store.past_games()
        assert [game.id for game in found] == ["c", "a", "B"]
        assert found[0].names == ["Ána 🂡", ""]


@runs
async def test_what_no_text_can_hold_is_not_found(url: str) -> None:
    async with opened(url) as store:
        assert await store.load("a\0b") is None
        assert await store.past_games(before="t\0") == []
        assert await store.load("\u202e🂡'; DROP TABLE tables") is None


# ---- one server ----


@runs
async def test_a_second_server_is_refused_and_the_first_goes_on(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(url) as store:
        with monkeypatch.context() as patch:
            patch.setattr("azulejos.server.storage.store.BUSY_MS", 100)
            with pytest.raises(
                StorageError, match=r"another azulejos server uses it; several can share it if all .* with --bus"
            ):
                await Store.open(url)
        await store.add(a_table())
        assert await store.is_well()
    async with opened(url) as store:
        assert store.tables == 1


@runs
async def test_a_second_server_waits_for_one_that_is_just_ending(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("azulejos.server.storage.store.BUSY_MS", LONG_MS)
    first = await Store.open(url)
    second = asyncio.create_task(Store.open(url))
    await asyncio.sleep(0.3)
    assert not second.done()
    await first.close()
    await (await second).close()


@runs
async def test_who_has_lost_the_lock_to_another_server_writes_nothing(
    cluster: Cluster, name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(cluster.url(name)) as first:
        await first.add(a_table())
        monkeypatch.setattr("azulejos.server.storage.store.BUSY_MS", LONG_MS)
        waiting = asyncio.create_task(Store.open(cluster.url(name)))
        while not cluster.ask(
            "SELECT 1 FROM pg_stat_activity WHERE datname = %s AND wait_event = 'advisory'", name, name
        ):
            await asyncio.sleep(0.02)
        _end_connections(cluster, name, "azulejos %")
        second = await waiting
        monkeypatch.setattr(first._database, "_busy_ms", 300)
        with pytest.raises(Refuse, match="storage_failed"):
            await first.append("t", 1, decided())
        assert "another azulejos server uses it" in caplog.text
        assert not await first.is_well()
        await second.append("t", 1, decided("2B2"))
        await second.close()
        monkeypatch.setattr(first._database, "_busy_ms", LONG_MS)
        with pytest.raises(Conflict):  # and then the table is loaded again
            await first.append("t", 1, decided())
        assert await first.is_well()


def _end_connections(cluster: Cluster, name: str, application: str) -> None:
    """End those that have nothing to do: at once or, what has just been answered, in a moment."""
    question = (
        f"SELECT pg_terminate_backend(pid, {LONG_MS}) FROM pg_stat_activity WHERE datname = %s "
        "AND application_name LIKE %s AND wait_event_type = 'Client'"
    )
    deadline = time.monotonic() + PATIENCE
    while not (ended := cluster.ask(question, "postgres", name, application)):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert ended == [(True,)] * len(ended)


# ---- lost connections ----


@runs
async def test_connections_that_were_ended_are_made_again(cluster: Cluster, own: str) -> None:
    async with opened(cluster.url(own)) as store:
        await store.add(a_table())
        for version in range(1, 4):
            await store.load("t")
            _end_connections(cluster, own, "azulejos%")
            await store.append("t", version, decided())
        found = await store.load("t")
        assert found is not None
        assert len(found.events) == 4


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT, signal.SIGKILL])
def test_a_database_that_goes_and_comes_back(
    cluster: Cluster, url: str, number: signal.Signals, caplog: pytest.LogCaptureFixture
) -> None:
    @runs
    async def test() -> None:
        async with opened(url) as store:
            await store.add(a_table())
            cluster.stop(number)
            assert not await store.is_well()
            for asking in (store.append("t", 1, decided()), store.load("t"), store.past_games()):
                with pytest.raises(Refuse, match="storage_failed"):
                    await asking
            await asyncio.to_thread(cluster.start)
            await store.append("t", 1, decided())
            assert await store.is_well()
            found = await store.load("t")
            assert found is not None
            assert found.events == [*a_table().events, decided()]

    try:
        test()
    finally:
        cluster.start()
    assert "cannot write to the database" in caplog.text
    assert not any("\n" in record.getMessage() or record.exc_info for record in caplog.records)
    assert PASSWORD not in caplog.text
    assert ENCODED not in caplog.text


@runs
async def test_a_cut_wire_of_which_the_database_knows_nothing(cluster: Cluster, own: str) -> None:
    """It still holds the lock for the connection that is gone."""
    with wire_to(cluster.port) as wire:
        async with opened(cluster.url(own, port=wire.port)) as store:
            await store.add(a_table())
            wire.cut()
            started = time.monotonic()
            await store.append("t", 1, decided())
            assert time.monotonic() - started < 20  # PostgreSQL would notice after 25
            assert await store.is_well()


@runs
async def test_a_wire_cut_while_it_commits_neither_loses_the_move_nor_plays_it_twice(
    cluster: Cluster, own: str
) -> None:
    with wire_to(cluster.port) as wire:
        async with opened(cluster.url(own, port=wire.port)) as store:
            lobby = Lobby(Settings(most_tables=1000), store, Quick())
            created = await lobby.create(new_table("here", "here"))
            queue = await lobby.table(created.table.id)
            guest = await Guest.at(queue, *created.secrets)
            version = queue.table.version
            move = str(queue.table.game.public.legal_moves[0])
            wire.cut_after(b"COMMIT")
            answer = await guest.play(0, move)
            assert wire.was_cut.wait(PATIENCE)
            assert (answer["type"], answer["code"]) == ("refused", "storage_failed")
            assert queue.table.version == version
            while _stored(cluster, own, created.table.id) == version:  # what was sent has not been done yet
                await asyncio.sleep(0.02)
            assert _stored(cluster, own, created.table.id) == version + 1  # committed, and nobody knows
            answer = await guest.play(0, move)
            assert (answer["code"], answer["version"]) == ("stale_version", version + 1)
            assert guest.seen[-2]["type"] == "event"
            assert guest.seen[-2]["waiting"] == [1]
            answer = await guest.play(1, str(queue.table.game.public.legal_moves[0]))
            assert (answer["type"], answer["version"]) == ("accepted", version + 2)
            assert _stored(cluster, own, created.table.id) == version + 2
            await lobby.close()


def _stored(cluster: Cluster, name: str, table: str) -> int:
    """The last version."""
    ((found,),) = cluster.ask("SELECT max(version) FROM events WHERE table_id = %s", name, table)
    return int(found)


@runs
async def test_a_table_locked_by_somebody_else_refuses_and_goes_on_after(
    cluster: Cluster, own: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("azulejos.server.storage.store.BUSY_MS", 100)
    async with opened(cluster.url(own)) as store:
        await store.add(a_table())
        other = subprocess.Popen(
            [f"{binaries()}/psql", cluster.socket_url(own), "-c", "BEGIN; LOCK TABLE events; SELECT pg_sleep(60)"],
            stdout=subprocess.DEVNULL,
        )
        locked = (
            "SELECT 1 FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted AND relation = 'events'::regclass"
        )
        while not cluster.ask(locked, own):
            await asyncio.sleep(0.02)
        with pytest.raises(Refuse, match="storage_failed"):
            await store.append("t", 1, decided())
        assert "lock timeout" in caplog.text
        other.kill()
        other.wait()
        ended = f"SELECT pg_terminate_backend(pid, {LONG_MS}) FROM pg_stat_activity WHERE query LIKE %s"
        cluster.ask(ended, own, "BEGIN;%")
        await store.append("t", 1, decided())


@runs
async def test_a_database_that_was_made_anew_is_not_the_one_that_was_opened(
    cluster: Cluster, own: str, template: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(cluster.url(own)) as store:
        await store.add(a_table())
        cluster.ask(f"DROP DATABASE {own} WITH (FORCE)")
        assert not await store.is_well()
        cluster.ask(f"CREATE DATABASE {own} TEMPLATE {template}")
        with pytest.raises(Refuse, match="storage_failed"):
            await store.append("t", 1, decided())
        assert "it is not the one that was opened" in caplog.text
        assert not await store.is_well()


@runs
async def test_what_is_saved_lasts_even_where_that_was_switched_off(cluster: Cluster, own: str) -> None:
    for set_to, used in (("off", "on"), ("local", "local")):
        cluster.ask(f"ALTER DATABASE {own} SET synchronous_commit = {set_to}")
        async with opened(cluster.url(own)) as store:
            with store._database.writing() as connection:
                assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == used
