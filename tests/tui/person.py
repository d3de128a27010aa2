"""Somebody at the keyboard or the mouse of a program on a screen that is not there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from rich.cells import cell_len
from textual.geometry import Offset
from textual.pilot import Pilot

from azulejos import Game
from azulejos.game.moves import Move
from azulejos.game.view import Wall
from azulejos.players.registry import make
from azulejos.tui.app.board_app import BoardApp
from azulejos.tui.app.play_app import PlayApp
from azulejos.tui.board.scenes import Spot
from azulejos.tui.board.widgets import Drawn
from azulejos.tui.table.local import LocalTable, is_person, names_of
from azulejos.tui.table.table import AnyTable
from tests.patience import PATIENCE

Shown = TypeVar("Shown", bound=BoardApp)


class Watcher(Generic[Shown]):
    """Presses keys and clicks in a program."""

    def __init__(self, app: Shown, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def click(self, spot: Spot) -> None:
        for part in self.app.query(Drawn):
            offset = offset_of(spot, part)
            if offset:
                assert await self.pilot.click(offset=offset)
                await self.pilot.pause()
                return
        raise AssertionError(f"{spot} is nowhere on the screen")

    async def click_words(self, words: str) -> None:
        """Click where something is written."""
        for y, line in enumerate(self.screen_text.split("\n")):
            if words in line:
                assert await self.pilot.click(offset=(line.index(words) + 1, y))
                await self.pilot.pause()
                return
        raise AssertionError(f"{words!r} is nowhere on the screen")

    async def until(self, what: Callable[[], object]) -> None:
        """Wait for something."""
        async with asyncio.timeout(PATIENCE):
            while not what():
                await self.pilot.pause(0.01)

    @property
    def screen_text(self) -> str:
        """Everything on the screen, as text."""
        return "\n".join(strip.text for strip in self.app.screen._compositor.render_strips())

    @property
    def prompt(self) -> str:
        return self.app.prompt_text


def offset_of(spot: Spot, part: Drawn) -> Offset | None:
    """Where on the screen a place is: its first piece."""
    for y, row in enumerate(part.rows):
        x = 0
        for piece in row:
            if piece.spot == spot and piece.text.strip():
                return part.region.offset + Offset(x, y)
            x += cell_len(piece.text)
    return None


class Person(Watcher[PlayApp]):
    """Plays a game."""

    async def move(self, move: Move | str) -> None:
        """Three keys, or the number of a column; then wait until the screen has taken notice."""
        keys = str(move)
        await self.press(*(keys[2:] if keys.startswith("t") else keys.replace("c", "0").lower()))
        await self.until(lambda: not getattr(self.app.table, "_changes", ()))

    async def until_my_turn(self) -> None:
        await self.until(lambda: self.app.selection or self.app.table.ending)


def table(*specs: str, wall: Wall = "std", seed: int = 1, starter: int = 0, moves: Sequence[str] = ()) -> LocalTable:
    """A game of these players, `person` or the name of a computer; the given moves are played already."""
    game = Game(len(specs), wall, seed=seed, starter=starter)
    for move in moves:
        game.play(move)
    return LocalTable(game, [None if is_person(spec) else make(spec) for spec in specs], names_of(specs))


@asynccontextmanager
async def at(
    table: AnyTable, size: tuple[int, int] = (80, 24), *, color: bool = True, speed: str = "instant"
) -> AsyncIterator[Person]:
    """A person at a table."""
    app = PlayApp(table, color=color, speed=speed)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Person(app, pilot)
