"""Which of the mined puzzles ship: some of every kind and theme, and as many hard ones as it takes for a good mix."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from random import Random
from typing import Any, Final

from azulejos.analysis.grading import PLAYS
from azulejos.analysis.puzzles import Puzzle, kind_of

FOUND_BY_FIRST: Final = 0.33
"""The share of the puzzles that the first level should find."""
STEEPEST: Final = 40.0
"""How much more likely, at most, a puzzle is chosen that the first level always finds: e to this."""


def choose(rows: Iterable[dict[str, Any]], count: int, seed: int = 0) -> list[Puzzle]:
    """So many of the mined puzzles, or all; the same for the same ones.

    Every combination of players, wall and theme gets its turn until it has none left; within it those come first that
    a lot says, in which puzzles count such that the first level finds `FOUND_BY_FIRST` of them.
    """
    found = sorted({row["id"]: row for row in rows}.values(), key=lambda row: row["id"])
    slope = _slope([_ease(row) for row in found])
    lots = Random(seed)
    # Who is drawn first if each is drawn with a probability in proportion to its weight.
    keys = {row["id"]: lots.expovariate(1.0) / math.exp(slope * _ease(row)) for row in found}
    piles: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    for row in sorted(found, key=lambda row: -keys[row["id"]]):
        piles[kind_of(row["position"]), row["theme"]].append(row)
    chosen: list[dict[str, Any]] = []
    while len(chosen) < min(count, len(found)):
        for pile in piles.values():
            if pile and len(chosen) < count:
                chosen.append(pile.pop())
    return [Puzzle(row["id"], row["position"], tuple(row["solutions"]), row["theme"], row["rating"]) for row in chosen]


def _ease(row: dict[str, Any]) -> float:
    """How often the first level finds a puzzle."""
    return float(row["hits"][0] / PLAYS)


def _slope(eases: list[float]) -> float:
    """The slope of weights, `exp(slope * ease)`, with which the mean is `FOUND_BY_FIRST`, or as near as can be."""
    low, high = -STEEPEST, STEEPEST
    for _ in range(60):
        slope = (low + high) / 2
        weights = [math.exp(slope * (ease - 0.5)) for ease in eases]
        mean = sum(map(math.prod, zip(weights, eases, strict=True))) / max(sum(weights), 1e-300)
        low, high = (slope, high) if mean < FOUND_BY_FIRST else (low, slope)
    return (low + high) / 2
