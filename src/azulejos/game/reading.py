"""What the readers of records in text and in JSON share: the frame of a game, and how much may be written about it."""

from __future__ import annotations

from typing import Final

from azulejos.game.errors import InvalidNotation
from azulejos.game.record import UNKNOWN
from azulejos.game.view import WALLS, Wall

DEEPEST_VARIATION: Final = 32
"""Brackets within brackets; deeper ones are refused."""
MOST_NOTES: Final = 5000
"""Comments in a record, or glyphs, or variations; with more of any kind it is refused."""


class Notes:
    """Counts what is written about the moves of a record."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def count(self, what: str, more: int = 1) -> None:
        """So many more of a kind; raises `InvalidNotation` if there are too many now."""
        count = self._counts[what] = self._counts.get(what, 0) + more
        if count > MOST_NOTES:
            raise InvalidNotation(f"a record has at most {MOST_NOTES} {what}")


def frame(tags: dict[str, str]) -> tuple[Wall, tuple[str, ...]]:
    """The wall and the names that tags say."""
    wall = next((wall for wall in WALLS if wall == tags.get("Wall")), None)
    if wall is None:
        raise InvalidNotation(f"the tag Wall is {tags.get('Wall')!r}: expected 'std' or 'gray'")
    if tags.get("Players") not in ("2", "3", "4"):
        raise InvalidNotation(f"the tag Players is {tags.get('Players')!r}: expected '2', '3' or '4'")
    return wall, tuple(tags.get(f"Player{seat}", UNKNOWN) for seat in range(1, int(tags["Players"]) + 1))
