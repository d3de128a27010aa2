"""The command that deals a new game."""

from __future__ import annotations

from azulejos.cli.options import PlayerCount
from azulejos.game.game import Game
from azulejos.game.view import Wall


def new(*, players: PlayerCount = 2, wall: Wall = "std", seed: int | None = None) -> None:
    """Print the position line of a new game after its first deal.

    For example:

        azulejos new --players 3 --seed 7

    Parameters
    ----------
    players
        2, 3 or 4.
    wall
        std or gray.
    seed
        The same number gives the same tiles.
    """
    print(Game(players, wall, seed).position)
