"""A position as plain data: what everybody at the table sees, ready to print, draw or send.

`View` and the compiled record hold the same facts; `view_of` and `state_of` go between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, TypeAlias

import numpy as np

from azulejos.rules import state as s
from azulejos.rules.ending import is_last_round, rows_to_complete
from azulejos.rules.offer import derive_open, penalty_for
from azulejos.rules.validity import derive_lid

Counts: TypeAlias = tuple[int, ...]
"""Tiles by color, in the order blue, yellow, red, black, white."""
Wall: TypeAlias = Literal["std", "gray"]
"""The colored wall, or the gray one."""

WALLS: Final[tuple[Wall, Wall]] = ("std", "gray")
"""Both walls, by the number that the state has for them."""
COLOR_NAMES: Final = ("blue", "yellow", "red", "black", "white")
"""The names of the colors, by their number."""


class Phase(StrEnum):
    """What is due; the value is the letter that a position line has for it."""

    DRAFTING = "d"
    """Somebody takes tiles."""
    TILING = "t"
    """Somebody chooses a cell of the gray wall."""
    DEAL_DUE = "r"
    """The displays are to be filled."""
    OVER = "e"
    """Nothing: the game is over."""

    @property
    def is_decision(self) -> bool:
        """Whether a player has to decide something."""
        return self in (Phase.DRAFTING, Phase.TILING)


PHASES: Final = {
    s.DRAFTING: Phase.DRAFTING,
    s.TILING: Phase.TILING,
    s.DEAL_DUE: Phase.DEAL_DUE,
    s.OVER: Phase.OVER,
}
"""The phase for each number that the state has for one."""


@dataclass(frozen=True, slots=True)
class Line:
    """A pattern line: how many tiles of which color; the color is None while it is empty."""

    color: int | None
    """Which color, 0 to 4, or None."""
    count: int
    """How many tiles."""


@dataclass(frozen=True, slots=True)
class Board:
    """One player's board."""

    score: int
    """Points so far."""
    lines: tuple[Line, ...]
    """The five pattern lines."""
    wall: tuple[tuple[int | None, ...], ...]
    """Rows of colors, None for an empty cell."""
    floor: Counts
    """The tiles on the floor by color, the marker not among them."""
    marker: bool
    """Whether this player holds the starting-player marker."""

    @property
    def penalty(self) -> int:
        """What the floor costs if nothing more falls."""
        return penalty_for(sum(self.floor) + self.marker)

    def will_complete(self, row: int) -> bool:
        """Whether the line of a row is complete and brings the one tile that its wall row lacks."""
        states = np.zeros(1, s.STATE)
        _set_board(states[0], 0, self)
        return bool(rows_to_complete(states[0], 0) >> row & 1)


@dataclass(frozen=True, slots=True)
class View:
    """Everything that is public in a position; only the order of the bag is not."""

    wall: Wall
    """The colored wall or the gray one."""
    displays: tuple[Counts, ...]
    """The tiles of each display, by color."""
    center: Counts
    """The tiles in the center, by color."""
    marker: bool
    """Whether the starting-player marker lies in the center."""
    boards: tuple[Board, ...]
    """The boards, by seat."""
    bag: Counts
    """The tiles in the bag, by color."""
    phase: Phase
    """What is due."""
    seat: int | None
    """Who acts; while a deal is due who will start; None when the game is over."""
    round: int
    """The number of the round, from 1."""
    starter: int
    """Who started this round."""

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return len(self.boards)

    @property
    def lid(self) -> Counts:
        """The tiles out of play until the bag is empty: 20 of each color minus all that is seen."""
        return tuple(s.TILES_PER_COLOR - seen for seen in self.seen())

    @property
    def last_round(self) -> bool:
        """Whether this round completes a row of a wall as things are, which ends the game (R38)."""
        return bool(is_last_round(record_of(self)[0]))

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows."""
        from azulejos import drawing  # noqa: PLC0415 - drawing needs View, and a game without pictures needs no drawing

        return drawing.svg(self)

    def __str__(self) -> str:
        """The board as text."""
        from azulejos import drawing  # noqa: PLC0415 - as above

        return drawing.text(self)

    def seen(self) -> Counts:
        """Tiles of each color on the table and in the bag."""
        total = list(self.bag)
        for counts in (self.center, *self.displays, *(board.floor for board in self.boards)):
            for color, count in enumerate(counts):
                total[color] += count
        for board in self.boards:
            for line in board.lines:
                if line.color is not None:
                    total[line.color] += line.count
            for row in board.wall:
                for cell in row:
                    if cell is not None:
                        total[cell] += 1
        return tuple(total)


def view_of(states: s.States, at: int = 0) -> View:
    """The view of one state of an array."""
    state = states[at]
    players = int(state["players"])
    phase = PHASES[int(state["phase"])]
    displays = tuple(map(tuple, state["displays"].tolist()))
    marker = int(state["marker"])
    return View(
        wall=WALLS[int(state["gray"])],
        displays=displays[1 : s.displays_for(players) + 1],
        center=displays[s.CENTER],
        marker=marker == s.NOBODY,
        boards=tuple(_board(state, seat, marker == seat) for seat in range(players)),
        bag=tuple(state["bag"].tolist()),
        phase=phase,
        seat=None if phase is Phase.OVER else int(state["seat"]),
        round=int(state["round_number"]),
        starter=int(state["starter"]),
    )


def _board(state: s.State, seat: int, marker: bool) -> Board:
    wall: list[list[int | None]] = [[None] * s.COLUMNS for _ in range(s.ROWS)]
    for color, cells in enumerate(state["wall"][seat].tolist()):
        for cell in range(s.ROWS * s.COLUMNS):
            if cells >> cell & 1:
                wall[cell // s.COLUMNS][cell % s.COLUMNS] = color
    lines = zip(state["line_color"][seat].tolist(), state["line_count"][seat].tolist(), strict=True)
    return Board(
        score=int(state["score"][seat]),
        lines=tuple(Line(color if count else None, count) for color, count in lines),
        wall=tuple(map(tuple, wall)),
        floor=tuple(state["floor"][seat].tolist()),
        marker=marker,
    )


def state_of(view: View, max_rounds: int = s.NO_ROUND_LIMIT) -> s.States:
    """An array of one state that holds this (valid) view; its random stream is at 0."""
    states = record_of(view)
    states[0]["max_rounds"] = max_rounds
    derive_lid(states[0])
    derive_open(states[0])
    return states


def record_of(view: View) -> s.States:
    """An array of one state that holds this view, possible or not; what follows from its other fields is not set."""
    states = np.zeros(1, s.STATE)
    state = states[0]
    state["players"] = view.players
    state["gray"] = WALLS.index(view.wall)
    state["phase"] = next(number for number, phase in PHASES.items() if phase is view.phase)
    state["seat"] = view.seat or 0
    state["starter"] = view.starter
    state["round_number"] = min(view.round, s.NO_ROUND_LIMIT)
    state["marker"] = next((seat for seat, board in enumerate(view.boards) if board.marker), s.NOBODY)
    state["bag"] = view.bag
    for source, counts in enumerate((view.center, *view.displays)):
        state["displays"][source] = counts
    for seat, board in enumerate(view.boards):
        _set_board(state, seat, board)
    return states


def _set_board(state: s.State, seat: int, board: Board) -> None:
    state["score"][seat] = board.score
    state["floor"][seat] = board.floor
    for row, line in enumerate(board.lines):
        state["line_count"][seat, row] = line.count
        state["line_color"][seat, row] = line.color or 0
        for column, cell in enumerate(board.wall[row]):
            if cell is not None:
                state["wall"][seat, cell] |= 1 << (s.COLUMNS * row + column)
