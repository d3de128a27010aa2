"""Numbers that hold: the extremes of the game, reached and not passed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from azulejos import Game
from azulejos.game.arguments import check_seed
from azulejos.game.view import WALLS, Wall
from azulejos.rules import state as s
from azulejos.rules.batch import new_game_one
from azulejos.rules.random_play import play_out
from tests.positions import board, lid, position, table, wall_without

HIGHEST_SCORE = Path(__file__).parent.parent / "golden" / "highest_score.txt"
MANY_COLORS = "/".join(["BYRK", "BYRW", "BYKW", "BRKW", "YRKW"] * 2)
"""Displays of four colors each."""


@pytest.mark.parametrize(("players", "most"), [(2, 120), (3, 168), (4, 216)])
@pytest.mark.parametrize("wall", WALLS)
def test_most_legal_moves(players: int, most: int, wall: Wall) -> None:
    """Four colors on each display, six places for each; a display touched loses more than the center gains."""
    displays = "/".join(MANY_COLORS.split("/")[: 2 * players + 1])
    game = table(players=players, wall=wall, displays=displays, played="1@1")
    assert len(game.legal_moves) == most
    for move in game.legal_moves:
        after = game.copy()
        after.play(move)
        assert len(after.legal_moves) < most


@pytest.mark.parametrize(("players", "most"), [(2, 20), (3, 28), (4, 36)])
def test_most_turns_in_a_round(players: int, most: int) -> None:
    """A display of four colors is emptied one tile at a time before the next is touched."""
    displays = "/".join(MANY_COLORS.split("/")[: 2 * players + 1])
    game = table(players=players, displays=displays, played="1@1")
    turns = 0
    while game.phase == "d":
        game.play(next(move for move in game.legal_moves if move.line == 5))
        turns += 1
    assert turns == most


@pytest.mark.parametrize("wall", WALLS)
def test_highest_score_240_in_a_legal_game(wall: Wall) -> None:
    start = position(wall=wall, turn="r2", played="1@2", bag="B20Y20R20K20W20")
    game = Game.from_position(start)
    for text in HIGHEST_SCORE.read_text().splitlines():
        if text.startswith("#"):
            continue
        columns, *moves = text.split()
        for move in moves:
            game.play(move)
        while game.phase == "t":
            row = game.legal_moves[0].row
            game.play(f"t{row + 1}{columns[row]}")
    assert game.is_over
    assert game.round == 5
    assert game.scores[0] == 145 + 95 == 240
    assert board(game, 1).split(":")[2] == "BYRKW/WBYRK/KWBYR/RKWBY/YRKWB"


def test_shortest_game_is_five_rounds() -> None:
    """Reached by the game above; no random game is over earlier, however short it is."""
    states = np.zeros(1, s.STATE)
    shortest = 99
    for seed in range(600):
        new_game_one(states, 0, 2 + seed % 3, seed % 2, check_seed(seed), 0, -1, 50)
        play_out(states[0])
        shortest = min(shortest, int(states[0]["round_number"]))
    assert shortest == 5


HOLDS_30 = f"0:-/K/R2/Y3/B4:{wall_without('WKRYB')}:-"
OTHERS_30 = [f"0:-/B/W2/K3/R4:{wall_without('YBWKR')}:-", f"0:-/R/K2/Y3/W4:{wall_without('BRKYW')}:-"]


def held(game: Game) -> list[int]:
    """Tiles in lines and on the wall of each board."""
    return [
        sum(line.count for line in seat.lines) + sum(cell is not None for row in seat.wall for cell in row)
        for seat in game.view.boards
    ]


def test_two_players_who_hold_30_each_are_fully_dealt() -> None:
    game = table(HOLDS_30, OTHERS_30[0], turn="r1", seed=1)
    assert held(game) == [30, 30]
    assert [sum(display) for display in game.view.displays] == [4] * 5
    assert sum(game.view.bag) == 20


def test_three_players_who_hold_30_each_have_a_short_round() -> None:
    game = table(HOLDS_30, *OTHERS_30, players=3, turn="r1", seed=1)
    assert held(game) == [30, 30, 30]
    assert [sum(display) for display in game.view.displays] == [4, 4, 2, 0, 0, 0, 0]
    assert lid(game) == "-"


@pytest.mark.parametrize("seed", range(20))
def test_nobody_holds_more_than_30_at_the_start_of_a_round(seed: int) -> None:
    game = Game(players=2 + seed % 3, wall=WALLS[seed % 2], seed=seed)
    while not game.is_over:
        legal = game.legal_moves
        tidy = [move for move in legal if move.is_tiling or not game.preview(move).dropped]
        if game.play((tidy or legal)[seed % len(tidy or legal)]).deal is not None:
            assert max(held(game)) <= 30


def test_a_floor_costs_at_most_14() -> None:
    game = table("99:-/-/-/-/-:5/5/5/5/5:FB7", displays="K4")
    happening = game.play("1Kf")
    assert happening.floors[0].penalty == 14
    assert max(s.PENALTY) == 14
