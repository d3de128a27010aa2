"""How much one stranger, or all of them together, may ask for; and that nobody else waits for it."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import litestar.utils.sync
import pytest
import uvicorn
from litestar.testing import TestClient

from azulejos.server import rate_limit
from azulejos.server.http import rate_limits
from azulejos.server.http.app import make_app
from azulejos.server.http.asking import one_by_one, unless_gone
from azulejos.server.http.connections import Doors, Requests, Sockets
from azulejos.server.process import LoopComplaints
from azulejos.server.rate_limit import RateLimit
from azulejos.server.settings import Settings
from azulejos.server.tables.refusal import Refuse
from azulejos.server.work import Work
from tests.patience import PATIENCE
from tests.server.standins import lay_out, lobby_on, new_table, runs
from tests.server.threads import listening

BASE = "http://127.0.0.1"
TWO_HERE = {"seats": [{"kind": "here"}, {"kind": "here"}]}


def app_on(folder: Path, **settings: Any) -> Any:
    lay_out(folder / "t.db")
    return make_app(Settings(database=str(folder / "t.db"), workers=1, **settings))


# ---- who asks how often ----


def test_memory_is_bounded_without_forgetting_who_has_just_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "MOST_KEYS", 3)
    limit = RateLimit(1, 60.0, clock=lambda: 0.0)
    assert limit.take("busy")
    for other in "abcdefgh":
        assert limit.take(other)
        assert not limit.take("busy")
    assert len(limit._tokens) == 3


def test_no_guard_needs_a_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a thread was asked for")

    with TestClient(app_on(tmp_path), base_url=BASE) as client:
        monkeypatch.setattr(litestar.utils.sync, "sync_to_thread", refuse)
        made = client.post("/api/tables", json=TWO_HERE)
        assert made.status_code == 201
        path = f"/api/tables/{made.json()['table']['id']}"
        for asked in ("/api/games", path, f"{path}/record.azul", f"{path}/record.json", "/health", "/"):
            assert client.get(asked).status_code in (200, 503), asked
        assert client.post("/api/code", json={"link": "http://127.0.0.1/"}).status_code == 200


def test_whoever_guesses_links_is_not_let_near_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "RateLimit", lambda *given: RateLimit(*given, clock=lambda: 0.0))
    with TestClient(app_on(tmp_path, unknown_per_minute=2), base_url=BASE) as client:
        known = client.post("/api/tables", json=TWO_HERE).json()["table"]["id"]
        guesses = [client.get(f"/api/tables/none{number}").status_code for number in range(4)]
        assert guesses == [404, 404, 429, 429]
        with client.websocket_connect("/ws/tables/none") as guest:
            assert guest.receive_json()["code"] == "too_fast"
        assert client.get(f"/api/tables/{known}").status_code == 200  # a table in use is anybody's


def test_codes_have_a_limit_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "CODES_PER_MINUTE", 1)
    monkeypatch.setattr(rate_limits, "RateLimit", lambda *given: RateLimit(*given, clock=lambda: 0.0))
    with TestClient(app_on(tmp_path), base_url=BASE) as client:
        asked = [client.post("/api/code", json={"link": "http://127.0.0.1/"}).status_code for _ in range(2)]
    assert asked == [200, 429]


def test_the_sockets_of_an_address_share_a_pace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "RateLimit", lambda *given: RateLimit(*given, clock=lambda: 0.0))
    monkeypatch.setattr(rate_limits, "SOCKETS_AT_FULL_PACE", 1)
    with TestClient(app_on(tmp_path, messages_per_second=6), base_url=BASE) as client:
        path = f"/ws/tables/{client.post('/api/tables', json=TWO_HERE).json()['table']['id']}"
        with client.websocket_connect(path) as one, client.websocket_connect(path) as other:
            answers = []
            for guest in (one, other) * 4:
                guest.send_json({"type": "ping"})
                answers.append(guest.receive_json().get("code", "pong"))
    assert answers == 6 * ["pong"] + 2 * ["too_fast"]


# ---- what takes long ----


@runs
async def test_only_so_much_work_waits_and_what_nobody_waits_for_is_never_begun() -> None:
    work, begun, go_on = Work(most_waiting=2), [], threading.Event()

    def first() -> None:
        begun.append("first")
        go_on.wait(PATIENCE)

    one = asyncio.create_task(work.do(first))
    two = asyncio.create_task(work.do(lambda: begun.append("two")))
    await asyncio.sleep(0)
    with pytest.raises(Refuse, match="busy"):
        await work.do(lambda: begun.append("three"))
    two.cancel()
    await asyncio.gather(two, return_exceptions=True)
    go_on.set()
    await one
    await work.do(lambda: begun.append("four"))
    assert begun == ["first", "four"]
    work.close()


@runs
async def test_tables_of_those_who_come_back_wait_for_no_strangers() -> None:
    work, begun, go_on = Work(most_waiting=3), list[str](), threading.Event()
    blocking = asyncio.create_task(work.do(lambda: go_on.wait(PATIENCE)))
    strangers = [asyncio.create_task(work.do(partial(begun.append, name))) for name in ("a stranger", "another")]
    await asyncio.sleep(0)
    with pytest.raises(Refuse, match="busy"):
        await work.do(partial(begun.append, "one more"))
    gives_up, *returning = [asyncio.create_task(work.do_first(partial(begun.append, f"table {at}"))) for at in range(3)]
    await asyncio.sleep(0)
    gives_up.cancel()
    go_on.set()
    await asyncio.gather(blocking, *strangers, *returning)
    assert begun == ["table 1", "table 2", "a stranger", "another"]
    await work.do(partial(begun.append, "last"))  # the thread was passed on by everybody
    work.close()


@runs
async def test_tables_are_loaded_among_what_goes_first(tmp_path: Path) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        created = await lobby.create(new_table("here", "here"))
    async with lobby_on(tmp_path / "t.db") as lobby:
        go_on = threading.Event()
        stranger = asyncio.create_task(lobby.work.do(lambda: go_on.wait(PATIENCE)))
        await asyncio.sleep(0)
        loading = asyncio.create_task(lobby.table(created.table.id))
        async with asyncio.timeout(PATIENCE / 2):
            while not lobby.work._first.turns:
                await asyncio.sleep(0.01)
        go_on.set()
        await asyncio.gather(loading, stranger)


@runs
async def test_large_bodies_are_read_one_in_a_round_of_the_loop() -> None:
    connection: Any = SimpleNamespace(app=SimpleNamespace(state=SimpleNamespace(large_bodies=asyncio.Lock())))
    loop, rounds, read_in = asyncio.get_running_loop(), 0, list[int]()

    def go_round() -> None:
        nonlocal rounds
        rounds += 1
        loop.call_soon(go_round)

    async def read() -> None:
        await one_by_one(connection, SimpleNamespace())  # type: ignore[arg-type]
        read_in.append(rounds)

    go_round()
    await asyncio.gather(*(read() for _ in range(20)))
    assert len(set(read_in)) == 20


@runs
async def test_work_is_given_up_when_the_client_has_gone() -> None:
    arriving = asyncio.Queue[Any]()
    request: Any = SimpleNamespace(receive=arriving.get)
    given_up = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.sleep(PATIENCE)
        except asyncio.CancelledError:
            given_up.set()
            raise

    asyncio.get_running_loop().call_later(0.01, arriving.put_nowait, {"type": "http.disconnect"})
    with pytest.raises(Refuse, match="busy"):
        await unless_gone(request, work())
    await asyncio.wait_for(given_up.wait(), PATIENCE)
    assert await unless_gone(request, asyncio.sleep(0, "done")) == "done"


# ---- connections ----


def transport(address: str) -> Any:
    return SimpleNamespace(get_extra_info=lambda _: (address, 1))


def test_connections_are_counted_by_address_and_in_all() -> None:
    doors = Doors(Settings(connections_per_address=2, most_connections=4, trusted_proxies=("10.0.0.0/8",)))
    leave = doors.let_in(transport("2001:db8::1"))
    assert leave
    assert doors.let_in(transport("2001:db8::2"))
    assert not doors.let_in(transport("2001:db8::3"))  # of the same network
    assert doors.let_in(transport("10.1.1.1"))
    assert doors.let_in(transport("10.1.1.1"))
    assert not doors.let_in(transport("192.0.2.1"))  # all are taken
    leave()
    assert doors.let_in(transport("2001:db8::3"))


@pytest.fixture
def port() -> Iterator[int]:
    async def answer(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            await receive()
            return
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})

    doors = Doors(Settings(connections_per_address=2))
    requests: Any = lambda **given: Requests(doors=doors, **given)  # noqa: E731
    with listening(uvicorn.Config(answer, http=requests, ws=Sockets, lifespan="off", log_config=None)) as port:
        yield port


UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


def said(port: int, request: bytes) -> tuple[socket.socket, bytes]:
    connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    try:
        connection.sendall(request)
        return connection, connection.recv(4096)
    except ConnectionError:
        return connection, b""


def test_a_connection_too_many_is_cut_off_and_a_place_comes_free(port: int) -> None:
    request = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    first, answer = said(port, request)
    assert answer.startswith(b"HTTP/1.1 200")
    second, answer = said(port, UPGRADE)
    assert answer.startswith(b"HTTP/1.1 101")
    third, answer = said(port, request)
    assert answer == b""
    for connection in (first, third):
        connection.close()
    second.close()  # a socket's place comes free as a request's does
    deadline = time.monotonic() + PATIENCE
    free: list[socket.socket] = []
    while len(free) < 2:
        assert time.monotonic() < deadline
        connection, answer = said(port, request)
        if answer:
            free.append(connection)
        else:
            connection.close()
    for connection in free:
        with closing(connection):
            pass


# ---- the process ----


def test_as_many_files_as_the_system_grants_may_be_open() -> None:
    code = (
        "import resource; _, hard = resource.getrlimit(resource.RLIMIT_NOFILE); "
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard)); "
        "from azulejos.server.process import FILES, raise_file_limit; "
        "assert raise_file_limit() == resource.getrlimit(resource.RLIMIT_NOFILE)[0] == min(FILES, hard)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=PATIENCE)


def test_a_server_that_has_everything_loaded_has_short_pauses() -> None:
    code = (
        "import gc, sys; from azulejos.server.process import SWITCH_SECONDS, YOUNG, settle; settle(); "
        "assert gc.get_freeze_count() > 1000 and gc.get_threshold()[0] == YOUNG; "
        "assert abs(sys.getswitchinterval() - SWITCH_SECONDS) < 1e-6"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=PATIENCE)


@runs
async def test_connections_that_cannot_be_accepted_are_logged_once_a_second(caplog: pytest.LogCaptureFixture) -> None:
    now = 0.0
    complain = LoopComplaints(clock=lambda: now)
    loop = asyncio.get_running_loop()
    fault = {
        "message": "socket.accept() out of system resource",
        "exception": OSError(errno.EMFILE, "Too many open files"),
    }
    with caplog.at_level(logging.ERROR):
        for _ in range(1000):
            complain(loop, fault)
        now = 1.0
        complain(loop, fault)
        complain(loop, {"message": "something else"})
    told = [record.getMessage() for record in caplog.records]
    assert told == [
        "a connection cannot be accepted: Too many open files",
        "a connection cannot be accepted: Too many open files (999 times more)",
        "something else",
    ]
