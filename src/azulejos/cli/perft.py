"""The command that counts the tree of legal moves."""

from __future__ import annotations

from typing import Final

from azulejos.cli.options import AsJson, position_line, print_json
from azulejos.game.arguments import check_whole
from azulejos.game.game import Game
from azulejos.rules.perft import perft as count_leaves

DEEPEST: Final = 12
"""Deeper trees would take too long."""


def perft(depth: int, position: str | None = None, *, as_json: AsJson = False) -> None:
    """Count the leaves of the tree of legal moves.

    For example:

        azulejos perft 3
        azulejos perft 2 "$(azulejos new --players 4 --seed 1)" --json

    Parameters
    ----------
    depth
        How many moves deep, 0 to 12.
    position
        A position line; without one, the first deal of seed 1.
    as_json
        Print JSON.
    """
    check_whole("depth", depth, 0, DEEPEST)
    game = Game(seed=1, starter=0) if position is None else Game.from_position(position_line(position))
    leaves = count_leaves(game.states, depth)
    if as_json:
        print_json({"position": game.position, "depth": depth, "leaves": leaves})
    else:
        print(leaves)
