"""From the game's own data to what is sent: the only place that turns one into the other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from azulejos.drawing.words import SPACE_COST, printed_color
from azulejos.game import happening as h
from azulejos.game.game import Game
from azulejos.game.moves import LINE_LETTERS, MOVES
from azulejos.game.notation import write_position
from azulejos.game.preview import previews_of
from azulejos.game.view import Board, view_of
from azulejos.rules import state as s
from azulejos.server.protocol import position as shown

EMPTY: Final = "."
"""An empty cell of the wall."""
PENALTIES: Final = list(SPACE_COST)
"""What each space of the floor costs."""
SPELLED: Final = tuple(map(str, MOVES))
"""Every move as it is written, by its number."""


def position_of(game: Game) -> shown.Position:
    """The position of a game with everything a client needs to show it and to let a person choose."""
    states = game.states
    view = view_of(states)
    return shown.Position(
        line=write_position(view),
        wall=view.wall,
        pattern=None if view.wall == "gray" else printed_pattern(),
        penalties=PENALTIES,
        displays=[list(display) for display in view.displays],
        center=list(view.center),
        marker=view.marker,
        boards=[board_of(board) for board in view.boards],
        bag=list(view.bag),
        lid=list(view.lid),
        phase=view.phase.value,
        seat=view.seat,
        round=view.round,
        starter=view.starter,
        last_round=view.last_round,
        options=options_of(states),
        refusals=refusals_of(game),
    )


@cache
def printed_pattern() -> list[str]:
    """The colors printed on the colored wall, row by row."""
    return [
        "".join(s.COLOR_LETTERS[printed_color(row, column)] for column in range(s.COLUMNS)) for row in range(s.ROWS)
    ]


def board_of(board: Board) -> shown.Board:
    """One board."""
    return shown.Board(
        score=board.score,
        lines=[shown.Line(_letter(line.color), line.count) for line in board.lines],
        wall=["".join(EMPTY if cell is None else s.COLOR_LETTERS[cell] for cell in row) for row in board.wall],
        floor=list(board.floor),
        marker=board.marker,
        penalty=board.penalty,
    )


def options_of(states: s.States) -> list[shown.Option]:
    """The legal moves of a state with their previews."""
    return [
        shown.Option(
            move=SPELLED[move.id],
            taken=preview.taken,
            placed=preview.placed,
            dropped=preview.dropped,
            marker=preview.marker,
            cost=preview.cost,
            completes=preview.completes,
            columns=list(preview.columns),
            points=preview.points,
        )
        for move, preview in previews_of(states).items()
    ]


def refusals_of(game: Game) -> dict[str, dict[str, shown.Refusal]]:
    """Why a color on offer may not go to a line, for the seat that drafts."""
    refusals: dict[str, dict[str, shown.Refusal]] = {}
    for (color, line), refusal in game.closed_lines().items():
        by_line = refusals.setdefault(s.COLOR_LETTERS[color], {})
        by_line[LINE_LETTERS[line]] = shown.Refusal(refusal.code, refusal.arguments)
    return refusals


def happening_of(happening: h.Happening) -> shown.Happening:
    """What a move did."""
    drafted = happening.drafted
    return shown.Happening(
        move=str(happening.move),
        seat=happening.seat,
        drafted=None if drafted is None else _drafted(drafted),
        tiling=[_tiling(event) for event in happening.tiling],
        floors=[shown.FloorScored(floor.seat, floor.penalty, floor.lost) for floor in happening.floors],
        bonuses=[
            shown.Bonus(bonus.seat, bonus.rows, bonus.columns, bonus.colors, bonus.points)
            for bonus in happening.bonuses
        ],
        deal=None if happening.deal is None else displays_of(happening.deal.displays),
    )


def displays_of(displays: Sequence[Sequence[int]]) -> list[shown.Counts]:
    """Displays as lists of counts."""
    return [list(display) for display in displays]


def _drafted(drafted: h.Drafted) -> shown.Drafted:
    return shown.Drafted(
        source=drafted.source,
        color=s.COLOR_LETTERS[drafted.color],
        line=drafted.line,
        taken=drafted.taken,
        placed=drafted.placed,
        dropped=drafted.dropped,
        to_lid=drafted.to_lid,
        marker=drafted.marker,
    )


def _tiling(event: h.Tiled | h.Fell) -> shown.Tiled | shown.Fell:
    color = s.COLOR_LETTERS[event.color]
    if isinstance(event, h.Fell):
        return shown.Fell(event.seat, event.row, color, event.count, event.to_lid)
    return shown.Tiled(event.seat, event.row, event.column, color, event.horizontal, event.vertical, event.points)


def _letter(color: int | None) -> str | None:
    return None if color is None else s.COLOR_LETTERS[color]
