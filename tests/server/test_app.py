"""The whole application over HTTP: routes, refusals, headers, limits."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar
from litestar.exceptions import WebSocketDisconnect
from litestar.testing import TestClient
from sqlalchemy.exc import OperationalError

from azulejos.game.game import Game
from azulejos.game.reader import read_record
from azulejos.server import metrics
from azulejos.server.http import rate_limits
from azulejos.server.http.app import make_app
from azulejos.server.http.guard import MOST_BODY
from azulejos.server.rate_limit import RateLimit
from azulejos.server.settings import Settings
from tests.patience import PATIENCE

BASE = "http://127.0.0.1:8421"
POSITION = Game(seed=1, starter=0).position
TWO_HERE = {"seats": [{"kind": "here", "name": "Ana"}, {"kind": "here", "name": "Rui"}]}
Client = TestClient[Litestar]


OPERATOR = {"authorization": "Bearer figures"}


def settings_for(folder: Path, **more: Any) -> Settings:
    static = folder / "static"
    static.mkdir(exist_ok=True)
    (static / "index.html").write_text("<!doctype html><title>page</title>")
    none = ("tables_per_minute", "questions_per_minute", "messages_per_second")
    values: dict[str, Any] = dict.fromkeys(none, 0) | {"workers": 1, "metrics_token": "figures"} | more
    return Settings(database=str(folder / "tables.db"), static=str(static), **values)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    settings = settings_for(tmp_path_factory.mktemp("app"))
    with TestClient(make_app(settings), base_url=BASE, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def table(client: Client) -> dict[str, Any]:
    created: dict[str, Any] = client.post("/api/tables", json=TWO_HERE).json()
    return created


def play(client: Client, created: dict[str, Any], moves: int) -> dict[str, Any]:
    """Play so many first legal moves, or to the end, and the last thing that the server said."""
    with client.websocket_connect(f"/ws/tables/{created['table']['id']}") as socket:
        socket.send_json({"type": "hello", "secrets": created["secrets"]})
        now = socket.receive_json()
        for _ in range(moves):
            if not now["waiting"]:
                break
            move = now["position"]["options"][0]["move"]
            socket.send_json({"type": "play", "seat": now["waiting"][0], "version": now["version"], "move": move})
            now = next(said for said in iter(socket.receive_json, None) if said["type"] in ("event", "refused"))
            assert now["type"] == "event", now
        result: dict[str, Any] = now
        return result


# --- what can be asked


def test_a_new_table_has_a_secret_for_every_person(client: Client) -> None:
    seats = [{"kind": "here"}, {"kind": "friend", "name": " Ana\u202e "}, {"kind": "computer", "level": 3}]
    answer = client.post("/api/tables", json={"seats": seats, "wall": "gray"})
    assert answer.status_code == 201
    created = answer.json()
    assert [secret is None for secret in created["secrets"]] == [False, False, True]
    assert all(len(secret) == 32 for secret in created["secrets"][:2])
    assert created["table"]["seats"][1]["name"] == "Ana"
    shown = client.get(f"/api/tables/{created['table']['id']}")
    assert shown.json()["table"]["commitment"] == created["table"]["commitment"]
    assert all(secret not in shown.text for secret in created["secrets"][:2])
    assert '"secret"' not in shown.text


def test_records_of_a_game_that_goes_on(client: Client, table: dict[str, Any]) -> None:
    name = table["table"]["id"]
    play(client, table, 5)
    text = client.get(f"/api/tables/{name}/record.azul")
    assert text.headers["content-type"] == "text/plain; charset=utf-8"
    assert text.headers["content-disposition"] == f'attachment; filename="azulejos-{name}.azul"'
    record = read_record(text.text)
    assert record.names == ("Ana", "Rui")
    assert "DealSecret" not in record.tags
    assert read_record(client.get(f"/api/tables/{name}/record.json").text) == record


def test_a_finished_game_is_in_the_list_and_its_deals_can_be_checked(client: Client, table: dict[str, Any]) -> None:
    name = table["table"]["id"]
    end = play(client, table, 500)
    assert end["table"]["result"]["reason"] == "row"
    record = read_record(client.get(f"/api/tables/{name}/record.azul").text)  # reading checks the deals too
    assert record.tags["DealSecret"] == end["table"]["secret"]
    newest = client.get("/api/games?limit=1").json()
    assert [game["id"] for game in newest] == [name]
    assert newest[0]["names"] == ["Ana", "Rui"]
    assert client.get("/api/games", params={"before": name}).json() == []
    assert record.result == tuple(end["table"]["result"]["scores"])


def test_a_code_is_a_picture(client: Client) -> None:
    answer = client.post("/api/code", json={"link": "http://192.168.1.7:8421/t/x#" + 32 * "a"})
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.content.startswith(b"<svg")
    assert b"script" not in answer.content


def test_an_event_is_counted_as_told_when_the_last_socket_has_it(client: Client, table: dict[str, Any]) -> None:
    def counted() -> tuple[float, float]:
        return metrics.TOLD_SECONDS._sum.get(), sum(bucket.get() for bucket in metrics.TOLD_SECONDS._buckets)

    address = f"/ws/tables/{table['table']['id']}"
    with client.websocket_connect(address) as watcher:
        watcher.send_json({"type": "hello"})
        watcher.receive_json()
        seconds, before = counted()
        play(client, table, 3)
        for _ in range(3):
            while watcher.receive_json()["type"] != "event":
                pass
    until = time.monotonic() + PATIENCE
    while counted()[1] < before + 3 and time.monotonic() < until:  # the server counts after it has written
        time.sleep(0.01)
    assert counted()[1] == before + 3
    assert counted()[0] > seconds
    printed = metrics.printed().decode()
    for queue in ("table", "work", "store"):
        assert f"azulejos_{queue}_queue 0.0" in printed


def test_health_and_metrics(client: Client) -> None:
    assert client.get("/health").json()["status"] == "ok"
    printed = client.get("/metrics", headers=OPERATOR).text
    for name in ("tables_live", "sockets", "moves_total", "refusals_total", "bot_seconds", "commit_seconds"):
        assert f"azulejos_{name}" in printed, name


# --- what is refused

REFUSED: dict[str, tuple[str, str, Any, int, str]] = {
    "no such table": ("GET", "/api/tables/nope", None, 404, "unknown_table"),
    "a very long name of a table": ("GET", "/api/tables/" + "x" * 3000, None, 404, "unknown_table"),
    "no record of no table": ("GET", "/api/tables/nope/record.azul", None, 404, "unknown_table"),
    "no such address": ("GET", "/api/nope", None, 404, "not_found"),
    "no such file": ("GET", "/assets/nope.js", None, 404, "not_found"),
    "another method": ("DELETE", "/api/tables", None, 405, "method_not_allowed"),
    "no JSON": ("POST", "/api/tables", b"{", 400, "bad_message"),
    "nothing": ("POST", "/api/tables", b"", 400, "bad_message"),
    "no seats": ("POST", "/api/tables", {"seats": []}, 400, "bad_message"),
    "five seats": ("POST", "/api/tables", {"seats": [{"kind": "here"}] * 5}, 400, "bad_message"),
    "another field": ("POST", "/api/tables", {**TWO_HERE, "seed": 1}, 400, "bad_message"),
    "level 0": ("POST", "/api/tables", {"seats": [{"kind": "computer", "level": 0}] * 2}, 400, "bad_message"),
    "level 99": ("POST", "/api/tables", {"seats": [{"kind": "computer", "level": 99}] * 2}, 400, "bad_message"),
    "half a level": ("POST", "/api/tables", {"seats": [{"kind": "computer", "level": 8.5}] * 2}, 400, "bad_message"),
    "a long name": ("POST", "/api/tables", {"seats": [{"kind": "here", "name": "x" * 25}] * 2}, 400, "bad_message"),
    "an invisible name": ("POST", "/api/tables", {"seats": [{"kind": "here", "name": "\u202e"}] * 2}, 400, "bad_name"),
    "a starter who is not there": ("POST", "/api/tables", {**TWO_HERE, "starter": 3}, 400, "bad_seats"),
    "a clock that cannot be": ("POST", "/api/tables", {**TWO_HERE, "clock": {"seconds": -1}}, 400, "bad_clock"),
    "too many games": ("GET", "/api/games?limit=1000", None, 400, "bad_message"),
    "games by letters": ("GET", "/api/games?limit=x", None, 400, "bad_message"),
    "a link that is none": ("POST", "/api/code", {"link": "javascript:alert(1)"}, 400, "bad_message"),
    "too much": ("POST", "/api/code", b'"' + b"x" * MOST_BODY + b'"', 413, "too_large"),
}


@pytest.mark.parametrize(("method", "path", "body", "status", "code"), REFUSED.values(), ids=REFUSED)
def test_refusals_have_a_code(client: Client, method: str, path: str, body: Any, status: int, code: str) -> None:
    content = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
    answer = client.request(method, path, content=content, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["cache-control"] == "no-store"


def test_an_error_of_ours_is_told_without_details(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the innermost thing")

    monkeypatch.setattr("azulejos.server.http.links.code_svg", fail)
    answer = client.post("/api/code", json={"link": "http://192.168.1.7:8421/t/x"})
    assert (answer.status_code, answer.json()) == (500, {"code": "internal"})


def test_a_failing_database_is_told_as_such(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise OperationalError("SELECT", {}, Exception("disk I/O error"))

    monkeypatch.setattr(client.app.state.store, "past_games", fail)
    answer = client.get("/api/games")
    assert (answer.status_code, answer.json()) == (503, {"code": "storage_failed"})


# --- headers, origins, limits


@pytest.mark.parametrize(
    "path", ["/", "/t/abc", "/api/games", "/api/nope", "/assets/nope.js", "/schema/openapi.json", "/health"]
)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "OPTIONS"])
def test_every_answer_has_the_headers(client: Client, method: str, path: str) -> None:
    answer = client.request(method, path)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy  # the page compiles its rules, and evaluates nothing else
    assert policy.count("unsafe") == 1
    assert "connect-src 'self' ws://127.0.0.1:8421 wss://127.0.0.1:8421;" in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "cache-control" in answer.headers
    assert "access-control-allow-origin" not in answer.headers


def test_a_foreign_page_can_make_nothing(client: Client) -> None:
    foreign = {"origin": "https://evil.example"}
    answer = client.post("/api/tables", json=TWO_HERE, headers=foreign)
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_origin")
    assert client.post("/api/tables", json=TWO_HERE, headers={"origin": BASE}).status_code == 201
    assert client.get("/", headers={"host": "evil.example"}).json()["code"] == "wrong_origin"


def test_a_foreign_page_gets_no_socket(client: Client, table: dict[str, Any]) -> None:
    path = f"/ws/tables/{table['table']['id']}"
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(path, headers={"origin": "https://evil.example"}) as socket,
    ):
        socket.receive_json()
    with client.websocket_connect(path, headers={"origin": BASE}) as socket:
        socket.send_json({"type": "hello"})
        assert socket.receive_json()["type"] == "welcome"


def test_one_address_may_only_ask_so_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "RateLimit", partial(RateLimit, clock=lambda: 0.0))  # a minute is not over
    settings = settings_for(tmp_path, tables_per_minute=2, questions_per_minute=3)
    with TestClient(make_app(settings), base_url=BASE) as client:
        made = [client.post("/api/tables", json=TWO_HERE).status_code for _ in range(3)]
        assert made == [201, 201, 429]
        assert [client.get("/api/games").status_code for _ in range(4)] == [200, 200, 200, 429]
        assert client.get("/api/games").json() == {"code": "too_fast"}
        assert client.get("/health").status_code == 200
        assert 'azulejos_refusals_total{code="too_fast"}' in client.get("/metrics", headers=OPERATOR).text


def test_one_address_may_only_hold_so_many_sockets(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, sockets_per_address=1)
    with TestClient(make_app(settings), base_url=BASE) as client:
        path = f"/ws/tables/{client.post('/api/tables', json=TWO_HERE).json()['table']['id']}"
        with client.websocket_connect(path) as first:
            with client.websocket_connect(path) as second:
                assert second.receive_json() == {"type": "refused", "code": "too_fast"}
            first.send_json({"type": "hello"})
            assert first.receive_json()["type"] == "welcome"
        deadline = time.monotonic() + PATIENCE
        while not _is_welcome(client, path):  # the first one leaves in its own time
            assert time.monotonic() < deadline


def _is_welcome(client: Client, path: str) -> bool:
    with client.websocket_connect(path) as socket:
        socket.send_json({"type": "hello"})
        return bool(socket.receive_json()["type"] == "welcome")


def test_a_full_house_makes_no_more_tables(tmp_path: Path) -> None:
    with TestClient(make_app(settings_for(tmp_path, most_tables=1)), base_url=BASE) as client:
        assert client.post("/api/tables", json=TWO_HERE).status_code == 201
        answer = client.post("/api/tables", json=TWO_HERE)
        assert (answer.status_code, answer.json()["code"]) == (503, "too_many_tables")
