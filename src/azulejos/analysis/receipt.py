"""The receipt of a game: what was expected, luck, own losses, others' losses, and a remainder; it adds up exactly."""

from __future__ import annotations

from typing import Any, Final

from azulejos.rules.compiled import compiled, int64
from azulejos.rules.state import MAX_PLAYERS
from azulejos.search.tree import record_of
from azulejos.search.utility import utility

DEALT: Final = 0
"""A step that was a deal."""
DECIDED: Final = 1
"""A step that was somebody's decision."""
STEP: Final = record_of(
    ("expected", "f8", (2, MAX_PLAYERS)),  # win and margin of each seat before the deal, or after the best move
    ("got", "f8", (2, MAX_PLAYERS)),  # after the deal, or after the move that was played
    ("kind", "i1"),  # DEALT or DECIDED
    ("seat", "i1"),  # who decided
)
"""The record of a deal or a decision."""
PARTS: Final = ("expected", "luck", "own", "others", "remainder", "result")
"""The lines of a receipt; the last one is the sum of the others."""
EXPECTED, LUCK, OWN, OTHERS, REMAINDER, RESULT = range(len(PARTS))


@compiled
def loss(step: Any, what: int) -> float:
    """What the mover of a decision lost, of the share of the victory or of the margin; never negative.

    A move that is worth as much as the best one, all in all, lost nothing of either.
    """
    seat = int64(step.seat)
    best = utility(float(step.expected[0, seat]), float(step.expected[1, seat]))
    if utility(float(step.got[0, seat]), float(step.got[1, seat])) >= best:
        return 0.0
    return max(0.0, float(step.expected[what, seat]) - float(step.got[what, seat]))


@compiled
def effect(step: Any, what: int, seat: int) -> float:
    """What a deal, or the loss of a decision, changed for a seat."""
    if step.kind == DECIDED and loss(step, what) == 0.0:
        return 0.0
    return float(step.got[what, seat]) - float(step.expected[what, seat])


@compiled
def write_receipt(steps: Any, result: Any, parts: Any) -> None:
    """Add up the steps of a game that ended with `result[0 or 1, seat]`: `parts[part, 0 or 1, seat]`.

    The remainder is what the search saw only later.
    """
    for what in range(2):
        for seat in range(MAX_PLAYERS):
            for part in range(len(parts)):
                parts[part, what, seat] = 0.0
            parts[EXPECTED, what, seat] = steps[0].expected[what, seat] if len(steps) > 0 else result[what, seat]
            for at in range(len(steps)):
                part = LUCK if steps[at].kind == DEALT else OWN if steps[at].seat == seat else OTHERS
                parts[part, what, seat] += effect(steps[at], what, seat)
            parts[RESULT, what, seat] = result[what, seat]
            parts[REMAINDER, what, seat] = parts[RESULT, what, seat]
            for part in range(REMAINDER):
                parts[REMAINDER, what, seat] -= parts[part, what, seat]
