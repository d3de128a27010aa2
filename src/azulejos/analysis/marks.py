"""Marks for moves that cost much of the chance to win."""

from __future__ import annotations

from typing import Final

from azulejos.rules.compiled import compiled

INACCURACY: Final = 0.05
"""From this loss of the share of the victory a move is an inaccuracy."""
MISTAKE: Final = 0.10
"""From this loss of the share of the victory a move is a mistake."""
BLUNDER: Final = 0.20
"""From this loss of the share of the victory a move is a blunder."""
MARKS: Final = ("", "inaccuracy", "mistake", "blunder")
"""What the numbers of marks mean."""
GLYPHS: Final = (0, 6, 2, 4)
"""How records write each mark: `$6` is a dubious move, `$2` a poor one, `$4` a very poor one."""


@compiled
def mark(loss: float) -> int:
    """The number of the mark for a loss of the share of the victory; 0 for none.

    >>> [MARKS[mark(loss)] for loss in (0.01, 0.05, 0.12, 0.3)]
    ['', 'inaccuracy', 'mistake', 'blunder']
    """
    if loss >= BLUNDER:
        return 3
    if loss >= MISTAKE:
        return 2
    return 1 if loss >= INACCURACY else 0
