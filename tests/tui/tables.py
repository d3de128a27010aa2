"""Tables on a real server, to sit down at."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx

from azulejos.tui.table.link import read_link
from azulejos.tui.table.remote import RemoteTable
from tests.patience import PATIENCE
from tests.server.live import Live, free_port, live_server

Restart = Callable[[], Awaitable[None]]


def links_of(server: Live, *kinds: str, **more: Any) -> list[str]:
    """Links to the seats of a new table; a kind is a person's name, or the level of a computer."""
    seats = [
        {"kind": "computer", "level": int(kind)} if kind.isdigit() else {"kind": "friend", "name": kind}
        for kind in kinds
    ]
    answer = httpx.post(f"{server.url}/api/tables", json={"seats": seats, "starter": 0, **more}, timeout=PATIENCE)
    assert answer.status_code == 201, answer.text
    created = answer.json()
    return [f"{server.url}/t/{created['table']['id']}#{secret}" for secret in created["secrets"] if secret]


async def opened(link: str) -> RemoteTable:
    table = RemoteTable(read_link(link))
    await table.open()
    return table


async def emptied(table: RemoteTable) -> None:
    """What nobody shows has to be taken, or it is nobody's turn."""
    while table._changes:
        await table.next()


async def until_turn(table: RemoteTable) -> None:
    """What others did may still be on its way."""
    async with asyncio.timeout(PATIENCE):
        while not table.turn:
            await emptied(table)
            await asyncio.sleep(0.01)


def play_through_a_restart(play: Callable[[Live, Restart], Awaitable[None]], before: Path, after: Path) -> None:
    """Play at a server that is killed meanwhile, and started again with what is in another folder."""
    port = free_port()
    with live_server(before, workers="1", port=port) as live:
        again = live_server(after, workers="1", port=port)

        async def restart() -> None:
            await asyncio.to_thread(again.__enter__)

        async def whole() -> None:
            await play(live, restart)

        try:
            asyncio.run(whole())
        finally:
            again.__exit__(None, None, None)
