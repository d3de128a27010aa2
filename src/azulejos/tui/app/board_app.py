"""The screen that games and replays share: a table, its log, a prompt and the keys."""

from __future__ import annotations

import asyncio
import os
import select
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import ClassVar, Final, TypeAlias

from rich.cells import cell_len
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Region

from azulejos.drawing.terminal import fit
from azulejos.game.view import View
from azulejos.locale import _
from azulejos.tui import words
from azulejos.tui.app.dialogs import Dialog, Panel
from azulejos.tui.board.layout import PROMPT_LINES, Layout, layout_for
from azulejos.tui.board.pieces import Drawer, Ghost, Piece, Row, headline
from azulejos.tui.board.scenes import Scene, Spot, scenes
from azulejos.tui.board.widgets import Drawn, last_lines, wrapped
from azulejos.tui.table.table import Change

DRAFT_SECONDS: Final = 0.6
"""How long a draft is shown."""
SCENE_SECONDS: Final = 0.6
"""How long a step of the scoring is shown."""
MOST_SCORING_SECONDS: Final = 6.0
"""How long a whole scoring may take."""
SPEEDS: Final = {"normal": 1.0, "fast": 0.3, "instant": 0.0}
"""By what the times are multiplied, for each speed."""
LOOK_SECONDS: Final = 1.0
"""How often the terminal is looked for."""
LEAST: Final = (80, 24)
"""Columns and lines that a screen must have."""
ALWAYS_SHOWN: Final = 2
"""Keys at the end of the list, help and quit, which stay where there is no room for all."""
Key: TypeAlias = tuple[str, str, str]
"""A key as it is printed, what it does in a word, and what the program calls that."""


class BoardApp(App[None]):
    """A table on the whole screen."""

    ENABLE_COMMAND_PALETTE = False
    """Textual's own menu is not wanted."""
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", show=False, priority=True)]
    """Keys that work everywhere."""
    CSS = """
    Screen { background: #26324d; layers: base; overflow: hidden; }
    Screen.plain { background: ansi_default; color: ansi_default; }
    """
    """The style sheet of the screen."""

    def __init__(self, view: View, names: Sequence[str], *, color: bool = True, speed: str = "normal") -> None:
        with _environment(no_color=not color):
            super().__init__(ansi_color=None if color else True)
        self.color = color
        """Whether to use color."""
        self.view = view
        """The position that is shown."""
        self.names = list(names)
        """What each seat is called."""
        self.log_lines: list[str] = []
        """What has been told so far."""
        self.marks: frozenset[Spot] = frozenset()
        """Places that are marked because something happened there."""
        self.last_words = ""
        """What was said last."""
        self.prompt_text = ""
        """What the prompt says."""
        self.boxes: Layout | None = None
        """Where everything goes on the screen."""
        self._pace = SPEEDS[speed]
        self._skip = asyncio.Event()
        self.is_showing = self._is_scoring = False
        """Whether something is being shown step by step."""

    # ---- parts ----

    def compose(self) -> ComposeResult:
        """The parts; where they go is known when the size is."""
        for name in ("head", "offer", *(f"board{seat}" for seat in range(self.view.players)), "prompt", "log", "keys"):
            yield Drawn(color=self.color, id=name)

    def on_mount(self) -> None:
        """Arrange the parts, and begin to look whether the terminal is still there."""
        if not self.color:
            self.screen.add_class("plain")
        if hasattr(select, "poll") and sys.__stdin__ is not None and sys.__stdin__.isatty():
            self.set_interval(LOOK_SECONDS, self._leave_with_the_terminal)
        self.arrange()

    def _leave_with_the_terminal(self) -> None:
        """End when the terminal is gone; nobody tells a program that is not the first of its session."""
        terminal = select.poll()
        terminal.register(0, 0)
        if terminal.poll(0):
            self.exit()

    def on_resize(self, event: events.Resize) -> None:
        """Put everything in its new place."""
        self.arrange(event.size.width, event.size.height)

    @property
    def has_parts(self) -> bool:
        """Whether there is anything to draw on: not before the first moment, and not after the last."""
        return bool(self.screen_stack) and bool(self.screen_stack[0].query(Drawn))

    def part(self, name: str) -> Drawn:
        """A part by its name; it may lie below a panel."""
        return self.screen_stack[0].query_one(f"#{name}", Drawn)

    def arrange(self, width: int | None = None, height: int | None = None) -> None:
        """Put everything in its place and draw it."""
        if not self.has_parts:
            return
        self.boxes = layout_for(width or self.size.width, height or self.size.height, self.view.players)
        if self.boxes is not None:
            for name in ("head", "offer", "prompt", "log", "keys"):
                self.part(name).place(getattr(self.boxes, name))
            for box, seat in zip(self.boxes.boards, self.seats_in_order(), strict=True):
                self.part(f"board{seat}").place(box)
        self.draw()

    def seats_in_order(self) -> list[int]:
        """The seats as they are shown, from the first one here on."""
        return list(range(self.view.players))

    # ---- drawing ----

    def draw(self) -> None:
        """Draw everything."""
        if not self.has_parts:
            return
        if self.boxes is None:
            self._draw_too_small()
            return
        small = Drawer(self.boxes.offer_size, color=self.color)
        self.part("head").show([self.head_row()])
        self.part("offer").show(small.offer(self.view, self.boxes.displays_abreast), self.flags)
        large = Drawer(self.boxes.size, color=self.color)
        remarks = self.remarks()
        for seat, name in enumerate(self.names):
            rows = large.board(
                self.view, seat, name, remark=remarks[seat], ghost=self.ghost(), choice=self.open_cells()
            )
            self.part(f"board{seat}").show(rows, self.flags)
        self.part("prompt").show(
            [[Piece(f" {line}", "turn")] for line in self._prompt_lines(self.boxes.prompt.width - 2)]
        )
        self.part("log").show(last_lines(self.log_lines, self.boxes.log.width, self.boxes.log.height))
        self.part("keys").show([self.keys_row(self.boxes.keys.width)], self.flags)

    def _prompt_lines(self, width: int) -> list[str]:
        """The prompt in as many lines as there are for it."""
        lines = [part for line in self.prompt_text.split("\n") for part in wrapped(line, width)]
        if len(lines) > PROMPT_LINES:
            lines[PROMPT_LINES - 1] = fit(" ".join(lines[PROMPT_LINES - 1 :]), width)
        return lines[:PROMPT_LINES]

    def _draw_too_small(self) -> None:
        for name in ("offer", "prompt", "log", "keys", *(f"board{seat}" for seat in range(self.view.players))):
            self.part(name).show([])
        head = self.part("head")
        head.place(Region(0, 0, self.size.width, 3))
        told = _("The window is too small: at least {width} columns and {height} lines are needed.")
        lines = wrapped(told.format(width=LEAST[0], height=LEAST[1]), max(12, self.size.width))
        head.show([[Piece(line)] for line in lines])

    def head_row(self) -> Row:
        """Round, turn, bag and lid."""
        supply = words.supply(self.view) + " "
        room = (self.boxes.head.width if self.boxes else self.size.width) - cell_len(supply) - 1
        row = [Piece(" ")]
        for piece in self.headline():
            told = fit(piece.text, room - sum(cell_len(other.text) for other in row))
            row.append(piece._replace(text=told))
        gap = room + 1 - sum(cell_len(piece.text) for piece in row)
        return [*row, Piece(" " * gap), Piece(supply, "faint")]

    def headline(self) -> Row:
        """The round and whose turn it is."""
        return headline(self.view, self.names, is_scoring=self._is_scoring)

    def keys_row(self, width: int) -> Row:
        """The keys that do something now, which can be clicked too."""
        keys = self.keys_now()
        while len(keys) > ALWAYS_SHOWN and sum(cell_len(key + word) + 3 for key, word, _does in keys) > width:
            del keys[-ALWAYS_SHOWN - 1]  # help names it
        row: Row = []
        for key, word, does in keys:
            spot = ("key", does)
            row += [Piece(f" {key}", "key", spot), Piece(f" {word} ", "faint", spot)]
        return row

    def flags(self, spot: Spot | None) -> frozenset[str]:
        """What is special about a place: whether something happened there."""
        return frozenset({"mark"}) if spot in self.marks else frozenset()

    # ---- what a game or a replay adds ----

    def keys_now(self) -> list[Key]:
        """The keys, the most needed first; the last two are always shown."""
        return []

    def remarks(self) -> Sequence[str]:
        """A word beside each name."""
        return [""] * len(self.names)

    def ghost(self) -> Ghost | None:
        """Tiles that would come to a board."""
        return None

    def open_cells(self) -> Sequence[Spot]:
        """Cells of the wall to choose from."""
        return ()

    # ---- showing what happened ----

    async def show_change(self, change: Change, *, at_once: bool = False) -> None:
        """Show a change scene by scene, or at once where nobody wants to wait."""
        self.is_showing = True
        self._skip.clear()
        view = change.before
        for happening in change.happenings:
            shown = list(scenes(happening, view, change.after, self.names))
            scoring = sum(scene.scoring for scene in shown)
            for scene in shown:
                self.log_lines += scene.lines
                await self._show_scene(scene, scoring, at_once)
                view = scene.view
        self.log_lines += words.notes(change, self.names)
        self.is_showing = self._is_scoring = False
        self.view = change.after
        self.draw()

    async def _show_scene(self, scene: Scene, scoring: int, at_once: bool) -> None:
        self.view, self._is_scoring = scene.view, scene.scoring and bool(scene.marks)
        if scene.marks:
            self.marks = scene.marks
        if not scene.scoring:
            self.last_words = scene.words
        seconds = self._pace * (min(SCENE_SECONDS, MOST_SCORING_SECONDS / scoring) if scene.scoring else DRAFT_SECONDS)
        if at_once and not scene.scoring:
            seconds = 0.0
        if seconds == 0.0 or self._skip.is_set():
            return
        self.prompt_text = scene.words + (" " + _("(Space skips)") if scene.scoring else "")
        self.draw()
        try:
            async with asyncio.timeout(seconds):
                await self._skip.wait()
        except TimeoutError:
            pass

    def skip(self) -> None:
        """Show the rest at once."""
        self._skip.set()

    def is_for_dialog(self, event: events.Key) -> bool:
        """Whether a dialog is over the table; a key that was typed before it was quite there is passed on to it."""
        if isinstance(self.screen, Dialog):
            self.screen.call_later(self.screen.on_key, event)
        return len(self.screen_stack) > 1

    def show_panel(self, title: str, lines: Sequence[str]) -> None:
        """Some text over the table until a key is pressed."""
        self.push_screen(Panel(title, lines, color=self.color))

    def show_moves(self) -> None:
        """All moves and scores so far."""
        width = max(20, self.size.width - 8)
        lines = [part for line in self.log_lines for part in wrapped(line, width)]
        self.show_panel(_("Moves and scores"), lines or [_("No move yet")])


@contextmanager
def _environment(*, no_color: bool) -> Iterator[None]:
    """What Textual reads from the environment: with this variable it sends no color at all."""
    before = os.environ.pop("NO_COLOR", None)
    if no_color:
        os.environ["NO_COLOR"] = "1"
    try:
        yield
    finally:
        os.environ.pop("NO_COLOR", None)
        if before is not None:
            os.environ["NO_COLOR"] = before
