"""From the game's own data to what is sent: the only place that turns one into the other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from azulejos import happening as h
from azulejos.drawing.words import SPACE_COST, printed_color
from azulejos.game import Game
from azulejos.moves import LINE_LETTERS, SOURCE_LETTERS, Move
from azulejos.rules import state as s
from azulejos.server import messages_out as out
from azulejos.view import Board, View

EMPTY: Final = "."
PENALTIES: Final = list(SPACE_COST)


def position_of(game: Game) -> out.Position:
    """The position of a game with everything a client needs to show it and to let a person choose."""
    view = game.view
    return out.Position(
        line=game.position,
        wall=view.wall,
        pattern=None if view.wall == "gray" else printed_pattern(),
        penalties=PENALTIES,
        displays=[list(display) for display in view.displays],
        center=list(view.center),
        marker=view.marker,
        boards=[board_of(board) for board in view.boards],
        bag=list(view.bag),
        lid=list(view.lid),
        phase=view.phase,
        seat=view.seat,
        round=view.round,
        starter=view.starter,
        last_round=is_last_round(view),
        options=[option_of(game, move) for move in game.legal_moves],
        refusals=refusals_of(game),
    )


@cache
def printed_pattern() -> list[str]:
    """The colors printed on the colored wall, row by row."""
    return [
        "".join(s.COLOR_LETTERS[printed_color(row, column)] for column in range(s.COLUMNS)) for row in range(s.ROWS)
    ]


def board_of(board: Board) -> out.Board:
    """One board."""
    return out.Board(
        score=board.score,
        lines=[out.Line(_letter(line.color), line.count) for line in board.lines],
        wall=["".join(EMPTY if cell is None else s.COLOR_LETTERS[cell] for cell in row) for row in board.wall],
        floor=list(board.floor),
        marker=board.marker,
        penalty=board.penalty,
    )


def option_of(game: Game, move: Move) -> out.Option:
    """A legal move with its preview."""
    preview = game.preview(move)
    return out.Option(
        move=str(move),
        taken=preview.taken,
        placed=preview.placed,
        dropped=preview.dropped,
        marker=preview.marker,
        cost=preview.cost,
        completes=preview.completes,
        columns=list(preview.columns),
        points=preview.points,
    )


def refusals_of(game: Game) -> dict[str, dict[str, out.Refusal]]:
    """Why a color on offer may not go to a line, for the seat that drafts."""
    view = game.view
    if view.phase != "d":
        return {}
    refusals: dict[str, dict[str, out.Refusal]] = {}
    for color, letter in enumerate(s.COLOR_LETTERS):
        source = next((n for n, counts in enumerate((view.center, *view.displays)) if counts[color]), None)
        if source is None:
            continue
        for line in LINE_LETTERS[: s.ROWS]:
            refusal = game.why_illegal(SOURCE_LETTERS[source] + letter + line)
            if refusal:
                refusals.setdefault(letter, {})[line] = out.Refusal(refusal.code, refusal.arguments)
    return refusals


def is_last_round(view: View) -> bool:
    """Whether some row lacks only the tile that its complete line brings."""
    return view.phase in "dt" and any(
        line.count == row + 1 and sum(cell is not None for cell in board.wall[row]) == s.COLUMNS - 1
        for board in view.boards
        for row, line in enumerate(board.lines)
    )


def happening_of(happening: h.Happening) -> out.Happening:
    """What a move did."""
    drafted = happening.drafted
    return out.Happening(
        move=str(happening.move),
        seat=happening.seat,
        drafted=None if drafted is None else _drafted(drafted),
        tiling=[_tiling(event) for event in happening.tiling],
        floors=[out.FloorScored(floor.seat, floor.penalty, floor.lost) for floor in happening.floors],
        bonuses=[
            out.Bonus(bonus.seat, bonus.rows, bonus.columns, bonus.colors, bonus.points) for bonus in happening.bonuses
        ],
        deal=None if happening.deal is None else displays_of(happening.deal.displays),
    )


def displays_of(displays: Sequence[Sequence[int]]) -> list[out.Counts]:
    """Displays as lists of counts."""
    return [list(display) for display in displays]


def _drafted(drafted: h.Drafted) -> out.Drafted:
    return out.Drafted(
        source=drafted.source,
        color=s.COLOR_LETTERS[drafted.color],
        line=drafted.line,
        taken=drafted.taken,
        placed=drafted.placed,
        dropped=drafted.dropped,
        to_lid=drafted.to_lid,
        marker=drafted.marker,
    )


def _tiling(event: h.Tiled | h.Fell) -> out.Tiled | out.Fell:
    color = s.COLOR_LETTERS[event.color]
    if isinstance(event, h.Fell):
        return out.Fell(event.seat, event.row, color, event.count, event.to_lid)
    return out.Tiled(event.seat, event.row, event.column, color, event.horizontal, event.vertical, event.points)


def _letter(color: int | None) -> str | None:
    return None if color is None else s.COLOR_LETTERS[color]
