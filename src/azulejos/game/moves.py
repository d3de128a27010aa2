"""Moves and deals: what can happen in a game, with one number and one spelling each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from azulejos.game.errors import InvalidNotation
from azulejos.game.notation import read_tiles, write_tiles
from azulejos.game.view import Counts
from azulejos.rules import state as s

SOURCE_LETTERS: Final = "c123456789"
"""How sources are written: the center, then the displays."""
LINE_LETTERS: Final = "12345f"
"""How lines are written, and the floor."""


@dataclass(frozen=True, slots=True, order=True, repr=False)
class Move:
    """A decision of a player: a draft such as `3B4`, or on the gray wall a tiling choice such as `t35`.

    >>> move = Move.parse("3B4")
    >>> move.id, move.source, move.color, move.line
    (93, 3, 0, 3)
    >>> Move.from_id(93)
    Move.parse('3B4')
    """

    id: int
    """The action number, 0 to 324, the same everywhere."""

    def __post_init__(self) -> None:
        if not isinstance(self.id, (int, np.integer)) or not 0 <= self.id < s.ACTIONS:
            raise InvalidNotation(f"there is no action number {self.id!r}: expected 0 to {s.ACTIONS - 1}")

    @staticmethod
    def parse(text: str) -> Move:
        """The move that is spelled so."""
        move = _BY_TEXT.get(text) if isinstance(text, str) else None
        if move is None:
            raise InvalidNotation(
                f"cannot read {text!r} as a move: expected a source 1-9 or c, a color B Y R K W and a line 1-5 or f "
                "(as in 3B4), or t, a row 1-5 and a column 1-5 (as in t35)"
            )
        return move

    @staticmethod
    def from_id(number: int) -> Move:
        """The move with this action number."""
        return MOVES[Move(number).id]

    @property
    def is_tiling(self) -> bool:
        """Whether this chooses a cell of the gray wall rather than drafting tiles."""
        return self.id >= s.DRAFTS

    @property
    def source(self) -> int:
        """Where the tiles of a draft come from, 0 for the center or the number of a display."""
        return _PARTS[self._draft("source")][0]

    @property
    def color(self) -> int:
        """The color that a draft takes."""
        return _PARTS[self._draft("color")][1]

    @property
    def line(self) -> int:
        """The pattern line 0-4 the tiles of a draft go to, or 5 for the floor."""
        return _PARTS[self._draft("line")][2]

    @property
    def row(self) -> int:
        """The wall row of a tiling choice, 0-4."""
        return _PARTS[self._cell("row")][0]

    @property
    def column(self) -> int:
        """The wall column of a tiling choice, 0-4."""
        return _PARTS[self._cell("column")][1]

    def _draft(self, part: str) -> int:
        if self.is_tiling:
            raise AttributeError(f"the tiling choice {str(self)!r} has no {part}")
        return self.id

    def _cell(self, part: str) -> int:
        if not self.is_tiling:
            raise AttributeError(f"the draft {str(self)!r} has no {part}")
        return self.id

    def __str__(self) -> str:
        return _TEXTS[self.id]

    def __repr__(self) -> str:
        return f"Move.parse({_TEXTS[self.id]!r})"


MOVES: Final = tuple(Move(number) for number in range(s.ACTIONS))
"""Every move, by its number."""


def _spell(action: int) -> str:
    if action >= s.DRAFTS:
        row, column = _PARTS[action]
        return f"t{row + 1}{column + 1}"
    source, color, line = _PARTS[action]
    return SOURCE_LETTERS[source] + s.COLOR_LETTERS[color] + LINE_LETTERS[line]


_PARTS: Final[tuple[tuple[int, ...], ...]] = (
    *product(range(s.SOURCES), range(s.COLORS), range(s.LINES)),
    *product(range(s.ROWS), range(s.COLUMNS)),
)
"""Source, color and line of each draft, then row and column of each tiling choice: the order of `rules.actions`."""
_TEXTS: Final = tuple(map(_spell, range(s.ACTIONS)))
_BY_TEXT: Final = dict(zip(_TEXTS, MOVES, strict=True))


@dataclass(frozen=True, slots=True, repr=False)
class Deal:
    """The chance event of a round: which tiles come to which display.

    >>> Deal.parse("=B2YK/BYR2/B3R/BYRW/RK2W").displays[2]
    (3, 0, 1, 0, 0)
    """

    displays: tuple[Counts, ...]
    """The tiles of each display, by color."""

    def __post_init__(self) -> None:
        for display in self.displays:
            if len(display) != s.COLORS or not all(0 <= count <= 99 for count in display):
                raise InvalidNotation(f"a display cannot hold {display!r}: expected five counts of tiles")

    @staticmethod
    def parse(text: str) -> Deal:
        """The deal that is spelled so."""
        if not isinstance(text, str) or not text.startswith("="):
            raise InvalidNotation(f"cannot read {text!r} as a deal: expected = and the displays, as in =B2YK/...")
        displays = text[1:].split("/", s.SOURCES)
        if len(displays) >= s.SOURCES:
            raise InvalidNotation(f"cannot read {text[:60]!r} ... as a deal: more than {s.SOURCES - 1} displays")
        return Deal(tuple(read_tiles(tiles, f"the deal {text!r}") for tiles in displays))

    def tiles(self) -> NDArray[np.int8]:
        """The tiles by source and color, as the rules take them."""
        tiles = np.zeros((s.SOURCES, s.COLORS), np.int8)
        tiles[1 : len(self.displays) + 1] = self.displays
        return tiles

    def __str__(self) -> str:
        return "=" + "/".join(map(write_tiles, self.displays))

    def __repr__(self) -> str:
        return f"Deal.parse({str(self)!r})"
