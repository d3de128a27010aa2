"""Records that break off, break the rules or are damaged: as much of them as is a game."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from azulejos.game.errors import IllegalMove, InvalidNotation
from azulejos.game.reader import parse_as_far_as_possible
from azulejos.game.record import Entry, Record
from azulejos.game.replay import place, replay, start_of, steps

MOST_CHARACTERS: Final = 1_000_000
"""Longer texts are no games: a long one with every move annotated has a tenth of it."""
DOUBTFUL_TAGS: Final = frozenset({"Termination", "DealSecret"})
"""Tags that say something of the whole game, and so may be wrong of a part of it."""


def read_valid_part(text: str) -> tuple[Record, str | None]:
    """The record in a text or a JSON text as far as it is a game, and where and why it goes no further.

    What comes back can be read and replayed. A text without one valid move or deal raises what is wrong with it.

    >>> from azulejos import Game
    >>> game = Game(seed=1, starter=0)
    >>> _ = game.play("1B1")
    >>> record, fault = read_valid_part(game.to_record().replace("1B1", "1B1 9Z9"))
    >>> len(record.entries), fault
    (2, "round 1, move 2: cannot read '9Z9' as a move: ...")
    """
    if len(text) > MOST_CHARACTERS:
        raise InvalidNotation(f"a record has at most {MOST_CHARACTERS:,} characters, not {len(text):,}")
    record, fault = parse_as_far_as_possible(text)
    if fault is None:
        try:
            replay(record)
        except (IllegalMove, InvalidNotation) as error:
            why = str(error)
        else:
            return record, None
    record = replace(record, tags={name: tag for name, tag in record.tags.items() if name not in DOUBTFUL_TAGS})
    valid: list[Entry] = []
    game = start_of(record)
    try:
        for entry, now in steps(record):
            valid.append(entry)
            game = now
        if fault is not None:
            why = f"{place(game)}: {fault}"
    except (IllegalMove, InvalidNotation) as error:
        why = str(error)
    if all(entry.play is None for entry in valid):
        raise InvalidNotation(why)
    return replace(record, entries=tuple(valid), result=game.scores if game.is_over else None), why
