"""A move in the making: three keys, or a cursor that goes from place to place. It knows only what may be played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from azulejos.game.moves import LINE_LETTERS, SOURCE_LETTERS
from azulejos.game.view import View
from azulejos.locale import _
from azulejos.rules.state import CENTER, COLOR_LETTERS, FLOOR
from azulejos.tui.board.pieces import Ghost
from azulejos.tui.board.scenes import Spot
from azulejos.tui.table.table import Refused, Turn

LINES: Final = 6
"""Five lines and the floor."""


class Selection:
    """What is chosen of a move so far, and where the cursor is."""

    def __init__(self, turn: Turn, view: View, why_not: Callable[[str], str]) -> None:
        self.turn, self.view = turn, view
        self._why_not = why_not
        self.source: int | None = None
        """The source that is chosen."""
        self.color: int | None = None
        """The color that is chosen."""
        self.cursor: Spot | None = None
        """Where the cursor is."""

    @property
    def is_tiling(self) -> bool:
        """Whether a cell of the gray wall is to be chosen."""
        return self.turn.tiling_row is not None

    @property
    def is_held(self) -> bool:
        """Whether tiles are in hand, so that a line is to be chosen."""
        return self.source is not None and self.color is not None

    @property
    def held(self) -> tuple[int, int] | None:
        """Source and color in hand."""
        return None if self.source is None or self.color is None else (self.source, self.color)

    def spots(self) -> list[Spot]:
        """The places among which the cursor may go now, in reading order."""
        seat = self.turn.seat
        if self.is_tiling:
            return [("cell", seat, int(move[1]) - 1, int(move[2]) - 1) for move in self.turn.options]
        if self.is_held:
            return [("line", seat, line) for line in range(LINES)]
        sources = [*enumerate(self.view.displays, 1), (CENTER, self.view.center)]
        return [
            ("take", source, color)
            for source, counts in sources
            if self.source in (None, source)
            for color, count in enumerate(counts)
            if count
        ]

    def press(self, key: str) -> str | None:
        """One of the three keys; the move if it is complete. Raises `Refused` where a key leads nowhere."""
        if self.is_tiling:
            return self._column(key)
        if self.is_held and key in LINE_LETTERS:
            return self.move_to(LINE_LETTERS.index(key))
        if key.upper() in COLOR_LETTERS and self.source is not None:
            self._take(self.source, COLOR_LETTERS.index(key.upper()))
        elif key.isdigit() and not self.is_held:
            self._point(int(key))
        return None

    def _column(self, key: str) -> str | None:
        if key not in LINE_LETTERS[:FLOOR]:
            return None
        return self._checked(f"t{(self.turn.tiling_row or 0) + 1}{key}")

    def _point(self, source: int) -> None:
        counts = self._counts(source)
        if counts is None:
            raise Refused(self._why_not(f"{SOURCE_LETTERS[source]}B1"))
        if not any(counts):
            raise Refused(_("there is nothing there"))
        self.source = source
        self.cursor = next(spot for spot in self.spots())

    def _counts(self, source: int) -> tuple[int, ...] | None:
        if source == CENTER:
            return self.view.center
        return self.view.displays[source - 1] if source <= len(self.view.displays) else None

    def _take(self, source: int, color: int) -> None:
        counts = self._counts(source)
        if counts is None or not counts[color]:
            raise Refused(self._why_not(SOURCE_LETTERS[source] + COLOR_LETTERS[color] + "f"))
        self.source, self.color = source, color
        self.cursor = self._best_line()

    def _best_line(self) -> Spot | None:
        """Where the cursor goes first: a line that takes all tiles and is nearest to complete."""
        good = []
        for line in range(FLOOR):
            preview = self.turn.options.get(self.spelled(line))
            if preview and not preview.dropped:
                good.append((not preview.completes, line + 1 - preview.placed, line))
        return ("line", self.turn.seat, min(good)[2] if good else FLOOR)

    def spelled(self, line: int) -> str:
        """The move with what is in hand to this line."""
        assert self.source is not None
        assert self.color is not None
        return SOURCE_LETTERS[self.source] + COLOR_LETTERS[self.color] + LINE_LETTERS[line]

    def move_to(self, line: int) -> str:
        """The move to a line."""
        return self._checked(self.spelled(line))

    def _checked(self, move: str) -> str:
        if move not in self.turn.options:
            raise Refused(self._why_not(move))
        return move

    def confirm(self) -> str | None:
        """Choose what the cursor is at."""
        if self.cursor is None:
            self.step(1)
            return None
        return self.choose(self.cursor)

    def choose(self, spot: Spot) -> str | None:
        """Choose a place, by the cursor or by the mouse; the move if it is complete."""
        kind, *where = spot
        numbers = [int(number) for number in where]
        if kind == "take" and not self.is_tiling:
            source, color = numbers
            if self.held == (source, color):
                self.put_back()
                self.put_back()
                return None
            self._take(source, color)
        if kind == "line" and self.is_held and numbers[0] == self.turn.seat:
            return self.move_to(numbers[1])
        if kind == "cell" and self.is_tiling and numbers[0] == self.turn.seat:
            return self._checked(f"t{numbers[1] + 1}{numbers[2] + 1}")
        return None

    def put_back(self) -> None:
        """One step back: the color, then the source."""
        if self.color is not None:
            self.cursor = ("take", self.source or 0, self.color)
            self.color = None
        else:
            self.source = self.cursor = None

    def step(self, by: int) -> None:
        """Move the cursor to the next or the previous place."""
        spots = self.spots()
        if self.cursor not in spots:
            self.cursor = spots[0 if by > 0 else -1]
        else:
            self.cursor = spots[(spots.index(self.cursor) + by) % len(spots)]

    def jump(self, by: int) -> None:
        """Move the cursor to the next or the previous display, or line."""
        spots = self.spots()
        if self.cursor not in spots or self.cursor[0] != "take":
            self.step(by)
            return
        self.source = None
        sources = list(dict.fromkeys(spot[1] for spot in self.spots()))
        source = sources[(sources.index(self.cursor[1]) + by) % len(sources)]
        self.cursor = next(spot for spot in self.spots() if spot[1] == source)

    def point_at(self, spot: Spot | None) -> bool:
        """Put the cursor where the mouse is, if something can be chosen there; whether it moved."""
        if spot is None or spot == self.cursor or spot not in self.spots():
            return False
        self.cursor = spot
        return True

    @property
    def pointed_move(self) -> str | None:
        """The move that the cursor stands for, once it does."""
        if self.cursor is None:
            return None
        if self.is_tiling:
            return f"t{int(self.cursor[2]) + 1}{int(self.cursor[3]) + 1}"
        return self.spelled(int(self.cursor[2])) if self.is_held and self.cursor[0] == "line" else None

    @property
    def ghost(self) -> Ghost | None:
        """What the move at the cursor would put on the board."""
        move = self.pointed_move
        preview = self.turn.options.get(move) if move and not self.is_tiling else None
        if preview is None or self.cursor is None or self.color is None:
            return None
        columns = preview.columns if preview.completes else ()
        line = int(self.cursor[2])
        return Ghost(
            self.turn.seat, line, self.color, preview.placed, preview.dropped, preview.marker, columns, preview.points
        )
