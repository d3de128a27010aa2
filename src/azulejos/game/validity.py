"""Can this position be? Every fault of a view, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from azulejos.game.view import COLOR_NAMES, Board, Phase, View, state_of
from azulejos.rules import state as s
from azulejos.rules.ending import is_stalled
from azulejos.rules.tiling import printed_column
from azulejos.rules.turn import tiling_choice

HIGHEST_SCORE: Final = 240
"""No score can be higher."""


def faults(view: View) -> list[str]:
    """Everything that is wrong with a view; an empty list if it can be."""
    found = [*_tile_faults(view), *_turn_faults(view)]
    for seat, board in enumerate(view.boards):
        found += [f"board {seat + 1}: {fault}" for fault in _board_faults(view, seat, board)]
    if not found:
        found += _FAULTS[view.phase](view)
    return found


def _tile_faults(view: View) -> Iterator[str]:
    for name, seen in zip(COLOR_NAMES, view.seen(), strict=True):
        if seen > s.TILES_PER_COLOR:
            yield f"{seen} {name} tiles, there are {s.TILES_PER_COLOR}"
    markers = view.marker + sum(board.marker for board in view.boards)
    if markers != 1:
        yield f"{markers or 'no'} starting-player marker{'s' * (markers > 1)}, there is one"
    for number, display in enumerate(view.displays, 1):
        if sum(display) > s.DISPLAY_SIZE:
            yield f"display {number} holds {sum(display)} tiles, it has room for {s.DISPLAY_SIZE}"


def _turn_faults(view: View) -> Iterator[str]:
    if view.round > s.NO_ROUND_LIMIT:
        yield f"round {view.round}, there are at most {s.NO_ROUND_LIMIT}"
    for name, seat in (("seat to act", view.seat), ("starter", view.starter)):
        if seat is not None and seat >= view.players:
            yield f"{name} {seat + 1} in a game with {view.players} seats"


def _board_faults(view: View, seat: int, board: Board) -> Iterator[str]:
    if board.score > HIGHEST_SCORE:
        yield f"score {board.score}, the highest possible is {HIGHEST_SCORE}"
    if sum(board.floor) > s.FLOOR_SPACES:
        yield f"{sum(board.floor)} tiles on the floor, it has {s.FLOOR_SPACES} spaces"
    yield from _wall_faults(view, board)
    for row, line in enumerate(board.lines):
        if line.count > row + 1:
            yield f"{line.count} tiles in line {row + 1}"
        if line.color is not None and line.color in board.wall[row]:
            yield f"{COLOR_NAMES[line.color]} in line {row + 1} is already on row {row + 1}"
        tiled = _is_tiled(view, seat, row)
        if (tiled or view.phase is Phase.DEAL_DUE) and line.count == row + 1:
            yield f"line {row + 1} is complete but not tiled"
        if not tiled and None not in board.wall[row]:
            yield f"row {row + 1} is complete before the end of the round"
        rounds = view.round if tiled else view.round - 1
        tiles = sum(cell is not None for cell in board.wall[row])
        if tiles > rounds:
            yield f"{tiles} tiles on row {row + 1} after {rounds} round{'s' * (rounds != 1)} of tiling"


def _is_tiled(view: View, seat: int, row: int) -> bool:
    """Whether this row has had its tile of the round that the position is in."""
    if view.phase is not Phase.TILING or view.seat is None:
        return view.phase is Phase.OVER
    if seat != view.seat:
        return seat < view.seat
    return row < next((at for at, line in enumerate(view.boards[seat].lines) if line.count > at), s.ROWS)


def _wall_faults(view: View, board: Board) -> Iterator[str]:
    lines = [("row", number, row) for number, row in enumerate(board.wall, 1)]
    lines += [("column", number, column) for number, column in enumerate(zip(*board.wall, strict=True), 1)]
    for kind, number, line in lines:
        for color, name in enumerate(COLOR_NAMES):
            if line.count(color) > 1:
                yield f"{name} twice in {kind} {number}"
    if view.wall == "std":
        for row, cells in enumerate(board.wall):
            for column, cell in enumerate(cells):
                if cell is not None and printed_column(row, cell) != column:
                    yield f"{COLOR_NAMES[cell]} on row {row + 1}, column {column + 1} of the colored wall"


def _drafting_faults(view: View) -> Iterator[str]:
    if not any(map(sum, (view.center, *view.displays))):
        yield "nothing to draft, the round is over"
    short = [number for number, display in enumerate(view.displays, 1) if 0 < sum(display) < s.DISPLAY_SIZE]
    for number in short[:-1]:
        yield f"display {number} holds {sum(view.displays[number - 1])} tiles"
    if short and (any(view.bag) or any(map(sum, view.displays[short[-1] :]))):
        yield f"display {short[-1]} is short although there were tiles to fill it"
    touched = sum(not any(display) for display in view.displays)
    if sum(view.center) > touched * (s.DISPLAY_SIZE - 1):
        yield f"{sum(view.center)} tiles in the center with {touched} displays emptied"
    if touched == 0:
        if view.seat != view.starter:
            yield f"seat {(view.seat or 0) + 1} to act before seat {view.starter + 1} has started the round"
        if not view.marker:
            yield "the starting-player marker is taken before the first draft"
        yield from _unclean_boards(view)


def _unclean_boards(view: View) -> Iterator[str]:
    for seat, board in enumerate(view.boards, 1):
        if any(board.floor):
            yield f"board {seat}: tiles on the floor before the first draft"
        for row, line in enumerate(board.lines, 1):
            if line.count == row:
                yield f"board {seat}: line {row} is complete before the first draft"


def _empty_table_faults(view: View) -> Iterator[str]:
    if any(map(sum, (view.center, *view.displays))):
        yield "tiles on displays or in the center after the round"
    if view.phase is not Phase.TILING:
        if not view.marker:
            yield "the starting-player marker is not in the center"
        for seat, board in enumerate(view.boards, 1):
            if any(board.floor):
                yield f"board {seat}: tiles on a floor that has been scored"


def _tiling_faults(view: View) -> Iterator[str]:
    yield from _empty_table_faults(view)
    if view.wall == "std":
        yield "a tiling choice on the colored wall"
        return
    row, columns = tiling_choice(state_of(view)[0])
    if row == s.ROWS or not columns & (columns - 1):
        yield f"seat {(view.seat or 0) + 1} has no complete line with a choice of columns"


def _deal_faults(view: View) -> Iterator[str]:
    yield from _empty_table_faults(view)
    if view.seat != view.starter:
        yield f"seat {(view.seat or 0) + 1} to act, but seat {view.starter + 1} will start the round"
    if is_stalled(state_of(view)[0]):
        yield "nothing can change any more, the game is over"


_FAULTS: Final = {
    Phase.DRAFTING: _drafting_faults,
    Phase.TILING: _tiling_faults,
    Phase.DEAL_DUE: _deal_faults,
    Phase.OVER: _empty_table_faults,
}
"""What is asked of the table in each phase."""
