"""Stepping through a record line by line."""

from __future__ import annotations

from collections.abc import Callable

from azulejos.analysis.review import Review
from azulejos.locale import _
from azulejos.tui import words
from azulejos.tui.plain.game import table_text
from azulejos.tui.review_words import notes
from azulejos.tui.table.recorded import Recorded, RecordStep


def step_through(
    recorded: Recorded,
    *,
    at: int | None = None,
    color: bool = False,
    say: Callable[[str], None] = print,
    ask: Callable[[str], str] | None = input,
    is_script: bool = False,
    found: Review | None = None,
) -> None:
    """Show a record position by position; with `at` only the position after so many moves and deals.

    Where there is nobody to `ask`, or a script that ends before its first answer, all positions one after the other.
    What a review `found` is told at each step.
    """
    if found is not None:
        recorded.review = notes(recorded.record, found, recorded.names)
    if at is not None and not 0 <= at <= recorded.last:
        raise ValueError(f"there is no step {at}: the record has {recorded.last}")
    here, was_answered = at or 0, False
    while True:
        say(_page(recorded, here, color=color))
        if at is not None and here < recorded.last and recorded.fault:
            say(recorded.fault)
        if at is not None or (ask is None and here == recorded.last):
            return
        try:
            here = here + 1 if ask is None else _next(recorded, here, ask(_prompt()).strip().lower(), say)
            was_answered = True
        except EOFError:
            if was_answered or not is_script or here == recorded.last:
                return
            here, ask = here + 1, None
        except (KeyboardInterrupt, StopIteration):
            return


def _prompt() -> str:
    return _("Enter next, b back, r next round, e end, a number to jump, q quit: ")


def _page(recorded: Recorded, here: int, *, color: bool) -> str:
    """A step: its number and move, what it did in sentences, and the table after it."""
    step = recorded.steps[here]
    head = f"{here}/{recorded.last} {_describe(step)}".rstrip()
    told = "".join(f"{line}\n" for line in recorded.story(here) if not line.startswith("  {"))
    return f"\n{head}\n\n{told}\n{table_text(step.view, recorded.names, color=color)}"


def _describe(step: RecordStep) -> str:
    comments = " ".join(f"{{{words.printable(comment)}}}" for comment in step.comments)
    told = str(step.happening.move) if step.happening else _("the start")
    return f"{told} {comments}"


def _next(recorded: Recorded, here: int, word: str, say: Callable[[str], None]) -> int:
    last = recorded.last
    if word == "q" or (not word and here == last):
        raise StopIteration
    if word.isascii() and word.isdigit() and len(word) < 10 and int(word) <= last:
        return int(word)
    steps = {"": here + 1, "b": max(here - 1, 0), "r": recorded.next_round(here), "e": last}
    if word not in steps:
        say(_("cannot read {text}").format(text=repr(word[:40])))
    return steps.get(word, here)
