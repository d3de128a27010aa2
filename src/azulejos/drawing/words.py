"""What a drawing says in words: names, whose turn it is, and the whole position for those who do not see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from azulejos.game.happening import Drafted, Happening
from azulejos.game.moves import LINE_LETTERS, Move
from azulejos.game.preview import Preview
from azulejos.game.view import COLOR_NAMES, Counts, Line, Phase, View, state_of
from azulejos.rules import ending
from azulejos.rules.state import CENTER, COLORS, COLUMNS, FLOOR, PENALTY
from azulejos.rules.tiling import printed_column
from azulejos.rules.turn import tiling_choice

SPACE_COST: Final = tuple(after - before for before, after in pairwise(PENALTY))
"""What each floor space costs, from the left."""


@dataclass(frozen=True, slots=True)
class Captions:
    """The words of a drawn table, in one language or another."""

    round: str
    """Which round it is."""
    turn: str
    """What is awaited from whom."""
    supply: str
    """How many tiles are in the bag and in the lid."""
    scores: Sequence[str]
    """The score of each seat."""
    losses: Sequence[str]
    """What the floor of each seat costs; nothing where it is empty."""
    moves: str
    """How the moves that are now asked for are spelled; nothing where none is."""


def captions(view: View, names: Sequence[str]) -> Captions:
    """The words of a table in English."""
    this_round, turn = headline(view, names)
    return Captions(
        this_round,
        turn,
        f"bag {sum(view.bag)}   lid {sum(view.lid)}",
        [plural(board.score, "point") for board in view.boards],
        [f"loses {board.penalty}" if board.penalty else "" for board in view.boards],
        _spelling(view),
    )


def _spelling(view: View) -> str:
    if view.phase is Phase.DRAFTING:
        return "A move is source, color, line: 3B4, cR2; f is the floor: 5Kf."
    if view.phase is Phase.TILING:
        row, columns = choice(view)
        return f"The choices for line {row + 1} are {', '.join(f't{row + 1}{column + 1}' for column in columns)}."
    return ""


def seat_names(view: View, names: Sequence[str] | None) -> tuple[str, ...]:
    """One name for each seat, without characters that could move a cursor or break a document."""
    if names is None:
        names = [""] * view.players
    if len(names) != view.players:
        raise ValueError(f"expected {view.players} names, one for each seat, got {len(names)}: {list(names)!r}")
    cleaned = ("".join(filter(str.isprintable, name)).strip() for name in names)
    return tuple(name or f"Player {seat + 1}" for seat, name in enumerate(cleaned))


def printed_color(row: int, column: int) -> int:
    """The color of a cell of the colored wall."""
    return next(color for color in range(COLORS) if printed_column(row, color) == column)


def spread(counts: Counts) -> list[int]:
    """Counts as a list of colors, one for each tile.

    >>> spread((2, 0, 1, 0, 0))
    [0, 0, 2]
    """
    return [color for color, count in enumerate(counts) for _ in range(count)]


def choice(view: View) -> tuple[int, list[int]]:
    """The row of the tiling choice that is due, and the columns it may go to."""
    row, columns = tiling_choice(state_of(view)[0])
    return row, [column for column in range(COLUMNS) if columns >> column & 1]


def winners(view: View) -> list[int]:
    """The seats that won a game that is over."""
    seats = ending.winners(state_of(view)[0])
    return [seat for seat in range(view.players) if seats >> seat & 1]


def headline(view: View, names: Sequence[str]) -> tuple[str, str]:
    """The round, and what is awaited from whom."""
    this_round = f"Round {view.round}"
    if view.seat is None:
        won = [names[seat] for seat in winners(view)]
        result = f"{won[0]} {'win' if won[0] == 'You' else 'wins'}" if len(won) == 1 else f"{_and(won)} share the win"
        return f"{this_round}, game over", result
    name = names[view.seat]
    if view.phase is Phase.DEAL_DUE:
        return this_round, f"{name} starts after the deal"
    return this_round, f"{name} to move" if view.phase is Phase.DRAFTING else f"{name} to choose a column"


def plural(count: int, noun: str) -> str:
    """A count with its noun: 1 point, 2 points."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def draft_words(move: Move, done: Drafted | Preview) -> str:
    """What a draft did, or would do, to the offer and the player's board.

    >>> draft_words(Move.parse("2K1"), Preview(2, 1, 1, False, 1, True, (3,), 1))
    '2 black from display 2 to line 1, 1 to the floor'
    """
    source = "the center" if move.source == CENTER else f"display {move.source}"
    words = f"{done.taken} {COLOR_NAMES[move.color]} from {source}"
    words += " to the floor" if move.line == FLOOR else f" to line {LINE_LETTERS[move.line]}"
    if done.dropped and move.line != FLOOR:
        words += f", {done.dropped} to the floor"
    return words + (", with the starting-player marker" if done.marker else "")


def move_words(move: Move, done: Drafted | Preview | None) -> str:
    """What any move does: a draft, or a choice on the gray wall.

    >>> move_words(Move.parse("t35"), None)
    'the tile of row 3 to column 5'
    """
    if move.is_tiling or done is None:
        return f"the tile of row {move.row + 1} to column {move.column + 1}"
    return draft_words(move, done)


def marked(
    names: Sequence[str],
    last: Happening | None,
    shown: Sequence[tuple[Move, Preview]],
    ghost: tuple[Move, Preview] | None,
) -> Iterator[str]:
    """The marks of a picture in sentences: the last move, the moves with arrows, and the one with ghosts."""
    if last is not None and isinstance(last.move, Move) and last.seat is not None:
        yield f"Last move: {names[last.seat]}, {move_words(last.move, last.drafted)}."
    for number, (move, preview) in enumerate(shown, 1):
        yield f"Arrow {number}: {move_words(move, preview)}."
    if ghost is not None:
        yield f"Shown as if played: {move_words(*ghost)}."


def describe(view: View, names: Sequence[str]) -> str:
    """The whole position in sentences, for a screen reader."""
    return " ".join(_sentences(view, names))


def _sentences(view: View, names: Sequence[str]) -> Iterator[str]:
    wall = "colored" if view.wall == "std" else "gray"
    yield f"{', '.join(headline(view, names))}. {view.players} players, {wall} wall."
    for number, counts in enumerate(view.displays, 1):
        yield f"Display {number}: {_tiles(counts)}."
    yield f"Center: {_tiles(view.center, view.marker)}."
    for name, board in zip(names, view.boards, strict=True):
        yield f"{name}: {plural(board.score, 'point')}."
        held = [_line(number, line) for number, line in enumerate(board.lines, 1) if line.color is not None]
        yield f"Lines: {', '.join(held) or 'empty'}."
        rows = [_row(number, row) for number, row in enumerate(board.wall, 1) if any(cell is not None for cell in row)]
        yield f"Wall: {'; '.join(rows) or 'empty'}."
        yield f"Floor: {_tiles(board.floor, board.marker)}{f', loses {board.penalty}' if board.penalty else ''}."
    yield f"Bag: {_tiles(view.bag)}. Lid: {_tiles(view.lid)}."


def _tiles(counts: Counts, marker: bool = False) -> str:
    parts = ["starting-player marker"] if marker else []
    parts += [f"{count} {COLOR_NAMES[color]}" for color, count in enumerate(counts) if count]
    return ", ".join(parts) or "empty"


def _line(number: int, line: Line) -> str:
    return f"line {number} {line.count} of {number} {COLOR_NAMES[line.color or 0]}"


def _row(number: int, row: Sequence[int | None]) -> str:
    cells = (f"{COLOR_NAMES[cell]} in column {column}" for column, cell in enumerate(row, 1) if cell is not None)
    return f"row {number} {', '.join(cells)}"


def _and(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
