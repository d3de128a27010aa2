"""The greedy player: never illegal, never in two minds, and better than chance."""

from __future__ import annotations

import random

import pytest

from azulejos import Game, Move
from azulejos.game.view import Wall
from azulejos.players import greedy
from azulejos.rules.state import FLOOR

EMPTY = "0:-/-/-/-/-:5/5/5/5/5:-"


def margin(seed: int, players: int, wall: Wall, greedy_seat: int) -> int:
    """By how much a greedy player beats the best of the random ones."""
    game, rng = Game(players, wall, seed=seed, max_rounds=50), random.Random(seed)
    while not game.is_over:
        game.play(greedy.choose(game) if game.seat == greedy_seat else rng.choice(game.legal_moves))
    others = [score for seat, score in enumerate(game.scores) if seat != greedy_seat]
    return game.scores[greedy_seat] - max(others)


@pytest.mark.parametrize("wall", ["std", "gray"])
def test_it_beats_random_play_on_every_seat(wall: Wall) -> None:
    margins = [margin(seed, 2, wall, seed % 2) for seed in range(40)]
    assert sum(by > 0 for by in margins) >= 39
    assert sum(margins) / len(margins) > 20


def test_it_beats_three_random_players() -> None:
    assert sum(margin(seed, 4, "std", seed % 4) > 0 for seed in range(12)) >= 11


def test_it_plays_the_same_game_again() -> None:
    def play() -> Game:
        game = Game(players=3, wall="gray", seed=6)
        while not game.is_over:
            game.play(greedy.choose(game))
        return game

    assert play().history == play().history


def test_choosing_changes_nothing() -> None:
    game = Game(seed=6)
    before = game.states.tobytes(), game.history
    assert greedy.choose(game) in game.legal_moves
    assert (game.states.tobytes(), game.history) == before


def worth(game: Game, move: Move) -> float:
    """The definition: points and penalty of this round, and half a point for a line that is all but complete."""
    drafted = game.copy().play(move).drafted
    preview = game.preview(move)
    if drafted is None or preview.completes or drafted.line == FLOOR:
        return preview.points - preview.cost
    return 0.5 * drafted.placed / (drafted.line + 1) - preview.cost


def test_it_takes_the_first_of_the_best_moves_by_definition() -> None:
    positions = 0
    for seed in range(12):
        game, rng = Game(2 + seed % 3, ("std", "gray")[seed % 2], seed=seed), random.Random(seed)
        while not game.is_over:
            best = max(game.legal_moves, key=lambda move: (worth(game, move), -move.id))
            assert greedy.choose(game) == best, game.position
            game.play(best if rng.random() < 0.5 else rng.choice(game.legal_moves))
            positions += 1
    assert positions > 500


def choice(center: str, board: str, turn: str = "d1", wall: str = "std") -> str:
    """What it takes from the center in this position."""
    bag = "B2Y2R2K2W2"
    return str(greedy.choose(Game.from_position(f"{wall} -/-/-/-/- {center} {board} {EMPTY} {bag} {turn} 6@1")))


def test_it_completes_the_line_that_scores_most() -> None:
    assert choice("FBW", "0:-/-/-/-/-:1YRK1/5/5/5/5:-") == "cB1"
    assert choice("FBW", "0:-/-/-/-/-:1YRK1/4K/4R/5/5:-") == "cW1"


def test_it_takes_to_the_floor_as_little_as_it_can() -> None:
    assert choice("FB4W", "0:-/-/-/-/-:BY2W/WBY2/KWB2/RKWB1/YRK1B:-") == "cW5"


def test_it_lets_a_line_grow_rather_than_overflow() -> None:
    assert choice("B4", "0:-/-/-/-/-:5/5/5/5/5:F") == "cB4"
    assert choice("B3", "0:-/-/-/-/-:5/5/5/5/5:F") == "cB3"


def test_among_equals_it_takes_the_lowest_number() -> None:
    assert choice("BY", "0:-/-/-/-/-:5/5/5/5/5:F") == "cB1"


def test_it_places_a_tile_of_the_gray_wall_where_it_scores_most() -> None:
    line = f"gray -/-/-/-/- F 0:-/K2/-/-/-:2BY1/5/2RB1/5/5:- {EMPTY} B2 t1 6@1"
    assert str(greedy.choose(Game.from_position(line))) == "t23"
