"""What strangers try: most of these once worked, the others show what held."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import socket
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from litestar.testing import TestClient

from azulejos.server.http import connections, guard, links
from azulejos.server.http.app import make_app
from azulejos.server.http.connections import Requests, Sockets
from azulejos.server.http.pages import StaticPage
from azulejos.server.protocol import incoming
from azulejos.server.settings import Settings
from azulejos.server.storage.store import Store
from azulejos.server.tables import commands
from azulejos.server.tables.names import clean_name
from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.setup import Clock
from tests.patience import PATIENCE
from tests.server.standins import Guest, Logic, Quick, lay_out, lobby_on, new_table, runs, small_app
from tests.server.threads import listening

# ---- what is sent ----


@pytest.mark.parametrize("path", ["/api/tables", "/api/tables/moved", "/api/code"])
@pytest.mark.parametrize(
    "body", [b'{"link":"\xff"}', 60_000 * b"[", 20_000 * b'{"a":'], ids=["utf-8", "lists", "objects"]
)
def test_a_body_that_cannot_be_read_is_the_senders_fault(tmp_path: Path, path: str, body: bytes) -> None:
    lay_out(tmp_path / "t.db")
    app = make_app(Settings(database=str(tmp_path / "t.db"), workers=1))
    client = TestClient(app, base_url="http://127.0.0.1")
    answer = client.post(path, content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_message")


@runs
async def test_a_body_that_never_comes_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "BODY_SECONDS", 0.05)
    arriving = asyncio.Queue[Any]()
    receive = guard._patient(arriving.get)
    arriving.put_nowait({"type": "http.request", "body": b"{", "more_body": True})
    assert (await receive())["body"] == b"{"
    with pytest.raises(Refuse, match="bad_message"):
        await receive()
    whole = guard._patient(arriving.get)
    arriving.put_nowait({"type": "http.request", "body": b"{}"})
    await whole()
    asyncio.get_running_loop().call_later(0.1, arriving.put_nowait, {"type": "http.disconnect"})
    assert (await whole())["type"] == "http.disconnect"  # long after the body


@pytest.mark.parametrize("name", ["\u3164", "\u2800", "\u034f\ufe0f", "\u115f\u1160", "\u0301\u0301", "\u202e\u200b"])
def test_a_name_of_which_nothing_is_seen_is_none(name: str) -> None:
    with pytest.raises(Refuse, match="bad_name"):
        clean_name(name)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("\u0e01" + 20 * "\u0e47", "\u0e01" + 3 * "\u0e47"),
        ("a" + 10 * "\u20dd", "a" + 3 * "\u20dd"),
        ("\u0301Ana", "Ana"),
        ("\u0915\u094d\u0937\u093f", "\u0915\u094d\u0937\u093f"),
        ("Zé ❤\ufe0f", "Zé ❤\ufe0f"),
    ],
)
def test_a_name_stays_on_its_line(given: str, kept: str) -> None:
    assert clean_name(given) == kept


def test_only_an_address_is_drawn_as_a_code() -> None:
    with pytest.raises(Refuse, match="bad_message"):
        links.code_svg("http://" + 290 * "𝄞")


def test_a_file_of_the_page_is_kept_under_one_name(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("page")
    (tmp_path / "a.js").write_text("code")
    static = StaticPage(tmp_path)
    assert static.answer("/a.js", "", "").content == b"code"
    for spelling in ("/./a.js", "/././a.js", "/x/../a.js", "/.//a.js"):
        with pytest.raises(Refuse, match="not_found"):
            static.answer(spelling, "", "")
    assert list(static._files) == ["a.js"]


# ---- too much of everything ----


def test_playing_and_undoing_makes_no_time() -> None:
    logic = Logic(["here", "here"], clock=Clock(60, 5))
    for _ in range(10):
        logic.play(0, logic.moves(0)[0])
        logic.undo(0)
    logic.play(0, logic.moves(0)[0])
    assert logic.table.left[0] == 65_000
    logic.play(1, logic.moves(1)[0])
    logic.play(0, logic.moves(0)[0])
    assert logic.table.left == [70_000, 65_000]
    assert logic.rebuilt().left == logic.table.left


def test_one_table_does_not_fill_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "MOST_ASIDE", 5)
    logic = Logic(["here", "here"])
    for number in range(5):
        logic.ask(incoming.Rename(seat=0, name=f"n{number}"))
    for message in (incoming.Rename(seat=0, name="x"), incoming.Substitute(seat=0), incoming.Undo(seat=0, version=5)):
        with pytest.raises(Refuse, match=r"table_full .*5"):
            logic.ask(message)
    logic.play(0, logic.moves(0)[0])  # the game goes on
    monkeypatch.setattr(commands, "MOST_DECISIONS", 1)
    with pytest.raises(Refuse, match=r"table_full .*1"):
        logic.play(1, logic.moves(1)[0])
    logic.ask(incoming.Resign(seat=1))


def test_greetings_count_as_questions(tmp_path: Path) -> None:
    app = small_app(tmp_path / "t.db", Quick(), questions_per_minute=1)
    with TestClient(app) as client:
        with client.portal() as portal:
            created = portal.call(app.state.lobby.create, new_table("here", "here"))
        said = []
        for _ in range(2):
            with client.websocket_connect(f"/ws/tables/{created.table.id}") as guest:
                guest.send_json({"type": "hello"})
                said.append(guest.receive_json())
    assert said[0]["type"] == "welcome"
    assert said[1]["code"] == "too_fast"


@runs
async def test_nothing_is_saved_to_a_file_that_is_no_longer_there(tmp_path: Path) -> None:
    database, aside = tmp_path / "t.db", tmp_path / "aside.db"
    async with lobby_on(database) as lobby:
        created = await lobby.create(new_table("here", "here"))
        queue = await lobby.table(created.table.id)
        guest = await Guest.at(queue, *created.secrets)
        move = str(queue.table.game.public.legal_moves[0])
        database.rename(aside)
        assert (await guest.play(0, move))["code"] == "storage_failed"
        lay_out(database)
        assert (await guest.play(0, move))["code"] == "storage_failed"
        assert not await lobby._store.is_well()
        aside.rename(database)
        assert await lobby._store.is_well()
        assert (await guest.play(0, move))["type"] == "accepted"


@runs
async def test_nothing_is_saved_to_a_file_that_was_emptied(tmp_path: Path) -> None:
    database = tmp_path / "t.db"
    lay_out(database)
    store = await Store.open(str(database))
    assert await store.is_well()
    content = database.read_bytes()
    os.truncate(database, 0)
    assert not await store.is_well()
    database.write_bytes(content)
    await store.close()


@runs
async def test_a_table_that_was_deleted_does_not_go_on(tmp_path: Path) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        created = await lobby.create(new_table("here", "here"))
        queue = await lobby.table(created.table.id)
        guest = await Guest.at(queue, *created.secrets)
        with contextlib.closing(sqlite3.connect(tmp_path / "t.db")) as other:
            for table in ("events", "seats", "tables"):
                other.execute(f"DELETE FROM {table}")
            other.commit()
        answer = await guest.play(0, str(queue.table.game.public.legal_moves[0]))
        assert (answer["code"], answer["version"]) == ("storage_failed", 0)


# ---- connections ----


async def _answer(scope: Any, receive: Any, send: Any) -> None:
    """A request is answered, a socket is opened and listened to."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.4)
    monkeypatch.setattr(connections, "STUCK_SECONDS", 0.4)
    config = uvicorn.Config(_answer, http=Requests, ws=Sockets, lifespan="off", log_config=None)
    with listening(config) as port:
        yield port


def _opened(port: int, said: bytes = b"") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    connection.sendall(said)
    return connection


def _is_cut_off(connection: socket.socket) -> bool:
    try:
        return connection.recv(65536) == b""
    except ConnectionError:
        return True


@pytest.mark.parametrize("said", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\nX: "])
def test_a_request_that_never_comes_is_not_waited_for(port: int, said: bytes) -> None:
    with _opened(port, said) as connection:
        assert _is_cut_off(connection)


def test_requests_may_follow_each_other_slowly(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 5)  # more than one of them takes, less than all
    request = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    with _opened(port) as connection:
        for _ in range(3):
            connection.sendall(request[:9])
            time.sleep(1.8)
            connection.sendall(request[9:])
            answer = b""
            while not answer.endswith(b"ok"):
                answer += (more := connection.recv(65536))
                assert more


def test_who_pings_and_never_listens_is_cut_off(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 2.5)
    key = base64.b64encode(bytes(16)).decode()
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13"
    with _opened(port, f"GET / HTTP/1.1\r\nHost: x\r\n{upgrade}\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()) as guest:
        guest.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        assert guest.recv(4096).startswith(b"HTTP/1.1 101")
        time.sleep(2.7)  # no longer a request whose head is waited for
        pings = 400 * (b"\x89\xfd" + bytes(4) + 125 * b"x")
        with pytest.raises(ConnectionError):
            guest.sendall(2000 * pings)
