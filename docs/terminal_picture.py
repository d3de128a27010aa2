"""Draws docs/terminal.svg with the real program: `python docs/terminal_picture.py`."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from azulejos import Game, locale
from azulejos.players import greedy
from azulejos.tui.app.play_app import PlayApp
from azulejos.tui.table.local import LocalTable

PICTURE = Path(__file__).with_name("terminal.svg")
SIZE = (100, 28)


async def draw() -> str:
    """A game in its third round, with tiles in hand."""
    locale.use("en")
    game = Game(2, seed=7, starter=0)
    while game.round < 3 or game.seat != 0 or len(game.history) < 27:
        game.play(greedy.choose(game))
    table = LocalTable(game, [None, None], ["Ana", "Rui"])
    app = PlayApp(table, speed="instant")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press("tab", "enter")
        await pilot.pause()
        return plain(app.export_screenshot(title="azulejos play"))


def plain(svg: str) -> str:
    """A picture that is the same each time and needs no font from elsewhere."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return re.sub(r"terminal-\d+", "terminal", svg).replace("Fira Code", "ui-monospace, monospace")


def main() -> None:
    """Write the picture."""
    PICTURE.write_text(asyncio.run(draw()), encoding="utf-8")


if __name__ == "__main__":
    main()
