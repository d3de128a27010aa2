"""A position and what happened on it, as they are sent; each type says how it follows from the game's own data.

Seats, rows and columns are counted from 0. Tiles are counted by color in the order blue, yellow, red, black, white; a
single color is a letter of `BYRKW`.
"""

from __future__ import annotations

from functools import cache
from operator import attrgetter
from typing import Final

from msgspec import Struct

from azulejos.drawing.words import SPACE_COST, printed_color
from azulejos.game.game import Game
from azulejos.game.happening import Bonus, Drafted, Fell, FloorScored, Happening, Tiled
from azulejos.game.moves import LINE_LETTERS
from azulejos.game.notation import write_position
from azulejos.game.preview import previews_of
from azulejos.game.refusal import Refusal
from azulejos.game.view import Board, Counts, Line, Phase, Wall
from azulejos.rules.state import COLOR_LETTERS, COLUMNS, ROWS, States

EMPTY: Final = "."
"""An empty cell of the wall."""


class MessagePart(Struct, frozen=True, omit_defaults=True):
    """A part of a message. Fields that have their default value are left out."""


# ---- a position ----


class LineInfo(MessagePart, frozen=True):
    """A pattern line; no color while it is empty."""

    color: str | None
    """The letter of its color."""
    count: int
    """How many tiles lie in it."""

    @staticmethod
    def of(line: Line) -> LineInfo:
        """A line of a view."""
        return LineInfo(None if line.color is None else COLOR_LETTERS[line.color], line.count)


class BoardInfo(MessagePart, frozen=True):
    """One player's board."""

    score: int
    """Points so far."""
    lines: list[LineInfo]
    """The five pattern lines."""
    wall: list[str]
    """Five rows of five: a color's letter, or a dot for an empty cell."""
    floor: Counts
    """Tiles on the floor, the marker not among them."""
    marker: bool
    """Whether this player holds the starting-player marker (it takes the floor's first free space)."""
    penalty: int
    """What the floor costs now, as a positive number."""

    @staticmethod
    def of(board: Board) -> BoardInfo:
        """A board of a view."""
        return BoardInfo(
            score=board.score,
            lines=[LineInfo.of(line) for line in board.lines],
            wall=["".join(EMPTY if cell is None else COLOR_LETTERS[cell] for cell in row) for row in board.wall],
            floor=board.floor,
            marker=board.marker,
            penalty=board.penalty,
        )


class Option(MessagePart, frozen=True):
    """A legal move and what it would do."""

    move: str
    """The move as it is sent back."""
    taken: int = 0
    """Tiles that are taken."""
    placed: int = 0
    """Tiles that the line takes."""
    dropped: int = 0
    """Tiles that fall to the floor."""
    marker: bool = False
    """Whether the starting-player marker comes along."""
    cost: int = 0
    """What the floor would cost more than now."""
    completes: bool = False
    """Whether the line becomes complete."""
    columns: tuple[int, ...] = ()
    """Wall columns open to the complete line; none: it would fall to the floor at the round's end (gray wall)."""
    points: int = 0
    """What the complete line would score if the round ended now."""

    @staticmethod
    def all_of(states: States) -> list[Option]:
        """The legal moves of a state."""
        return [Option(str(move), *_VALUES(preview)) for move, preview in previews_of(states).items()]


_VALUES: Final = attrgetter(*Option.__struct_fields__[1:])  # a `Preview` has the fields of an `Option` but for the move


class Position(MessagePart, frozen=True):
    """Everything that can be seen on the table, and what may be played."""

    line: str
    """The position line."""
    wall: Wall
    """The colored wall or the gray one."""
    pattern: list[str] | None
    """The colors printed on the colored wall, five rows; none on the gray wall."""
    penalties: Counts
    """The costs printed on the floor's spaces."""
    displays: tuple[Counts, ...]
    """What lies on each display."""
    center: Counts
    """What lies in the center."""
    marker: bool
    """Whether the starting-player marker lies in the center."""
    boards: list[BoardInfo]
    """The boards, by seat."""
    bag: Counts
    """What is in the bag."""
    lid: Counts
    """What is in the lid."""
    phase: Phase
    """What is due: a draft, a tiling choice, a deal, or nothing because the game is over."""
    seat: int | None
    """Who acts; none when the game is over."""
    round: int
    """The number of the round, from 1."""
    starter: int
    """Who started this round."""
    last_round: bool
    """Whether a row will be complete when this round is tiled."""
    options: list[Option]
    """The legal moves of the seat to act."""
    refusals: dict[str, dict[str, Refusal]]
    """For the seat to act, why a color may not go to a line: by the color's letter and the line's number from 1."""

    @staticmethod
    def of(game: Game) -> Position:
        """The position of a game."""
        view = game.view
        return Position(
            line=write_position(view),
            wall=view.wall,
            pattern=None if view.wall == "gray" else printed_pattern(),
            penalties=SPACE_COST,
            displays=view.displays,
            center=view.center,
            marker=view.marker,
            boards=[BoardInfo.of(board) for board in view.boards],
            bag=view.bag,
            lid=view.lid,
            phase=view.phase,
            seat=view.seat,
            round=view.round,
            starter=view.starter,
            last_round=view.last_round,
            options=Option.all_of(game.states),
            refusals=closed_lines_of(game),
        )


@cache
def printed_pattern() -> list[str]:
    """The colors printed on the colored wall, row by row."""
    return ["".join(COLOR_LETTERS[printed_color(row, column)] for column in range(COLUMNS)) for row in range(ROWS)]


def closed_lines_of(game: Game) -> dict[str, dict[str, Refusal]]:
    """Why colors on offer may not go to lines, by color and line as they are written."""
    closed: dict[str, dict[str, Refusal]] = {}
    for (color, line), refusal in game.closed_lines().items():
        closed.setdefault(COLOR_LETTERS[color], {})[LINE_LETTERS[line]] = refusal
    return closed


# ---- what happened ----


class DraftInfo(MessagePart, frozen=True):
    """Tiles were taken."""

    source: int
    """Where they lay: 0 for the center, or the number of the display."""
    color: str
    """The letter of the color."""
    line: int
    """The line they went to: 0 to 4, or 5 for the floor."""
    taken: int
    """Tiles that were taken."""
    placed: int
    """Tiles that the line took."""
    dropped: int
    """Tiles that did not fit."""
    to_lid: int
    """How many of these found no space on the floor."""
    marker: bool
    """Whether the starting-player marker came along."""

    @staticmethod
    def of(drafted: Drafted) -> DraftInfo:
        """What the game says about a draft."""
        return DraftInfo(
            drafted.source,
            COLOR_LETTERS[drafted.color],
            drafted.line,
            drafted.taken,
            drafted.placed,
            drafted.dropped,
            drafted.to_lid,
            drafted.marker,
        )


class TilingInfo(MessagePart, frozen=True, tag="tiled", tag_field="type"):
    """A tile went to the wall."""

    seat: int
    """The seat whose wall it is."""
    row: int
    """The row of line and wall."""
    column: int
    """The column of the wall."""
    color: str
    """The letter of the color."""
    horizontal: int
    """Points along the row."""
    vertical: int
    """Points along the column."""
    points: int
    """Points in all."""


class FallInfo(MessagePart, frozen=True, tag="fell", tag_field="type"):
    """A complete line that no column could take fell to the floor (gray wall)."""

    seat: int
    """The seat whose line it was."""
    row: int
    """The row of the line, 0 to 4."""
    color: str
    """The letter of the color."""
    count: int
    """How many tiles fell."""
    to_lid: int
    """How many of them found no space on the floor."""


class HappeningInfo(MessagePart, frozen=True):
    """All that one move did."""

    move: str
    """What was played."""
    seat: int | None
    """Who played it; None for a deal."""
    drafted: DraftInfo | None = None
    """What was taken, if it was a draft."""
    tiling: tuple[TilingInfo | FallInfo, ...] = ()
    """Lines that left their place, in order."""
    floors: tuple[FloorScored, ...] = ()
    """Floors that were scored."""
    bonuses: tuple[Bonus, ...] = ()
    """What the walls added at the end of the game."""
    deal: tuple[Counts, ...] | None = None
    """The displays of the next round, dealt after all this."""

    @staticmethod
    def of(happening: Happening) -> HappeningInfo:
        """What the game says about a move."""
        return HappeningInfo(
            move=str(happening.move),
            seat=happening.seat,
            drafted=None if happening.drafted is None else DraftInfo.of(happening.drafted),
            tiling=tuple(map(_tiling_of, happening.tiling)),
            floors=happening.floors,
            bonuses=happening.bonuses,
            deal=None if happening.deal is None else happening.deal.displays,
        )


def _tiling_of(event: Tiled | Fell) -> TilingInfo | FallInfo:
    color = COLOR_LETTERS[event.color]
    if isinstance(event, Fell):
        return FallInfo(event.seat, event.row, color, event.count, event.to_lid)
    return TilingInfo(event.seat, event.row, event.column, color, event.horizontal, event.vertical, event.points)
