"""What somebody played like: the mean loss of a move beside what was measured of the levels."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from statistics import fmean, stdev
from typing import Final

from azulejos.analysis.review import Amount, Review
from azulejos.arena.statistics import Z95
from azulejos.players.levels import OPPONENTS

LOSSES: Final = "losses.json"
"""The file with the measured losses of each level, written by `benchmarks/review_checks.py`.

Full strength stands there with 800 positions a move, a tenth of what a review looks at: its `player` says so.
"""
FEWEST_MOVES: Final = 5
"""With fewer moves nothing can be said."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured of a level."""

    number: int
    """Of the level; that of full strength is higher than any."""
    games: int
    """How many were measured."""
    mean: float
    """Points lost a move."""
    error: float
    """How far that may be off: one standard error."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a seat lost a move, and the levels that lose as much."""

    moves: int
    """Its decisions that were not forced."""
    loss: Amount
    """Lost a move."""
    error: Amount
    """How far that may be off from what the player loses in many games: one standard error."""
    lowest: int
    """The weakest level that may lose as much."""
    highest: int
    """The strongest one."""


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
    if len(losses) < FEWEST_MOVES:
        return None
    wins, margins = [loss.win for loss in losses], [loss.margin for loss in losses]
    loss = Amount(fmean(wins), fmean(margins))
    error = Amount(*(stdev(values) / math.sqrt(len(values)) for values in (wins, margins)))
    lowest, highest = _between(measured(), loss.margin, error.margin)
    return Likeness(len(losses), loss, error, lowest, highest)


def _between(table: Sequence[Measured], mean: float, error: float) -> tuple[int, int]:
    """The levels whose loss differs from this one by no more than chance would explain; the nearest one if none is."""
    near = [row for row in table if abs(row.mean - mean) <= Z95 * math.hypot(row.error, error)]
    if not near:
        near = [min(table, key=lambda row: abs(row.mean - mean))]
    return near[0].number, near[-1].number


@functools.cache
def measured() -> tuple[Measured, ...]:
    """What the levels lose, from the weakest to the strongest; never more than a weaker one.

    >>> [row.number for row in measured()][-1]
    100
    """
    listed = json.loads(resources.files("azulejos.analysis").joinpath(LOSSES).read_text("utf-8"))["losses"]
    table: list[Measured] = []
    for opponent in OPPONENTS:
        row = listed.get(opponent.spec)
        if row is not None:
            mean = min([row["margin"]["mean"], *(each.mean for each in table)])
            table.append(Measured(opponent.number, row["games"], mean, row["margin"]["error"]))
    return tuple(table)
