"""The greedy player: the most points this round, looking no further than its own board."""

from __future__ import annotations

from azulejos.game.game import Game
from azulejos.game.happening import Preview
from azulejos.game.moves import Move
from azulejos.players.player import Choice, Limits, check_can_choose
from azulejos.players.registry import read_options
from azulejos.rules.state import FLOOR

HALF_A_LINE = 0.5
"""What an unfinished line is worth when it is all but complete."""


class GreedyPlayer:
    """Takes what scores most now."""

    name = "greedy"
    """How tables and records call it."""

    def choose(self, game: Game, limits: Limits) -> Choice:  # noqa: ARG002 - it takes no time
        """The move with the most points now."""
        check_can_choose(game)
        move = choose(game)
        return Choice(move, why=f"worth {worth(move, game.preview(move)):+.1f} points at once")

    def close(self) -> None:
        """Nothing to let go of."""


def make(rest: str, seed: int) -> GreedyPlayer:  # noqa: ARG001 - it never draws lots
    """The player `greedy`; it has no options."""
    read_options(rest, {}, "greedy")
    return GreedyPlayer()


def choose(game: Game) -> Move:
    """The move with the most points now; among equals the one that fills its line best, then the lowest number."""
    moves = game.legal_moves
    return max(moves, key=lambda move: (worth(move, game.preview(move)), -move.id))


def worth(move: Move, preview: Preview) -> float:
    """Points scored at the end of the round, less what falls, and a little for a line that is growing."""
    if move.is_tiling or preview.completes:
        return preview.points - preview.cost
    if move.line == FLOOR:
        return -preview.cost
    return HALF_A_LINE * preview.placed / (move.line + 1) - preview.cost
