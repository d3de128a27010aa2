"""A move in the making: three keys, or a cursor that goes from place to place. It knows only what may be played."""

from __future__ import annotations

from collections.abc import Callable

from azulejos.game.moves import LINE_LETTERS, SOURCE_LETTERS, Move
from azulejos.game.view import View
from azulejos.locale import _
from azulejos.rules.state import CENTER, COLOR_LETTERS, FLOOR, LINES
from azulejos.tui.board.pieces import Ghost
from azulejos.tui.board.scenes import Spot
from azulejos.tui.table.table import NotAllowed, PendingDecision


class Selection:
    """What is chosen of a move so far, and where the cursor is."""

    def __init__(self, turn: PendingDecision, view: View, why_not: Callable[[Move], str]) -> None:
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
    def held(self) -> tuple[int, int] | None:
        """Source and color in hand, so that a line is to be chosen."""
        return None if self.source is None or self.color is None else (self.source, self.color)

    def spots(self) -> list[Spot]:
        """The places among which the cursor may go now, in reading order."""
        seat = self.turn.seat
        if self.is_tiling:
            return [("cell", seat, move.row, move.column) for move in self.turn.options]
        if self.held:
            return [("line", seat, line) for line in range(LINES)]
        sources = [*enumerate(self.view.displays, 1), (CENTER, self.view.center)]
        return [
            ("take", source, color)
            for source, counts in sources
            if self.source in (None, source)
            for color, count in enumerate(counts)
            if count
        ]

    def press(self, key: str) -> Move | None:
        """One of the three keys; the move if it is complete. Raises `NotAllowed` where a key leads nowhere."""
        if self.is_tiling:
            return self._column(key)
        if self.held and key in LINE_LETTERS:
            return self._checked(self.move_to(LINE_LETTERS.index(key)))
        if key.upper() in COLOR_LETTERS and self.source is not None:
            self._take(self.source, COLOR_LETTERS.index(key.upper()))
        elif key.isdigit() and not self.held:
            self._point(int(key))
        return None

    def _column(self, key: str) -> Move | None:
        if key not in LINE_LETTERS[:FLOOR]:
            return None
        return self._checked(_cell(self.turn.tiling_row or 0, int(key) - 1))

    def _point(self, source: int) -> None:
        counts = self._counts(source)
        if counts is None:
            raise NotAllowed(self._why_not(_draft(source, 0, FLOOR)))
        if not any(counts):
            raise NotAllowed(_("there is nothing there"))
        self.source = source
        self.cursor = next(spot for spot in self.spots())

    def _counts(self, source: int) -> tuple[int, ...] | None:
        if source == CENTER:
            return self.view.center
        return self.view.displays[source - 1] if source <= len(self.view.displays) else None

    def _take(self, source: int, color: int) -> None:
        counts = self._counts(source)
        if counts is None or not counts[color]:
            raise NotAllowed(self._why_not(_draft(source, color, FLOOR)))
        self.source, self.color = source, color
        self.cursor = self._best_line()

    def _best_line(self) -> Spot | None:
        """Where the cursor goes first: a line that takes all tiles and is nearest to complete."""
        good = []
        for line in range(FLOOR):
            preview = self.turn.options.get(self.move_to(line))
            if preview and not preview.dropped:
                good.append((not preview.completes, line + 1 - preview.placed, line))
        return ("line", self.turn.seat, min(good)[2] if good else FLOOR)

    def move_to(self, line: int) -> Move:
        """The move with what is in hand to this line."""
        assert self.held
        return _draft(*self.held, line)

    def _checked(self, move: Move) -> Move:
        if move not in self.turn.options:
            raise NotAllowed(self._why_not(move))
        return move

    def confirm(self) -> Move | None:
        """Choose what the cursor is at."""
        if self.cursor is None:
            self.step(1)
            return None
        return self.choose(self.cursor)

    def choose(self, spot: Spot) -> Move | None:
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
        if kind == "line" and self.held and numbers[0] == self.turn.seat:
            return self._checked(self.move_to(numbers[1]))
        if kind == "cell" and self.is_tiling and numbers[0] == self.turn.seat:
            return self._checked(_cell(*numbers[1:]))
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
    def pointed_move(self) -> Move | None:
        """The move that the cursor stands for, once it does."""
        if self.cursor is None:
            return None
        if self.is_tiling:
            return _cell(int(self.cursor[2]), int(self.cursor[3]))
        return self.move_to(int(self.cursor[2])) if self.held and self.cursor[0] == "line" else None

    @property
    def ghost(self) -> Ghost | None:
        """What the draft at the cursor would put on the board."""
        move = self.pointed_move
        preview = self.turn.options.get(move) if move else None
        return Ghost(self.turn.seat, move, preview) if move and preview and not move.is_tiling else None


def _draft(source: int, color: int, line: int) -> Move:
    return Move.parse(SOURCE_LETTERS[source] + COLOR_LETTERS[color] + LINE_LETTERS[line])


def _cell(row: int, column: int) -> Move:
    return Move.parse(f"t{row + 1}{column + 1}")
