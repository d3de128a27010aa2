"""A seat from a server's lobby, in the terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import httpx
import pytest

from azulejos.tui.table.lobby import take_seat
from azulejos.tui.table.remote import RemoteTable
from tests.patience import PATIENCE
from tests.server.live import Live, live_server

OPEN = {"seats": [{"kind": "here", "name": "Ana"}, {"kind": "friend"}], "open": True}


@pytest.fixture(scope="module")
def lobby(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live_server(tmp_path_factory.mktemp("lobby"), "--lobby", workers="1") as live:
        yield live


def test_the_table_that_waited_for_longest_is_taken_first(lobby: Live) -> None:
    made = [httpx.post(f"{lobby.url}/api/tables", json=OPEN, timeout=PATIENCE).json() for _ in range(2)]

    async def names_at_the_seat() -> list[str]:
        link = take_seat(f"{lobby.url}/lobby", "Eva")
        assert (link.table, str(link)) == (made[0]["table"]["id"], f"{lobby.url}/t/{link.table}#{link.secrets[0]}")
        table = RemoteTable(link)
        await table.open()
        assert list(table.own_seats) == [1]
        names = list(table.names)
        table.close()
        return names

    assert asyncio.run(names_at_the_seat()) == ["Ana", "Eva"]
    # The list may still say that the seat is free: the next one is taken then.
    assert take_seat(f"{lobby.url}/lobby", "Max").table == made[1]["table"]["id"]


def test_no_lobby_and_no_server(server: Live) -> None:
    with pytest.raises(ValueError, match="that server has no lobby"):
        take_seat(f"{server.url}/lobby", "Eva")
    with pytest.raises(ValueError, match=r"cannot ask http://127\.0\.0\.1:9/api/lobby: "):
        take_seat("http://127.0.0.1:9/lobby", "Eva")
    with pytest.raises(ValueError, match="expected http://HOST:PORT/lobby"):
        take_seat("ftp://127.0.0.1/lobby", "Eva")
