"""What happened, cut into scenes: the position after each thing that a move did, and where to look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from azulejos.game.happening import Bonus, Happening, Tiled
from azulejos.game.moves import Deal, Move
from azulejos.game.view import View, state_of, view_of
from azulejos.rules import batch, turn
from azulejos.rules import state as s
from azulejos.tui import words

Spot: TypeAlias = tuple[str | int, ...]
"""A place on the table: ("take", source, color), ("line", seat, line) or ("cell", seat, row, column)."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One moment: the table, a sentence, and the places it is about."""

    view: View
    """How the table looks at this moment."""
    words: str
    """What is told about it."""
    lines: Sequence[str]
    """What the log says of it."""
    marks: frozenset[Spot]
    """The places that it is about; none for a deal."""
    scoring: bool
    """Whether it belongs to the end of a round."""


def scenes(happening: Happening, before: View, after: View, names: Sequence[str]) -> Iterator[Scene]:
    """The scenes of one happening; the last one shows the position after it."""
    lines = words.story(happening, names, after)
    shown = [*_of_move(happening, before), *_of_deal(happening, after)]
    for number, (view, marks, scoring) in enumerate(shown, 1):
        told = lines[number - 1 : number if number < len(shown) else None]
        yield Scene(view, told[0 if marks else -1].strip(), told, frozenset(marks), scoring)


def _of_move(happening: Happening, before: View) -> Iterator[tuple[View, set[Spot], bool]]:
    """The table, the places to look at and whether it scores, after each thing that a move did."""
    move, seat = happening.move, happening.seat
    if not isinstance(move, Move) or seat is None:
        return
    views = _moments(move, replace(before, seat=seat), happening.bonuses)
    if happening.drafted:
        yield next(views), {("source", move.source), ("line", seat, move.line)}, False
    for tile in happening.tiling:
        spot: Spot = ("line", tile.seat, s.FLOOR)
        if isinstance(tile, Tiled):
            spot = ("cell", tile.seat, tile.row, tile.column)
        yield next(views), {spot}, True
    for scored in happening.floors:
        view = next(views)
        if scored.penalty:
            yield view, {("line", scored.seat, s.FLOOR)}, True
    for given in happening.bonuses:
        yield next(views), {("title", given.seat)}, True


def _of_deal(happening: Happening, after: View) -> Iterator[tuple[View, set[Spot], bool]]:
    if happening.deal or isinstance(happening.move, Deal):
        yield after, set(), bool(happening.floors)


def _moments(move: Move, before: View, bonuses: Sequence[Bonus]) -> Iterator[View]:
    """The table after the decision, after each line and floor that followed from it, and after each bonus."""
    # Happenings say what was done, not how the table looked in between: the rules themselves play it once more.
    limit = before.round if bonuses else s.NO_ROUND_LIMIT  # the view does not say what ends the game
    states = state_of(before, limit)
    batch.act_one(states, 0, move.id)
    yield _seen(states, before)
    while (kind := batch.advance_one(states, 0)[0]) != turn.NOTHING:
        if states[0]["phase"] == s.OVER:  # the rules have given all bonuses at once, people see one after the other
            for given in bonuses:
                states[0]["score"][given.seat] -= given.points
        if kind != turn.PASSED_ON:
            yield _seen(states, before)
    for given in bonuses:
        states[0]["score"][given.seat] += given.points
        yield _seen(states, before)


def _seen(states: s.States, before: View) -> View:
    """The table as it lies, while round and turn are still those of the move."""
    shown = states.copy()
    shown["phase"] = s.DRAFTING
    return replace(view_of(shown), phase=before.phase, seat=before.seat, round=before.round, starter=before.starter)
