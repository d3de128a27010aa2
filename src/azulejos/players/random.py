"""The random player: any legal move, each equally likely."""

from __future__ import annotations

from random import Random

from azulejos.game.game import Game
from azulejos.players.player import Choice, Limits, check_can_choose
from azulejos.players.registry import read_options


class RandomPlayer:
    """Plays without a thought."""

    name = "random"
    """How tables and records call it."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def begin(self, seed: int) -> None:
        """Start a game: what follows depends on nothing before it."""
        self._random.seed(seed)

    def choose(self, game: Game, limits: Limits) -> Choice:  # noqa: ARG002 - it takes no time
        """Any legal move."""
        check_can_choose(game)
        return Choice(self._random.choice(game.legal_moves), why="at random")

    def close(self) -> None:
        """Nothing to let go of."""


def make(rest: str, seed: int) -> RandomPlayer:
    """The player `random`; it has no options."""
    read_options(rest, {}, "random")
    return RandomPlayer(seed)
