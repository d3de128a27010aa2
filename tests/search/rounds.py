"""Ends of rounds, for tests of what they are worth."""

from __future__ import annotations

import numpy as np

from azulejos import Game
from azulejos.game.view import Wall
from azulejos.rules.state import States


def ends(players: int, wall: Wall, games: int = 3) -> States:
    """The position before the second deal of some games."""
    found = []
    for seed in range(games):
        game = Game.from_position(Game(players, wall, seed=seed).position)  # which waits for the deals it is given
        while game.phase != "r":
            game.play(game.legal_moves[0])
        found.append(game.states)
    return np.concatenate(found)
