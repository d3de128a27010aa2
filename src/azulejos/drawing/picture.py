"""A position as an SVG document that stands alone and describes itself."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape
from zlib import crc32

from azulejos.drawing import board, marks, offer
from azulejos.drawing.ink import FONTS, PLASTER, QUIET, WORDS, Ink, group, shortened, words
from azulejos.drawing.layout import MARGIN, PictureLayout
from azulejos.drawing.tiles import definitions, number
from azulejos.drawing.words import describe, headline, marked, seat_names
from azulejos.game.happening import Happening
from azulejos.game.moves import Move
from azulejos.game.preview import Preview, previews_of
from azulejos.game.refusal import refusal_of_move, refuse
from azulejos.game.view import View, state_of


def svg(
    view: View,
    *,
    names: Sequence[str] | None = None,
    letters: bool = False,
    last: Happening | None = None,
    arrows: Sequence[Move | str] = (),
    ghost: Move | str | None = None,
) -> str:
    """The whole table as a standalone SVG document, with the position in words for a screen reader.

    The `last` move is outlined, as `Game.play` told of it; `arrows` show moves that might be played, and `ghost` where
    the tiles of one would go. A move that is not allowed raises `IllegalMove`.
    """
    named, ink, layout = seat_names(view, names), Ink(letters), PictureLayout.of(view)
    shown = [_allowed(view, move) for move in arrows]
    ghostly = None if ghost is None else _allowed(view, ghost)
    parts = [_heading(view, named), marks.last_source(view, layout, last) if last else ""]
    parts.append(group(offer.ring(view, ink), layout.ring.x, layout.ring.y, layout.ring.scale))
    parts.append(group(offer.supply(view, ink, layout.supply_width), layout.supply.x, layout.supply.y))
    for seat, (name, frame) in enumerate(zip(named, layout.boards, strict=True)):
        parts.append(group(board.board(view, seat, name, ink), frame.x, frame.y, frame.scale))
    if last:
        parts.append(marks.last_move(view, layout, last))
    if ghostly:
        parts.append(marks.ghosts(view, layout, *ghostly, ink))
    if shown:
        parts.append(marks.arrows(view, layout, [move for move, _ in shown]))
    said = [describe(view, named), *marked(named, last, shown, ghostly)]
    return _document(view, named, layout, letters, " ".join(said), "".join(parts))


def _allowed(view: View, given: Move | str) -> tuple[Move, Preview]:
    """A legal move and what it would do."""
    move, states = Move.parse(given) if isinstance(given, str) else given, state_of(view)
    preview = previews_of(states).get(move)
    if preview is None:
        raise (refusal_of_move(states, move) or refuse("game_over")).error(move)
    return move, preview


def _heading(view: View, names: Sequence[str]) -> str:
    when, what = headline(view, names)
    return words(when, MARGIN, MARGIN + 28, 32, WORDS, bold=True) + words(
        shortened(what, 52), MARGIN, MARGIN + 56, 19, QUIET
    )


def _document(
    view: View, names: Sequence[str], layout: PictureLayout, letters: bool, description: str, content: str
) -> str:
    title = f"Azul: {', '.join(headline(view, names))}"
    # Several pictures may share a page: the words of each need ids of their own, the definitions are the same in all.
    mark = f"{crc32((title + description).encode()):08x}"
    size = f"{number(layout.width)} {number(layout.height)}"
    wide, high = size.split()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" width="{wide}" height="{high}" role="img"'
        f' aria-labelledby="azl-title-{mark}" aria-describedby="azl-desc-{mark}" style="max-width:100%;height:auto">'
        f'<title id="azl-title-{mark}">{escape(title)}</title><desc id="azl-desc-{mark}">{escape(description)}</desc>'
        f"<defs>{definitions(letters)}{offer.plate()}</defs>"
        f'<rect width="{wide}" height="{high}" rx="18" fill="{PLASTER}"/>'
        f'<g font-family="{FONTS}" style="font-variant-numeric:tabular-nums">{content}</g></svg>\n'
    )
