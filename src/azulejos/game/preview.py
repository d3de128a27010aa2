"""What moves would do, as data: for whoever chooses among them."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from azulejos.game.moves import MOVES, Move
from azulejos.rules import batch, previews
from azulejos.rules import state as s

COLUMNS_OF_BITS: Final = tuple(
    tuple(column for column in range(s.COLUMNS) if bits >> column & 1) for bits in range(1 << s.COLUMNS)
)
"""The columns that a mask of five bits stands for."""


class Preview(Struct, frozen=True):  # a seventh of a dataclass's time, and there is one for every legal move
    """What a move would do."""

    taken: int
    """Tiles that would be taken."""
    placed: int
    """Tiles that the line would take."""
    dropped: int
    """Tiles that would fall to the floor."""
    marker: bool
    """Whether the starting-player marker would come along."""
    cost: int
    """Points that the floor would cost more than before."""
    completes: bool
    """Whether the line would be complete."""
    columns: tuple[int, ...]
    """The wall columns open to it if it is; none: the line would fall to the floor (gray wall)."""
    points: int
    """What the line would score if the round ended now, at best; of a tiling choice, what it scores."""


def preview_of(numbers: previews.PreviewNumbers) -> Preview:
    """The preview that the compiled rules wrote as numbers."""
    taken, placed, marker, cost, completes, columns, points = numbers
    return Preview(taken, placed, taken - placed, bool(marker), cost, bool(completes), COLUMNS_OF_BITS[columns], points)


def previews_of(states: s.States) -> dict[Move, Preview]:
    """Every legal move of the first state with what it would do, by rising number."""
    found = np.empty((s.MOST_LEGAL, previews.NUMBERS), np.int16)
    count = batch.preview_all_one(states, 0, np.empty(s.MOST_LEGAL, np.int16), found)
    return {MOVES[action]: preview_of(numbers) for action, *numbers in found[:count].tolist()}
