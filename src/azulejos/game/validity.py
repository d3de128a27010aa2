"""Can this position be? Every fault of a view, in words; the rules say which there are."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from azulejos.game.view import COLOR_NAMES, View, record_of
from azulejos.rules import state as s
from azulejos.rules import validity as v

SENTENCES: Final = {
    v.TOO_MANY_TILES: f"{{tiles}} {{color}} tiles, there are {s.TILES_PER_COLOR}",
    v.NO_MARKER: "no starting-player marker, there is one",
    v.SEVERAL_MARKERS: "{markers} starting-player markers, there is one",
    v.FULL_DISPLAY: f"display {{display}} holds {{tiles}} tiles, it has room for {s.DISPLAY_SIZE}",
    v.NO_SUCH_ROUND: f"round {{number}}, there are at most {s.NO_ROUND_LIMIT}",
    v.NO_SUCH_SEAT: "seat to act {seat} in a game with {players} seats",
    v.NO_SUCH_STARTER: "starter {seat} in a game with {players} seats",
    v.SCORE_TOO_HIGH: f"score {{score}}, the highest possible is {v.HIGHEST_SCORE}",
    v.FULL_FLOOR: f"{{tiles}} tiles on the floor, it has {s.FLOOR_SPACES} spaces",
    v.TWICE_IN_ROW: "{color} twice in row {row}",
    v.TWICE_IN_COLUMN: "{color} twice in column {column}",
    v.WRONG_CELL: "{color} on row {row}, column {column} of the colored wall",
    v.FULL_LINE: "{tiles} tiles in line {line}",
    v.COLOR_ON_ROW: "{color} in line {line} is already on row {row}",
    v.LINE_NOT_TILED: "line {line} is complete but not tiled",
    v.ROW_TOO_SOON: "row {row} is complete before the end of the round",
    v.ROW_TOO_FAST: "{tiles} tiles on row {row} after {rounds} rounds of tiling",
    v.ROW_TOO_FAST_FOR_ONE: "{tiles} tiles on row {row} after 1 round of tiling",
    v.NOTHING_TO_DRAFT: "nothing to draft, the round is over",
    v.SHORT_DISPLAY: "display {display} holds {tiles} tiles",
    v.UNFILLED_DISPLAY: "display {display} is short although there were tiles to fill it",
    v.FULL_CENTER: "{tiles} tiles in the center with {touched} displays emptied",
    v.NOT_STARTED: "seat {seat} to act before seat {seat} has started the round",
    v.MARKER_TAKEN: "the starting-player marker is taken before the first draft",
    v.FALLEN_TOO_SOON: "tiles on the floor before the first draft",
    v.LINE_TOO_SOON: "line {line} is complete before the first draft",
    v.TILES_LEFT: "tiles on displays or in the center after the round",
    v.MARKER_AWAY: "the starting-player marker is not in the center",
    v.FLOOR_NOT_EMPTY: "tiles on a floor that has been scored",
    v.CHOICE_ON_COLORED: "a tiling choice on the colored wall",
    v.NO_CHOICE: "seat {seat} has no complete line with a choice of columns",
    v.OTHER_STARTER: "seat {seat} to act, but seat {seat} will start the round",
    v.STALLED: "nothing can change any more, the game is over",
}
"""The sentence of every fault; its blanks take the fault's numbers one after the other."""
PLACES: Final = frozenset({"row", "column", "line", "display", "seat"})
"""Numbers that people count from 1."""


def faults(view: View) -> list[str]:
    """Everything that is wrong with a view; an empty list if it can be."""
    markers = view.marker + sum(board.marker for board in view.boards)
    found = np.empty((v.MOST_FAULTS, v.NUMBERS), np.int32)
    count = v.complete(record_of(view)[0], view.round, markers, found)
    return [_sentence(*row) for row in found[:count].tolist()]


def _sentence(code: int, seat: int, *numbers: int) -> str:
    values = iter(numbers)
    sentence = re.sub(r"\{(\w+)\}", lambda blank: _named(blank[1], next(values)), SENTENCES[code])
    return sentence if seat == s.NOBODY else f"board {seat + 1}: {sentence}"


def _named(name: str, value: int) -> str:
    if name == "color":
        return COLOR_NAMES[value]
    return str(value + 1 if name in PLACES else value)
