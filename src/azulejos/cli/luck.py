"""The command that adds up luck and skill over many games."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from rich.console import Console

from azulejos.cli.options import AsJson, InputFile, print_json, progress_bar
from azulejos.cli.review import sheet_table
from azulejos.locale import Language

if TYPE_CHECKING:
    from azulejos.analysis.totals import Total
    from azulejos.game.record import Record


def luck(
    *files: InputFile,
    nodes: int | None = None,
    workers: int | None = None,
    language: Language | None = None,
    as_json: AsJson = False,
) -> None:
    """Add up luck and skill of every player, by name, over all games of some files.

    For example:

        azulejos luck games.azul
        azulejos luck march.azul april.azul --nodes 2000 --json

    Parameters
    ----------
    files
        Files of records; - for standard input.
    nodes
        How many positions to look at for each decision; 8000 if not given.
    workers
        How many threads look; one for every core if not given.
    language
        Of what is printed; the environment's if not given.
    as_json
        Print JSON.
    """
    from azulejos import locale
    from azulejos.analysis.analyst import DEFAULT_NODES
    from azulejos.analysis.review import review
    from azulejos.analysis.totals import add_up
    from azulejos.tui.review_words import total_sheet, totals_summary

    locale.use(language)
    if not files:
        raise ValueError("no files named: expected at least one, as in games.azul")
    faults: list[dict[str, object]] = []
    games = list(_games([str(file) for file in files], faults))
    if not games:
        raise ValueError(f"none of these files holds a game: {'; '.join(str(fault['fault']) for fault in faults[:3])}")
    with progress_bar() as bar:
        look = partial(review, nodes=DEFAULT_NODES if nodes is None else nodes, workers=workers)
        totals = add_up((record.names, look(record)) for record in bar.track(games))
    if as_json:
        print_json({"players": [_plain(total) for total in totals], "faults": faults})
        return
    for fault in faults:
        print("azulejos: {file}, game {game}: {fault}".format(**fault), file=sys.stderr)
    console = Console()
    for total in totals:
        console.print(sheet_table(total_sheet(total)))
    for line in totals_summary(totals):
        console.print(line, highlight=False, markup=False)


def _games(files: list[str], faults: list[dict[str, object]]) -> Iterator[Record]:
    """All games as far as they are valid; what is wrong is written down."""
    from azulejos.game.errors import InvalidNotation
    from azulejos.game.reader import record_texts
    from azulejos.game.valid_part import read_valid_part

    for file in files:
        number = 0
        try:
            for number, text in enumerate(record_texts(file), 1):
                try:
                    record, fault = read_valid_part(text)
                except InvalidNotation as error:
                    faults.append({"file": file, "game": number, "fault": str(error)})
                    continue
                if fault:
                    faults.append({"file": file, "game": number, "fault": fault})
                yield record
        except InvalidNotation as error:  # where one game ends and the next begins cannot be told any more
            faults.append({"file": file, "game": number + 1, "fault": str(error)})


def _plain(total: Total) -> dict[str, object]:
    from dataclasses import asdict

    from azulejos.analysis.receipt import PARTS

    parts = {}
    for part in PARTS:
        error = total.error(part)
        parts[part] = {
            "sum": asdict(total.sum(part)),
            "mean": asdict(total.mean(part)),
            "error": error and asdict(error),
        }
    like = total.like
    return {
        "name": total.name,
        "games": len(total.receipts),
        "moves": len(total.losses),
        **parts,
        "like": like and asdict(like),
    }
