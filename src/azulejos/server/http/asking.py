"""What requests and sockets have in common: finding a table, and giving up what nobody waits for any more."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from azulejos.server.http.headers import address_of
from azulejos.server.http.rate_limits import key_of
from azulejos.server.http.refusals import AnyRequest
from azulejos.server.live.live_table import LiveTable
from azulejos.server.live.lobby import Lobby
from azulejos.server.rate_limit import RateLimit
from azulejos.server.tables.refusal import Refuse

Result = TypeVar("Result")
"""What somebody waits for."""


async def find_table(connection: ASGIConnection[Any, Any, Any, Any], table: str) -> LiveTable:
    """The table with this id; whoever has asked for many that there are not is kept from asking the database."""
    lobby: Lobby = connection.app.state.lobby
    unknown: RateLimit = connection.app.state.rate_limits["unknown"]
    key = key_of(address_of(connection.scope))
    if table not in lobby and unknown.is_used_up(key):
        raise Refuse("too_fast")
    try:
        return await lobby.table(table)
    except Refuse as refuse:
        if refuse.refusal.code == "unknown_table":
            unknown.take(key)
        raise


async def one_by_one(connection: ASGIConnection[Any, Any, Any, Any], _handler: BaseRouteHandler) -> None:
    """A guard for a route with large bodies: however many come at once, the loop goes round before the next is read."""
    async with connection.app.state.large_bodies:
        await asyncio.sleep(0)


async def unless_gone(request: AnyRequest, work: Coroutine[Any, Any, Result]) -> Result:
    """What work gives; it is given up when the client goes away."""
    working = asyncio.create_task(work)
    going = asyncio.create_task(_gone(request))
    try:
        await asyncio.wait([working, going], return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Refuse("busy")  # which nobody reads
        return working.result()
    finally:
        working.cancel()
        going.cancel()


async def _gone(request: AnyRequest) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
