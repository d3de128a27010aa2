"""How hard a puzzle is: how often each level finds it, and the rating that follows from that."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from azulejos.arena.statistics import score_of
from azulejos.game.game import Game
from azulejos.players.levels import LEVELS, Level, make
from azulejos.players.player import Limits
from azulejos.players.searching import SearchingPlayer

NOISES: Final = 3
"""Each level is made with so many seeds, since what it sees depends on them."""
TRIES: Final = 8
"""How often each of a level's seeds plays the position."""
PLAYS: Final = NOISES * TRIES
"""How often each level plays the position."""
FIRST_GUESS: Final = 1500.0
"""What a puzzle is rated before anybody tried it."""
GUESS_COUNTS: Final = 1.0
"""How many tries, half of them right by somebody of that rating, the first guess counts as."""
LOWEST, HIGHEST = 400.0, 2800.0
"""The lowest and the highest rating of a puzzle."""


class Examiners:
    """All levels, to be asked again and again."""

    def __init__(self) -> None:
        self._players = {level: [make(level, "", seed) for seed in range(NOISES)] for level in LEVELS}

    def hits(self, game: Game, solutions: Collection[int], levels: Sequence[Level] = LEVELS) -> list[int]:
        """How often each level, of `PLAYS` times, plays one of these actions."""
        return [
            sum(self._finds(game, solutions, player, noise) for noise, player in enumerate(self._players[level]))
            for level in levels
        ]

    @staticmethod
    def _finds(game: Game, solutions: Collection[int], player: SearchingPlayer, noise: int) -> int:
        found = 0
        for seed in range(TRIES):
            player.begin(noise * TRIES + seed)
            found += player.choose(game, Limits()).move.id in solutions
        return found


def fit_rating(hits: Sequence[int], plays: int, ratings: Sequence[float]) -> int:
    """The rating of a puzzle that makes it likeliest that each of these players found it so often of so many times.

    >>> fit_rating([12, 12], 24, [1400, 1600])
    1500
    >>> fit_rating([0, 0], 24, [1000, 2000]) > 2200
    True
    """

    def too_low(rating: float) -> bool:
        """Whether more was expected of everybody than they found."""
        more = GUESS_COUNTS * (score_of(FIRST_GUESS - rating) - 0.5)
        for found, strength in zip(hits, ratings, strict=True):
            more += plays * score_of(strength - rating) - found
        return more > 0

    low, high = LOWEST, HIGHEST
    while high - low > 0.01:
        middle = (low + high) / 2
        low, high = (middle, high) if too_low(middle) else (low, middle)
    return round(low)


def level_ratings() -> list[float]:
    """The measured rating of each level."""
    return [float(level.rating) for level in LEVELS]
