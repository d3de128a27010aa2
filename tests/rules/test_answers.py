"""What the compiled rules say of a position beside playing it: numbers of actions, previews, refusals, happenings."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from azulejos import Game
from azulejos.game.moves import MOVES
from azulejos.game.refusal import REASONS, WORDED
from azulejos.game.view import Phase, Wall
from azulejos.rules import actions, batch, refusals
from azulejos.rules import state as s
from azulejos.rules.happenings import MOST_HAPPENINGS, NUMBERS
from azulejos.rules.offer import floor_penalty
from azulejos.rules.tiling import legal_columns

KINDS = [(players, wall) for players in (2, 3, 4) for wall in ("std", "gray")]


def games(players: int, wall: Wall, count: int = 4) -> Iterator[Game]:
    """Every position of a few random games."""
    for seed in range(count):
        game, rng = Game(players, wall, seed=seed), random.Random(seed)
        while not game.is_over:
            yield game
            game.play(rng.choice(game.legal_moves))
        yield game


def test_actions_are_numbered_as_moves_are() -> None:
    for move in MOVES:
        if move.is_tiling:
            assert (actions.row_of(move.id), actions.column_of(move.id)) == (move.row, move.column)
            assert actions.cell_number(move.row, move.column) == move.id
        else:
            parts = actions.source_of(move.id), actions.color_of(move.id), actions.line_of(move.id)
            assert parts == (move.source, move.color, move.line)
            assert actions.draft_number(*parts) == move.id


@pytest.mark.parametrize(("players", "wall"), KINDS)
def test_a_preview_says_what_playing_does(players: int, wall: Wall) -> None:
    for game in games(players, wall, 2):
        previews = game.previews()
        assert list(previews) == game.legal_moves
        for move, preview in previews.items():
            assert preview == game.preview(move)
            after, seat = game.states, game.turn
            first, second, _ = batch.act_one(after, 0, move.id)
            if move.is_tiling:
                assert (preview.points, preview.columns) == (first + second, (move.column,))
                continue
            assert (preview.taken, preview.placed, preview.dropped) == (first, second, first - second)
            assert preview.cost == floor_penalty(after[0], seat) - floor_penalty(game.states[0], seat)
            assert preview.marker == (int(after[0]["marker"]) == seat != int(game.states[0]["marker"]))
            full = move.line < s.FLOOR and int(after[0]["line_count"][seat, move.line]) == move.line + 1
            assert preview.completes == full
            bits = legal_columns(after[0], seat, move.line, move.color) if full else 0
            assert preview.columns == tuple(column for column in range(s.COLUMNS) if bits >> column & 1)


@pytest.mark.parametrize(("players", "wall"), KINDS)
def test_what_is_refused_is_what_is_not_legal(players: int, wall: Wall) -> None:
    seen = set()
    for game in games(players, wall, 2):
        legal = {move.id for move in game.legal_moves}
        for action in range(-1, s.ACTIONS + 1):
            reason = batch.refusal_one(game.states, 0, action)[0]
            assert (reason == refusals.ALLOWED) == (action in legal), (game.position, action)
            seen.add(reason)
        closed = game.closed_lines()
        if game.phase is not Phase.DRAFTING:
            assert not closed
            continue
        accepts = game.states[0]["open"][game.turn]
        offered = [color for color in range(s.COLORS) if game.states[0]["holds"][color]]
        rows = [(color, row) for color in offered for row in range(s.ROWS) if not int(accepts[color]) >> row & 1]
        assert list(closed) == rows
    assert refusals.LINE_FULL in seen


def test_every_reason_has_a_word() -> None:
    numbers = range(refusals.ALLOWED + 1, refusals.NO_SUCH_ACTION)
    assert set(WORDED) == set(numbers)
    assert {code for code, _ in WORDED.values()} == set(REASONS) - {"nothing_to_undo"}


@pytest.mark.parametrize(("players", "wall"), KINDS)
def test_a_step_that_is_noted_is_the_step(players: int, wall: Wall) -> None:
    noted = np.zeros((MOST_HAPPENINGS, NUMBERS), np.int16)
    longest = 0
    for game in games(players, wall):
        for move in game.legal_moves[:3]:
            plain, told = game.states, game.states
            batch.act_one(plain, 0, move.id)
            while batch.advance_one(plain, 0)[0]:
                pass
            longest = max(longest, batch.step_noted_one(told, 0, move.id, noted))
            assert plain.tobytes() == told.tobytes(), (game.position, str(move))
    assert players < longest < MOST_HAPPENINGS
