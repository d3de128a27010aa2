"""The parts of the screen: rows of pieces that know what the mouse is at."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from azulejos.drawing.terminal import fit
from azulejos.tui.board.looks import bracketed, style_of
from azulejos.tui.board.pieces import Piece, Row
from azulejos.tui.board.scenes import Spot

Flags = Callable[[Spot | None], frozenset[str]]
"""What is special about a place: a cursor, a mark."""


def no_flags(_spot: Spot | None) -> frozenset[str]:
    """Nothing special anywhere."""
    return frozenset()


class Drawn(Widget):
    """A widget that shows rows of pieces at a fixed place."""

    DEFAULT_CSS = """
    Drawn { position: absolute; overflow: hidden; }
    """
    """The style sheet of the widget."""
    ALLOW_SELECT = False
    """Its text cannot be selected: the mouse plays."""

    class Clicked(Message):
        """A place was clicked."""

        def __init__(self, spot: Spot | None) -> None:
            super().__init__()
            self.spot = spot
            """The place that was clicked."""

    class Pointed(Message):
        """The mouse is at a place."""

        def __init__(self, spot: Spot | None) -> None:
            super().__init__()
            self.spot = spot
            """The place that the mouse is at; None for none."""

    def __init__(self, *, color: bool, id: str | None = None) -> None:
        super().__init__(id=id)
        self.color = color
        """Whether to use color."""
        self.rows: Sequence[Row] = []
        """The rows of pieces that it shows."""
        self._flags: Flags = no_flags

    def place(self, region: Region) -> None:
        """Put the widget at a place of the screen."""
        self.styles.offset = region.offset
        self.styles.width, self.styles.height = region.size

    def show(self, rows: Sequence[Row], flags: Flags = no_flags) -> None:
        """Show these rows from now on."""
        self.rows, self._flags = rows, flags
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw one line of the widget."""
        blank = style_of("plain", frozenset(), self.color)
        width = self.size.width
        if y >= len(self.rows):
            return Strip.blank(width, blank)
        segments = [self._segment(piece) for piece in self.rows[y]]
        return Strip(segments).adjust_cell_length(width, blank)

    def _segment(self, piece: Piece) -> Segment:
        flags = self._flags(piece.spot)
        style: Style = style_of(piece.look, flags, self.color)
        return Segment(bracketed(piece.text, flags), style)

    def spot_at(self, x: int, y: int) -> Spot | None:
        """The place at a column and line of the widget."""
        if not 0 <= y < len(self.rows):
            return None
        for piece in self.rows[y]:
            x -= cell_len(piece.text)
            if x < 0:
                return piece.spot
        return None

    def on_click(self, event: events.Click) -> None:
        """Say what was clicked."""
        event.stop()
        self.post_message(self.Clicked(self.spot_at(event.x, event.y)))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Say where the mouse is."""
        self.post_message(self.Pointed(self.spot_at(event.x, event.y)))


def wrapped(text: str, width: int, hang: int = 0) -> list[str]:
    """Words in lines of a width that keep the indent of the first; all others hang so much further in."""
    lines: list[str] = []
    for word in text.split():
        if lines and cell_len(lines[-1]) + 1 + cell_len(word) <= width:
            lines[-1] += f" {word}"
        else:
            margin = len(text) - len(text.lstrip()) + (hang if lines else 0)
            lines.append(" " * margin + fit(word, width - margin))
    return lines


def last_lines(log: Sequence[str], width: int, height: int) -> list[Row]:
    """The newest lines of the log that there is room for; lines that go on are indented."""
    rows: list[Row] = []
    for number, line in enumerate(reversed(log)):
        parts = wrapped(line, width - 2, hang=2) if number or height > 1 else [fit(line, width - 2)]
        rows = [[Piece(f" {part}", "faint" if number else "plain")] for part in parts] + rows
        if len(rows) >= height:
            break
    return rows[-height:] if height else []
