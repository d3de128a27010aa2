"""The middle of the table in the picture: displays in a ring, the center, and what is left in bag and lid."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from azulejos.drawing.ink import CARD, COBALT, LINE, PLASTER, QUIET, WORDS, Ink, group, use, words
from azulejos.drawing.tiles import SIZE, number
from azulejos.drawing.words import spread
from azulejos.game.view import Counts, View

_PLATE: Final = 75
_LARGER: Final = {5: 1.22, 7: 1.06, 9: 1.0}
"""Fewer plates are drawn larger."""
_PITCH: Final = 43
_ROOM: Final = 118
"""The radius that six groups in the center need."""
_CELL: Final = (66, 76)
SUPPLY_HEIGHT: Final = 62
"""The height of the strip that shows bag and lid."""


def ring_radius(displays: int) -> float:
    """From the middle of the ring to its outer edge."""
    return _circle(displays) + _plate_radius(displays)


def ring(view: View, ink: Ink) -> str:
    """All displays around the center, the first on top and clockwise from there; the origin is the middle."""
    radius, scale = _circle(len(view.displays)), _LARGER[len(view.displays)]
    parts = [center(view, ink, radius - _plate_radius(len(view.displays)) - 10)]
    for at, counts in enumerate(view.displays):
        angle = 2 * pi * at / len(view.displays)
        parts.append(group(_plate(at + 1, counts, ink), radius * sin(angle), -radius * cos(angle), scale))
    return "".join(parts)


def _circle(displays: int) -> float:
    """The radius on which the plates lie: side by side, and with room for the center."""
    plate = _plate_radius(displays)
    return max((plate + 7) / sin(pi / displays), _ROOM + plate + 10)


def _plate_radius(displays: int) -> float:
    return _PLATE * _LARGER[displays]


def _plate(label: int, counts: Counts, ink: Ink) -> str:
    parts = [use("plate", 0, 0)]
    for place, color in enumerate(spread(counts)):
        column, row = place % 2, place // 2
        parts.append(ink.tile(color, column * _PITCH - _PITCH / 2 - SIZE / 2, row * _PITCH - _PITCH / 2 - SIZE / 2))
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


def center(view: View, ink: Ink, radius: float) -> str:
    """The marker, and the tiles in the center as one pile for each color with its count."""
    cloth = (
        f'<circle r="{number(radius)}" fill="{CARD}" fill-opacity=".55" stroke="{LINE}" stroke-width="1.5"'
        ' stroke-dasharray="2 6" stroke-linecap="round"/>'
    )
    piles = [ink.marker(-SIZE / 2, -SIZE / 2 - 7)] if view.marker else []
    piles += [_pile(color, count, ink) for color, count in enumerate(view.center) if count]
    first = (len(piles) + 1) // 2 if len(piles) > 3 else len(piles)
    rows = [row for row in (piles[:first], piles[first:]) if row]
    parts = []
    for row, content in enumerate(rows):
        y = (row - (len(rows) - 1) / 2) * _CELL[1]
        parts += [group(pile, (at - (len(content) - 1) / 2) * _CELL[0], y) for at, pile in enumerate(content)]
    larger = _LARGER[len(view.displays)]
    gap = -pi / len(view.displays)  # between the last display and the first
    badge = group(_badge("c", 0, 0, alive=any(view.center)), radius * sin(gap), -radius * cos(gap), larger)
    return cloth + group("".join(parts), 0, 0, min(radius / _ROOM, 1.25)) + badge


def _pile(color: int, count: int, ink: Ink) -> str:
    """Tiles lying on each other, the lower ones looking out at the upper right."""
    step = min(3.5, 12 / max(count - 1, 1))
    rise = step * (count - 1) / 2
    tiles = (ink.tile(color, rise - step * at - SIZE / 2, step * at - rise - SIZE / 2 - 7) for at in range(count))
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
