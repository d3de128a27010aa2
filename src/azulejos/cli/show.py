"""The command that draws a position."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from azulejos import drawing
from azulejos.cli.options import position_line
from azulejos.game.notation import read_position


def show(position: str, *, svg: Path | None = None) -> None:
    """Draw a position line, as text or into an SVG file.

    For example:

        azulejos show "$(azulejos new --seed 1)"
        azulejos show "$(azulejos new --seed 1)" --svg board.svg

    Parameters
    ----------
    position
        The position line; the form for addresses, with _ instead of blanks, works too.
    svg
        Write a picture to this file instead.
    """
    view = read_position(position_line(position))
    if svg is None:
        print(drawing.text(view, color=sys.stdout.isatty() and "NO_COLOR" not in os.environ))
    else:
        svg.write_text(drawing.svg(view), encoding="utf-8")
