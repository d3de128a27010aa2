"""Many games at once are the same games one at a time."""

from __future__ import annotations

import numpy as np

from azulejos.game.arguments import check_seed
from azulejos.rules import batch
from azulejos.rules import state as s
from azulejos.rules.random_play import play_out
from azulejos.rules.turn import legal_mask

GAMES = 40


def one_by_one(gray: int) -> s.States:
    """The games of a series, each set up by itself."""
    states = np.zeros(GAMES, s.STATE)
    for at in range(GAMES):
        batch.new_game_one(states, at, 3, gray, check_seed(6), 100 + at, -1, 50)
    return states


def all_at_once(gray: int) -> s.States:
    """The same games by the threaded function."""
    states = np.zeros(GAMES, s.STATE)
    batch.new_game_each(states, 3, gray, check_seed(6), 100, 50)
    return states


def test_new_games_are_the_same() -> None:
    assert all_at_once(0).tobytes() == one_by_one(0).tobytes()
    assert all_at_once(1).tobytes() != one_by_one(0).tobytes()


def test_legal_masks_and_steps_are_the_same() -> None:
    """Forty moves in every game, which is more than a round."""
    states, single = all_at_once(1), one_by_one(1)
    masks, mask = np.zeros((GAMES, s.ACTIONS), np.uint8), np.zeros(s.ACTIONS, np.uint8)
    actions = np.zeros(GAMES, np.int16)
    for number in range(40):
        batch.legal_each(states, masks)
        for at in range(GAMES):
            legal_mask(single[at], mask)
            assert masks[at].tolist() == mask.tolist()
            legal = np.flatnonzero(mask)
            actions[at] = legal[number * 31 % len(legal)]
            batch.step_one(single, at, actions[at])
        batch.step_each(states, actions)
        assert states.tobytes() == single.tobytes()
    assert states["round_number"].min() > 1


def test_whole_games_are_the_same() -> None:
    states, single = all_at_once(1), one_by_one(1)
    moves = np.zeros(GAMES, np.int64)
    batch.play_out_each(states, moves)
    assert moves.tolist() == [play_out(single[at]) for at in range(GAMES)]
    assert states.tobytes() == single.tobytes()
    assert (states["phase"] == s.OVER).all()
