"""The command that checks records."""

from __future__ import annotations

import sys

from azulejos.cli.options import BAD_INPUT, AsJson, InputFile, print_json
from azulejos.drawing.words import plural
from azulejos.game.errors import InvalidNotation
from azulejos.game.reader import read_text, record_texts
from azulejos.game.record import Record
from azulejos.game.replay import replay


def verify(file: InputFile, *, as_json: AsJson = False) -> None:
    """Replay every record of a file and check moves, heads of rounds, results and committed deals.

    Exit code 0 if all are right, 2 if any is not.

    For example:

        azulejos verify games.azul
        azulejos verify games.azul --json

    Parameters
    ----------
    file
        A file of records, text or JSON lines; - for standard input.
    as_json
        Print a line of JSON for each game.
    """
    wrong = number = 0
    for number, text in enumerate(record_texts(str(file)), 1):
        fault = None
        try:
            record = read_text(text)
        except ValueError as error:
            fault = str(error)
            wrong += 1
        if as_json:
            print_json({"game": number, "ok": fault is None, "error": fault})
        elif fault is None:
            print(f"game {number}: {_summary(record)}")
        else:
            print(f"game {number}: {fault}", file=sys.stderr)
    if number == 0:
        raise InvalidNotation(f"{str(file)!r} holds no record")
    if wrong:
        sys.exit(BAD_INPUT)


def _summary(record: Record) -> str:
    game = replay(record)
    moves = sum(1 for entry in record.entries if entry.head is None)
    deals = ", deals follow from the secret" if "DealSecret" in record.tags else ""
    return f"ok, {plural(game.round, 'round')}, {plural(moves, 'move')}, {record.result_text}{deals}"
