"""Copies of all games and going back to them, by the commands that the page about running a server has."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from azulejos.server.storage.store import Store
from tests.server.postgres import Cluster, binaries
from tests.server.standins import Guest, lobby_on, moves_of, new_table, runs
from tests.server.test_store import a_table, decided

PAGE = (Path(__file__).parents[2] / "docs" / "deployment.md").read_text(encoding="utf-8")


def commands(section: str, first: str) -> list[str]:
    """The lines of the block of a section that begins with a command."""
    (_, text) = PAGE.split(f"## {section}\n")
    blocks = re.findall(r"```sh\n(.*?)```", text.split("\n## ")[0], re.DOTALL)
    (block,) = [block for block in blocks if block.startswith(first)]
    return str(block).splitlines()


def run(command: str, folder: Path, **environment: str) -> str:
    ours = Path(sys.executable).parent
    path = os.pathsep.join([str(ours), str(binaries() or ours), os.environ["PATH"]])
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env=os.environ | {"PATH": path, "NO_COLOR": "1"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="there is no sqlite3 here (on Debian: apt install sqlite3)")
@runs
async def test_a_file_goes_back_to_its_copy_and_links_work_again(tmp_path: Path) -> None:
    copy, go_back, look = commands("Copies and going back", "sqlite3")
    database = tmp_path / "tables.db"
    async with lobby_on(database) as lobby:
        created = await lobby.create(new_table("here", "here"))
        table = await lobby.table(created.table.id)
        ana = await Guest.at(table, created.secrets[0])
        await ana.play(0, moves_of(table)[0])
        await asyncio.to_thread(run, copy, tmp_path)  # while it runs
        version = table.table.version
        rui = await Guest.at(table, created.secrets[1])
        await rui.play(1, moves_of(table)[0])
        await lobby.create(new_table("here", "here"))
    await asyncio.to_thread(run, go_back, tmp_path)
    told = await asyncio.to_thread(run, look, tmp_path, AZULEJOS_DATABASE=str(database))
    assert "1 table" in told
    async with lobby_on(database) as lobby:
        table = await lobby.table(created.table.id)
        assert table.table.version == version
        rui = await Guest.at(table, created.secrets[1])
        assert (await rui.play(1, moves_of(table)[0]))["type"] == "accepted"


@runs
async def test_a_database_of_postgresql_goes_back_to_its_copy(cluster: Cluster, own: str, tmp_path: Path) -> None:
    copy, go_back, look = commands("Copies and going back", "pg_dump")
    copy = copy.replace(" azulejos", f" {own}")
    go_back = go_back.replace("=azulejos", f"={own}")
    environment = cluster.environment() | {"AZULEJOS_DATABASE": cluster.url(own)}
    store = await Store.open(cluster.url(own))
    await store.add(a_table())
    await asyncio.to_thread(run, copy, tmp_path, **environment)
    await store.append("t", 1, decided())
    await store.add(a_table("u"))
    await store.close()
    await asyncio.to_thread(run, go_back, tmp_path, **environment)
    assert "1 table" in await asyncio.to_thread(run, look, tmp_path, **environment)
    store = await Store.open(cluster.url(own))
    found = await store.load("t")
    assert found is not None
    assert (len(found.events), await store.load("u")) == (1, None)
    await store.close()
