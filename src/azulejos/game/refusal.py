"""Why a move is refused: a code with arguments for any interface to word, and the wording in English."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from azulejos.game.errors import IllegalMove
from azulejos.game.moves import Deal, Move
from azulejos.game.view import COLOR_NAMES
from azulejos.rules import state as s
from azulejos.rules.turn import tiling_choice

REASONS: Final = {
    "game_over": "the game is over",
    "deal_due": "a deal is due before the next move",
    "no_deal_due": "no deal is due",
    "tile_first": "a tile of line {row} has to be placed first",
    "nothing_to_tile": "no tile is waiting to be placed",
    "no_such_display": "there are {displays} displays",
    "color_not_there": "there is no {color} at source {source}",
    "line_full": "line {line} is full",
    "other_color": "line {line} holds {color}",
    "color_on_row": "{color} is already on row {row}",
    "cell_taken": "row {row}, column {column} is taken",
    "color_in_column": "{color} is already in column {column}",
    "deal_displays": "the deal has {given} displays instead of {displays}",
    "deal_size": "display {display} gets {given} tiles instead of {expected}",
    "deal_too_many": "the deal has {given} {color} tiles, only {available} can come",
    "deal_leaves_bag": "the deal leaves {color} tiles in the bag although it needs the lid",
    "nothing_to_undo": "there is nothing to undo",
}
"""Every code with its English sentence; colors are named, everything is counted from 1."""


class Refusal(NamedTuple):
    """Why something is not allowed."""

    code: str
    """The reason as a word for programs."""
    arguments: dict[str, str | int]
    """What the sentence about it has to name."""

    def __str__(self) -> str:
        return REASONS[self.code].format(**self.arguments)

    def error(self, move: object) -> IllegalMove:
        """The error to raise."""
        return IllegalMove(f"illegal move {str(move)!r}: {self}", self.code, self.arguments)


def refuse(code: str, **arguments: str | int) -> Refusal:
    """A refusal with its arguments."""
    return Refusal(code, arguments)


def refusal_of_move(states: s.States, move: Move) -> Refusal | None:
    """Why a decision is not allowed, or None if it is."""
    state = states[0]
    phase = state["phase"]
    if phase == s.OVER:
        return refuse("game_over")
    if phase == s.DEAL_DUE:
        return refuse("deal_due")
    if phase == s.TILING:
        return _refusal_of_tiling(state, move)
    if move.is_tiling:
        return refuse("nothing_to_tile")
    return _refusal_of_draft(state, move)


def _refusal_of_draft(state: s.State, move: Move) -> Refusal | None:
    displays = s.displays_for(int(state["players"]))
    if move.source > displays:
        return refuse("no_such_display", displays=displays)
    color = COLOR_NAMES[move.color]
    if not state["displays"][move.source, move.color]:
        return refuse("color_not_there", color=color, source=str(move)[0])
    seat = state["seat"]
    if int(state["open"][seat, move.color]) >> move.line & 1:
        return None
    line = move.line + 1
    there = state["line_color"][seat, move.line]
    if state["line_count"][seat, move.line] == line:
        return refuse("line_full", line=line)
    if state["line_count"][seat, move.line] and there != move.color:
        return refuse("other_color", line=line, color=COLOR_NAMES[there])
    return refuse("color_on_row", color=color, row=line)


def _refusal_of_tiling(state: s.State, move: Move) -> Refusal | None:
    row, columns = tiling_choice(state)
    if not move.is_tiling or move.row != row:
        return refuse("tile_first", row=row + 1)
    if columns >> move.column & 1:
        return None
    cell = 1 << (s.COLUMNS * row + move.column)
    if any(int(cells) & cell for cells in state["wall"][state["seat"]]):
        return refuse("cell_taken", row=row + 1, column=move.column + 1)
    color = COLOR_NAMES[state["line_color"][state["seat"], row]]
    return refuse("color_in_column", color=color, column=move.column + 1)


def refusal_of_deal(states: s.States, deal: Deal) -> Refusal | None:
    """Why these tiles cannot be dealt now, or None if they can (R39-R41, D5)."""
    state = states[0]
    if state["phase"] == s.OVER:
        return refuse("game_over")
    if state["phase"] != s.DEAL_DUE:
        return refuse("no_deal_due")
    displays = s.displays_for(int(state["players"]))
    if len(deal.displays) != displays:
        return refuse("deal_displays", given=len(deal.displays), displays=displays)
    bag, lid = state["bag"].tolist(), state["lid"].tolist()
    left = sum(bag) + sum(lid)
    for number, display in enumerate(deal.displays, 1):
        expected = min(left, s.DISPLAY_SIZE)
        if sum(display) != expected:
            return refuse("deal_size", display=number, given=sum(display), expected=expected)
        left -= expected
    return _refusal_of_tiles([sum(column) for column in zip(*deal.displays, strict=True)], bag, lid)


def _refusal_of_tiles(given: Sequence[int], bag: Sequence[int], lid: Sequence[int]) -> Refusal | None:
    needs_lid = sum(given) > sum(bag)
    for color, count in enumerate(given):
        available = bag[color] + (lid[color] if needs_lid else 0)
        if count > available:
            return refuse("deal_too_many", given=count, color=COLOR_NAMES[color], available=available)
        if needs_lid and count < bag[color]:
            return refuse("deal_leaves_bag", color=COLOR_NAMES[color])
    return None
