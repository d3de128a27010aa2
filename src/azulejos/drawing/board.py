"""A player's board in the picture: lines like stairs toward the wall, the wall, the floor, the score."""

from __future__ import annotations

from typing import Final

from azulejos.drawing.ink import BRONZE, CARD, COBALT, GOLD, LINE, QUIET, TERRACOTTA, WORDS, Ink, shortened, use, words
from azulejos.drawing.tiles import SIZE
from azulejos.drawing.words import SPACE_COST, plural, printed_color, spread, winners
from azulejos.game.view import Board, Phase, View
from azulejos.rules.state import COLUMNS, ROWS

WIDTH: Final = 546
"""The size of a board in the picture."""
HEIGHT: Final = 376
"""The height of a board in the picture."""

_PITCH: Final = 44
_LEFT: Final = 48
_TOP: Final = 58
_WALL: Final = _LEFT + ROWS * _PITCH + 34
_FLOOR: Final = _TOP + ROWS * _PITCH + 34
_RIGHT: Final = _WALL + COLUMNS * _PITCH - (_PITCH - SIZE)


def line_place(row: int, space: int) -> tuple[float, float]:
    """The upper left corner of a space of a line on its board; R14: they fill from the right."""
    return _LEFT + (ROWS - 1 - space) * _PITCH, _TOP + row * _PITCH


def cell_place(row: int, column: int) -> tuple[float, float]:
    """The upper left corner of a cell of the wall on its board."""
    return _WALL + column * _PITCH, _TOP + row * _PITCH


def floor_place(at: int) -> tuple[float, float]:
    """The upper left corner of a space of the floor on its board; behind the last one lies the marker of D3."""
    return _LEFT + at * _PITCH, _FLOOR


def on_floor(own: Board) -> list[int | None]:
    """What lies on the floor from the left, None for the marker, which lies beside a full floor (D3)."""
    tiles: list[int | None] = list(spread(own.floor))
    if not own.marker:
        return tiles
    return [*tiles, None] if len(tiles) >= len(SPACE_COST) else [None, *tiles]


def board(view: View, seat: int, name: str, ink: Ink) -> str:
    """One seat's board; its upper left corner is the origin."""
    own = view.boards[seat]
    parts = [_card(view, seat), _heading(own, name), _note(view, seat)]
    if view.wall == "gray":
        middles = ((column + 1, _WALL + column * _PITCH + SIZE / 2) for column in range(COLUMNS))
        parts += [words(column, x, _TOP - 5, 13, QUIET, at="middle") for column, x in middles]
    for row in range(ROWS):
        parts.append(_stair(own, row, ink))
        parts.append(_wall_row(view, own, row, ink))
    return "".join(parts) + _floor(own, ink)


def _card(view: View, seat: int) -> str:
    acts, wins = seat == view.seat, view.phase is Phase.OVER and seat in winners(view)
    border, width = (COBALT, 4) if acts else (GOLD, 4) if wins else (LINE, 1.5)
    shadow = f'<rect x="2" y="4" width="{WIDTH}" height="{HEIGHT}" rx="14" fill="#3a2c1a" opacity=".1"/>'
    return shadow + (
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="14" fill="{CARD}" stroke="{border}" stroke-width="{width}"/>'
    )


def _heading(own: Board, name: str) -> str:
    """The name, and the score in the corner that the stairs leave free."""
    return (
        words(shortened(name, 20), 22, 36, 22, WORDS, bold=True)
        + words(own.score, 22, 104, 50, COBALT, bold=True)
        + words(plural(own.score, "point").split()[1], 23, 126, 15, QUIET)
    )


def _note(view: View, seat: int) -> str:
    """A tag that says why this board is marked."""
    if seat == view.seat:
        said, color = {Phase.DRAFTING: "to move", Phase.TILING: "to choose a column"}.get(view.phase, "starts"), COBALT
    elif view.phase is Phase.OVER and seat in winners(view):
        said, color = "wins" if len(winners(view)) == 1 else "shares the win", BRONZE
    else:
        return ""
    width = 28 + 8.4 * len(said)
    pill = f'<rect x="{_RIGHT - width:g}" y="12" width="{width:g}" height="26" rx="13" fill="{color}"/>'
    return pill + words(said, _RIGHT - width / 2, 30.3, 15, "#fff", at="middle", bold=True)


def _stair(own: Board, row: int, ink: Ink) -> str:
    line, y = own.lines[row], _TOP + row * _PITCH
    parts = [words(row + 1, _LEFT + (ROWS - 1 - row) * _PITCH - 16, y + 26, 16, QUIET, at="middle", bold=True)]
    for space in range(row + 1):
        place = line_place(row, space)
        filled = space < line.count and line.color is not None
        parts.append(ink.tile(line.color or 0, *place) if filled else use("well", *place))
    x, full = _WALL - 24, line.count > row
    arrow = f'<path d="M{x} {y + 13}l9 7l-9 7z" fill="{COBALT if full else LINE}"/>'
    return "".join(parts) + arrow


def _wall_row(view: View, own: Board, row: int, ink: Ink) -> str:
    parts = []
    for column, cell in enumerate(own.wall[row]):
        place = cell_place(row, column)
        if cell is not None:
            parts.append(ink.tile(cell, *place))
        elif view.wall == "gray":
            parts.append(use("well", *place))
        else:
            parts.append(ink.print(printed_color(row, column), *place))
    return "".join(parts)


def _floor(own: Board, ink: Ink) -> str:
    """What fell, from the left, under the printed costs."""
    parts = [words("f", _LEFT - 16, _FLOOR + 26, 16, QUIET, at="middle", bold=True)]
    for at, cost in enumerate(SPACE_COST):
        x, y = floor_place(at)
        parts.append(words(f"\N{MINUS SIGN}{cost}", x + SIZE / 2, y - 6, 13, TERRACOTTA, at="middle"))
        parts.append(use("well", x, y))
    for at, color in enumerate(on_floor(own)):
        parts.append(ink.marker(*floor_place(at)) if color is None else ink.tile(color, *floor_place(at)))
    if own.penalty:
        parts.append(words(f"\N{MINUS SIGN}{own.penalty}", _RIGHT, _FLOOR + 31, 30, TERRACOTTA, at="end", bold=True))
    return "".join(parts)
