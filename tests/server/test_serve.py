"""The command `azulejos serve` as a process: starting, refusing to start, logging, stopping."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from azulejos.cli import app as cli
from azulejos.cli import serve
from azulejos.server.settings import Settings
from tests.patience import PATIENCE
from tests.server.live import Live, live_server, wait_for_computers

AGAINST_COMPUTER = {"seats": [{"kind": "here", "name": "Ana"}, {"kind": "computer", "level": 1}], "starter": 0}


def refused(*words: str, **environment: str) -> str:
    """The one line with which the server refuses to start."""
    command = [sys.executable, "-m", "azulejos", "serve", *words]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, check=False, env=os.environ | environment
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_a_port_in_use_is_named() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        said = refused("--port", str(port))
    assert f"port {port} at '127.0.0.1' is in use" in said
    assert "--port" in said


def test_an_address_that_is_not_ours_is_named() -> None:
    assert "cannot listen at '203.0.113.9', port 0" in refused("--host", "203.0.113.9", "--port", "0")
    assert "cannot listen at 'no.such.host.invalid'" in refused("--host", "no.such.host.invalid", "--port", "0")


def test_a_setting_that_cannot_be_is_named() -> None:
    assert "AZULEJOS_WORKERS='many'" in refused(AZULEJOS_WORKERS="many")
    assert "'mysql'" in refused("--database", "mysql://somewhere/x")


def test_a_file_that_is_no_database_is_named_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("milk, bread, tiles\n" * 100)
    said = refused("--port", "0", "--database", str(file))
    assert f"cannot use the database {str(file)!r}" in said
    assert "not a database" in said
    assert file.read_text() == "milk, bread, tiles\n" * 100


def test_a_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "photos.db"
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE photos (name TEXT)")
    assert f"cannot use the database {str(file)!r}" in refused("--port", "0", "--database", str(file))
    with sqlite3.connect(file) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("photos",)]


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    assert f"cannot use the database {str(tmp_path)!r}" in refused("--port", "0", "--database", str(tmp_path))


def test_a_locked_database_is_named(tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    with _locked(file):
        said = refused("--port", "0", "--database", str(file))
    assert "database is locked" in said


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        other.close()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "tables.db").touch(0o400)
    assert "readonly" in refused("--port", "0", "--database", str(tmp_path / "tables.db"))


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = refused("--port", "0", "--database", str(tmp_path / "file" / "tables.db"))
    assert "cannot use the database" in said


# --- while it runs


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server as it is by itself, for those who leave it as they found it."""
    with live_server(tmp_path_factory.mktemp("plain")) as live:
        yield live


def test_a_database_locked_by_somebody_else_refuses_moves_and_the_table_goes_on(plain: Live) -> None:
    async def test(live: Live) -> None:
        created = httpx.post(f"{live.url}/api/tables", json=AGAINST_COMPUTER, timeout=PATIENCE).json()
        async with connect(live.sockets + created["table"]["id"]) as table:
            now = await hello(table, created["secrets"][:1])
            move = {"type": "play", "seat": 0, "version": now["version"], "move": now["position"]["options"][0]["move"]}
            with _locked(live.database):
                await table.send(json.dumps(move))
                said = await next_of(table, "refused", "event")
                assert (said["type"], said["code"]) == ("refused", "storage_failed")
                assert httpx.post(f"{live.url}/api/tables", json=AGAINST_COMPUTER, timeout=PATIENCE).status_code == 503
            await table.send(json.dumps(move))
            assert (await next_of(table, "refused", "event"))["type"] == "event"

    asyncio.run(test(plain))


def test_others_are_let_in_only_when_asked(plain: Live, tmp_path: Path) -> None:
    with live_server(tmp_path, "--host", "0.0.0.0") as live:
        assert live.process.stdout is not None
        line = live.process.stdout.readline()
        assert re.search(r"Others reach it at http://[0-9.]+:\d+|in no network", line), line
        port = live.url.rpartition(":")[2]
        laptop = {"host": f"my-laptop.local:{port}"}
        assert httpx.get(f"{live.url}/health", headers=laptop, timeout=PATIENCE).status_code == 200
    laptop = {"host": f"my-laptop.local:{plain.url.rpartition(':')[2]}"}
    assert httpx.get(f"{plain.url}/health", headers=laptop, timeout=PATIENCE).status_code == 403


def test_a_trusted_proxy_says_who_asks(tmp_path: Path) -> None:
    flags = ("--log-json", "--trusted-proxy", "127.0.0.1", "--public-url", "https://tiles.example")
    with live_server(tmp_path, *flags, questions_per_minute="1") as live:
        through = {"host": "tiles.example", "x-forwarded-proto": "https", "origin": "https://tiles.example"}
        for address, status in (("198.51.100.1", 200), ("198.51.100.1", 429), ("198.51.100.2", 200)):
            headers = through | {"x-forwarded-for": address}
            answer = httpx.get(f"{live.url}/api/games", headers=headers, timeout=PATIENCE)
            assert answer.status_code == status, address
        live.stop()
        assert [entry["from"] for entry in map(json.loads, live.logged().splitlines()) if "from" in entry] == [
            "198.51.100.1",
            "198.51.100.1",
            "198.51.100.2",
        ]


def test_nobody_else_may_say_who_asks(tmp_path: Path) -> None:
    with live_server(tmp_path, questions_per_minute="1") as live:
        named = [{"x-forwarded-for": f"198.51.100.{number}"} for number in (1, 2)]
        asked = [httpx.get(f"{live.url}/api/games", headers=headers, timeout=PATIENCE) for headers in named]
        assert [answer.status_code for answer in asked] == [200, 429]


def test_a_foreign_page_is_told_why_it_gets_no_socket(plain: Live) -> None:
    async def test(live: Live) -> None:
        with pytest.raises(InvalidStatus) as refusal:
            await connect(live.sockets + "x", origin="https://evil.example")  # type: ignore[arg-type]
        response = refusal.value.response
        assert (response.status_code, json.loads(response.body)) == (403, {"code": "wrong_origin"})

    asyncio.run(test(plain))


def test_a_game_leaves_no_secret_in_the_logs(tmp_path: Path) -> None:
    async def test(live: Live) -> list[str]:
        created = httpx.post(f"{live.url}/api/tables", json=AGAINST_COMPUTER, timeout=PATIENCE).json()
        secrets = [secret for secret in created["secrets"] if secret]
        async with connect(live.sockets + created["table"]["id"]) as table:
            now = await hello(table, secrets)
            for _ in range(3):
                move = now["position"]["options"][0]["move"]
                await table.send(json.dumps({"type": "play", "seat": 0, "version": now["version"], "move": move}))
                now = await next_of(table, "event")
                while now["waiting"] != [0]:
                    now = await next_of(table, "event")
            await table.send(secrets[0])
            await next_of(table, "refused")
        httpx.get(f"{live.url}/t/{secrets[0]}", timeout=PATIENCE)  # somebody mistypes a link
        return secrets

    with live_server(tmp_path, "--log-json") as live:
        secrets = asyncio.run(test(live))
        live.stop()
        logged = live.logged()
        assert all(secret not in logged for secret in secrets)
        entries = [json.loads(line) for line in logged.splitlines()]
        assert any(entry["text"].startswith("POST /api/tables 201") for entry in entries)
        stored = b"".join(path.read_bytes() for path in tmp_path.glob("tables.db*"))
        assert all(secret.encode() not in stored for secret in secrets)


# --- the end


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_gentle_stop_tells_everybody_and_leaves_no_process(tmp_path: Path, number: signal.Signals) -> None:
    async def test(live: Live) -> list[int]:
        created = httpx.post(f"{live.url}/api/tables", json=AGAINST_COMPUTER, timeout=PATIENCE).json()
        workers = children_of(live.process.pid)
        assert workers
        async with connect(live.sockets + created["table"]["id"]) as table:
            await hello(table, [])
            live.process.send_signal(number)
            assert (await next_of(table, "closing"))["type"] == "closing"
            with pytest.raises(ConnectionClosed):
                await next_of(table)
        return workers

    with live_server(tmp_path) as live:
        wait_for_computers(live)
        workers = asyncio.run(test(live))
        started = time.monotonic()
        live.process.wait(PATIENCE)
        assert time.monotonic() - started < 15
        assert "Traceback" not in live.logged()
        for worker in workers:
            with pytest.raises(ProcessLookupError):
                os.kill(worker, 0)


def test_no_worker_outlives_a_killed_server(tmp_path: Path) -> None:
    with live_server(tmp_path) as live:
        wait_for_computers(live)
        workers = children_of(live.process.pid)
        assert workers
        live.stop(signal.SIGKILL)
        deadline = time.monotonic() + PATIENCE  # one that is still loading does not look before it has done so
        while any(map(is_alive, workers)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not any(map(is_alive, workers))


def is_alive(process: int) -> bool:
    """Whether a process runs; one that has ended may be in the list until somebody asks how."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children_of(process: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(status.read_text().rpartition(")")[2].split()[1]) == process:
                found.append(int(status.parent.name))
        except OSError:
            continue
    return found


async def hello(table: Any, secrets: list[str]) -> dict[str, Any]:
    await table.send(json.dumps({"type": "hello", "secrets": secrets}))
    return await next_of(table, "welcome")


async def next_of(table: Any, *types: str) -> dict[str, Any]:
    """The next message of one of these types."""
    async with asyncio.timeout(PATIENCE):  # a computer may have to start first
        while True:
            said: dict[str, Any] = json.loads(await table.recv())
            if said["type"] in types:
                return said


# --- what it says at the start


def test_a_browser_that_cannot_be_opened_is_no_obstacle(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def cannot(url: str) -> bool:
        asked.append(url)
        return False

    monkeypatch.setattr("webbrowser.open", cannot)
    serve._open("http://127.0.0.1:8421")
    assert asked == ["http://127.0.0.1:8421"]
    assert "open http://127.0.0.1:8421 yourself" in capsys.readouterr().out


def test_the_greeting_names_the_addresses_and_a_page_that_is_missing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    serve._greet(Settings(static=str(tmp_path)), open_browser=False)
    said = capsys.readouterr().out
    assert "http://127.0.0.1:8421" in said
    assert "make page" in said
    assert "Others" not in said
    (tmp_path / "index.html").touch()
    serve._greet(Settings(static=str(tmp_path), public_url="https://tiles.example"), open_browser=False)
    said = capsys.readouterr().out
    assert "Others reach it at https://tiles.example" in said
    assert "make page" not in said


def test_azulejos_alone_serves_and_opens_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[tuple[int, bool]] = []
    monkeypatch.setattr(serve, "run", lambda settings, open_browser: runs.append((settings.port, open_browser)))
    monkeypatch.delenv("AZULEJOS_PORT", raising=False)
    for words in ([], ["--no-browser", "--port", "9000"], ["serve"], ["serve", "--browser"]):
        cli.app(words, exit_on_error=False, result_action="return_value")
    assert runs == [(8421, True), (9000, False), (8421, False), (8421, True)]
