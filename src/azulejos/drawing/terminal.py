"""A position as text for a terminal: 78 columns, letters always, color on top of them when asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len, set_cell_size

from azulejos.drawing.words import SPACE_COST, Captions, captions, printed_color, seat_names, spread
from azulejos.game.view import Board, Counts, Line, View
from azulejos.rules.state import COLOR_LETTERS, COLUMNS, DISPLAY_SIZE, ROWS

WIDTH: Final = 78
"""Columns of the text."""
_BOARD: Final = 35
_BETWEEN: Final = " " * (WIDTH - 2 * _BOARD)
_DISPLAYS_ABREAST: Final = {5: 5, 7: 4, 9: 5}

# Only signs that the old one-byte code pages of terminals have too.
_EMPTY: Final = "·"
_HERE: Final = "»"

# 256 colors, which every terminal has. Tiles bring their own ground: black is lighter than a dark terminal and white
# darker than a light one. What is faint is a middle tone that both grounds bear.
_TILE: Final = (
    "38;5;231;48;5;25",
    "38;5;16;48;5;220",
    "38;5;16;48;5;166",
    "38;5;231;48;5;238",
    "38;5;16;48;5;252",
)
_PRINTED: Final = ("38;5;67", "38;5;136", "38;5;173", "38;5;243", "38;5;246")
_MARKER: Final = "1;38;5;16;48;5;178"
_FAINT: Final = "38;5;244"
_BOLD: Final = "1"


def text(view: View, *, color: bool = False, names: Sequence[str] | None = None, words: Captions | None = None) -> str:
    """The whole table in at most 78 columns; sources, lines and columns carry the signs that moves are spelled in.

    Its words are English unless others are given.
    """
    names = seat_names(view, names)
    return _TextPen(color).table(view, names, words or captions(view, names))


class _TextPen:
    """Writes the parts of a table, with or without color; what it writes has the same width either way."""

    def __init__(self, color: bool) -> None:
        self.color = color

    def paint(self, words: str, code: str) -> str:
        return f"\x1b[{code}m{words}\x1b[0m" if self.color else words

    def table(self, view: View, names: Sequence[str], words: Captions) -> str:
        boards = [self.board(view, seat, name, words) for seat, name in enumerate(names)]
        lines = [self.head(words), "", *self.offer(view)]
        for pair in range(0, view.players, 2):
            lines += ["", *(_BETWEEN.join(row) for row in zip(*boards[pair : pair + 2], strict=True))]
        if words.moves:
            lines += ["", self.paint(words.moves, _FAINT)]
        return "\n".join(line.rstrip() for line in lines) + "\n"

    def head(self, words: Captions) -> str:
        turn = fit(words.turn, WIDTH - cell_len(words.round) - cell_len(words.supply) - 6)
        gap = " " * (WIDTH - cell_len(words.round) - cell_len(turn) - cell_len(words.supply) - 3)
        return f"{self.paint(words.round, _BOLD)}   {turn}{gap}{self.paint(words.supply, _FAINT)}"

    def offer(self, view: View) -> Iterator[str]:
        displays = [self.display(number, counts) for number, counts in enumerate(view.displays, 1)]
        abreast = _DISPLAYS_ABREAST.get(len(displays), 5)
        for first in range(0, len(displays), abreast):
            yield "  ".join(displays[first : first + abreast])
        groups = [self.marker()] if view.marker else []
        groups += [f"{self.tile(color)} {f'x{count}':<3}" for color, count in enumerate(view.center) if count]
        yield f"{self.label('c')} {'  '.join(groups) or self.empty()}"

    def display(self, number: int, counts: Counts) -> str:
        tiles = [self.tile(color) for color in spread(counts)]
        blank = "   " * (DISPLAY_SIZE - len(tiles) - (not tiles))
        return f"{self.label(number)} {''.join(tiles) or self.empty()}{blank}"

    def board(self, view: View, seat: int, name: str, words: Captions) -> list[str]:
        board = view.boards[seat]
        return [
            self.title(name, words.scores[seat], seat == view.seat),
            *([self.columns()] if view.wall == "gray" else []),
            *(self.stair(row, line) + self.wall(view, seat, row) for row, line in enumerate(board.lines)),
            self.floor(board, words.losses[seat]),
        ]

    def title(self, name: str, score: str, here: bool) -> str:
        name = fit(name, _BOARD - cell_len(score) - 3)
        gap = " " * (_BOARD - 2 - cell_len(name) - cell_len(score))
        return f"{self.label(_HERE if here else ' ')} {self.paint(name, _BOLD)}{gap}{self.paint(score, _BOLD)}"

    def columns(self) -> str:
        numbers = "".join(f" {column} " for column in range(1, COLUMNS + 1))
        return " " * (_BOARD - len(numbers)) + self.paint(numbers, _BOLD)

    def stair(self, row: int, line: Line) -> str:
        """R14: a line fills from the right; the sign at its end says that it is complete."""
        tiles = [self.tile(line.color) for _ in range(line.count) if line.color is not None]
        spaces = [self.empty()] * (row + 1 - line.count)
        end = self.label(_HERE) if line.count > row else " "
        return f"{self.label(row + 1)} {'   ' * (ROWS - 1 - row)}{''.join(spaces + tiles)} {end} "

    def wall(self, view: View, seat: int, row: int) -> str:
        cells = view.boards[seat].wall[row]
        return "".join(self.cell(view, row, column, cell) for column, cell in enumerate(cells))

    def cell(self, view: View, row: int, column: int, color: int | None) -> str:
        if color is not None:
            # Brackets where there is no color: a capital K or W alone is hard to tell from its small letter.
            return self.tile(color) if self.color else f"[{COLOR_LETTERS[color]}]"
        if view.wall == "gray":
            return self.empty()
        printed = printed_color(row, column)
        return self.paint(f" {COLOR_LETTERS[printed].lower()} ", _PRINTED[printed])

    def floor(self, board: Board, loss: str) -> str:
        """What lies on the floor, then the cost of each space that is still free."""
        things = [self.marker()] * board.marker + [self.tile(color) for color in spread(board.floor)]
        if len(things) > len(SPACE_COST):  # D3: the marker beside a full floor
            things = [*things[1:], things[0]]
        things += [self.paint(f"-{cost} ", _FAINT) for cost in SPACE_COST[len(things) :]]
        return f"{self.label('f')} {''.join(things)}{loss:>{_BOARD - 2 - 3 * len(things)}}"

    def label(self, sign: str | int) -> str:
        return self.paint(str(sign), _BOLD)

    def tile(self, color: int) -> str:
        return self.paint(f" {COLOR_LETTERS[color]} ", _TILE[color])

    def marker(self) -> str:
        return self.paint(" F ", _MARKER)

    def empty(self) -> str:
        return self.paint(f" {_EMPTY} ", _FAINT)


def fit(words: str, width: int) -> str:
    """Words cut to a width on the screen, with dots where something is missing.

    >>> fit("Maximiliana", 9)
    'Maximi...'
    """
    if cell_len(words) <= width:
        return words
    return (set_cell_size(words, max(0, width - 3)).rstrip() + "...")[: max(0, width)]
