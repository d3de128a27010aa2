"""What a search or the solver tells of the moves it has found, as records and as objects; and a choice by lot."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

from numpy.typing import NDArray

from azulejos.rules.compiled import compiled, int64
from azulejos.rules.state import MAX_PLAYERS
from azulejos.search.tree import LONGEST_PATH, record_of

CANDIDATE: Final = record_of(
    ("key", "f8"),  # what is sorted by, of the edge with the number of this row
    ("edge", "i4"),  # whose candidate this is
    ("visits", "i4"),  # how often the search looked at it
    ("prior", "f4"),  # how good it looked at first sight
    ("outcome", "f4", (2, MAX_PLAYERS)),  # share of the victory and margin of each seat
    ("action", "i2"),
    ("length", "i2"),
    ("line", "i2", (LONGEST_PATH,)),  # the actions expected to follow, so many, its own first
)
"""The record of a candidate; the one to play comes first."""


@compiled
def sort_down(order: Any, count: int, keys: Any) -> None:
    """Sort the first of some numbers by their keys, the highest first; those with the same key stay as they were."""
    for at in range(1, count):
        moved = order[at]
        place = at
        while place > 0 and keys[order[place - 1]] < keys[moved]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = moved


@compiled
def draw(visits: Any, temperature: float, drawn: float) -> int:
    """Which of some candidates to play: with temperature 1 each as often as it was looked at, with less the best ones
    more often. `drawn` is a random number from 0 to 1.
    """
    most = 0
    for at in range(len(visits)):
        most = max(most, int64(visits[at]))
    total = 0.0
    for at in range(len(visits)):
        total += math.pow(visits[at] / most, 1.0 / temperature)
    passed = 0.0
    chosen = 0
    for at in range(len(visits)):
        if visits[at] > 0 and passed <= drawn * total:
            passed += math.pow(visits[at] / most, 1.0 / temperature)
            chosen = at
    return chosen


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move of the root and what the search knows about it."""

    action: int
    """The action number of the move."""
    visits: int
    """How often the search looked at it."""
    prior: float
    """How good it looked at first sight."""
    win: tuple[float, ...]
    """Share of the victory of each seat."""
    margin: tuple[float, ...]
    """Final score of each seat less the best of the others."""
    line: tuple[int, ...]
    """The actions expected to follow, this one first."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a search has found so far."""

    nodes: int
    """How many positions were looked at."""
    seconds: float
    """How long it took."""
    depth: int
    """How many moves ahead the longest line looks."""
    candidates: tuple[Candidate, ...]
    """The move to play first, the others by visits."""
    solved: bool = False
    """Whether the rest of the round is solved: then no move can be better."""

    @property
    def best(self) -> Candidate:
        """The move to play."""
        return self.candidates[0]


def told(found: NDArray[Any], players: int) -> tuple[Candidate, ...]:
    """The candidates that compiled code has found."""
    columns = (found[name].tolist() for name in ("action", "visits", "prior", "outcome", "line", "length"))
    return tuple(
        Candidate(action, visits, prior, tuple(win[:players]), tuple(margin[:players]), tuple(line[:length]))
        for action, visits, prior, (win, margin), line, length in zip(*columns, strict=True)
    )
