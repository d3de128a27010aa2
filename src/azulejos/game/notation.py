"""Position lines: a position in one line of text, readable, canonical, complete enough to play on from.

    std B2YK/BYR2/B3R/BYRW/RK2W F 0:-/-/-/-/-:5/5/5/5/5:- 0:-/-/-/-/-:5/5/5/5/5:- B13Y17R15K17W18 d1 1@1

Reading has two steps with two errors: text that is not a position line (`InvalidNotation`) and a position that
cannot be (`InvalidPosition`, from `validity`). Exactly one line stands for a position; no other is accepted.
"""

from __future__ import annotations

import re
from typing import Final

from azulejos.game.errors import InvalidNotation, InvalidPosition
from azulejos.game.validity import faults
from azulejos.game.view import WALLS, Board, Counts, Line, Phase, View
from azulejos.rules.state import COLOR_LETTERS, COLORS, COLUMNS, ROWS

MARKER_LETTER: Final = "F"
"""The starting-player marker in the center or on a floor."""
LONGEST_LINE: Final = 1000
"""More characters than any position line has."""
PLAYERS_BY_DISPLAYS: Final = {5: 2, 7: 3, 9: 4}
"""How many play, by the number of displays."""

_TILES: Final = re.compile("".join(f"(?:{letter}([1-9][0-9]?)?)?" for letter in COLOR_LETTERS))
_SCORE: Final = re.compile("0|[1-9][0-9]{0,3}")
_TURN: Final = re.compile("([dtr])([1-4])|(e)-")
_ROUND: Final = re.compile("([1-9][0-9]{0,4})@([1-4])")


def write_tiles(counts: Counts, marker: bool = False) -> str:
    """Tiles as text.

    >>> write_tiles((2, 1, 0, 1, 0))
    'B2YK'
    >>> write_tiles((0, 0, 0, 0, 0))
    '-'
    """
    text = MARKER_LETTER if marker else ""
    for letter, count in zip(COLOR_LETTERS, counts, strict=True):
        if count:
            text += letter if count == 1 else f"{letter}{count}"
    return text or "-"


def read_tiles(text: str, where: str) -> Counts:
    """Tiles from text; `where` says in an error where they stand."""
    if text == "-":
        return (0,) * COLORS
    match = _TILES.fullmatch(text)
    if not match or not text or "1" in match.groups():
        raise InvalidNotation(
            f"cannot read {text!r} in {where} as tiles: expected - or colors in the order {COLOR_LETTERS}, "
            "each once, a count of 2 or more behind it"
        )
    return tuple(
        int(count or 1) if letter in text else 0 for letter, count in zip(COLOR_LETTERS, match.groups(), strict=True)
    )


def read_marked_tiles(text: str, where: str) -> tuple[Counts, bool]:
    """Tiles that the starting-player marker may lie with."""
    if text.startswith(MARKER_LETTER):
        return read_tiles(text[1:] or "-", where), True
    return read_tiles(text, where), False


def write_position(view: View) -> str:
    """The position line of a view."""
    turn = f"{view.phase}{'-' if view.seat is None else view.seat + 1}"
    return " ".join(
        (
            view.wall,
            "/".join(map(write_tiles, view.displays)),
            write_tiles(view.center, view.marker),
            *map(_write_board, view.boards),
            write_tiles(view.bag),
            turn,
            f"{view.round}@{view.starter + 1}",
        )
    )


def _write_board(board: Board) -> str:
    lines = "/".join(
        "-" if line.color is None else write_tiles(tuple(line.count * (line.color == c) for c in range(COLORS)))
        for line in board.lines
    )
    rows = "/".join(map(_write_row, board.wall))
    return f"{board.score}:{lines}:{rows}:{write_tiles(board.floor, board.marker)}"


def _write_row(row: tuple[int | None, ...]) -> str:
    text = ""
    empty = 0
    for cell in (*row, -1):
        if cell is None:
            empty += 1
            continue
        text += (str(empty) if empty else "") + (COLOR_LETTERS[cell] if cell >= 0 else "")
        empty = 0
    return text


def read_position(line: str) -> View:
    """The view that a position line stands for, checked to be possible."""
    view = _read_view(line)
    if write_position(view) != line:
        raise InvalidNotation(f"cannot read {line!r}: this position is written {write_position(view)!r}")
    found = faults(view)
    if found:
        raise InvalidPosition(line, found)
    return view


def _read_view(line: str) -> View:
    if not isinstance(line, str):
        raise InvalidNotation(f"cannot read {line!r} as a position: expected a text")
    if len(line) > LONGEST_LINE:
        raise InvalidNotation(f"cannot read {line[:60]!r} ... as a position: {len(line)} characters are too many")
    fields = line.split(" ")
    displays = fields[1].split("/") if len(fields) > 1 else []
    players = PLAYERS_BY_DISPLAYS.get(len(displays), 0)
    if len(displays) > 1 and not players:
        raise InvalidNotation(f"cannot read {fields[1]!r} as displays: expected 5, 7 or 9 of them, not {len(displays)}")
    if len(fields) != players + 6 or not players:
        raise InvalidNotation(
            f"cannot read {line!r} as a position: expected wall, displays, center, a board for each seat, bag, turn "
            "and round with one blank between them"
        )
    wall = next((wall for wall in WALLS if wall == fields[0]), None)
    if wall is None:
        raise InvalidNotation(f"cannot read {fields[0]!r} as a wall: expected std or gray")
    center, marker = read_marked_tiles(fields[2], "the center")
    phase, seat = _read_turn(fields[-2])
    number, starter = _read_round(fields[-1])
    return View(
        wall=wall,
        displays=tuple(read_tiles(text, f"display {at}") for at, text in enumerate(displays, 1)),
        center=center,
        marker=marker,
        boards=tuple(_read_board(text, f"board {at}") for at, text in enumerate(fields[3:-3], 1)),
        bag=read_tiles(fields[-3], "the bag"),
        phase=phase,
        seat=seat,
        round=number,
        starter=starter,
    )


def _read_turn(text: str) -> tuple[Phase, int | None]:
    match = _TURN.fullmatch(text)
    if not match:
        raise InvalidNotation(f"cannot read {text!r} as a turn: expected d, t or r and a seat 1-4, or e-")
    letter = match[1] or match[3]
    return Phase(letter), int(match[2]) - 1 if match[2] else None


def _read_round(text: str) -> tuple[int, int]:
    match = _ROUND.fullmatch(text)
    if not match:
        raise InvalidNotation(f"cannot read {text!r} as a round: expected its number, @ and the seat that starts it")
    return int(match[1]), int(match[2]) - 1


def _read_board(text: str, where: str) -> Board:
    parts = text.split(":")
    if len(parts) != 4:
        raise InvalidNotation(f"cannot read {text!r} as {where}: expected score:lines:rows:floor")
    score, lines, rows, floor = parts
    if not _SCORE.fullmatch(score):
        raise InvalidNotation(f"cannot read {score!r} in {where} as a score")
    tiles, marker = read_marked_tiles(floor, f"the floor of {where}")
    return Board(
        score=int(score),
        lines=tuple(_read_line(part, where) for part in _five(lines, f"the lines of {where}")),
        wall=tuple(_read_row(part, where) for part in _five(rows, f"the rows of {where}")),
        floor=tiles,
        marker=marker,
    )


def _five(text: str, where: str) -> list[str]:
    parts = text.split("/")
    if len(parts) != ROWS:
        raise InvalidNotation(f"cannot read {text!r} in {where}: expected {ROWS} parts with / between them")
    return parts


def _read_line(text: str, where: str) -> Line:
    counts = read_tiles(text, f"the lines of {where}")
    colors = [color for color in range(COLORS) if counts[color]]
    if len(colors) > 1:
        raise InvalidNotation(f"cannot read {text!r} in the lines of {where}: a line holds one color")
    return Line(colors[0], counts[colors[0]]) if colors else Line(None, 0)


def _read_row(text: str, where: str) -> tuple[int | None, ...]:
    row: list[int | None] = []
    for letter in text:
        if letter in COLOR_LETTERS:
            row.append(COLOR_LETTERS.index(letter))
        elif letter in "12345":
            row.extend([None] * int(letter))
        else:
            break
    else:
        if len(row) == COLUMNS:
            return tuple(row)
    raise InvalidNotation(
        f"cannot read {text!r} in the rows of {where}: expected letters for tiles and digits for empty cells, 5 in all"
    )
