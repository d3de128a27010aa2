"""What comes up over the table: help, the moves so far, the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from azulejos.happening import Bonus
from azulejos.locale import _
from azulejos.rules.state import COLOR_BONUS, COLUMN_BONUS, ROW_BONUS
from azulejos.tui import words
from azulejos.tui.pieces import fit, width_of
from azulejos.tui.table import Ending


class Panel(ModalScreen[str]):
    """Text over the table; any key that it knows closes it and is its answer, Escape and others only close it."""

    BINDINGS: ClassVar[list[BindingType]] = []
    CSS = """
    Panel { align: center middle; background: #26324d 60%; }
    Panel > VerticalScroll {
        width: auto; max-width: 100%; height: auto; max-height: 100%; padding: 1 2;
        border: round #8db4f0; background: #26324d; color: #ece7da;
    }
    Panel Static { width: auto; background: #26324d; }
    .plain Panel, Panel.plain { background: ansi_default; }
    Panel.plain > VerticalScroll, Panel.plain Static {
        background: ansi_default; color: ansi_default; border: ascii ansi_default;
    }
    Panel.plain Static { border: none; }
    """
    SCROLLING = ("up", "down", "pageup", "pagedown", "home", "end")

    def __init__(self, title: str, lines: Sequence[str], answers: str = "", *, color: bool) -> None:
        super().__init__(classes="" if color else "plain")
        self._title, self._lines, self._answers = title, lines, answers

    def compose(self) -> ComposeResult:
        """A title and lines that scroll if there are many."""
        text = Text.assemble((self._title, "bold"), "\n\n" + "\n".join(self._lines))
        with VerticalScroll():
            yield Static(text)

    def on_key(self, event: events.Key) -> None:
        """Scroll, or close."""
        if event.key in self.SCROLLING:
            return
        event.stop()
        self.dismiss(event.key if event.key in self._answers.split() else "")

    def on_click(self) -> None:
        """Close."""
        self.dismiss("")


def play_help() -> list[str]:
    """The keys of a game."""
    return [
        _("Three keys make a move, for example 3 B 4:"),
        "  1-9, 0    " + _("a display, or the center"),
        "  BYRKW     " + _("blue, yellow, red, black, white"),
        "  1-5, F    " + _("a line, or the floor"),
        _("Tab, the arrows and Enter do the same; so does the mouse."),
        _("On the gray wall 1-5 chooses the column."),
        "",
        "  Esc       " + _("put the tiles back"),
        "  U         " + _("undo"),
        "  H         " + _("hint"),
        "  L         " + _("show the last move"),
        "  M         " + _("all moves and scores"),
        "  S         " + _("save the record of the game"),
        "  Space     " + _("skip the scoring"),
        "  ?         " + _("this help"),
        "  Q         " + _("quit"),
    ]


def replay_help() -> list[str]:
    """The keys of a replay."""
    return [
        "  " + _("Right, Space") + "   " + _("one step forward"),
        "  " + _("Left") + "           " + _("one step back"),
        "  PgDn, PgUp     " + _("to the next or the previous round"),
        "  Home, End      " + _("to the start or the end"),
        "  P              " + _("run or pause"),
        "  M              " + _("all moves and scores"),
        "  Q              " + _("quit"),
    ]


def result_lines(ending: Ending, names: Sequence[str], bonuses: Sequence[Bonus]) -> list[str]:
    """The result as a table: what each had, the bonuses, and the sum."""
    lines = [words.result(ending.winners, ending.scores, names), words.reason(ending.reason) + ".", ""]
    by_seat = {bonus.seat: bonus for bonus in bonuses}
    heads = ["", _("points"), _("rows"), _("columns"), _("colors"), _("total")]
    table = [heads]
    for seat, name in enumerate(names):
        bonus = by_seat.get(seat, Bonus(seat, 0, 0, 0, 0))
        cells = [ending.scores[seat] - bonus.points]
        cells += [ROW_BONUS * bonus.rows, COLUMN_BONUS * bonus.columns, COLOR_BONUS * bonus.colors]
        sign = "* " if seat in ending.winners else "  "
        table.append([sign + fit(name, 18), *map(str, cells), str(ending.scores[seat])])
    widths = [max(width_of(row[at]) for row in table) for at in range(len(heads))]
    for row in table:
        first = row[0] + " " * (widths[0] - width_of(row[0]))
        lines.append(
            first + "".join(f"  {' ' * (widths[at] - width_of(row[at]))}{row[at]}" for at in range(1, len(row)))
        )
    return lines
