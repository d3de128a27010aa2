"""The store on real files: what is saved stays, and what is wrong with a file is said."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import create_engine
from sqlalchemy import event as listen

from azulejos.server.storage import schema
from azulejos.server.storage.database import StorageError, migrate
from azulejos.server.storage.store import Conflict, Store
from azulejos.server.storage.stored_table import StoredTable
from azulejos.server.tables import events as e
from azulejos.server.tables.info import Result, Summary
from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.setup import NewSeat, Setup
from tests.server.standins import runs

SETUP = Setup("std", [NewSeat("here", "Ana"), NewSeat("computer", level=2)], 1)
SECRET = "ab" * 32


def a_table(name: str = "t", created: str = "2026-01-01T00:00:00Z") -> StoredTable:
    return StoredTable(name, created, SETUP, SECRET, ["cd" * 32, None], [e.Started()])


def decided(move: str = "1B1") -> e.Decided:
    return e.Decided(seat=0, move=move, used=[5, 0])


@runs
async def test_what_is_saved_is_there_when_opened_again(tmp_path: Path) -> None:
    store = await Store.open(str(tmp_path / "deep" / "t.db"))
    await store.add(a_table())
    for version in range(1, 40):
        await store.append("t", version, decided(f"{version % 9 + 1}B1"))
    await store.close()
    store = await Store.open(f"sqlite:///{tmp_path}/deep/t.db")
    found = await store.load("t")
    assert found is not None
    assert (found.setup, found.secret, found.digests) == (SETUP, SECRET, ["cd" * 32, None])
    assert found.events == [e.Started(), *(decided(f"{version % 9 + 1}B1") for version in range(1, 40))]
    assert await store.load("other") is None
    assert store.tables == 1
    assert await store.is_well()
    await store.close()


@runs
async def test_many_at_once_and_one_that_comes_too_late(tmp_path: Path) -> None:
    store = await Store.open(str(tmp_path / "t.db"))
    for name in "ab":
        await store.add(a_table(name))
    saving = [store.append(name, version, decided()) for version in range(1, 60) for name in "ab"]
    results = await asyncio.gather(*saving, store.append("a", 5, decided("2B2")), return_exceptions=True)
    assert results[:-1] == [None] * 118
    assert isinstance(results[-1], Conflict)
    for name in "ab":
        found = await store.load(name)
        assert found is not None
        assert found.events[1:] == [decided()] * 59
    await store.close()


@runs
async def test_many_tables_are_made_at_once(tmp_path: Path) -> None:
    store = await Store.open(str(tmp_path / "t.db"))
    await asyncio.gather(*(store.add(a_table(f"t{number}")) for number in range(100)))
    assert store.tables == 100
    found = await asyncio.gather(*(store.load(f"t{number}") for number in range(100)))
    assert [table and table.id for table in found] == [f"t{number}" for number in range(100)]
    with pytest.raises(Conflict):
        await store.add(a_table("t5"))
    await store.close()


@runs
async def test_past_games_newest_first_page_by_page(tmp_path: Path) -> None:
    store = await Store.open(str(tmp_path / "t.db"))
    for number in range(5):
        made = f"2026-01-0{number // 2 + 1}T00:00:00Z"  # two at a time are made in one second
        await store.add(a_table(f"t{number}", made))
        if number != 2:
            result = Result("row", [0], [number, 0])
            summary = Summary(f"t{number}", "std", made, ["Ana", ""], result)
            await store.append(f"t{number}", 1, decided(), summary)
    first = await store.past_games(2)
    assert [game.id for game in first] == ["t4", "t3"]
    assert [game.id for game in await store.past_games(1, before=first[-1].id)] == ["t1"]
    assert [game.id for game in await store.past_games(10, before="t1")] == ["t0"]
    assert await store.past_games(10, before="nobody") == []
    await store.close()


@runs
async def test_the_file_is_for_its_owner_only_and_keeps_no_secret_of_a_seat(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    store = await Store.open(str(path))
    await store.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@runs
async def test_a_locked_database_refuses_and_goes_on_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("azulejos.server.storage.store.BUSY_MS", 50)
    store = await Store.open(str(tmp_path / "t.db"))
    await store.add(a_table())
    other = sqlite3.connect(tmp_path / "t.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with caplog.at_level(logging.ERROR), pytest.raises(Refuse, match="storage_failed"):
        await store.append("t", 1, decided())
    assert "locked" in caplog.text
    with pytest.raises(Refuse, match="storage_failed"):
        await store.add(a_table("u"))
    other.execute("ROLLBACK")
    other.close()
    await store.append("t", 1, decided())
    found = await store.load("t")
    assert found is not None
    assert len(found.events) == 2
    assert SECRET not in caplog.text
    await store.close()


@runs
async def test_a_second_server_on_one_file_is_refused_until_the_first_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await Store.open(str(tmp_path / "t.db"))
    with monkeypatch.context() as patch:
        patch.setattr("azulejos.server.storage.store.BUSY_MS", 100)
        with pytest.raises(StorageError, match=r"t\.db': another azulejos server uses it .* PostgreSQL .* --bus"):
            await Store.open(f"sqlite:///{tmp_path / 't.db'}")
    await first.add(a_table())
    waiting = asyncio.create_task(Store.open(str(tmp_path / "t.db")))
    await asyncio.sleep(0.1)
    await first.close()
    second = await waiting
    assert second.tables == 1
    await second.close()


@runs
async def test_a_full_disk_refuses_and_loses_nothing(tmp_path: Path) -> None:
    store = await Store.open(str(tmp_path / "t.db"))
    await store.add(a_table())
    listen.listen(store._engine, "connect", _no_room)
    store._engine.dispose()
    saved = await _saved_until_refused(store)
    found = await store.load("t")
    assert found is not None
    assert len(found.events) == saved + 1
    listen.remove(store._engine, "connect", _no_room)
    store._engine.dispose()
    await store.append("t", saved + 1, decided())
    await store.close()


async def _saved_until_refused(store: Store) -> int:
    for version in range(1, 10_000):
        saving = store.append("t", version, e.Renamed(seat=0, name="x" * 500))
        (refusal,) = await asyncio.gather(saving, return_exceptions=True)
        if refusal is not None:
            assert isinstance(refusal, Refuse)
            assert refusal.refusal.code == "storage_failed"
            return version - 1
    raise AssertionError("the disk is never full")


def _no_room(connection: object, _record: object) -> None:
    cursor = connection.cursor()  # type: ignore[attr-defined]
    cursor.execute("PRAGMA max_page_count = 30")
    cursor.close()


@runs
async def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    path.write_bytes(b"something else entirely " * 100)
    with pytest.raises(StorageError, match="file is not a database"):
        await Store.open(str(path))
    assert path.read_bytes() == b"something else entirely " * 100


@runs
async def test_a_damaged_database(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    store = await Store.open(str(path))
    await store.add(a_table())
    await store.close()
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(StorageError, match="malformed"):
        await Store.open(str(path))


@runs
async def test_a_database_of_something_else(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "t.db")
    other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    with pytest.raises(StorageError, match="holds something else"):
        await Store.open(str(tmp_path / "t.db"))


@runs
async def test_a_database_of_a_newer_program(tmp_path: Path) -> None:
    await (await Store.open(str(tmp_path / "t.db"))).close()
    other = sqlite3.connect(tmp_path / "t.db")
    other.execute("UPDATE alembic_version SET version_num = '9999'")
    other.execute("UPDATE compatibility SET oldest = '9999'")
    other.commit()
    other.close()
    with pytest.raises(StorageError, match="newer version of this program"):
        await Store.open(str(tmp_path / "t.db"))


@runs
async def test_a_newer_program_that_only_added_a_column(tmp_path: Path) -> None:
    await (await Store.open(str(tmp_path / "t.db"))).close()
    other = sqlite3.connect(tmp_path / "t.db")
    assert other.execute("SELECT oldest FROM compatibility").fetchall() == [(schema.OLDEST,)]
    other.execute("ALTER TABLE tables ADD COLUMN fragrance TEXT")
    other.execute("UPDATE alembic_version SET version_num = '9999'")
    other.execute(f"UPDATE compatibility SET oldest = '{schema.HEAD}'")
    other.commit()
    store = await Store.open(str(tmp_path / "t.db"))  # goes on, and leaves the step as it is
    await store.add(a_table())
    await store.append("t", 1, decided())
    assert await store.load("t")
    await store.close()
    assert other.execute("SELECT version_num FROM alembic_version").fetchall() == [("9999",)]
    other.close()


@runs
async def test_full_strength_of_an_older_database_stays_what_it_is(tmp_path: Path) -> None:
    name = '"level":9'  # of a person, who keeps it
    older = [NewSeat("here", name), NewSeat("computer", level=2), NewSeat("computer", level=100)]
    text = msgspec.json.encode(Setup("std", older, 1)).decode().replace('"level":100', '"level":9')
    with create_engine(f"sqlite:///{tmp_path / 't.db'}").begin() as before:
        migrate(before, "0002")
        before.exec_driver_sql("INSERT INTO tables (id, created, setup, secret) VALUES ('t', '', ?, ?)", (text, SECRET))
        before.exec_driver_sql("INSERT INTO events VALUES ('t', 0, 'started', '{}', 0)")
    store = await Store.open(str(tmp_path / "t.db"))
    found = await store.load("t")
    assert found is not None
    assert found.setup.seats == older
    await store.close()


@runs
async def test_places_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for database in (str(tmp_path), str(tmp_path / "file" / "t.db"), "mysql://somewhere/t", "sqlite+x:///t.db"):
        with pytest.raises(StorageError, match="cannot use"):
            await Store.open(database)


@pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("setpriv"), reason="root may write everywhere")
def test_a_file_that_may_not_be_written(tmp_path: Path) -> None:
    asyncio.run(_made(tmp_path / "t.db"))
    for name in tmp_path.iterdir():
        name.chmod(0o444)
    tmp_path.chmod(0o555)
    code = (
        "import asyncio; from azulejos.server.storage.store import Store; "
        f"asyncio.run(Store.open({str(tmp_path / 't.db')!r}))"
    )
    command = [sys.executable, "-c", code]
    if os.geteuid() == 0:  # without the right to write everywhere
        command = ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override", *command]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    tmp_path.chmod(0o755)
    assert done.returncode == 1
    assert "StorageError: cannot use the database" in done.stderr


async def _made(path: Path) -> None:
    await (await Store.open(str(path))).close()


def test_the_schema_is_what_the_migrations_make(tmp_path: Path) -> None:
    asyncio.run(_made(tmp_path / "t.db"))
    made = sqlite3.connect(tmp_path / "t.db")
    assert made.execute("SELECT version_num FROM alembic_version").fetchone() == (schema.HEAD,)
    for table in schema.metadata.tables.values():
        columns = {
            row[1]: (row[2], bool(row[3]) or bool(row[5])) for row in made.execute(f"PRAGMA table_info({table})")
        }
        assert columns == {column.name: (str(column.type), not column.nullable) for column in table.columns}
    assert made.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    made.close()


def test_alembic_is_not_loaded_for_a_database_that_is_up_to_date(tmp_path: Path) -> None:
    asyncio.run(_made(tmp_path / "t.db"))
    code = (
        "import asyncio, sys; from azulejos.server.storage.store import Store\n"
        f"asyncio.run(Store.open({str(tmp_path / 't.db')!r})); print('alembic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout.strip() == "False"


WRITER = """
import asyncio, sys
from azulejos.server.tables import events as e
from azulejos.server.storage.store import Store

async def main():
    store = await Store.open(sys.argv[1])
    for version in range(1, 100000):
        await store.append("t", version, e.Decided(seat=0, move="1B1", used=[version]))
        print(version, flush=True)

asyncio.run(main())
"""


def test_nothing_that_was_saved_is_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    async def prepare() -> None:
        store = await Store.open(str(tmp_path / "t.db"))
        await store.add(a_table())
        await store.close()

    async def look() -> list[int]:
        store = await Store.open(str(tmp_path / "t.db"))
        found = await store.load("t")
        await store.close()
        assert found is not None
        return [event.used[0] for event in found.events[1:]]

    asyncio.run(prepare())
    command = [sys.executable, "-c", WRITER, str(tmp_path / "t.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(60)]
        process.send_signal(signal.SIGKILL)
        told += [int(line) for line in process.stdout.read().split()]
    kept = asyncio.run(look())
    assert kept[: len(told)] == told
    assert len(kept) <= len(told) + 1
