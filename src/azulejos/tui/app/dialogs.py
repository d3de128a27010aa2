"""What comes up over the table: help, the moves so far, a menu, the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from rich.cells import cell_len, set_cell_size
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from azulejos.drawing.terminal import fit
from azulejos.game.happening import Bonus
from azulejos.locale import _
from azulejos.rules.state import COLOR_BONUS, COLUMN_BONUS, ROW_BONUS
from azulejos.server.tables.info import Result
from azulejos.tui import words

Answer = TypeVar("Answer")
"""What a dialog is closed with."""


class Dialog(ModalScreen[Answer]):
    """A box over the table."""

    BINDINGS: ClassVar[list[BindingType]] = []
    """Textual binds no keys here: `on_key` gets them all."""
    SCOPED_CSS = False  # or it would not reach the kinds of it
    """Whether the looks are for this class only."""
    CSS = """
    Dialog { align: center middle; background: #26324d 60%; }
    Dialog > VerticalScroll {
        width: auto; max-width: 100%; height: auto; max-height: 100%; padding: 1 2;
        border: round #8db4f0; background: #26324d; color: #ece7da;
    }
    Dialog Static { width: auto; background: #26324d; }
    Dialog MenuLine { padding: 0 1; }
    Dialog MenuLine.chosen { background: #8db4f0; color: #10182b; text-style: bold; }
    .plain Dialog, Dialog.plain { background: ansi_default; }
    Dialog.plain > VerticalScroll, Dialog.plain Static {
        background: ansi_default; color: ansi_default; border: ascii ansi_default;
    }
    Dialog.plain Static { border: none; }
    Dialog.plain MenuLine.chosen { text-style: reverse; }
    """
    """The style sheet of all dialogs."""

    def __init__(self, title: str, lines: Sequence[str], *, color: bool) -> None:
        super().__init__(classes="" if color else "plain")
        self._title, self._lines = title, lines

    def compose(self) -> ComposeResult:
        """A title and lines that scroll if there are many."""
        text = Text.assemble((self._title, "bold"), "".join(f"\n{line}" for line in ("", *self._lines)))
        with VerticalScroll():
            yield Static(text)
            yield from self.more()

    def more(self) -> ComposeResult:
        """What comes below the lines."""
        yield from ()

    def on_key(self, event: events.Key) -> None:
        """Do what a key is for; each kind of dialog has its own keys."""


class Panel(Dialog[str]):
    """Text over the table; any key that it knows closes it and is its answer, Escape and others only close it."""

    SCROLLING = ("up", "down", "pageup", "pagedown", "home", "end")
    """Keys that scroll and do not close."""

    def __init__(self, title: str, lines: Sequence[str], answers: str = "", *, color: bool) -> None:
        super().__init__(title, lines, color=color)
        self._answers = answers

    def on_key(self, event: events.Key) -> None:
        """Scroll, or close."""
        if event.key in self.SCROLLING:
            return
        event.stop()
        self.dismiss(event.key if event.key in self._answers.split() else "")

    def on_click(self) -> None:
        """Close the panel."""
        self.dismiss("")


class MenuLine(Static):
    """A line of a menu."""

    def __init__(self, number: int, words_: str) -> None:
        super().__init__(Text(f"{number + 1} {words_}"), id=f"choice{number}")
        self.number = number
        """Which line of the menu it is."""

    def on_click(self, event: events.Click) -> None:
        """Choose this line of the menu."""
        event.stop()
        self.screen.dismiss(self.number)

    def on_enter(self) -> None:
        """Point at this line of the menu."""
        if isinstance(self.screen, Menu):
            self.screen.point_at(self.number)


class Menu(Dialog[int | None]):
    """Something to choose: by its number, by arrows and Enter, or by a click; Escape chooses nothing."""

    def __init__(
        self, title: str, lines: Sequence[str], choices: Sequence[str], *, confirms: str = "", color: bool
    ) -> None:
        """`confirms` is a key that chooses the last one: the key that has opened the menu, pressed again."""
        super().__init__(title, [*lines, ""] if lines else [], color=color)
        self._choices, self._confirms = choices, confirms
        self._at = 0

    def more(self) -> ComposeResult:
        """The lines of the menu."""
        for number, words_ in enumerate(self._choices):
            yield MenuLine(number, words_)

    def on_mount(self) -> None:
        """Point at the first."""
        self.point_at(0)

    def point_at(self, number: int) -> None:
        """Put the cursor on a choice."""
        self._at = number % len(self._choices)
        for choice in self.query(MenuLine):
            choice.set_class(choice.number == self._at, "chosen")

    def on_key(self, event: events.Key) -> None:
        """Move the cursor, choose, or leave; other keys do nothing."""
        event.stop()
        key = event.key
        if key in ("down", "right", "tab", "up", "left", "shift+tab"):
            event.prevent_default()
            self.point_at(self._at + (1 if key in ("down", "right", "tab") else -1))
        elif key in ("enter", "space"):
            self.dismiss(self._at)
        elif key == "escape":
            self.dismiss(None)
        elif key == self._confirms:
            self.dismiss(len(self._choices) - 1)
        elif key.isdecimal() and 1 <= int(key) <= len(self._choices):
            self.dismiss(int(key) - 1)

    def on_click(self) -> None:
        """A click beside the choices chooses nothing."""
        self.dismiss(None)


def columns(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Keys and what they do, what they do below each other."""
    width = max(cell_len(key) for key, _does in rows)
    return [f"  {set_cell_size(key, width)}   {does}" for key, does in rows]


def play_help(commands: Sequence[tuple[str, str]]) -> list[str]:
    """The keys of a game: those of a move, then those that do something else."""
    move = [
        ("1-9, 0", _("a display, or the center")),
        ("B Y R K W", _("blue, yellow, red, black, white")),
        ("1-5, F", _("a line, or the floor")),
    ]
    others = [(_("Esc"), _("put the tiles back")), (_("Space"), _("skip the scoring")), *commands]
    rows = columns([*move, *others])
    return [
        _("Three keys make a move, for example 3 B 4:"),
        *rows[: len(move)],
        _("Tab, the arrows and Enter do the same; so does the mouse."),
        _("On the gray wall 1-5 chooses the column."),
        "",
        *rows[len(move) :],
    ]


def replay_help() -> list[str]:
    """The keys of a replay."""
    return columns(
        [
            (_("Right, Space"), _("one step forward")),
            (_("Left"), _("one step back")),
            (_("PgDn, PgUp"), _("to the next or the previous round")),
            (_("Home, End"), _("to the start or the end")),
            ("P", _("run or pause")),
            ("M", _("all moves and scores")),
            ("?", _("this help")),
            ("Q", _("quit")),
        ]
    )


def result_lines(ending: Result, names: Sequence[str], bonuses: Sequence[Bonus]) -> list[str]:
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
    widths = [max(map(cell_len, column)) for column in zip(*table, strict=True)]
    for first, *rest in table:
        numbers = (" " * (2 + width - cell_len(cell)) + cell for cell, width in zip(rest, widths[1:], strict=True))
        lines.append(set_cell_size(first, widths[0]) + "".join(numbers))
    return lines
