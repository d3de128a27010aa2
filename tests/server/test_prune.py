"""Old tables go, and nothing else does."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from azulejos import read_records
from azulejos.cli.prune import prune as command
from azulejos.server.live.lobby import Lobby
from azulejos.server.pruning import prune
from azulejos.server.settings import Settings
from azulejos.server.storage.store import Store
from tests.patience import PATIENCE
from tests.server.standins import Guest, Quick, lay_out, lobby_on, new_table, runs


async def make_tables(database: Path, count: int) -> list[str]:
    """So many tables with a move each."""
    names = []
    async with lobby_on(database) as lobby:
        for _ in range(count):
            created = await lobby.create(new_table("here", "here"))
            table = await lobby.table(created.table.id)
            guest = await Guest.at(table, *created.secrets)
            await guest.play(0, str(table.table.game.public.legal_moves[0]))
            names.append(created.table.id)
    return names


def age(database: Path, table: str, days: float, version: int | None = None) -> None:
    """Let everything at a table, or one event, have happened so many days ago."""
    only = "" if version is None else f" AND version = {version}"
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(
            f"UPDATE events SET at = (strftime('%s') - {days * 86400}) * 1000 WHERE table_id = ?{only}", (table,)
        )
        connection.commit()


@runs
async def test_old_tables_go_and_their_records_stay(tmp_path: Path) -> None:
    database = tmp_path / "t.db"
    old, young, spared, broken = await make_tables(database, 4)
    for table in (old, spared, broken):
        age(database, table, 10)
    age(database, young, 10, version=0)  # its move is new
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE events SET payload = '{\"type\":\"decided\",\"seat\":0,\"move\":\"9B9\"}' "
                           "WHERE table_id = ? AND kind = 'decided'", (broken,))  # fmt: skip
        connection.commit()
    store = await Store.open(str(database))
    gone = await prune(store, 7, tmp_path / "archive", spared=lambda: [spared])
    left = [table for table in (old, young, spared, broken) if await store.load(table)]
    assert (gone, left, store.tables) == (1, [young, spared, broken], 3)
    (archive,) = (tmp_path / "archive").iterdir()
    with archive.open() as lines:
        (record,) = read_records(lines)
    assert len(record.entries) == 2
    assert await prune(store, 7) == 2
    assert (await store.load(young)) is not None
    await store.close()


@runs
async def test_a_server_lets_old_tables_go_by_itself(tmp_path: Path) -> None:
    database = tmp_path / "t.db"
    (table,) = await make_tables(database, 1)
    age(database, table, 2)
    store = await Store.open(str(database))
    lobby = Lobby(Settings(database=str(database), keep_days=1, archive=str(tmp_path / "archive")), store, Quick())
    async with asyncio.timeout(PATIENCE):
        while store.tables:
            await asyncio.sleep(0.01)
    assert list((tmp_path / "archive").iterdir())
    await lobby.close()
    await store.close()


def test_the_command_counts_and_removes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = tmp_path / "t.db"
    lay_out(database)
    for table in asyncio.run(make_tables(database, 2))[:1]:
        age(database, table, 3)
    command(days=2, database=str(database), dry_run=True)
    command(days=2, database=str(database))
    command(days=2, database=str(database))
    assert capsys.readouterr().out.splitlines() == [
        "1 tables would go, 1 are left",
        "1 tables have gone, 1 are left",
        "0 tables have gone, 1 are left",
    ]
    with pytest.raises(ValueError, match="--days"):
        command(days=-1, database=str(database))
