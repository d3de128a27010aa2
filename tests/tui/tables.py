"""Tables on a real server, to sit down at."""

from __future__ import annotations

from typing import Any

import httpx

from azulejos.tui.link import read_link
from azulejos.tui.remote import RemoteTable
from tests.server.live import Live


def links_of(server: Live, *kinds: str, **more: Any) -> list[str]:
    """Links to the seats of a new table; a kind is a person's name, or the level of a computer."""
    seats = [
        {"kind": "computer", "level": int(kind)} if kind.isdigit() else {"kind": "friend", "name": kind}
        for kind in kinds
    ]
    answer = httpx.post(f"{server.url}/api/tables", json={"seats": seats, "starter": 0, **more}, timeout=60)
    assert answer.status_code == 201, answer.text
    created = answer.json()
    return [f"{server.url}/t/{created['table']['id']}#{secret}" for secret in created["secrets"] if secret]


async def opened(link: str) -> RemoteTable:
    table = RemoteTable(read_link(link))
    await table.open()
    return table
