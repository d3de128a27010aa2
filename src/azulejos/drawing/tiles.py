"""The five tiles, drawn for this project after the azulejos of Portugal: a flower, a sun, a knot, a lattice, a star.

Each differs from the others in structure and not only in color: broad diagonal petals, one round mass with rays, woven
arcs, straight crossing lines, a fine outline. A motif is made of plain paths and circles with absolute coordinates, so
that a test can rasterise it without a browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import asin, cos, pi, sin, tan
from typing import Final

from azulejos.rules.state import COLOR_LETTERS

SIZE: Final = 40
"""Side of a tile in the units of the definitions."""
_MIDDLE: Final = SIZE / 2

GROUND: Final = ("#006cac", "#f0c808", "#da5a16", "#1c1b1a", "#f4f1e8")
"""The glaze of each color."""
_INK: Final = ("#eef5fa", "#a3480b", "#ffe8cf", "#d8ccb0", "#47607c")
_SHADE: Final = ("#00497a", "#fbe27a", "#7f2804", "#4a463f", "#9fb0c0")

_FAINT: Final = (0.27, 0.36, 0.28, 0.2, 0.42)
"""How strong each is printed on the wall; to the eye they are alike."""

WELL: Final = "#ece5d8"
"""The ground of an empty space."""

Point = tuple[float, float]
"""A place in the picture: to the right, and down."""


def number(value: float) -> str:
    """A coordinate with at most two decimals and nothing superfluous.

    >>> number(2.0), number(-0.001), number(1.256)
    ('2', '0', '1.26')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def definitions(letters: bool) -> str:
    """Everything that `<use>` refers to: tiles, their faint prints for the wall, an empty space, the marker."""
    kind = "lettered-" if letters else ""
    parts = [_LIGHTS, _well(), _marker(letters)]
    for color, letter in enumerate(COLOR_LETTERS):
        face = motif(color) + _RIM + '<use href="#azl-glaze"/>'
        parts.append(f'<g id="azl-{kind}tile-{letter}">{_SHADOW}{face}{_letter(letter, 1) if letters else ""}</g>')
        faint = motif(color, _FAINT[color])
        parts.append(f'<g id="azl-{kind}print-{letter}">{faint}{_RIM}{_letter(letter, 0.5) if letters else ""}</g>')
    return "".join(parts)


def motif(color: int, strength: float = 1) -> str:
    """The ground and the pattern of a tile as SVG shapes; with less strength it fades into the empty space."""
    ground, ink, shade = (_mix(palette[color], strength) for palette in (GROUND, _INK, _SHADE))
    draw = (_flower, _sun, _knot, _lattice, _star)[color]
    return f'<rect width="{SIZE}" height="{SIZE}" rx="4" fill="{ground}"/>{draw(ground, ink, shade)}'


def _flower(ground: str, ink: str, shade: str) -> str:
    petal = [(20, 20), (20, 12), (15, 5), (4.5, 4.5), (5, 15), (12, 20), (20, 20)]
    vein = [(17, 17), (15.5, 13), (13, 10), (9, 9), (10, 13), (13, 15.5), (17, 17)]
    bud = [(20, 10.5), (17.5, 7.5), (18, 5), (20, 3), (22, 5), (22.5, 7.5), (20, 10.5)]
    petals = "".join(_curves(petal, turn) for turn in _quarters())
    veins = "".join(_curves(vein, turn) for turn in _quarters())
    buds = "".join(_curves(bud, turn) for turn in _quarters())
    return _fill(petals + buds, ink) + _fill(veins, ground) + _disc(4.6, shade) + _disc(2.6, ink)


def _sun(ground: str, ink: str, shade: str) -> str:
    rays = [_at(17.5 if step % 2 == 0 else 11.5, step * pi / 8) for step in range(16)]
    corners = "".join(_disc(1.7, ink, _turned((20 + 15, 20 + 15), turn)) for turn in _quarters())
    return _fill(_polygon(rays), ink) + _disc(9, shade) + _disc(7.4, ground) + _disc(3, ink) + corners


def _knot(ground: str, ink: str, shade: str) -> str:
    """Four arcs around the corners; each passes over the next and under the one before."""
    del ground
    strands = "".join(_strand(turn, (0, pi / 2), ink, shade, 0) for turn in _quarters())
    # Drawn in turn, an arc lies over the one before; where it has to lie over the next, it is drawn again.
    tops = "".join(_strand(turn, (_ON_TOP - 0.17, _ON_TOP + 0.17), ink, shade, 0.03) for turn in _quarters())
    corners = "".join(_disc(2.8, shade, _turned((8, 8), turn)) for turn in _quarters())
    return strands + tops + corners + _disc(3.4, shade) + _disc(1.9, ink)


def _lattice(ground: str, ink: str, shade: str) -> str:
    del ground
    low, high = 4.0, SIZE - 4.0
    bars = [f"M{low:g} {low:g}H{high:g}V{high:g}H{low:g}Z"]
    for total in (16, 32, 48, 64):
        start, end = max(low, total - high), min(high, total - low)
        bars.append(f"M{start:g} {total - start:g}L{end:g} {total - end:g}")
        bars.append(f"M{SIZE - start:g} {total - start:g}L{SIZE - end:g} {total - end:g}")
    lattice = "".join(bars)
    dots = "".join(_disc(1.6, ink, middle) for middle in ((20, 20), (12, 12), (28, 12), (12, 28), (28, 28)))
    return _stroke(lattice, shade, 3.6) + _stroke(lattice, ink, 1.7) + dots


def _star(ground: str, ink: str, shade: str) -> str:
    del ground
    points = [_at(17 if step % 2 == 0 else 6, step * pi / 4) for step in range(8)]
    small = [_at(17 if step % 2 == 0 else 6, step * pi / 4 + pi / 4) for step in range(8)]
    facets = "".join(f"M20 20L{_point(point)}" for point in points)
    return _stroke(_polygon(small), shade, 1.1) + _stroke(facets, shade, 0.9) + _stroke(_polygon(points), ink, 1.5)


_REACH: Final = 24
"""The radius of the arcs of the knot: those of neighboring corners cross, those of opposite corners do not."""
_ON_TOP: Final = asin(_MIDDLE / _REACH)
"""Where an arc crosses the next one, as an angle along it."""


def _arc(turn: float, start: float, end: float) -> str:
    """Part of the quarter circle around the upper left corner, clockwise from its lower end, as two or fewer curves."""
    steps = 2 if end - start > pi / 4 else 1
    angle = (end - start) / steps
    pull = 4 / 3 * tan(angle / 4) * _REACH
    points: list[Point] = []
    for step in range(steps + 1):
        at = start + step * angle
        x, y = _REACH * sin(at), _REACH * cos(at)
        dx, dy = pull * cos(at), -pull * sin(at)
        points += [(x - dx, y - dy), (x, y), (x + dx, y + dy)]
    return _curves(points[1:-1], turn)


def _strand(turn: float, part: Point, ink: str, shade: str, longer: float) -> str:
    """Part of an arc with its dark edges; a piece drawn over an arc needs longer ink, or its ends would show."""
    start, end = part
    return _stroke(_arc(turn, start, end), shade, 5.4) + _stroke(_arc(turn, start - longer, end + longer), ink, 3)


def _quarters() -> tuple[float, ...]:
    return (0, pi / 2, pi, 3 * pi / 2)


def _at(radius: float, angle: float) -> Point:
    """A point around the middle of the tile, angles clockwise from the top."""
    return _MIDDLE + radius * sin(angle), _MIDDLE - radius * cos(angle)


def _turned(point: Point, turn: float) -> Point:
    x, y = point[0] - _MIDDLE, point[1] - _MIDDLE
    return _MIDDLE + x * cos(turn) - y * sin(turn), _MIDDLE + x * sin(turn) + y * cos(turn)


def _point(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


def _curves(points: Sequence[Point], turn: float) -> str:
    first, *rest = (_point(_turned(point, turn)) for point in points)
    return f"M{first}C{' '.join(rest)}"


def _polygon(points: Sequence[Point]) -> str:
    return "M" + "L".join(map(_point, points)) + "Z"


def _fill(path: str, color: str) -> str:
    return f'<path d="{path}" fill="{color}"/>'


def _stroke(path: str, color: str, width: float) -> str:
    return f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{number(width)}"/>'


def _disc(radius: float, color: str, middle: Point = (_MIDDLE, _MIDDLE)) -> str:
    return f'<circle cx="{number(middle[0])}" cy="{number(middle[1])}" r="{number(radius)}" fill="{color}"/>'


def _mix(color: str, strength: float) -> str:
    """A color over the ground of an empty space."""
    if strength == 1:
        return color
    channels = ((int(color[at : at + 2], 16), int(WELL[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(well + strength * (own - well)):02x}" for own, well in channels)


_SHADOW: Final = '<rect x=".6" y="1.8" width="40" height="40" rx="4.5" fill="#3a2c1a" opacity=".3"/>'
_RIM: Final = '<rect x=".5" y=".5" width="39" height="39" rx="3.5" fill="none" stroke="#6b5a3e" stroke-opacity=".22"/>'

# Light from the upper left: a bright and a dark edge, and a soft reflection in the glaze.
_LIGHTS: Final = (
    '<linearGradient id="azl-edge" x2="1" y2="1"><stop stop-color="#fff" stop-opacity=".75"/>'
    '<stop offset=".45" stop-color="#fff" stop-opacity=".1"/><stop offset=".55" stop-opacity=".08"/>'
    '<stop offset="1" stop-opacity=".42"/></linearGradient>'
    '<linearGradient id="azl-sheen" x2=".55" y2="1"><stop stop-color="#fff" stop-opacity=".42"/>'
    '<stop offset=".6" stop-color="#fff" stop-opacity=".06"/><stop offset="1" stop-color="#fff" stop-opacity="0"/>'
    "</linearGradient>"
    '<g id="azl-glaze"><rect x=".9" y=".9" width="38.2" height="38.2" rx="3.4" fill="none" stroke="url(#azl-edge)"'
    ' stroke-width="1.8"/><path d="M3 7Q3 3 7 3H33Q25 9 18 10T6 24Q3 28 3 22Z" fill="url(#azl-sheen)"/></g>'
)


def _well() -> str:
    return (
        f'<g id="azl-well"><rect width="{SIZE}" height="{SIZE}" rx="4" fill="{WELL}"/>'
        f'<path d="M1 37V5Q1 1 5 1H37" fill="none" stroke="#6b5a3e" stroke-opacity=".3" stroke-width="1.4"/>{_RIM}</g>'
    )


def _marker(letters: bool) -> str:
    """A gold coin: round, so that nobody takes it for a tile."""
    beads = "".join(_disc(0.9, "#7a5200", _at(15.6, step * pi / 10)) for step in range(20))
    kind, sign = ("lettered-", "F") if letters else ("", "1")
    return (
        '<radialGradient id="azl-gold" cx=".35" cy=".3" r=".8"><stop stop-color="#fff3c4"/>'
        '<stop offset=".45" stop-color="#e9bd45"/><stop offset="1" stop-color="#b07d12"/></radialGradient>'
        f'<g id="azl-{kind}marker"><circle cx="20.6" cy="21.8" r="19.5" fill="#3a2c1a" opacity=".3"/>'
        '<circle cx="20" cy="20" r="19.3" fill="url(#azl-gold)" stroke="#8a6208" stroke-width="1"/>'
        f'{beads}<circle cx="20" cy="20" r="12.4" fill="#f3d06a" stroke="#8a6208" stroke-width="1"/>'
        f'<text x="20" y="26.6" font-size="19" font-weight="700" fill="#5c3d00" text-anchor="middle">{sign}</text></g>'
    )


def _letter(letter: str, opacity: float) -> str:
    return (
        f'<g opacity="{number(opacity)}"><circle cx="20" cy="20" r="8.8" fill="#fbf8f2" stroke="#2b2620"/>'
        '<text x="20" y="24.8" font-size="13.5" font-weight="700" fill="#1d1a16" text-anchor="middle">'
        f"{letter}</text></g>"
    )
