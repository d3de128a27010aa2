"""The pen of the pictures: colors of the ground and the words, and the few SVG elements that everything is made of."""

from __future__ import annotations

from typing import Final
from xml.sax.saxutils import escape

from azulejos.drawing.tiles import number
from azulejos.rules.state import COLOR_LETTERS

PLASTER: Final = "#f4efe6"
"""The ground of a picture."""
CARD: Final = "#fcfaf5"
"""The ground of boards and displays."""
LINE: Final = "#d9cdb8"
"""Borders, and what is empty."""
WORDS: Final = "#2f2a24"
"""The color of writing."""
QUIET: Final = "#6f6455"
"""Writing that steps back."""
COBALT: Final = "#1f4e9c"
"""Whose turn it is, scores, and ornaments."""
TERRACOTTA: Final = "#a8432d"
"""The color of what costs points."""
GOLD: Final = "#b8860b"
"""The color of whoever won."""
BRONZE: Final = "#7d5a00"
"""Gold dark enough to write on in white."""

FONTS: Final = "Seravek,'Gill Sans Nova',Ubuntu,Calibri,'Open Sans','Noto Sans','DejaVu Sans',sans-serif"
"""Typefaces, the first that is there is taken."""


class Ink:
    """Writes references to the definitions, plain or with letters."""

    def __init__(self, letters: bool) -> None:
        self.kind = "lettered-" if letters else ""
        """What stands before the names of the definitions of tiles that carry letters."""

    def tile(self, color: int, x: float, y: float) -> str:
        """A reference to the tile of a color, here."""
        return use(f"{self.kind}tile-{COLOR_LETTERS[color]}", x, y)

    def print(self, color: int, x: float, y: float) -> str:
        """A reference to an empty cell of the colored wall, here."""
        return use(f"{self.kind}print-{COLOR_LETTERS[color]}", x, y)

    def marker(self, x: float, y: float) -> str:
        """A reference to the starting-player marker, here."""
        return use(f"{self.kind}marker", x, y)


def use(name: str, x: float, y: float) -> str:
    """A definition, with its upper left corner here."""
    return f'<use href="#azl-{name}" x="{number(x)}" y="{number(y)}"/>'


def words(
    text: str | int, x: float, y: float, size: float, color: str = WORDS, *, at: str = "start", bold: bool = False
) -> str:
    """Words on a base line, starting, centered ("middle") or ending there."""
    weight = ' font-weight="700"' if bold else ""
    anchor = "" if at == "start" else f' text-anchor="{at}"'
    place = f'x="{number(x)}" y="{number(y)}" font-size="{number(size)}"'
    return f'<text {place} fill="{color}"{anchor}{weight}>{escape(str(text))}</text>'


def group(content: str, x: float, y: float, scale: float = 1) -> str:
    """Content moved and enlarged."""
    larger = "" if scale == 1 else f" scale({number(scale)})"
    return f'<g transform="translate({number(x)} {number(y)}){larger}">{content}</g>'


def shortened(name: str, length: int) -> str:
    """A name that fits."""
    return name if len(name) <= length else name[: length - 1].rstrip() + "…"
