"""What a draft is worth at first sight: for priors and for playouts alike, all through a round."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from azulejos import Game
from azulejos.game.moves import MOVES
from azulejos.game.view import Wall
from azulejos.rules.compiled import compiled
from azulejos.rules.state import ACTIONS
from azulejos.search.hand import play_to_round_end
from azulejos.search.policy import LINE_VALUES, quick_action, write_line_values, write_logits

CONFIGURATIONS: list[tuple[int, Wall]] = [(2, "std"), (2, "gray"), (3, "std"), (4, "gray")]


@compiled
def look(states: Any, values: Any, logits: Any, temperature: float) -> int:
    write_logits(states[0], values, 1.0, logits)
    return quick_action(states[0], values, temperature)


@compiled
def fill(states: Any, values: Any) -> None:
    write_line_values(states[0], values)


@compiled
def finish_round(states: Any, values: Any, temperature: float) -> int:
    return play_to_round_end(states[0], values, temperature)


def looks(players: int, wall: Wall, temperature: float) -> list[tuple[Game, dict[int, float], int]]:
    """Positions of a random game with the worth of each legal action and the action that a playout takes."""
    game, random = Game(players, wall, seed=3), Random(3)
    values, found = np.zeros(LINE_VALUES, np.float32), []
    while not game.is_over:
        logits = np.full(ACTIONS, np.nan, np.float32)
        if game.phase == "d":
            fill(game.states, values)
        action = look(game.states, values, logits, temperature)
        found.append((game.copy(), {move.id: float(logits[move.id]) for move in game.legal_moves}, action))
        game.play(random.choice(game.legal_moves))
    return found


@pytest.mark.parametrize(("players", "wall"), CONFIGURATIONS)
def test_a_playout_without_noise_takes_what_has_the_highest_prior(players: int, wall: Wall) -> None:
    for game, worth, action in looks(players, wall, 0.0):
        assert not any(np.isnan(list(worth.values())))
        assert worth[action] == pytest.approx(max(worth.values())), f"{MOVES[action]} in {game.position}"


@pytest.mark.parametrize(("players", "wall"), CONFIGURATIONS)
def test_noise_lets_a_playout_take_what_is_a_little_worse(players: int, wall: Wall) -> None:
    """Noise goes from 0 to 4 times its temperature."""
    lost = [max(worth.values()) - worth[action] for _, worth, action in looks(players, wall, 0.5)]
    assert 0.1 < max(lost) < 2.0


@pytest.mark.parametrize(("players", "wall"), CONFIGURATIONS)
def test_what_lines_are_worth_holds_for_all_drafts_of_a_round(players: int, wall: Wall) -> None:
    game, random = Game(players, wall, seed=4), Random(4)
    values, now = np.zeros((2, *LINE_VALUES), np.float32)
    rounds = 0
    while not game.is_over:
        if game.phase == "d":
            if game.round > rounds:
                rounds = game.round
                fill(game.states, values)
            fill(game.states, now)
            assert (now == values).all()
        game.play(random.choice(game.legal_moves))
    assert rounds > 1
    assert now.max() > 5


@pytest.mark.parametrize(("players", "wall"), CONFIGURATIONS)
def test_a_playout_ends_with_its_round(players: int, wall: Wall) -> None:
    game, values = Game(players, wall, seed=5), np.zeros(LINE_VALUES, np.float32)
    states = game.states
    fill(states, values)
    moves = finish_round(states, values, 0.3)
    assert moves >= 2 * players + 1  # a move for each display
    assert states[0]["round_number"] == 2
    assert states[0]["displays"].sum() == 0
