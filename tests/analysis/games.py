"""Games for tests of reviews."""

from __future__ import annotations

from functools import cache

from azulejos import Game, Record
from azulejos.analysis.review import Review, review
from azulejos.game.view import Wall
from azulejos.players import greedy

NODES = 64
"""Positions for each decision: enough to see that everything fits together."""


def greedy_game(players: int = 2, wall: Wall = "std", moves: int = 1000, seed: int = 5) -> Game:
    """A game of greedy players, or its first moves."""
    game = Game(players, wall, seed=seed, starter=0)
    for _ in range(moves):
        if not game.is_over:
            game.play(greedy.choose(game))
    return game


@cache
def short_review() -> tuple[Record, Review]:
    """The first moves of a game between Ana and Ben, with what was found."""
    record = Record.of(greedy_game(moves=12), names=("Ana", "Ben <&>"))
    return record, review(record, nodes=NODES)
