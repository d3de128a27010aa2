"""The command that says what a game was made of: losses, luck and a receipt."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from azulejos.cli.options import INTERRUPTED, AsJson, InputFile, print_json, progress_bar
from azulejos.locale import Language

if TYPE_CHECKING:
    from azulejos.analysis.texts import Sheet, Texts


def review(
    file: InputFile,
    *,
    game: int = 1,
    nodes: int | None = None,
    workers: int | None = None,
    annotate: Path | None = None,
    html: Path | None = None,
    language: Language | None = None,
    as_json: AsJson = False,
) -> None:
    """Say what every move of a recorded game cost, how lucky every deal was, and what the result is made of.

    A record that breaks off or breaks the rules is reviewed as far as it goes. Ctrl-C ends the review early: what was
    found so far is printed and written, and said to be a part.

    For example:

        azulejos review game.azul
        azulejos review games.azul --game 3 --html report.html --annotate reviewed.azul
        azulejos review game.azul --nodes 20000 --json

    Parameters
    ----------
    file
        A file of records; - for standard input.
    game
        Which of its games, from 1.
    nodes
        How many positions to look at for each decision; 8000 if not given.
    workers
        How many threads look; one for every core if not given.
    annotate
        Write the record with values, marks and better lines to this file.
    html
        Write a page with graphs to this file.
    language
        Of what is printed and of the page; the environment's if not given.
    as_json
        Print JSON.
    """
    from azulejos import locale
    from azulejos.analysis.analyst import DEFAULT_NODES
    from azulejos.analysis.review import review as find
    from azulejos.tui.start import read_file

    locale.use(language)
    record, fault = read_file(str(file), game)
    with progress_bar("moves") as bar, stopped_by_interrupt() as stop:
        task = bar.add_task("moves")
        found = find(
            record,
            nodes=DEFAULT_NODES if nodes is None else nodes,
            workers=workers,
            tell=lambda done, total: bar.update(task, completed=done, total=total),
            stop=stop,
        )
    if not found.receipts:  # nothing was known yet
        raise KeyboardInterrupt
    found = replace(found, fault=found.fault or fault)
    if annotate is not None:
        from azulejos.analysis.annotate import annotate as annotated

        annotate.write_text(annotated(record, found).text(), "utf-8")
    if html is not None:
        from azulejos.analysis.html import page
        from azulejos.tui.review_words import texts

        html.write_text(page(found, texts(record, found)), "utf-8")
    if as_json:
        from azulejos.analysis.plain import as_json as plain

        print_json(plain(found, record.names))
    else:
        from azulejos.tui.review_words import texts

        _print(texts(record, found))
    if found.stopped:
        sys.exit(INTERRUPTED)


@contextmanager
def stopped_by_interrupt() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed, which once ends nothing else; the second one does."""
    pressed = threading.Event()

    def press(*_: object) -> None:
        pressed.set()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, press)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)


def _print(texts: Texts) -> None:
    console = Console()
    console.print(sheet_table(_narrow(texts.decisions)))
    for sheet in (texts.deals, texts.receipts, texts.chances, texts.marks):
        console.print(sheet_table(sheet))
    for line in texts.summary:
        console.print(line, highlight=False, markup=False)


def _narrow(decisions: Sheet) -> Sheet:
    """The table of decisions with better moves and reasons below the moves that were played: a terminal is narrow."""
    better = decisions.head[3]
    rows = []
    for number, name, played, best, win, lost, points, mark, why in decisions.rows:
        story = "\n".join(filter(None, (played, best and f"{better} {best}", why)))
        rows.append((number, name, story, win, lost, points, mark))
    head = tuple(name for at, name in enumerate(decisions.head) if at not in (3, 8))
    return replace(decisions, head=head, rows=tuple(rows))


def sheet_table(sheet: Sheet) -> Table:
    """A table for the terminal; columns of figures stand to the right."""
    table = Table(title=Text(sheet.title), title_justify="left")
    for at, name in enumerate(sheet.head):
        cells = [row[at] for row in sheet.rows if row[at]]
        is_figures = bool(cells) and all(cell[0] in "+-0123456789" and ":" not in cell for cell in cells)
        width = max(map(len, [*cells, *name.split()])) if is_figures else None  # heads may be broken between words
        table.add_column(Text(name), justify="right" if is_figures else "left", width=width)
    for row in sheet.rows:
        table.add_row(*map(Text, row))
    return table
