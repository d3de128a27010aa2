"""A position as an array of pixels, drawn with Pillow alone: simpler than the SVG picture, and without a browser."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from azulejos.drawing.ink import CARD, COBALT, GOLD, LINE, PLASTER, QUIET, TERRACOTTA, WORDS
from azulejos.drawing.tiles import GROUND, WELL
from azulejos.drawing.words import SPACE_COST, headline, printed_color, spread, winners
from azulejos.envs.missing import missing
from azulejos.game.view import Board, Phase, View
from azulejos.rules.state import COLOR_LETTERS, COLUMNS, FLOOR_SPACES, ROWS

try:
    from PIL import Image, ImageColor, ImageDraw, ImageFont
except ImportError as fault:
    raise missing(__name__, "pillow", fault) from fault

SCALE: Final = 2
"""Everything is drawn larger and then made smaller, which smooths the edges."""
TILE: Final = 22
"""The side of a tile, in pixels."""
PITCH: Final = 25
"""Pixels from one tile to the next."""
MARGIN: Final = 16
"""Pixels around everything."""
PLATE: Final = 70
"""The side of a display."""
BOARD: Final = (2 * 5 * PITCH + 84, 6 * PITCH + 62)
"""Width and height of a board."""
INK: Final = ("#eef5fa", "#6b2f07", "#ffe8cf", "#d8ccb0", "#47607c")
"""The letter on each color."""


def image(view: View, names: Sequence[str]) -> NDArray[np.uint8]:
    """The table as an image of height x width x 3 bytes."""
    pen = _ImagePen(view)
    pen.heading(view, names)
    for number, counts in enumerate(view.displays, 1):
        pen.display(number, counts)
    pen.center(view)
    for seat, name in enumerate(names):
        pen.board(view, seat, name)
    return pen.pixels()


class _ImagePen:
    """Draws on one image, in units of its final size."""

    def __init__(self, view: View) -> None:
        self.width = 2 * BOARD[0] + 3 * MARGIN
        self.abreast = len(view.displays)
        self.boards_top = 40 + PLATE + 62
        height = self.boards_top + (view.players + 1) // 2 * (BOARD[1] + MARGIN)
        self.picture = Image.new("RGB", (self.width * SCALE, height * SCALE), PLASTER)
        self.draw = ImageDraw.Draw(self.picture)

    def pixels(self) -> NDArray[np.uint8]:
        size = (self.picture.width // SCALE, self.picture.height // SCALE)
        return np.asarray(self.picture.resize(size, Image.Resampling.BOX), np.uint8).copy()

    def box(self, x: float, y: float, width: float, height: float, fill: str, line: str | None = None) -> None:
        corners = (x * SCALE, y * SCALE, (x + width) * SCALE - 1, (y + height) * SCALE - 1)
        self.draw.rounded_rectangle(corners, 4 * SCALE, fill, line, SCALE if line else 0)

    def words(self, text: object, x: float, y: float, size: int, fill: str = WORDS, anchor: str = "lm") -> None:
        self.draw.text((x * SCALE, y * SCALE), str(text), fill, _font(size), anchor)

    def tile(self, color: int, x: float, y: float) -> None:
        self.box(x, y, TILE, TILE, GROUND[color], QUIET)
        self.words(COLOR_LETTERS[color], x + TILE / 2, y + TILE / 2, 13, INK[color], "mm")

    def marker(self, x: float, y: float) -> None:
        self.box(x, y, TILE, TILE, GOLD, QUIET)
        self.words("1", x + TILE / 2, y + TILE / 2, 13, CARD, "mm")

    def heading(self, view: View, names: Sequence[str]) -> None:
        when, what = headline(view, names)
        self.words(f"{when}: {what}", MARGIN, 20, 17)
        supply = f"bag {sum(view.bag)}   lid {sum(view.lid)}"
        self.words(supply, self.width - MARGIN, 20, 14, QUIET, "rm")

    def display(self, number: int, counts: Sequence[int]) -> None:
        x, y = MARGIN + (number - 1) * (self.width - 2 * MARGIN) / self.abreast, 40.0
        self.draw.ellipse((x * SCALE, y * SCALE, (x + PLATE) * SCALE, (y + PLATE) * SCALE), CARD, LINE, SCALE)
        for at, color in enumerate(spread(tuple(counts))):
            self.tile(color, x + PLATE / 2 + (at % 2 - 1) * PITCH + 1, y + PLATE / 2 + (at // 2 - 1) * PITCH + 1)
        self.words(number, x, y + 8, 14, COBALT if any(counts) else QUIET)

    def center(self, view: View) -> None:
        x, y = float(MARGIN), 40.0 + PLATE + 8
        self.words("c", x, y + 15, 14, COBALT if any(view.center) else QUIET)
        at = x + 14
        if view.marker:
            self.marker(at, y + 4)
        for count, color in ((count, color) for color, count in enumerate(view.center) if count):
            at += PITCH
            self.tile(color, at, y + 4)
            self.words(count, at + TILE / 2, y + TILE + 15, 14, WORDS, "mm")

    def board(self, view: View, seat: int, name: str) -> None:
        own = view.boards[seat]
        left = MARGIN + seat % 2 * (BOARD[0] + MARGIN)
        top = self.boards_top + seat // 2 * (BOARD[1] + MARGIN)
        won = view.phase is Phase.OVER and seat in winners(view)
        self.box(left, top, *BOARD, CARD, COBALT if seat == view.seat else GOLD if won else LINE)
        self.words(name, left + 12, top + 17, 15)
        self.words(own.score, left + BOARD[0] - 12, top + 17, 18, COBALT, "rm")
        for row in range(ROWS):
            self.row(view, own, row, left + 26, top + 34 + row * PITCH)
        self.floor(own, left + 26, top + 52 + ROWS * PITCH)

    def row(self, view: View, own: Board, row: int, x: float, y: float) -> None:
        line = own.lines[row]
        self.words(row + 1, x - 12, y + TILE / 2, 13, QUIET, "mm")
        for space in range(row + 1):
            at = x + (ROWS - 1 - space) * PITCH
            if space < line.count and line.color is not None:
                self.tile(line.color, at, y)
            else:
                self.box(at, y, TILE, TILE, WELL)
        for column in range(COLUMNS):
            at = x + (ROWS + column) * PITCH + 26
            color = own.wall[row][column]
            if color is not None:
                self.tile(color, at, y)
            else:
                self.box(at, y, TILE, TILE, WELL if view.wall == "gray" else _faint(printed_color(row, column)))

    def floor(self, own: Board, x: float, y: float) -> None:
        for space in range(FLOOR_SPACES):
            self.words(f"-{SPACE_COST[space]}", x + space * PITCH + TILE / 2, y - 8, 11, TERRACOTTA, "mm")
            self.box(x + space * PITCH, y, TILE, TILE, WELL)
        tiles = spread(own.floor)
        beside = own.marker and len(tiles) >= FLOOR_SPACES
        if own.marker:
            self.marker(x + (FLOOR_SPACES if beside else 0) * PITCH, y)
        for at, color in enumerate(tiles, 1 if own.marker and not beside else 0):
            self.tile(color, x + at * PITCH, y)


@cache
def _font(size: int) -> Any:
    return ImageFont.load_default(size * SCALE)


@cache
def _faint(color: int) -> str:
    """The ground of a color, nearly as light as an empty space."""
    mixed = [
        round(0.3 * ink + 0.7 * ground)
        for ink, ground in zip(ImageColor.getrgb(GROUND[color]), ImageColor.getrgb(WELL), strict=True)
    ]
    return f"#{mixed[0]:02x}{mixed[1]:02x}{mixed[2]:02x}"
