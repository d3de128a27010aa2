"""Why a move is refused: a code with arguments for any interface to word, and the wording in English."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct, field

from azulejos.game.errors import IllegalMove
from azulejos.game.moves import SOURCE_LETTERS, Deal, Move
from azulejos.game.validity import PLACES
from azulejos.game.view import COLOR_NAMES
from azulejos.rules import batch
from azulejos.rules import refusals as r
from azulejos.rules import state as s

REASONS: Final = {
    "game_over": "the game is over",
    "deal_due": "a deal is due before the next move",
    "no_deal_due": "no deal is due",
    "tile_first": "a tile of line {row} has to be placed first",
    "nothing_to_tile": "no tile is waiting to be placed",
    "no_such_display": "there are {displays} displays",
    "color_not_there": "there is no {color} at source {source}",
    "line_full": "line {line} is full",
    "other_color": "line {line} holds {color}",
    "color_on_row": "{color} is already on row {row}",
    "cell_taken": "row {row}, column {column} is taken",
    "color_in_column": "{color} is already in column {column}",
    "deal_displays": "the deal has {given} displays instead of {displays}",
    "deal_size": "display {display} gets {given} tiles instead of {expected}",
    "deal_too_many": "the deal has {given} {color} tiles, only {available} can come",
    "deal_leaves_bag": "the deal leaves {color} tiles in the bag although it needs the lid",
    "nothing_to_undo": "there is nothing to undo",
}
"""Every code with its English sentence; colors are named, everything is counted from 1."""


class Refusal(Struct, frozen=True, omit_defaults=True):
    """Why something is not allowed: a code that any interface words, with its arguments. A server sends it as it is."""

    code: str
    """The reason as a word for programs."""
    arguments: dict[str, str | int] = field(default_factory=dict)
    """What the sentence about it has to name."""

    def __str__(self) -> str:
        return REASONS[self.code].format(**self.arguments)

    def error(self, move: object) -> IllegalMove:
        """The error to raise."""
        return IllegalMove(f"illegal move {str(move)!r}: {self}", self.code, self.arguments)


def refuse(code: str, **arguments: str | int) -> Refusal:
    """A refusal with its arguments."""
    return Refusal(code, arguments)


WORDED: Final[dict[int, tuple[str, tuple[str, ...]]]] = {
    r.GAME_OVER: ("game_over", ()),
    r.WAITS_FOR_DEAL: ("deal_due", ()),
    r.NO_DEAL_DUE: ("no_deal_due", ()),
    r.TILE_FIRST: ("tile_first", ("row",)),
    r.NOTHING_TO_TILE: ("nothing_to_tile", ()),
    r.NO_SUCH_DISPLAY: ("no_such_display", ("displays",)),
    r.COLOR_NOT_THERE: ("color_not_there", ("color", "source")),
    r.LINE_FULL: ("line_full", ("line",)),
    r.OTHER_COLOR: ("other_color", ("line", "color")),
    r.COLOR_ON_ROW: ("color_on_row", ("color", "row")),
    r.CELL_TAKEN: ("cell_taken", ("row", "column")),
    r.COLOR_IN_COLUMN: ("color_in_column", ("color", "column")),
    r.DEAL_DISPLAYS: ("deal_displays", ("given", "displays")),
    r.DEAL_SIZE: ("deal_size", ("display", "given", "expected")),
    r.DEAL_TOO_MANY: ("deal_too_many", ("given", "color", "available")),
    r.DEAL_LEAVES_BAG: ("deal_leaves_bag", ("color",)),
}
"""The code and the names of the arguments for each reason of the compiled rules."""


def refusal_of(numbers: r.RefusalNumbers) -> Refusal | None:
    """The refusal that the compiled rules gave as numbers; None if they allow it."""
    reason, *values = numbers
    if reason == r.ALLOWED:
        return None
    code, names = WORDED[reason]
    return Refusal(code, {name: _named(name, value) for name, value in zip(names, values, strict=False)})


def _named(name: str, value: int) -> str | int:
    if name == "color":
        return COLOR_NAMES[value]
    if name == "source":
        return SOURCE_LETTERS[value]
    return value + 1 if name in PLACES else value


def refusal_of_move(states: s.States, move: Move) -> Refusal | None:
    """Why a decision is not allowed, or None if it is."""
    return refusal_of(batch.refusal_one(states, 0, move.id))


def refusal_of_deal(states: s.States, deal: Deal) -> Refusal | None:
    """Why these tiles cannot be dealt now, or None if they can (R39-R41, D5)."""
    return refusal_of(batch.deal_refusal_one(states, 0, deal.tiles(), len(deal.displays)))


def refusals_of_lines(states: s.States) -> dict[tuple[int, int], Refusal]:
    """For the seat that drafts, why each color on offer may not go to each line, by color and line."""
    found = np.empty((s.COLORS * s.ROWS, 5), np.int16)
    count = batch.closed_lines_one(states, 0, found)
    rows = found[:count].tolist()
    worded = ((color, line, refusal_of((reason, a, b, 0))) for color, line, reason, a, b in rows)
    return {(color, line): refusal for color, line, refusal in worded if refusal}
