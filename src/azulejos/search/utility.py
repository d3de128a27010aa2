"""What an outcome is worth to a seat."""

from __future__ import annotations

from typing import Final

from azulejos.rules.compiled import compiled, int64
from azulejos.rules.ending import winners
from azulejos.rules.state import MAX_PLAYERS, State

MARGIN_SHARE: Final = 0.15
"""How much of a utility is the margin; the rest is the share of the victory."""
MARGIN_RANGE: Final = 60.0
"""A margin of so many points counts as all of it."""


@compiled
def utility(win: float, margin: float) -> float:
    """What a seat wants: to win, and to win by much; from 0 to 1."""
    scaled = max(-1.0, min(1.0, margin / MARGIN_RANGE))
    return (1.0 - MARGIN_SHARE) * win + MARGIN_SHARE * (0.5 + 0.5 * scaled)


@compiled
def win_share(state: State, seat: int) -> float:
    """R43: the part of the victory that a seat has in a finished game."""
    seats = winners(state)
    if seats >> seat & 1 == 0:
        return 0.0
    sharing = 0
    for other in range(MAX_PLAYERS):
        sharing += seats >> other & 1
    return 1.0 / sharing


@compiled
def final_margin(state: State, seat: int) -> float:
    """A seat's score less the best of the others."""
    best = -1
    for other in range(int64(state.players)):
        if other != seat:
            best = max(best, int64(state.score[other]))
    return float(int64(state.score[seat]) - best)
