"""A position as a person sees it: as text for a terminal, and as an SVG picture for a page or a notebook."""

from azulejos.drawing.picture import svg
from azulejos.drawing.terminal import text

__all__ = ["svg", "text"]
