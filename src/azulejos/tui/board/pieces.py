"""The table as rows of pieces: characters with a look and a place. A screen paints them, a pipe prints them.

Letters carry everything; looks only add color. Sizes: a tile is as good as square in all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from rich.cells import cell_len

from azulejos.drawing.terminal import fit
from azulejos.drawing.words import SPACE_COST, printed_color, spread
from azulejos.game.moves import Move
from azulejos.game.preview import Preview
from azulejos.game.view import Board, Counts, View
from azulejos.locale import _
from azulejos.rules.state import COLOR_LETTERS, COLUMNS, DISPLAY_SIZE, FLOOR, ROWS
from azulejos.tui import words
from azulejos.tui.board.scenes import Spot


class Piece(NamedTuple):
    """Some characters in a row that look alike."""

    text: str
    """The characters of the piece."""
    look: str = "plain"
    """How they look: a key of the looks."""
    spot: Spot | None = None
    """Which place of the table they belong to."""


Row: TypeAlias = list[Piece]
"""One line of the screen: pieces side by side."""
Block: TypeAlias = list[Row]
"""Some lines that belong together."""


@dataclass(frozen=True, slots=True)
class Size:
    """How large tiles are drawn."""

    width: int
    """Columns that a tile takes, with the gap behind it."""
    height: int
    """Lines that a tile takes."""
    body: int
    """Columns of the tile itself."""

    @property
    def board_width(self) -> int:
        """Columns of a whole board: numbers, lines, a gap, the wall."""
        return 2 + ROWS * self.width + 3 + COLUMNS * self.width

    @property
    def board_height(self) -> int:
        """Lines of a whole board: name, rows, floor."""
        return 1 + ROWS * self.height + self.height

    @property
    def display_width(self) -> int:
        """Columns of a display with its number and the gap behind it."""
        return 4 + DISPLAY_SIZE * self.width


SMALL: Final = Size(3, 1, 3)
"""Tiles of one line."""
MEDIUM: Final = Size(4, 2, 3)
"""Tiles of two lines."""
LARGE: Final = Size(6, 3, 5)
"""Tiles of three lines."""
LEAST_NAME_WIDTH: Final = 6
"""What is left of a name beside a long remark."""
SIZES: Final = (LARGE, MEDIUM, SMALL)
"""The sizes of tiles, from large to small."""


@dataclass(frozen=True, slots=True)
class Ghost:
    """What a draft would put on a board."""

    seat: int
    """Whose board it is."""
    move: Move
    """The draft that is looked at."""
    preview: Preview
    """What it would do."""

    @property
    def letter(self) -> str:
        """How its tiles are shown."""
        return COLOR_LETTERS[self.move.color].lower()


class Drawer:
    """Draws the parts of a table in a size; without color filled places have brackets."""

    def __init__(self, size: Size, *, color: bool = True) -> None:
        self.size, self.color = size, color

    # ---- single places ----

    def block(self, sign: str, look: str, spot: Spot | None = None) -> Block:
        """A tile or a space: its rows, each with the gap behind it."""
        size = self.size
        rows = [Piece(f"{sign:^{size.body}}", look, spot)]
        if size.height > 1:
            edge = "▀" * size.body if self.color else " " * size.body
            rows.append(Piece(edge, f"{look}-edge", spot))
        if size.height > 2:
            rows.insert(0, Piece(" " * size.body, look, spot))
        gap = [Piece(" " * (size.width - size.body), "plain", spot)] if size.width > size.body else []
        return [[piece, *gap] for piece in rows]

    def tile(self, color: int, spot: Spot | None = None) -> Block:
        """The rows of a tile."""
        letter = COLOR_LETTERS[color]
        return self.block(letter if self.color else self._bracketed(letter), f"tile{color}", spot)

    def _bracketed(self, letter: str) -> str:
        return f"[{letter}]" if self.size.body > 3 or self.size.height > 1 else f" {letter} "

    def space(self, spot: Spot | None = None, sign: str = "·") -> Block:
        """The rows of an empty space."""
        return self.block(sign, "space", spot)

    def marker(self, spot: Spot | None = None) -> Block:
        """The rows of the starting-player marker."""
        return self.block("F", "marker", spot)

    # ---- the offer ----

    def offer(self, view: View, abreast: int) -> Block:
        """The displays, so many in a row, and the center below them."""
        rows: Block = []
        displays = [self.display(number, counts) for number, counts in enumerate(view.displays, 1)]
        for first in range(0, len(displays), abreast):
            in_row = [part for display in displays[first : first + abreast] for part in (display, self.gap(2))]
            rows += _beside(in_row[:-1])
        return rows + self.center(view)

    def display(self, number: int, counts: Counts) -> Block:
        """A display with its number."""
        blocks = [self.tile(color, ("take", number, color)) for color in spread(counts)]
        blocks += [self.space()] * (DISPLAY_SIZE - len(blocks))
        return _beside([self.label(str(number), ("source", number)), *blocks])

    def center(self, view: View) -> Block:
        """The center: the marker, and a tile with a count for each color."""
        parts = [self.label("0", ("source", 0))]
        if view.marker:
            parts += [self.marker(), self.gap(1)]
        for color, count in enumerate(view.center):
            if count:
                spot = ("take", 0, color)
                parts += [self.tile(color, spot), self.label(f"x{count}", spot, 4)]
        if len(parts) == 1:
            parts.append(self.space())
        return _beside(parts)

    def label(self, sign: str, spot: Spot | None = None, width: int = 2, look: str = "label") -> Block:
        """Some characters beside a block, level with its letter."""
        at = 0 if self.size.height < 3 else 1
        return [
            [Piece(f"{sign if row == at else '':<{width}}", look if row == at else "plain", spot)]
            for row in range(self.size.height)
        ]

    def gap(self, width: int) -> Block:
        """Empty columns between blocks."""
        return [[Piece(" " * width)] for _row in range(self.size.height)]

    # ---- a board ----

    def board(
        self,
        view: View,
        seat: int,
        name: str,
        *,
        remark: str = "",
        ghost: Ghost | None = None,
        choice: Iterable[Spot] = (),
    ) -> Block:
        """A player's board; `choice` are the cells of the wall that a tile may go to now."""
        board = view.boards[seat]
        ghost = ghost if ghost and ghost.seat == seat else None
        open_cells = frozenset(choice)
        rows = [self.title(view, seat, name, remark)]
        for row in range(ROWS):
            rows += _beside(
                [
                    self.label(str(row + 1), ("line", seat, row)),
                    *self.line(board, seat, row, ghost),
                    self.end(board, row),
                    *(
                        self.cell(view, seat, row, column, ghost, ("cell", seat, row, column) in open_cells)
                        for column in range(COLUMNS)
                    ),
                ]
            )
        return rows + self.floor(board, seat, ghost)

    def title(self, view: View, seat: int, name: str, remark: str = "") -> Row:
        """Who it is, a remark in brackets, whose turn, and the score; where there is no room words give way."""
        width = self.size.board_width
        score = words.points(view.boards[seat].score)
        here = view.seat == seat and view.phase.is_decision
        sign = "» " if here else "  "
        remark = f" ({remark})" if remark else ""
        if remark and cell_len(name + remark + score) > width - 3:
            score = str(view.boards[seat].score)
        room = width - cell_len(score) - 3
        remark = fit(remark, room - min(cell_len(name), LEAST_NAME_WIDTH))
        name = fit(name, room - cell_len(remark)) + remark
        gap = " " * (width - 2 - cell_len(name) - cell_len(score))
        return [Piece(f"{sign}{name}{gap}{score}", "turn" if here else "title", ("title", seat))]

    def line(self, board: Board, seat: int, row: int, ghost: Ghost | None) -> Iterator[Block]:
        """R14: a pattern line fills from the right."""
        spot: Spot = ("line", seat, row)
        line = board.lines[row]
        coming = ghost.preview.placed if ghost and ghost.move.line == row else 0
        for _blank in range(ROWS - 1 - row):
            yield [[Piece(" " * self.size.width, "plain", spot)] for _row in range(self.size.height)]
        for _space in range(row + 1 - line.count - coming):
            yield self.space(spot)
        for _tile in range(coming):
            yield self.block(ghost.letter if ghost else "", "ghost", spot)
        for _tile in range(line.count):
            yield self.tile(line.color or 0, spot)

    def end(self, board: Board, row: int) -> Block:
        """The arrow at the end of a complete line; another where its tile completes the row and so ends the game."""
        ends = board.will_complete(row)
        sign = " »" if board.lines[row].count > row else ""
        return self.label(sign + "!" * ends, None, 3, "alarm" if ends else "label")

    def cell(self, view: View, seat: int, row: int, column: int, ghost: Ghost | None, is_open: bool) -> Block:
        """A cell of the wall."""
        spot: Spot = ("cell", seat, row, column)
        color = view.boards[seat].wall[row][column]
        if color is not None:
            letter = COLOR_LETTERS[color]
            return self.block(letter if self.color else f"[{letter}]", f"tile{color}", spot)
        if is_open:
            return self.block(str(column + 1), "open", spot)
        if ghost and ghost.move.line == row and column in ghost.preview.columns:
            is_only = len(ghost.preview.columns) == 1
            return self.block(f"+{ghost.preview.points}" if is_only else "+", "ghost", spot)
        if view.wall == "gray":
            return self.space(spot)
        printed = printed_color(row, column)
        return self.block(COLOR_LETTERS[printed].lower(), f"printed{printed}", spot)

    def floor(self, board: Board, seat: int, ghost: Ghost | None) -> Block:
        """What lies on the floor, then the cost of each space that is still free."""
        spot: Spot = ("line", seat, FLOOR)
        things = [self.marker(spot)] * board.marker + [self.tile(color, spot) for color in spread(board.floor)]
        if len(things) > len(SPACE_COST):  # D3: the marker beside a full floor
            things = [*things[1:], things[0]]
        if ghost:
            coming = [self.block("f", "ghost", spot)] * ghost.preview.marker
            coming += [self.block(ghost.letter, "ghost", spot)] * ghost.preview.dropped
            things += coming[: max(0, len(SPACE_COST) - len(things))]
        things += [self.block(f"-{cost}", "space", spot) for cost in SPACE_COST[len(things) :]]
        cost = f"-{board.penalty}" if board.penalty else ""
        return _beside([self.label("F", spot), *things, self.label(f" {cost}", spot, 4)])


def headline(view: View, names: Sequence[str], *, is_over: bool = False, is_scoring: bool = False) -> Row:
    """The round, whether it is the last, and whose turn it is; a game can be over although the position is not."""
    if is_scoring:
        return [Piece(_("End of round {round}").format(round=view.round), "title")]
    row = [Piece(_("Round {round}").format(round=view.round), "title")]
    if view.last_round and not is_over:
        row += [Piece("  "), Piece(" " + _("Last round") + " ", "open")]
    return [*row, Piece("   " + words.turn(view, names, is_over=is_over), "title")]


def _beside(blocks: Iterable[Block]) -> Block:
    return [[piece for row in rows for piece in row] for rows in zip(*blocks, strict=True)]
