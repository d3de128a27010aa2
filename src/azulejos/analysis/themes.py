"""The themes of puzzles: what the best move is about, measured against the best of the moves that are no solution.

Both moves are played to the end of the round as well as everybody can, and what the two rounds bring is compared. A
puzzle has the first of these themes that fits; a position that none fits is no puzzle:

* "end of game": one of the two rounds is the last.
* "first player": the move takes the marker and with it the next round's first pick, which the other leaves to others.
* "blocking": what weighs most is what another seat gets.
* "floor": what weighs most is what falls to one's own floor.
* "end of round": so little is left on offer that all of it can be counted.
"""

from __future__ import annotations

from typing import Any, Final

from azulejos.analysis.analyst import Reason
from azulejos.game.moves import Move
from azulejos.rules.state import CENTER, NOBODY
from azulejos.search.solver import MOST_GROUPS, groups_on_offer

THEMES: Final = ("blocking", "end of round", "end of game", "floor", "first player")
"""All themes of puzzles."""
OTHERS_GAIN: Final = frozenset({"other_line", "other_floor", "other_bonus"})
"""Reasons that concern what another seat gets."""


def may_have(theme: str | None, state: Any) -> bool:
    """Whether a position might become a puzzle with this theme, at a glance; any may have some theme.

    >>> from azulejos import Game
    >>> may_have("first player", Game(seed=1).states[0])
    False
    """
    if theme == "first player":
        return int(state["marker"]) == NOBODY and bool(state["displays"][CENTER].any())
    return theme != "end of round" or bool(groups_on_offer(state) <= MOST_GROUPS)


def theme_of(state: Any, best: Move, sheets: Any, reasons: tuple[Reason, ...]) -> str | None:
    """The theme of a position whose best move brings `sheets[1]`, while a worse one, for these reasons, brings
    `sheets[0]`.
    """
    seat = int(state["seat"])
    if sheets["over"].any():
        return "end of game"
    takes_marker = best.source == CENTER and int(state["marker"]) == NOBODY
    if takes_marker and sheets[1]["starter"] == seat != sheets[0]["starter"]:
        return "first player"
    if reasons[0].code in OTHERS_GAIN:
        return "blocking"
    if reasons[0].code == "floor":
        return "floor"
    return "end of round" if groups_on_offer(state) <= MOST_GROUPS else None
