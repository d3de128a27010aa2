"""A position as an SVG document that stands alone and describes itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape
from zlib import crc32

from azulejos.drawing import board, offer
from azulejos.drawing.ink import FONTS, PLASTER, QUIET, WORDS, Ink, group, shortened, words
from azulejos.drawing.tiles import definitions, number
from azulejos.drawing.words import describe, headline, seat_names
from azulejos.game.view import View

_MARGIN: Final = 36
_BETWEEN: Final = 24
_HEADING: Final = 92

_SIZES: Final = {2: (1, 1.0, 0.95), 3: (1, 0.82, 1.25), 4: (2, 1.0, 0.9)}
"""For each number of players: how many boards stand abreast, and how large boards and offer are drawn."""


def svg(view: View, *, names: Sequence[str] | None = None, letters: bool = False) -> str:
    """The whole table as a standalone SVG document, with the position in words for a screen reader."""
    named, ink = seat_names(view, names), Ink(letters)
    abreast, board_scale, offer_scale = _SIZES[view.players]
    ring_width = 2 * offer.ring_radius(len(view.displays)) * offer_scale
    board_width, board_height = board.WIDTH * board_scale, board.HEIGHT * board_scale
    down = -(-view.players // abreast)
    boards_left = _MARGIN + ring_width + 1.6 * _BETWEEN
    width = boards_left + abreast * board_width + (abreast - 1) * _BETWEEN + _MARGIN
    content = max(_HEADING + ring_width + 40 + offer.SUPPLY_HEIGHT, down * board_height + (down - 1) * _BETWEEN)
    height = content + 2 * _MARGIN
    boards_top = (height - down * board_height - (down - 1) * _BETWEEN) / 2
    parts = [_heading(view, named)]
    ring_middle = (height - _MARGIN - offer.SUPPLY_HEIGHT + _MARGIN + _HEADING - 20) / 2
    parts.append(group(offer.ring(view, ink), _MARGIN + ring_width / 2, ring_middle, offer_scale))
    parts.append(group(offer.supply(view, ink, ring_width), _MARGIN, height - _MARGIN - offer.SUPPLY_HEIGHT))
    for seat, name in enumerate(named):
        x = boards_left + seat % abreast * (board_width + _BETWEEN)
        y = boards_top + seat // abreast * (board_height + _BETWEEN)
        parts.append(group(board.board(view, seat, name, ink), x, y, board_scale))
    return _document(view, named, width, height, letters, "".join(parts))


def _heading(view: View, names: Sequence[str]) -> str:
    when, what = headline(view, names)
    return words(when, _MARGIN, _MARGIN + 28, 32, WORDS, bold=True) + words(
        shortened(what, 52), _MARGIN, _MARGIN + 56, 19, QUIET
    )


def _document(view: View, names: Sequence[str], width: float, height: float, letters: bool, content: str) -> str:
    title, description = f"Azul: {', '.join(headline(view, names))}", describe(view, names)
    # Several pictures may share a page: the words of each need ids of their own, the definitions are the same in all.
    mark = f"{crc32((title + description).encode()):08x}"
    size = f"{number(width)} {number(height)}"
    wide, high = size.split()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" width="{wide}" height="{high}" role="img"'
        f' aria-labelledby="azl-title-{mark}" aria-describedby="azl-desc-{mark}" style="max-width:100%;height:auto">'
        f'<title id="azl-title-{mark}">{escape(title)}</title><desc id="azl-desc-{mark}">{escape(description)}</desc>'
        f"<defs>{definitions(letters)}{offer.plate()}</defs>"
        f'<rect width="{wide}" height="{high}" rx="18" fill="{PLASTER}"/>'
        f'<g font-family="{FONTS}" style="font-variant-numeric:tabular-nums">{content}</g></svg>\n'
    )
