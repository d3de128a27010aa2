"""How pieces look on a screen: colors for each look, and what changes where one points or where something happened."""

from __future__ import annotations

from functools import cache
from typing import Final

from rich.color import Color
from rich.style import Style

GROUND: Final = "#26324d"
"""What lies behind everything."""
TEXT: Final = "#ece7da"
"""The color of what is written."""
FAINT: Final = "#a5aec2"
"""The color of what is written and matters less."""
GOLD: Final = "#e3b341"
"""The color of the starting-player marker, and of what is chosen."""
COBALT: Final = "#8db4f0"
"""The color of whoever is to move, and of keys."""
TERRACOTTA: Final = "#c8553d"
"""The color of what costs points or needs a choice."""

TILES: Final = (
    ("#ffffff", "#0069a8"),
    ("#1a1a1a", "#f0c808"),
    ("#1a1a1a", "#e06a10"),
    ("#ffffff", "#07080b"),
    ("#1a1a1a", "#f2efe6"),
)
"""The letter and the ground of a tile of each color."""
PRINTED: Final = ("#4fb3ee", "#f0c808", "#ff9447", "#a6abb8", "#f2efe6")
"""The letter of each color where it is printed on the wall."""

LOOKS: Final[dict[str, tuple[str, str]]] = {
    "plain": (TEXT, GROUND),
    "label": (TEXT, GROUND),
    "title": (TEXT, GROUND),
    "turn": (GOLD, GROUND),
    "faint": (FAINT, GROUND),
    "space": (FAINT, "#1d273e"),
    "marker": ("#1a1a1a", GOLD),
    "ghost": ("#10182b", COBALT),
    "open": ("#ffffff", TERRACOTTA),
    "alarm": ("#ffb199", GROUND),
    "key": (COBALT, GROUND),
}
"""Color and ground of each look."""
BOLD: Final = frozenset({"label", "title", "turn", "open", "alarm", "marker", "key"})
"""The looks that are written in bold."""


def _mixed(color: str, share: float) -> str:
    """A color with so much of it left over the ground."""
    over, under = Color.parse(color).get_truecolor(), Color.parse(GROUND).get_truecolor()
    parts = (round(share * a + (1 - share) * b) for a, b in zip(over, under, strict=True))
    return "#" + "".join(f"{part:02x}" for part in parts)


def _colors(look: str) -> tuple[str, str]:
    if look.startswith("tile"):
        return TILES[int(look[4])]
    if look.startswith("printed"):
        ground = TILES[int(look[7])][1]
        return _mixed(PRINTED[int(look[7])], 0.85), _mixed(ground, 0.28 if look[7] != "4" else 0.18)
    return LOOKS[look]


@cache
def style_of(look: str, flags: frozenset[str], color: bool) -> Style:
    """How something looks; without color by attributes alone."""
    if not color:
        return Style(
            bold="lit" in flags or look in BOLD,
            underline="mark" in flags or "held" in flags,
            reverse="cursor" in flags,
            dim="dim" in flags,
        )
    if look.endswith("-edge"):
        return Style(color=_changed(look[:-5], flags)[1], bgcolor=GROUND)
    letter, ground = _changed(look, flags)
    strong = look in BOLD or bool(flags & {"cursor", "held", "lit", "mark"})
    return Style(color=letter, bgcolor=ground, bold=strong)


def _changed(look: str, flags: frozenset[str]) -> tuple[str, str]:
    letter, ground = _colors(look)
    if look == "label":
        letter = GOLD if flags & {"cursor", "held", "mark"} else COBALT if "lit" in flags else letter
    if look == "title" and "mark" in flags:
        letter = GOLD
    if look == "space" and flags & {"cursor", "lit"}:
        return TEXT, "#4f74b8" if "cursor" in flags else "#3a5286"
    if "dim" in flags:
        return (FAINT, ground) if look == "label" else (_mixed(letter, 0.55), _mixed(ground, 0.6))
    return letter, ground


def bracketed(text: str, flags: frozenset[str]) -> str:
    """The letter of a piece between brackets where one points at it or it has just changed, color or not."""
    sign = text.strip()
    if not flags & {"cursor", "held", "mark"} or len(sign) != 1 or sign == "·" or f" {sign} " not in text:
        return text
    return text.replace(f" {sign} ", f"[{sign}]", 1)
