"""What somebody played like: the mean loss of a move beside what was measured of the levels."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

import msgspec
import numpy as np

from azulejos.analysis.review import Amount, Review
from azulejos.arena.statistics import Z95
from azulejos.players.levels import OPPONENTS
from azulejos.rules.compiled import compiled
from azulejos.search.tree import record_of

LOSSES: Final = "losses.json"
"""The file with the measured losses of each level, written by `benchmarks/review_checks.py`.

Full strength stands there with 800 positions a move, a tenth of what a review looks at: its `player` says so.
"""
FEWEST_MOVES: Final = 5
"""With fewer moves nothing can be said."""
LIKENESS: Final = record_of(
    ("loss", "f8", (2,)),  # the mean share of the victory and the mean margin that a move lost
    ("error", "f8", (2,)),  # one standard error of each
    ("lowest", "i4"),  # rows of the table: the weakest level that may lose as much, and the strongest one
    ("highest", "i4"),
)
"""The record of what a comparison finds."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured of a level."""

    number: int
    """The number of the level; that of full strength is higher than any."""
    games: int
    """How many games were measured."""
    mean: float
    """Points lost a move."""
    error: float
    """How far that may be off: one standard error."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a seat lost a move, and the levels that lose as much."""

    moves: int
    """Decisions of the seat that were not forced."""
    loss: Amount
    """What the seat lost a move."""
    error: Amount
    """How far that may be off from what the player loses in many games: one standard error."""
    lowest: int
    """The weakest level that may lose as much."""
    highest: int
    """The strongest level that may lose as much."""


def likeness(found: Review) -> tuple[Likeness | None, ...]:
    """What each seat of a game played like; None where too little was decided.

    >>> from azulejos import Game
    >>> from azulejos.analysis.review import review
    >>> likeness(review(Game(seed=1).record(), nodes=64))
    (None, None)
    """
    return tuple(
        of_losses([each.loss for each in found.decisions if each.seat == seat and not each.forced])
        for seat in range(found.players)
    )


def of_losses(losses: Sequence[Amount]) -> Likeness | None:
    """What somebody played like who lost so much with each move, in one game or in many."""
    table = measured()
    found = np.zeros(1, LIKENESS)
    amounts = np.array([(loss.win, loss.margin) for loss in losses], np.float64).reshape(-1, 2)
    if not compare(amounts, np.array([(row.mean, row.error) for row in table]), found[0]):
        return None
    (win, margin), errors = found[0].loss.tolist(), found[0].error.tolist()
    lowest, highest = (table[int(row)].number for row in (found[0].lowest, found[0].highest))
    return Likeness(len(losses), Amount(win, margin), Amount(*errors), lowest, highest)


@compiled
def compare(losses: Any, table: Any, found: Any) -> int:
    """Find the levels whose loss differs from this one by no more than chance would explain; the nearest if none is.

    `losses[move, 0 or 1]` are of the share of the victory and of the margin, `table[level, 0 or 1]` mean and standard
    error of the margin that a level loses; returns 1, or 0 where too little was decided.
    """
    count = len(losses)
    if count < FEWEST_MOVES:
        return 0
    for what in range(2):
        mean, squares = 0.0, 0.0
        for at in range(count):
            mean += losses[at, what] / count
        for at in range(count):
            squares += (losses[at, what] - mean) ** 2
        found.loss[what] = mean
        found.error[what] = np.sqrt(squares / (count - 1) / count)
    lowest, highest, nearest = -1, -1, 0
    for row in range(len(table)):
        off = abs(table[row, 0] - found.loss[1])
        if off < abs(table[nearest, 0] - found.loss[1]):
            nearest = row
        if off <= Z95 * np.sqrt(table[row, 1] ** 2 + found.error[1] ** 2):
            highest = row
            if lowest < 0:
                lowest = row
    found.lowest = nearest if lowest < 0 else lowest
    found.highest = nearest if lowest < 0 else highest
    return 1


@functools.cache
def measured() -> tuple[Measured, ...]:
    """What the levels lose, from the weakest to the strongest.

    >>> [row.number for row in measured()][-1]
    100
    """
    listed = msgspec.json.decode(resources.files("azulejos.analysis").joinpath(LOSSES).read_bytes())["losses"]
    rows = [(opponent.number, listed[opponent.spec]) for opponent in OPPONENTS if opponent.spec in listed]
    return tuple(Measured(number, row["games"], **row["margin"]) for number, row in rows)
