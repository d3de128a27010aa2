"""A record on the screen, step by step."""

from __future__ import annotations

from textual import events, on, work
from textual.worker import get_current_worker

from azulejos.game.moves import Deal
from azulejos.locale import _
from azulejos.tui.app.board_app import BoardApp, Key
from azulejos.tui.app.dialogs import replay_help
from azulejos.tui.board.scenes import scenes
from azulejos.tui.board.widgets import Drawn
from azulejos.tui.review_words import Reviewer, notes
from azulejos.tui.table.recorded import Recorded
from azulejos.tui.table.table import Change

RUN_SECONDS = 1.2
"""From step to step while the replay runs by itself."""
KEYS = {
    "right": "forward",
    "space": "forward",
    "enter": "forward",
    "down": "forward",
    "left": "back",
    "backspace": "back",
    "up": "back",
    "pagedown": "next_round",
    "pageup": "previous_round",
    "home": "first",
    "end": "last",
    "p": "run",
    "m": "moves",
    "question_mark": "help",
    "q": "quit",
}
"""What each key does."""


class ReplayApp(BoardApp):
    """Goes through a record with the arrow keys."""

    TITLE = "Azulejos"
    """The title of the window."""

    def __init__(
        self, recorded: Recorded, *, color: bool = True, speed: str = "normal", review: Reviewer | None = None
    ) -> None:
        self._review, self._progress = review, ""
        self.recorded = recorded
        """The record and every step of it."""
        self.steps = self.recorded.steps
        """The start, and the position after every move and deal."""
        self.here = 1 if len(self.steps) > 1 and isinstance(self._move_at(1), Deal) else 0
        """The number of the step that is shown."""
        super().__init__(self.steps[self.here].view, self.recorded.names, color=color, speed=speed)
        self._is_running = False

    def _move_at(self, step: int) -> object:
        happening = self.steps[step].happening
        return happening.move if happening else None

    def on_mount(self) -> None:
        """Show the first deal."""
        super().on_mount()
        self.go(self.here)
        self.set_interval(RUN_SECONDS, self._beat)
        if self._review:
            self._look_back(self._review)

    @work(thread=True, group="review")
    def _look_back(self, review: Reviewer) -> None:
        """Review the game while somebody is looking at it already."""
        stop = get_current_worker()
        found = review(
            self.recorded.record,
            tell=lambda done, total: self.call_from_thread(self._show_progress, done, total),
            stop=lambda: stop.is_cancelled,
        )
        if not stop.is_cancelled:
            self.call_from_thread(self._show_review, notes(self.recorded.record, found, self.recorded.names))

    def _show_progress(self, done: int, total: int) -> None:
        self._progress = _("Reviewing: {done} of {total}").format(done=done, total=total)
        self._draw_prompt()

    def _show_review(self, found: dict[int, list[str]]) -> None:
        self.recorded.review, self._progress = found, ""
        if not self.is_showing:
            self.go(self.here)

    def go(self, to: int) -> None:
        """Show a step at once."""
        self.here = max(0, min(to, len(self.steps) - 1))
        step = self.steps[self.here]
        self.view = step.view
        self.log_lines = [line for number in range(self.here + 1) for line in self.recorded.story(number)]
        self.marks = self._marks()
        self._draw_prompt()

    def _marks(self) -> frozenset[tuple[str | int, ...]]:
        """Where the last step put its tiles."""
        happening = self.steps[self.here].happening
        if happening is None:
            return frozenset()
        before = self.steps[self.here - 1].view
        shown = list(scenes(happening, before, self.view, self.names))
        return frozenset(mark for scene in shown for mark in scene.marks)

    def _draw_prompt(self) -> None:
        told = _("Round {round}, step {step} of {last}").format(
            round=self.view.round, step=self.here, last=len(self.steps) - 1
        )
        story = self.recorded.story(self.here)
        if story:
            told += ": " + story[0].strip()
        for line in (self._progress, *self.recorded.review.get(self.here, ())):
            told += f"\n{line}" if line else ""
        if self.here == self.recorded.last and self.recorded.ending:
            told += f"\n{self.recorded.ending}"
        self.prompt_text = told
        self.draw()

    @work(exclusive=True, group="forward")
    async def _forward(self) -> None:
        """Show the next step scene by scene."""
        if self.here + 1 < len(self.steps):
            self.here += 1
            step = self.steps[self.here]
            assert step.happening is not None
            await self.show_change(Change(self.steps[self.here - 1].view, step.view, (step.happening,)), at_once=True)
            self.go(self.here)

    def _beat(self) -> None:
        if self._is_running and not self.is_showing and len(self.screen_stack) == 1:  # not below a panel
            if self.here + 1 < len(self.steps):
                self._forward()
            else:
                self._is_running = False
                self.draw()

    def keys_now(self) -> list[Key]:
        """The keys below the table."""
        return [
            ("←", _("back"), "back"),
            ("→", _("forward"), "forward"),
            ("P", _("pause") if self._is_running else _("run"), "run"),
            (_("PgDn"), _("round"), "next_round"),
            (_("End"), _("end"), "last"),
            ("M", _("moves"), "moves"),
            ("?", _("help"), "help"),
            ("Q", _("quit"), "quit"),
        ]

    def on_key(self, event: events.Key) -> None:
        """Do what a key is for."""
        if not self.is_for_dialog(event):
            event.prevent_default()
            command = KEYS.get(event.key.lower(), "")
            self._is_running = self._is_running and command in ("run", "")
            self._command(command)

    @on(Drawn.Clicked)
    def _clicked(self, message: Drawn.Clicked) -> None:
        spot = message.spot
        is_key = spot is not None and spot[0] == "key"
        self._command(str(spot[1]) if spot and is_key and not self.is_showing else "forward")

    def _command(self, command: str) -> None:
        if command == "forward" and self.is_showing:
            self.skip()
        elif command == "forward":
            self._forward()
        elif command == "run":
            self._is_running = not self._is_running
            self.draw()
        elif command == "moves":
            self.show_moves()
        elif command == "help":
            self.show_panel(_("Keys"), replay_help())
        elif command == "quit":
            self.exit()
        elif command:
            self.workers.cancel_group(self, "forward")
            self.is_showing = self._is_scoring = False
            self.go(self._target(command))

    def _target(self, command: str) -> int:
        if command == "next_round":
            return self.recorded.next_round(self.here)
        if command == "previous_round":
            return self.recorded.previous_round(self.here)
        return {"back": self.here - 1, "first": 0, "last": self.recorded.last}[command]
