"""The greedy player: the most points this round, looking no further than its own board."""

from __future__ import annotations

from azulejos.game.game import Game
from azulejos.game.moves import MOVES, Move
from azulejos.players.player import Choice, Limits, check_can_choose
from azulejos.players.registry import read_options
from azulejos.rules import greedy_play


class GreedyPlayer:
    """Takes what scores most now."""

    name = "greedy"
    """How tables and records call it."""

    def choose(self, game: Game, limits: Limits) -> Choice:  # noqa: ARG002 - it takes no time
        """The move with the most points now."""
        check_can_choose(game)
        move = choose(game)
        worth = greedy_play.greedy_worth(game.states[0], move.id)
        return Choice(move, why=f"worth {worth:+.1f} points at once")

    def close(self) -> None:
        """Nothing to let go of."""


def make(rest: str, seed: int) -> GreedyPlayer:  # noqa: ARG001 - it never draws lots
    """The player `greedy`; it has no options."""
    read_options(rest, {}, "greedy")
    return GreedyPlayer()


def choose(game: Game) -> Move:
    """The move with the most points now; among equals the lowest number."""
    return MOVES[greedy_play.greedy_action(game.states[0])]
