"""What is drawn over a position: outlines of the last move, arrows for moves, ghosts of tiles that one would place."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, hypot, pi, sin
from typing import Final

from azulejos.drawing import board, offer
from azulejos.drawing.ink import COBALT, TERRACOTTA, Ink, group, words
from azulejos.drawing.layout import PictureLayout
from azulejos.drawing.tiles import SIZE, number
from azulejos.drawing.words import SPACE_COST
from azulejos.game.happening import Happening, Tiled
from azulejos.game.moves import Move
from azulejos.game.preview import Preview
from azulejos.game.view import Board, View
from azulejos.rules.state import FLOOR

Point = tuple[float, float]
"""A place in the picture: to the right, and down."""

_STRENGTHS: Final = (0.92, 0.66, 0.5)
"""How strong the first arrows are drawn; all others as the last of these."""
_ALONG: Final = (0.5, 0.36, 0.64)
"""How far along an arrow its number stands: several may begin, cross or end at the same place."""
_GHOST: Final = 0.5
_BEND: Final = 0.12
"""How far an arrow bends, as a part of its length: those of one display must not lie on each other."""


def last_source(view: View, layout: PictureLayout, happening: Happening) -> str:
    """A ring around where the last move took its tiles, to lie below the plates; none once a new round was dealt."""
    if happening.drafted is None or happening.floors:
        return ""
    x, y, radius = offer.source_place(view, happening.drafted.source)
    middle = layout.ring.place(x, y)
    place = f'cx="{number(middle[0])}" cy="{number(middle[1])}" r="{number(radius * layout.ring.scale + 2.5)}"'
    return f'<circle class="azl-last" {place} fill="none" stroke="{TERRACOTTA}" stroke-width="5"/>'


def last_move(view: View, layout: PictureLayout, happening: Happening) -> str:
    """Frames around where the tiles of the last move lie now, and those that were tiled after it."""
    seat = happening.seat
    placed = [] if seat is None else [(seat, place) for place in _drafted_places(view.boards[seat], happening)]
    tiled = (one for one in happening.tiling if isinstance(one, Tiled))
    placed += [(one.seat, board.cell_place(one.row, one.column)) for one in tiled]
    squares = []
    for owner, (x, y) in placed:
        frame = layout.boards[owner]
        squares.append((frame.place(x + SIZE / 2, y + SIZE / 2), SIZE * frame.scale))
    return f'<g class="azl-last">{_frames(squares, TERRACOTTA)}</g>'


def _drafted_places(own: Board, happening: Happening) -> list[Point]:
    """Where the tiles of a draft lie on a board, as far as they still do."""
    done = happening.drafted
    if done is None:
        return []
    line = own.lines[done.line] if done.line < FLOOR else None
    places: list[Point] = []
    if line and line.color == done.color and line.count >= done.placed:
        places += [board.line_place(done.line, space) for space in range(line.count - done.placed, line.count)]
    if not happening.floors:
        lying = list(enumerate(board.on_floor(own)))
        fallen = [at for at, color in lying if color == done.color][: done.dropped - done.to_lid]
        fallen += [at for at, color in lying if color is None and done.marker]
        places += map(board.floor_place, fallen)
    return places


def arrows(view: View, layout: PictureLayout, moves: Sequence[Move]) -> str:
    """An arrow for each move, from its tiles to where the first of them would go; several are numbered."""
    drawn = []
    for at, move in reversed(list(enumerate(moves))):  # the first lies on top
        start, end = _start(view, layout, move), _end(view, layout, move)
        along = 1.0 if move.is_tiling else _ALONG[at % len(_ALONG)]
        label = (str(at + 1), along) if len(moves) > 1 else None
        drawn.append(_arrow(start, end, _STRENGTHS[min(at, len(_STRENGTHS) - 1)], label))
    return f'<g class="azl-arrows">{"".join(drawn)}</g>'


def ghosts(view: View, layout: PictureLayout, move: Move, preview: Preview, ink: Ink) -> str:
    """The tiles of a move where it would put them, with what the line would score, over the board of who is to move."""
    seat = view.seat or 0
    frame, parts = layout.boards[seat], []
    if move.is_tiling:
        color = view.boards[seat].lines[move.row].color or 0
        parts.append(_ghost(ink.tile(color, 0, 0), board.cell_place(move.row, move.column)))
        parts.append(_points(preview.points, board.cell_place(move.row, move.column)))
    else:
        parts += _drafted(view, seat, move, preview, ink)
    lifted = [] if move.is_tiling else offer.tile_places(view, move.source, move.color)
    taken = [(layout.ring.place(x, y), SIZE * scale * layout.ring.scale) for x, y, scale in lifted]
    return f'<g class="azl-ghosts">{_frames(taken, COBALT)}{group("".join(parts), frame.x, frame.y, frame.scale)}</g>'


def _drafted(view: View, seat: int, move: Move, preview: Preview, ink: Ink) -> list[str]:
    """The ghosts of a draft on the board of a seat: in the line, on the floor, and on the wall if that is decided."""
    own, parts = view.boards[seat], []
    if preview.placed:
        first = own.lines[move.line].count
        spaces = range(first, first + preview.placed)
        parts += [_ghost(ink.tile(move.color, 0, 0), board.line_place(move.line, space)) for space in spaces]
    lying = len(board.on_floor(own))
    falling = [ink.marker(0, 0)] * preview.marker + [ink.tile(move.color, 0, 0)] * preview.dropped
    room = max(0, len(SPACE_COST) - lying)
    parts += [_ghost(tile, board.floor_place(lying + at)) for at, tile in enumerate(falling[:room])]
    if preview.completes and len(preview.columns) == 1:
        cell = board.cell_place(move.line, preview.columns[0])
        parts += [_ghost(ink.tile(move.color, 0, 0), cell), _points(preview.points, cell)]
    if preview.cost:
        x, y = board.floor_place(min(lying + len(falling), len(SPACE_COST)) - 1)
        parts.append(_tag(f"\N{MINUS SIGN}{preview.cost}", (x, y), TERRACOTTA))
    return parts


def _ghost(tile: str, place: Point) -> str:
    faint = f'<g opacity="{_GHOST}">{tile}</g>'
    shape = f'<rect width="{SIZE}" height="{SIZE}" rx="4" fill="none" stroke="{COBALT}" stroke-width="2"'
    return group(f'{faint}{shape} stroke-dasharray="5 4"/>', *place)


def _points(points: int, place: Point) -> str:
    return _tag(f"+{points}", place, COBALT)


def _tag(said: str, place: Point, color: str) -> str:
    """A word in a pill at the upper right corner of a tile."""
    width = 12 + 9.5 * len(said)
    x, y = place[0] + SIZE - width / 2 - 2, place[1] - 9
    pill = f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="22" rx="11" fill="{color}"'
    return f'{pill} stroke="#fff" stroke-width="1.5"/>' + words(
        said, x + width / 2, y + 16, 15, "#fff", at="middle", bold=True
    )


def _frames(squares: Sequence[tuple[Point, float]], color: str) -> str:
    """Frames just outside squares, given by middle and size; light around them so that they are seen on every color."""
    shapes = []
    for (x, y), size in squares:
        corner = f'x="{number(x - size / 2 - 1.5)}" y="{number(y - size / 2 - 1.5)}"'
        shapes.append(f'<rect {corner} width="{number(size + 3)}" height="{number(size + 3)}" rx="6" fill="none"')
    light = "".join(f'{shape} stroke="#fff" stroke-width="6"/>' for shape in shapes)  # below those of the neighbors
    return light + "".join(f'{shape} stroke="{color}" stroke-width="3.5"/>' for shape in shapes)


def _start(view: View, layout: PictureLayout, move: Move) -> Point:
    """The middle of the tiles that a move takes; of a choice on the gray wall, that of the line that is due."""
    if move.is_tiling:
        x, y = board.line_place(move.row, 0)
        return layout.boards[view.seat or 0].place(x + SIZE / 2, y + SIZE / 2)
    places = offer.tile_places(view, move.source, move.color)
    return layout.ring.place(sum(x for x, _, _ in places) / len(places), sum(y for _, y, _ in places) / len(places))


def _end(view: View, layout: PictureLayout, move: Move) -> Point:
    """Where the first tile of a move goes."""
    own = view.boards[view.seat or 0]
    if move.is_tiling:
        x, y = board.cell_place(move.row, move.column)
    elif move.line == FLOOR:
        x, y = board.floor_place(min(len(board.on_floor(own)), len(SPACE_COST) - 1))
    else:
        x, y = board.line_place(move.line, own.lines[move.line].count)
    return layout.boards[view.seat or 0].place(x + SIZE / 2, y + SIZE / 2)


def _arrow(start: Point, end: Point, strength: float, label: tuple[str, float] | None) -> str:
    """A bent arrow with a light edge, and a label so far along it, from 0 to 1."""
    (x0, y0), (x1, y1) = start, end
    length = hypot(x1 - x0, y1 - y0)
    middle = (x0 + x1) / 2 + _BEND * (y1 - y0), (y0 + y1) / 2 - _BEND * (x1 - x0)
    angle = atan2(y1 - middle[1], x1 - middle[0])
    head = min(24.0, length / 2)
    neck = x1 - 0.8 * head * cos(angle), y1 - 0.8 * head * sin(angle)
    curve = f"M{_pair(start)}Q{_pair(middle)} {_pair(neck)}"
    wings = [(x1 - head * cos(angle + turn), y1 - head * sin(angle + turn)) for turn in (-pi / 7, pi / 7)]
    tip = f"M{_pair(end)}L{_pair(wings[0])}L{_pair(wings[1])}z"
    parts = [
        f'<path d="{curve}" fill="none" stroke="#fff" stroke-width="11" stroke-linecap="round"/>',
        f'<path d="{tip}" fill="#fff" stroke="#fff" stroke-width="5" stroke-linejoin="round"/>',
        f'<path d="{curve}" fill="none" stroke="{COBALT}" stroke-width="6.5" stroke-linecap="round"/>',
        f'<path d="{tip}" fill="{COBALT}"/>',
    ]
    if label:
        said, along = label
        far, near = along * along, (1 - along) * (1 - along)
        bent = 1 - far - near
        x, y = near * x0 + bent * middle[0] + far * x1, near * y0 + bent * middle[1] + far * y1
        place = f'cx="{number(x)}" cy="{number(y)}" r="12"'
        parts.append(f'<circle {place} fill="{COBALT}" stroke="#fff" stroke-width="2.5"/>')
        parts.append(words(said, x, y + 5.4, 15, "#fff", at="middle", bold=True))
    return f'<g opacity="{strength}">{"".join(parts)}</g>'


def _pair(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"
