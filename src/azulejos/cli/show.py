"""The command that draws a position."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from azulejos import drawing
from azulejos.cli.options import position_line
from azulejos.game.game import Game
from azulejos.game.notation import read_position

Moves = Annotated[list[str] | None, Parameter(negative="")]
"""An option with a move, which may be repeated."""


def show(
    position: str, *, svg: Path | None = None, play: Moves = None, arrow: Moves = None, ghost: str | None = None
) -> None:
    """Draw a position line, as text or into an SVG file.

    For example:

        azulejos show "$(azulejos new --seed 1)"
        azulejos show "$(azulejos new --seed 1)" --svg board.svg
        azulejos show "$(azulejos new --seed 1)" --svg board.svg --play 2K3 --arrow 3Y2 --arrow 5R3

    Parameters
    ----------
    position
        The position line; the form for addresses, with _ instead of blanks, works too.
    svg
        Write a picture to this file instead.
    play
        Play a move or a deal first; can be given several times, and a picture has the last one outlined.
    arrow
        In a picture, an arrow for a move that might be played; can be given several times.
    ghost
        In a picture, the tiles of a move where it would put them.
    """
    view = read_position(position_line(position))
    last = None
    if play:
        game = Game.from_position(position_line(position))
        for move in play:
            last = game.play(move)
        view = game.view
    if svg is not None:
        svg.write_text(drawing.svg(view, last=last, arrows=arrow or (), ghost=ghost), encoding="utf-8")
    elif arrow or ghost:
        raise ValueError(f"--{'arrow' if arrow else 'ghost'} is for pictures: name a file with --svg")
    else:
        print(drawing.text(view, color=sys.stdout.isatty() and "NO_COLOR" not in os.environ))
