"""What happened, cut into scenes: the position after each thing that a move did, and where to look.

No rules here: the events say what moved where and what it scored, this only shows them one after another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from azulejos.game.happening import Bonus, Drafted, Fell, FloorScored, Happening, Tiled
from azulejos.game.moves import Deal, Move
from azulejos.game.view import Board, Counts, Line, View
from azulejos.rules.state import CENTER, FLOOR
from azulejos.tui import words

Spot: TypeAlias = tuple[str | int, ...]
"""A place on the table: ("take", source, color), ("line", seat, line) or ("cell", seat, row, column)."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One moment: the table, a sentence, and the places it is about."""

    view: View
    """The table."""
    words: str
    """The sentence."""
    marks: frozenset[Spot]
    """The places."""
    scoring: bool
    """Whether it belongs to the end of a round."""


def scenes(happening: Happening, before: View, after: View, names: Sequence[str]) -> Iterator[Scene]:
    """The scenes of one happening; the last one shows the position after it."""
    view = before
    move = happening.move
    if happening.drafted and happening.seat is not None and isinstance(move, Move):
        view = after_draft(view, happening.seat, happening.drafted)
        told = f"{names[happening.seat]} {move}: {words.draft(move, happening.drafted)}."
        spots = {("source", move.source), ("line", happening.seat, move.line)}
        yield Scene(view, told, frozenset(spots), False)
    for tile in happening.tiling:
        view = _after_tiling(view, tile)
        spot: Spot = ("line", tile.seat, FLOOR)
        if isinstance(tile, Tiled):
            spot = ("cell", tile.seat, tile.row, tile.column)
        yield Scene(view, f"{names[tile.seat]}: {words.tiling(tile)}.", frozenset({spot}), True)
    for scored in happening.floors:
        view = _after_floor(view, scored)
        if scored.penalty:
            told = f"{names[scored.seat]}: {words.floor(scored)}."
            yield Scene(view, told, frozenset({("line", scored.seat, FLOOR)}), True)
    for given in happening.bonuses:
        view = _after_bonus(view, given)
        told = f"{names[given.seat]}: {words.bonus(given)}."
        yield Scene(view, told, frozenset({("title", given.seat)}), True)
    if happening.deal or isinstance(move, Deal):
        told = words.round_starts(after.round, names[after.starter])
        yield Scene(after, told, frozenset(), bool(happening.floors))


def after_draft(view: View, seat: int, drafted: Drafted) -> View:
    """The table after tiles were taken and put on a board."""
    color, board = drafted.color, view.boards[seat]
    if drafted.source == CENTER:
        view = replace(view, center=_with(view.center, color, 0))
    else:
        taken = view.displays[drafted.source - 1]
        rest = _with(taken, color, 0)
        displays = list(view.displays)
        displays[drafted.source - 1] = (0,) * len(taken)
        center = tuple(there + more for there, more in zip(view.center, rest, strict=True))
        view = replace(view, displays=tuple(displays), center=center)
    fallen = drafted.dropped - drafted.to_lid
    board = replace(board, floor=_with(board.floor, color, board.floor[color] + fallen))
    if drafted.placed:
        board = _with_line(board, drafted.line, Line(color, board.lines[drafted.line].count + drafted.placed))
    if drafted.marker:
        view, board = replace(view, marker=False), replace(board, marker=True)
    return _with_board(view, seat, board)


def _after_tiling(view: View, tile: Tiled | Fell) -> View:
    board = _with_line(view.boards[tile.seat], tile.row, Line(None, 0))
    if isinstance(tile, Fell):
        fallen = tile.count - tile.to_lid
        board = replace(board, floor=_with(board.floor, tile.color, board.floor[tile.color] + fallen))
        return _with_board(view, tile.seat, board)
    wall = [list(row) for row in board.wall]
    wall[tile.row][tile.column] = tile.color
    board = replace(board, wall=tuple(map(tuple, wall)), score=board.score + tile.points)
    return _with_board(view, tile.seat, board)


def _after_floor(view: View, scored: FloorScored) -> View:
    board = view.boards[scored.seat]
    cleared = replace(board, floor=(0,) * len(board.floor), marker=False, score=board.score - scored.lost)
    return _with_board(view, scored.seat, cleared)


def _after_bonus(view: View, given: Bonus) -> View:
    board = view.boards[given.seat]
    return _with_board(view, given.seat, replace(board, score=board.score + given.points))


def _with(counts: Counts, color: int, count: int) -> Counts:
    return (*counts[:color], count, *counts[color + 1 :])


def _with_line(board: Board, row: int, line: Line) -> Board:
    return replace(board, lines=(*board.lines[:row], line, *board.lines[row + 1 :]))


def _with_board(view: View, seat: int, board: Board) -> View:
    return replace(view, boards=(*view.boards[:seat], board, *view.boards[seat + 1 :]))
