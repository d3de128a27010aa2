"""A record made ready to be looked at: its steps, its names, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from azulejos.game.game import Game
from azulejos.game.happening import Happening
from azulejos.game.moves import Deal
from azulejos.game.record import UNKNOWN, Record
from azulejos.game.replay import GAVE_UP, start_of
from azulejos.game.view import View
from azulejos.locale import _
from azulejos.players.levels import SPECS
from azulejos.tui import words
from azulejos.tui.table.table import Change


@dataclass(frozen=True, slots=True)
class RecordStep:
    """A move or deal, and the table after it."""

    happening: Happening | None
    """What happened; None at the start."""
    view: View
    """The position after it."""
    comments: tuple[str, ...] = ()
    """What was written about it."""


class Recorded:
    """The start of a record and every step after it."""

    def __init__(self, record: Record, fault: str | None = None) -> None:
        game = start_of(record)
        self.record = record
        """The record itself."""
        self.fault = words.fault_sentence(fault) if fault else ""
        """Why it was not followed any further, in words."""
        self.names = [seat_name(seat, name) for seat, name in enumerate(record.names)]
        """What each seat is called."""
        self.steps = [RecordStep(None, game.view, record.comments)]
        """The start, and the position after every move and deal."""
        for entry in record.entries:
            if entry.play is not None:
                happening = game.play(entry.play)
                self.steps.append(RecordStep(happening, game.view, entry.comments))
        self.review: Mapping[int, Sequence[str]] = {}
        """What a review found of each step, in words, if there was one."""
        self.ending = " ".join(filter(None, (_ending(record, game, self.names), self.fault)))
        """How the game ended, or why the record did, in words."""

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self.steps) - 1

    def story(self, number: int) -> list[str]:
        """What a step did, a line for each thing, and what was written about it."""
        step = self.steps[number]
        lines = []
        if step.happening:
            change = Change(self.steps[number - 1].view, step.view)
            lines = words.story(step.happening, self.names, step.view) + words.notes(change, self.names)
        lines += [f"  {line}" for line in self.review.get(number, ())]
        lines += ["  {" + words.printable(comment) + "}" for comment in step.comments]
        return lines + ([self.ending] if self.ending and number == self.last else [])

    def next_round(self, here: int) -> int:
        """The step with which the next round begins, or the last one."""
        return next((number for number in self._deals() if number > here), self.last)

    def previous_round(self, here: int) -> int:
        """The step with which this round began, or the one before it, or the start."""
        return next((number for number in reversed(self._deals()) if number < here), 0)

    def _deals(self) -> list[int]:
        return [number for number, step in enumerate(self.steps) if step.happening and _is_deal(step.happening)]


def _is_deal(happening: Happening) -> bool:
    return happening.deal is not None or isinstance(happening.move, Deal)


def _ending(record: Record, game: Game, names: list[str]) -> str:
    """Why and how the game ended; nothing if it did not."""
    outcome, why = game.outcome, record.tags.get("Termination", "")
    if outcome:
        return f"{words.reason(outcome.reason)}. {words.result(outcome.winners, outcome.scores, names)}"
    return f"{words.reason(why)}." if record.result and why in GAVE_UP else ""


def seat_name(seat: int, name: str) -> str:
    """The name of a seat in a record, levels and full strength in plain words."""
    plain = words.printable(name).removeprefix("bot:")
    if plain in ("", UNKNOWN):
        return _("Player {number}").format(number=seat + 1)
    return words.level_name(plain) if plain in SPECS.values() else plain
