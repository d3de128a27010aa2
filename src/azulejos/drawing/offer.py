"""The middle of the table in the picture: displays in a ring, the center, and what is left in bag and lid."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from azulejos.drawing.ink import CARD, COBALT, LINE, PLASTER, QUIET, WORDS, Ink, group, use, words
from azulejos.drawing.tiles import SIZE, number
from azulejos.drawing.words import spread
from azulejos.game.view import Counts, View
from azulejos.rules.state import CENTER

_PLATE: Final = 75
_LARGER: Final = {5: 1.22, 7: 1.06, 9: 1.0}
"""Fewer plates are drawn larger."""
_PITCH: Final = 43
_ROOM: Final = 118
"""The radius that six groups in the center need."""
_CELL: Final = (66, 76)
_PILE_LIFT: Final = 7
"""How far a pile lies above the middle of its cell, which has its count below."""
SUPPLY_HEIGHT: Final = 62
"""The height of the strip that shows bag and lid."""


def ring_radius(displays: int) -> float:
    """From the middle of the ring to its outer edge."""
    return _circle(displays) + _plate_radius(displays)


def ring(view: View, ink: Ink) -> str:
    """All displays around the center, the first on top and clockwise from there; the origin is the middle."""
    parts = [center(view, ink)]
    for display, counts in enumerate(view.displays, 1):
        x, y, _ = source_place(view, display)
        parts.append(group(_plate(display, counts, ink), x, y, _LARGER[len(view.displays)]))
    return "".join(parts)


def source_place(view: View, source: int) -> tuple[float, float, float]:
    """The middle of a display, or of the center (source 0), and its radius."""
    displays = len(view.displays)
    circle, plate = _circle(displays), _plate_radius(displays)
    if source == CENTER:
        return 0, 0, circle - plate - 10
    angle = 2 * pi * (source - 1) / displays
    return circle * sin(angle), -circle * cos(angle), plate


def tile_places(view: View, source: int, color: int) -> list[tuple[float, float, float]]:
    """The middle and the size of each tile of a color at a source; a pile in the center counts as one."""
    if source == CENTER:
        scale = _pile_scale(view)
        return [(scale * x, scale * (y - _PILE_LIFT), scale) for pile, x, y in _piles(view) if pile == color]
    middle_x, middle_y, _ = source_place(view, source)
    scale = _LARGER[len(view.displays)]
    there = spread(view.displays[source - 1])
    at = [_on_plate(place) for place, other in enumerate(there) if other == color]
    return [(middle_x + scale * (x + SIZE / 2), middle_y + scale * (y + SIZE / 2), scale) for x, y in at]


def _on_plate(place: int) -> tuple[float, float]:
    """The upper left corner of a tile on a plate, from its middle."""
    column, row = place % 2, place // 2
    return column * _PITCH - _PITCH / 2 - SIZE / 2, row * _PITCH - _PITCH / 2 - SIZE / 2


def _circle(displays: int) -> float:
    """The radius on which the plates lie: side by side, and with room for the center."""
    plate = _plate_radius(displays)
    return max((plate + 7) / sin(pi / displays), _ROOM + plate + 10)


def _plate_radius(displays: int) -> float:
    return _PLATE * _LARGER[displays]


def _plate(label: int, counts: Counts, ink: Ink) -> str:
    parts = [use("plate", 0, 0)]
    parts += [ink.tile(color, *_on_plate(place)) for place, color in enumerate(spread(counts))]
    if any(counts):
        return "".join(parts) + _badge(label, -_PLATE * 0.71, -_PLATE * 0.71)
    return f'<g opacity=".55">{"".join(parts)}</g>' + _badge(label, -_PLATE * 0.71, -_PLATE * 0.71, alive=False)


def _badge(label: str | int, x: float, y: float, *, alive: bool = True) -> str:
    """The sign that a move names this source by; hollow while there is nothing to take."""
    ground, rim, color = (COBALT, PLASTER, "#fff") if alive else (CARD, LINE, QUIET)
    width, radius = (3, 13) if alive else (1.5, 12)
    place = f'cx="{number(x)}" cy="{number(y)}" r="{radius}"'
    disc = f'<circle {place} fill="{ground}" stroke="{rim}" stroke-width="{width}"/>'
    return disc + words(label, x, y + 5.4, 15, color, at="middle", bold=True)


def center(view: View, ink: Ink) -> str:
    """The marker, and the tiles in the center as one pile for each color with its count."""
    radius = source_place(view, CENTER)[2]
    cloth = (
        f'<circle r="{number(radius)}" fill="{CARD}" fill-opacity=".55" stroke="{LINE}" stroke-width="1.5"'
        ' stroke-dasharray="2 6" stroke-linecap="round"/>'
    )
    lying = ink.marker(-SIZE / 2, -SIZE / 2 - _PILE_LIFT)
    parts = [
        group(lying if color is None else _pile(color, view.center[color], ink), x, y) for color, x, y in _piles(view)
    ]
    larger = _LARGER[len(view.displays)]
    gap = -pi / len(view.displays)  # between the last display and the first
    badge = group(_badge("c", 0, 0, alive=any(view.center)), radius * sin(gap), -radius * cos(gap), larger)
    return cloth + group("".join(parts), 0, 0, _pile_scale(view)) + badge


def _piles(view: View) -> list[tuple[int | None, float, float]]:
    """The color of each pile in the center, None for the marker, and where it lies: in one row, or in two."""
    piles: list[int | None] = [None] if view.marker else []
    piles += [color for color, count in enumerate(view.center) if count]
    first = (len(piles) + 1) // 2 if len(piles) > 3 else len(piles)
    rows = [row for row in (piles[:first], piles[first:]) if row]
    return [
        (pile, (at - (len(content) - 1) / 2) * _CELL[0], (row - (len(rows) - 1) / 2) * _CELL[1])
        for row, content in enumerate(rows)
        for at, pile in enumerate(content)
    ]


def _pile_scale(view: View) -> float:
    """How large the piles are drawn: as large as the center has room."""
    return min(source_place(view, CENTER)[2] / _ROOM, 1.25)


def _pile(color: int, count: int, ink: Ink) -> str:
    """Tiles lying on each other, the lower ones looking out at the upper right."""
    step = min(3.5, 12 / max(count - 1, 1))
    rise = step * (count - 1) / 2
    tiles = (
        ink.tile(color, rise - step * at - SIZE / 2, step * at - rise - SIZE / 2 - _PILE_LIFT) for at in range(count)
    )
    return "".join(tiles) + words(f"\N{MULTIPLICATION SIGN}{count}", 0, 35, 15, WORDS, at="middle", bold=True)


def supply(view: View, ink: Ink, width: float) -> str:
    """What is in the bag and in the lid, by color."""
    half = width / 2
    lid = group(_counts("Lid", view.lid, ink, half - 14), half + 14, 0)
    return _counts("Bag", view.bag, ink, half - 14) + lid


def _counts(title: str, counts: Counts, ink: Ink, width: float) -> str:
    parts = [words(f"{title} {sum(counts)}", 0, 14, 16, WORDS, bold=True)]
    step = width / len(counts)
    for color, count in enumerate(counts):
        tile = group(ink.tile(color, 0, 0), color * step, 28, 0.55)
        parts.append(tile if count else f'<g opacity=".3">{tile}</g>')
        parts.append(words(count, color * step + 27, 44.5, 14, QUIET))
    return f'<g class="azl-supply">{"".join(parts)}</g>'


def plate() -> str:
    """The definition of a display: a glazed plate with a painted rim."""
    beads = "".join(
        f'<circle cx="{number(66.5 * sin(at * pi / 18))}" cy="{number(66.5 * cos(at * pi / 18))}" r="1.5"/>'
        for at in range(36)
    )
    return (
        '<radialGradient id="azl-china" cx=".4" cy=".35" r=".75"><stop stop-color="#fff"/>'
        '<stop offset=".8" stop-color="#f8f4ea"/><stop offset="1" stop-color="#e6dcc8"/></radialGradient>'
        f'<g id="azl-plate"><circle cx="1.5" cy="4" r="{_PLATE}" fill="#3a2c1a" opacity=".16"/>'
        f'<circle r="{_PLATE}" fill="url(#azl-china)" stroke="#cfc2aa"/>'
        f'<circle r="71" fill="none" stroke="{COBALT}" stroke-width="1.4" opacity=".55"/>'
        f'<circle r="62" fill="none" stroke="{COBALT}" stroke-width=".8" opacity=".4"/>'
        f'<g fill="{COBALT}" opacity=".5">{beads}</g></g>'
    )
