"""How the environments show a position: as text, on the terminal, as an image."""

from __future__ import annotations

import sys
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from azulejos.drawing import text
from azulejos.envs.settings import RENDER_MODES, check_choice
from azulejos.game.view import View

FPS: Final = 2
"""Pictures a second in a film of a game."""


def check_mode(mode: str | None) -> str | None:
    """A render mode that there is, or None."""
    if mode is not None:
        check_choice("render_mode", mode, RENDER_MODES)
    return mode


def render(view: View, mode: str | None, names: list[str]) -> str | NDArray[np.uint8] | None:
    """The position in one of the modes: "human" prints it, the others return it."""
    if mode == "ansi":
        return text(view, names=names)
    if mode == "rgb_array":
        from azulejos.envs.image import image  # noqa: PLC0415 - only this mode needs Pillow

        return image(view, names)
    if mode == "human":
        out: Any = sys.stdout
        out.write(text(view, color=out.isatty(), names=names) + "\n")
        out.flush()
    return None
