"""A record on the screen, step by step."""

from __future__ import annotations

import re
from dataclasses import dataclass

from textual import events, on, work

from azulejos.happening import Happening
from azulejos.locale import _
from azulejos.moves import Deal
from azulejos.record import UNKNOWN, Record
from azulejos.replay import start_of
from azulejos.tui import words
from azulejos.tui.board_app import BoardApp
from azulejos.tui.dialogs import replay_help
from azulejos.tui.scenes import scenes
from azulejos.tui.table import Change
from azulejos.tui.widgets import Drawn
from azulejos.view import View

RUN_SECONDS = 1.2
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


@dataclass(frozen=True, slots=True)
class Step:
    """A move or deal, and the table after it."""

    happening: Happening | None
    view: View
    comments: tuple[str, ...] = ()


def steps_of(record: Record) -> list[Step]:
    """The start of a record and every step after it."""
    game = start_of(record)
    steps = [Step(None, game.view, record.comments)]
    for entry in record.entries:
        if entry.play is not None:
            happening = game.play(entry.play)
            steps.append(Step(happening, game.view, entry.comments))
    return steps


def names_in(record: Record) -> list[str]:
    """The names in a record, levels in plain words."""
    return [_name(seat, name) for seat, name in enumerate(record.names)]


def _name(seat: int, name: str) -> str:
    plain = "".join(filter(str.isprintable, name)).strip().removeprefix("bot:")
    if plain in ("", UNKNOWN):
        return _("Player {number}").format(number=seat + 1)
    return words.level_name(plain) if re.fullmatch("level[1-8]", plain) else plain


class ReplayApp(BoardApp):
    """Goes through a record with the arrow keys."""

    TITLE = "Azulejos"

    def __init__(self, record: Record, *, color: bool = True, speed: str = "normal") -> None:
        self.steps = steps_of(record)
        names = names_in(record)
        self.here = 1 if len(self.steps) > 1 and isinstance(self._move_at(1), Deal) else 0
        super().__init__(self.steps[self.here].view, names, color=color, speed=speed)
        self._is_running = False

    def _move_at(self, step: int) -> object:
        happening = self.steps[step].happening
        return happening.move if happening else None

    def on_mount(self) -> None:
        """Show the first deal."""
        super().on_mount()
        self.go(self.here)
        self.set_interval(RUN_SECONDS, self._beat)

    def go(self, to: int) -> None:
        """Show a step at once."""
        self.here = max(0, min(to, len(self.steps) - 1))
        step = self.steps[self.here]
        self.view = step.view
        self.log_lines = [line for number in range(1, self.here + 1) for line in self._story(number)]
        self.log_lines = [f"{{{comment}}}" for comment in self.steps[0].comments] + self.log_lines
        self.marks = self._marks()
        self._draw_prompt()

    def _story(self, number: int) -> list[str]:
        step = self.steps[number]
        assert step.happening is not None
        lines = words.story(step.happening, self.names, step.view)
        return lines + ["  {" + "".join(filter(str.isprintable, comment)) + "}" for comment in step.comments]

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
        happening = self.steps[self.here].happening
        if happening:
            told += ": " + words.story(happening, self.names, self.view)[0] if self._story(self.here) else ""
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
        if self._is_running and not self.is_showing:
            if self.here + 1 < len(self.steps):
                self._forward()
            else:
                self._is_running = False

    def keys_now(self) -> list[tuple[str, str]]:
        """The keys below the table."""
        return [
            ("←", _("back")),
            ("→", _("forward")),
            ("PgUp/Dn", _("round")),
            ("P", _("run")),
            ("M", _("moves")),
            ("?", _("help")),
            ("Q", _("quit")),
        ]

    def on_key(self, event: events.Key) -> None:
        """Do what a key is for."""
        if len(self.screen_stack) == 1:
            event.prevent_default()
            self._command(KEYS.get(event.key.lower(), ""))

    @on(Drawn.Clicked)
    def _clicked(self, message: Drawn.Clicked) -> None:
        spot = message.spot
        named = {"←": "back", "→": "forward", "pgup/dn": "next_round", "?": "help"}
        if self.is_showing or not spot or spot[0] != "key":
            self._command("forward")
        else:
            self._command(named.get(str(spot[1]), KEYS.get(str(spot[1]), "")))

    def _command(self, command: str) -> None:
        if command == "forward" and self.is_showing:
            self.skip()
        elif command == "forward":
            self._forward()
        elif command == "run":
            self._is_running = not self._is_running
        elif command == "moves":
            self.show_moves()
        elif command == "help":
            self.show_panel(_("Keys"), replay_help())
        elif command == "quit":
            self.exit()
        elif command:
            self.workers.cancel_group(self, "forward")
            self.is_showing = False
            self.go(self._target(command))

    def _target(self, command: str) -> int:
        deals = [number for number in range(1, len(self.steps)) if self._round_at(number) != self._round_at(number - 1)]
        last = len(self.steps) - 1
        if command == "next_round":
            return next((number for number in deals if number > self.here), last)
        if command == "previous_round":
            return next((number for number in reversed(deals) if number < self.here), 0)
        return {"back": self.here - 1, "first": 0, "last": last}[command]

    def _round_at(self, number: int) -> int:
        return self.steps[number].view.round
