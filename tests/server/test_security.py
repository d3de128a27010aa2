"""Origins, hosts, names, and logs without secrets."""

from __future__ import annotations

import io
import json
import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejos.game.record import Record
from azulejos.server import logs
from azulejos.server.http.headers import check_origin
from azulejos.server.rate_limit import RateLimit
from azulejos.server.settings import Settings
from azulejos.server.tables.names import clean_name
from azulejos.server.tables.refusal import Refuse

LOCAL = Settings()
PUBLIC = Settings(public_url="https://tiles.example")
LAN = Settings(host="0.0.0.0")


def scope(kind: str = "websocket", method: str = "POST", **headers: str) -> dict[str, Any]:
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": kind, "method": method, "headers": pairs}


@pytest.mark.parametrize("kind", ["websocket", "http"])
@pytest.mark.parametrize(
    ("settings", "headers"),
    [
        (LOCAL, {"host": "127.0.0.1:8421"}),
        (LOCAL, {"host": "127.0.0.1:8421", "origin": "http://127.0.0.1:8421"}),
        (LOCAL, {"host": "localhost:8421", "origin": "http://localhost:8421"}),
        (LOCAL, {"host": "[::1]:8421", "origin": "http://[::1]:8421"}),
        (PUBLIC, {"host": "tiles.example", "origin": "https://tiles.example"}),
        (PUBLIC, {"host": "127.0.0.1:8421", "origin": "https://tiles.example"}),
        (LAN, {"host": "192.168.1.7:8421", "origin": "http://192.168.1.7:8421"}),
        (LAN, {"host": "my-laptop.local:8421", "origin": "http://my-laptop.local:8421"}),
    ],
)
def test_our_own_page_and_programs_are_let_in(settings: Settings, headers: dict[str, str], kind: str) -> None:
    check_origin(scope(kind, **headers), settings)


@pytest.mark.parametrize("kind", ["websocket", "http"])
@pytest.mark.parametrize(
    ("settings", "headers"),
    [
        (LOCAL, {"host": "127.0.0.1:8421", "origin": "https://evil.example"}),
        (LOCAL, {"host": "127.0.0.1:8421", "origin": "http://127.0.0.1:9000"}),
        (LOCAL, {"host": "127.0.0.1:8421", "origin": "null"}),
        (LOCAL, {"host": "127.0.0.1:8421", "origin": ""}),
        (LOCAL, {"host": "127.0.0.1:99999", "origin": "null"}),
        (LOCAL, {"host": "127.0.0.1:8421", "origin": "file://"}),
        (LOCAL, {"host": "127.0.0.1:8421", "origin": "http://127.0.0.1:8421.evil.example"}),
        (LOCAL, {"host": "evil.example", "origin": "http://evil.example"}),  # a name that points at this machine
        (LOCAL, {"host": "tiles.example", "origin": "https://tiles.example"}),
        (LOCAL, {}),
        (LOCAL, {"host": "a b"}),
        (LAN, {"host": "192.168.1.7:8421", "origin": "http://192.168.1.8:8421"}),
        (LAN, {"host": "x; script-src *", "origin": "http://x"}),
        (LOCAL, {"host": "127.0.0.1:8421", "sec_fetch_site": "cross-site"}),
    ],
)
def test_other_pages_are_not(settings: Settings, headers: dict[str, str], kind: str) -> None:
    with pytest.raises(Refuse, match="wrong_origin"):
        check_origin(scope(kind, **headers), settings)


def test_reading_needs_no_origin() -> None:
    check_origin(scope("http", "GET", host="127.0.0.1:8421", origin="https://other.example"), LOCAL)


@pytest.mark.parametrize(
    ("given_name", "kept"),
    [
        ("Ana", "Ana"),
        ("  João\tdos \n Santos ", "João dos Santos"),
        ("e\u0301", "é"),
        ("a\u202eb\u2066c\u200bd\u0000e\x7f", "abcde"),
        ("Z" + "\u0335" * 20, "Z" + "\u0335" * 3),
        ("<script>", "<script>"),
        ("陽子", "陽子"),
        ("", ""),
    ],
)
def test_names_are_cleaned(given_name: str, kept: str) -> None:
    assert clean_name(given_name) == kept


@pytest.mark.parametrize("name", ["\u202e", "x" * 25, "\u200b\u200b"])
def test_names_that_cannot_be_are_refused(name: str) -> None:
    with pytest.raises(Refuse, match="bad_name"):
        clean_name(name)


@given(st.text(max_size=30))
def test_a_cleaned_name_stays_clean_and_fits_a_record(text: str) -> None:
    try:
        name = clean_name(text)
    except Refuse:
        return
    assert len(name) <= 24
    assert clean_name(name) == name
    Record("std", (name, "b"), (), None)


def test_no_limit_means_none() -> None:
    allowance = RateLimit(0, 1.0)
    assert all(allowance.take("a") for _ in range(1000))


@pytest.mark.parametrize("as_json", [False, True])
def test_logs_hide_what_looks_like_a_secret(as_json: bool) -> None:
    stream = io.StringIO()
    root = logging.getLogger()
    before = root.handlers[:], root.level
    try:
        logs.set_up(as_json=as_json, stream=stream)
        secret = "Ab3_-" * 6 + "xy"
        logging.getLogger("x").info("hello %s", secret, extra={"link": f"http://h/t/1#{secret}", "ms": 3})
        try:
            raise ValueError(secret)
        except ValueError:
            logging.getLogger("x").exception("oh")
    finally:
        root.handlers[:], root.level = before
    said = stream.getvalue()
    assert secret not in said
    assert said.count("(secret)") >= 3
    if as_json:
        first, second = map(json.loads, said.splitlines())
        assert (first["level"], first["ms"], second["level"]) == ("info", 3, "error")
