"""A player of your own in Python: completes lines, drops little, leaves few spaces open.

azulejos match python:bot:MyPlayer random --games 20
azulejos play --against python:bot:MyPlayer
"""

from azulejos import Game, Move


class MyPlayer:
    """Takes the move with the most for its own board; it does not look at the others'."""

    name = "My player 1"

    def choose(self, game: Game) -> Move:
        """The best of the legal moves, each valued by what it would do."""
        previews = game.previews()

        def worth(move: Move) -> float:
            preview = previews[move]
            left_open = 0 if move.is_tiling or preview.completes else move.line + 1 - preview.placed
            return preview.points - preview.cost + 0.3 * preview.placed - 0.4 * left_open

        return max(previews, key=worth)
