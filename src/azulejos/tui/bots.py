"""Computer players at tables on a server: any number at once, each with a player of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass

from azulejos.players.player import Limits, PlayerFailed, begin
from azulejos.players.registry import is_of_others, make
from azulejos.server.tables.info import Result
from azulejos.server.tables.names import clean_name
from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.setup import LONGEST_NAME
from azulejos.tui.table.bot import BotTable
from azulejos.tui.table.link import Link
from azulejos.tui.table.local import THINKING
from azulejos.tui.table.table import NotAllowed


@dataclass(frozen=True, slots=True)
class BotGame:
    """How it went at one table."""

    link: Link
    """Where it was; never to be shown with its secrets."""
    seats: Sequence[int] = ()
    """The seats that the player had."""
    result: Result | None = None
    """How the game ended, if it did."""
    fault: str = ""
    """Why it was not played to the end."""

    @property
    def address(self) -> str:
        """The table, as somebody without a seat may know it."""
        return f"{self.link.origin}/t/{self.link.table}"

    @property
    def has_won(self) -> bool:
        """Whether a seat of the player has won, perhaps with others."""
        return self.result is not None and not set(self.seats).isdisjoint(self.result.winners)


@asynccontextmanager
async def seated(link: Link, spec: str, *, seed: int = 0, limits: Limits = THINKING) -> AsyncIterator[BotTable]:
    """A table at which a player has taken the seats of a link, under its own name."""
    player = await asyncio.to_thread(make, spec, seed)
    begin(player, seed)
    table = BotTable(link, player, _name_for(player.name if is_of_others(spec) else spec), limits)
    try:
        await table.open()
        yield table
    finally:
        table.close()
        await asyncio.to_thread(player.close)


def _name_for(name: str) -> str:
    """A name as a server takes it."""
    try:
        return clean_name(name[:LONGEST_NAME]) or "?"
    except Refuse:
        return "?"


async def play_tables(
    links: Sequence[Link],
    spec: str,
    *,
    seed: int = 0,
    limits: Limits = THINKING,
    done: Callable[[BotGame], None] = lambda _: None,
    note: Callable[[Link, str], None] = lambda _link, _note: None,
) -> list[BotGame]:
    """Play at all these tables to the end; `done` is told of each as it ends, and `note` of what keeps one waiting."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(len(links) + 1))  # all may think at once

    async def play(link: Link, own_seed: int) -> BotGame:
        game = await _play(link, spec, own_seed, limits, note)
        done(game)
        return game

    return await asyncio.gather(*(play(link, seed + at) for at, link in enumerate(links)))


async def _play(link: Link, spec: str, seed: int, limits: Limits, note: Callable[[Link, str], None]) -> BotGame:
    try:
        async with seated(link, spec, seed=seed, limits=limits) as table:
            said = ""
            while table.ending is None:
                await table.next()
                if table.notice not in ("", said):
                    note(link, table.notice)
                said = table.notice
            return BotGame(link, tuple(table.seats), table.ending)
    except (NotAllowed, PlayerFailed, ValueError) as fault:
        return BotGame(link, fault=str(fault))
