"""Stepping through a record in the terminal."""

from __future__ import annotations

from collections.abc import Callable

from azulejos import drawing
from azulejos.record import Entry, Record
from azulejos.replay import start_of, steps
from azulejos.view import View

PROMPT = "Enter next, b back, a number to jump, q quit: "


def step_through(
    record: Record,
    *,
    at: int | None = None,
    color: bool = False,
    say: Callable[[str], None] = print,
    ask: Callable[[str], str] = input,
) -> None:
    """Show a record position by position; with `at` only the position after so many moves and deals."""
    views: list[tuple[Entry | None, View]] = [(None, start_of(record).view)]
    views += [(entry, game.view) for entry, game in steps(record)]
    last = len(views) - 1
    if at is not None and not 0 <= at <= last:
        raise ValueError(f"there is no step {at}: the record has {last}")
    here = at or 0
    while True:
        entry, view = views[here]
        say(f"\n{here}/{last} {_describe(entry)}\n\n{drawing.text(view, color=color, names=record.names)}")
        if at is not None:
            return
        try:
            here = _next(here, last, ask(PROMPT).strip().lower(), say)
        except (EOFError, KeyboardInterrupt, StopIteration):
            return


def _describe(entry: Entry | None) -> str:
    if entry is None:
        return "the start"
    words = [f"R{entry.head[0]}@{entry.head[1] + 1}"] if entry.head else []
    words += [str(entry.play)] if entry.play else []
    comments = " ".join(f"{{{comment}}}" for comment in entry.comments)
    return " ".join(words) + " " + "".join(filter(str.isprintable, comments))  # nothing that moves the cursor


def _next(here: int, last: int, word: str, say: Callable[[str], None]) -> int:
    if word == "q" or (not word and here == last):
        raise StopIteration
    if not word:
        return here + 1
    if word == "b":
        return max(here - 1, 0)
    if word.isascii() and word.isdigit() and int(word[:9]) <= last:
        return int(word[:9])
    say(f"cannot read {word!r}")
    return here
