"""What a server says of itself: whether it can save games, and its figures."""

from __future__ import annotations

import asyncio
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.testing import TestClient
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from azulejos.server import metrics
from azulejos.server.bus.memory import Memory
from azulejos.server.http.app import make_app
from azulejos.server.http.health import KEPT_SECONDS, Checks, Figures, _comes_from_here, trouble_of
from azulejos.server.settings import Settings
from azulejos.server.storage.database import is_full
from tests.patience import PATIENCE
from tests.server.live import Live, live_server
from tests.server.postgres import Cluster
from tests.server.redis_server import RedisServer
from tests.server.standins import lay_out, runs

BASE = "http://127.0.0.1"


@runs
async def test_however_many_ask_everything_is_looked_at_once() -> None:
    now, asked = 0.0, 0

    async def check() -> str | None:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0)
        return "it rains" if asked > 1 else None

    checks = Checks([check], clock=lambda: now)
    assert await asyncio.gather(*(checks.troubles() for _ in range(10))) == 10 * [[]]
    now = KEPT_SECONDS
    assert await checks.troubles() == ["it rains"]
    assert asked == 2


def test_a_database_that_has_gone_is_named(tmp_path: Path) -> None:
    database = tmp_path / "t.db"
    lay_out(database)
    with TestClient(make_app(Settings(database=str(database), workers=1)), base_url=BASE) as client:
        assert client.get("/health").json()["status"] == "ok"
        client.app.state.checks._asked = -KEPT_SECONDS
        database.rename(tmp_path / "aside.db")
        answer = client.get("/health")
        assert answer.status_code == 503
        assert answer.json() | {"computers": True} == {
            "status": "failing",
            "computers": True,
            "reason": "the database cannot be written",
        }
        (tmp_path / "aside.db").rename(database)


@runs
async def test_a_bus_that_is_away_is_named() -> None:
    bus = Memory()
    check = trouble_of(bus)
    assert await check() is None
    bus.is_well = False
    assert await check() == "the bus does not answer"


def health_of(live: Live) -> tuple[int, str]:
    """The status of a server's answer, and the reason in it."""
    time.sleep(0.1)
    answer = httpx.get(f"{live.url}/health", timeout=PATIENCE)
    return answer.status_code, answer.json().get("reason", "")


def wait_for_health(live: Live, status: int, reason: str) -> None:
    """Wait until a server says this of itself."""
    ends = time.monotonic() + PATIENCE
    while (told := health_of(live)) != (status, reason) and time.monotonic() < ends:
        pass
    assert told == (status, reason)


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A disk of this size."""
    (disk := folder / "disk").mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a disk")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


def fill(disk: Path) -> Path:
    """Leave no room on a disk; returns the file that has it."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))
    return filler


def test_a_full_disk_is_named_and_room_again_is_enough(tmp_path: Path) -> None:
    with small_disk(tmp_path, "4m") as disk, live_server(disk, workers=1, questions_per_minute=0) as live:
        new = {"seats": [{"kind": "here"}, {"kind": "here"}]}
        wait_for_health(live, 200, "")
        filler = fill(disk)
        while (answer := httpx.post(f"{live.url}/api/tables", json=new, timeout=PATIENCE)).status_code == 201:
            pass  # what SQLite has set aside
        assert answer.json()["code"] == "storage_failed"
        wait_for_health(live, 503, "the database has no room left")
        filler.unlink()
        wait_for_health(live, 200, "")
        assert httpx.post(f"{live.url}/api/tables", json=new, timeout=PATIENCE).status_code == 201


def test_a_redis_and_a_postgresql_that_are_away_are_named(
    cluster: Cluster, name: str, redis_server: RedisServer, tmp_path: Path
) -> None:
    with live_server(tmp_path, workers=1, database=cluster.url(name), bus=redis_server.url()) as live:
        wait_for_health(live, 200, "")
        redis_server.stop()
        try:
            wait_for_health(live, 503, "the bus does not answer")
            cluster.stop(signal.SIGINT)
            wait_for_health(live, 503, "the database does not answer; the bus does not answer")
        finally:
            redis_server.start()
            cluster.start()
        wait_for_health(live, 200, "")


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux limits another process")
def test_files_that_may_not_grow_are_told_of_and_a_server_recovers(tmp_path: Path) -> None:
    with live_server(tmp_path, workers=1) as live:
        wait_for_health(live, 200, "")
        size = max(path.stat().st_size for path in tmp_path.glob("tables.db*"))
        pid, unlimited = live.process.pid, resource.RLIM_INFINITY
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (min(4096, size), unlimited))
        wait_for_health(live, 503, "the database cannot be written")
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (unlimited, unlimited))
        wait_for_health(live, 200, "")


def test_a_database_without_room_is_told_from_one_that_cannot_be_written(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 't.db'}")
    with engine.connect() as connection:
        connection.execute(text("PRAGMA max_page_count = 2"))
        with pytest.raises(OperationalError) as full:
            connection.execute(text("CREATE TABLE a AS SELECT zeroblob(100000)"))
        with pytest.raises(OperationalError) as other:
            connection.execute(text("INSERT INTO nowhere VALUES (1)"))
    assert (is_full(full.value), is_full(other.value)) == (True, False)


def test_figures_are_for_those_who_look_after_the_server(tmp_path: Path) -> None:
    lay_out(tmp_path / "t.db")
    settings = Settings(database=str(tmp_path / "t.db"), workers=1, metrics_token="abc")
    with TestClient(make_app(settings), base_url=BASE) as client:
        assert client.get("/metrics").status_code == 403
        assert client.get("/metrics", headers={"authorization": "Bearer abd"}).status_code == 403
        shown = client.get("/metrics", headers={"authorization": "Bearer abc"})
    assert "azulejos_tables_live" in shown.text


def test_figures_are_printed_once_in_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now, texts = 0.0, iter([b"one", b"two"])
    monkeypatch.setattr(metrics, "printed", lambda: next(texts))
    figures = Figures(clock=lambda: now)
    assert [figures.printed() for _ in range(3)] == 3 * [b"one"]
    now = KEPT_SECONDS
    assert figures.printed() == b"two"


@pytest.mark.parametrize(
    ("client", "headers", "is_here"),
    [
        (("127.0.0.1", 1), [], True),
        (("::1", 1), [], True),
        (("192.0.2.1", 1), [], False),
        (("127.0.0.1", 1), [(b"x-forwarded-for", b"192.0.2.1")], False),
        (None, [], False),
    ],
    ids=["IPv4", "IPv6", "elsewhere", "proxy", "nobody"],
)
def test_who_comes_from_this_machine(client: Any, headers: Any, is_here: bool) -> None:
    assert _comes_from_here({"client": client, "headers": headers}) is is_here
