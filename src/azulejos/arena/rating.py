"""Ratings from many games: Plackett-Luce for any number of players, which for two is Bradley-Terry."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, permutations, product
from typing import Any, Final

import numpy as np

from azulejos.arena.game_task import FinishedGame
from azulejos.arena.statistics import Z95, Estimate

ELO: Final = 400 / math.log(10)
"""Elo points for each unit of log-strength."""
VIRTUAL_GAMES: Final = 1.0
"""Shared games added between every two, lest someone who won all were infinitely strong."""

Order = tuple[int, ...]
"""Contestants from first to last."""


def orders_of(game: FinishedGame) -> dict[Order, float]:
    """The order of finish; of equals every order counts, with its part of one game.

    A contestant on several seats counts by its best one.
    """
    best: dict[int, tuple[bool, float, int]] = {}
    for seat, contestant in enumerate(game.seats):
        best[contestant] = min(best.get(contestant, game.place(seat)), game.place(seat))
    ranked = sorted(best, key=lambda contestant: best[contestant])
    tiers = [list(tier) for _, tier in groupby(ranked, key=lambda contestant: best[contestant])]
    orders = [sum(parts, ()) for parts in product(*(tuple(permutations(tier)) for tier in tiers))]
    return dict.fromkeys(orders, 1 / len(orders))


def plackett_luce(
    orders: Mapping[Order, float], contestants: int, virtual_games: float = VIRTUAL_GAMES
) -> list[Estimate]:
    """The Elo of each contestant, their mean 0, from weighted orders of finish.

    In each order the first is chosen among all by strength, then the second among the rest, and so on. The intervals
    come from the Fisher information.

    >>> [round(rating.value) for rating in plackett_luce({(0, 1): 3, (1, 0): 1}, 2, virtual_games=0)]
    [95, -95]
    """
    weighted = defaultdict(float, orders)
    for one, other in permutations(range(contestants), 2):
        weighted[one, other] += virtual_games / 2
    strength = np.zeros(contestants)
    for _ in range(200):
        slope, information = _slope_and_information(weighted, strength)
        step = np.linalg.pinv(information, hermitian=True) @ slope
        strength += step / max(1.0, float(np.abs(step).max()))  # Newton's steps, shortened where they are bold
        if float(np.abs(step).max()) < 1e-9:
            break
    strength -= strength.mean()
    spread = Z95 * np.sqrt(np.diag(np.linalg.pinv(information, hermitian=True)))
    return [
        Estimate(ELO * float(s), ELO * float(s - d), ELO * float(s + d)) for s, d in zip(strength, spread, strict=True)
    ]


def _slope_and_information(orders: Mapping[Order, float], strength: Any) -> tuple[Any, Any]:
    """The first derivatives of the log-likelihood, and the negative second ones."""
    count = len(strength)
    slope, information = np.zeros(count), np.zeros((count, count))
    for order, weight in orders.items():
        for first in range(len(order) - 1):
            among = list(order[first:])
            power = np.exp(strength[among] - strength[among].max())
            chance = power / power.sum()
            slope[order[first]] += weight
            slope[among] -= weight * chance
            information[np.ix_(among, among)] += weight * (np.diag(chance) - np.outer(chance, chance))
    return slope, information


def bradley_terry(wins: Sequence[Sequence[float]], virtual_games: float = VIRTUAL_GAMES) -> list[Estimate]:
    """The Elo of each contestant, their mean 0, from the points that each row made against each column."""
    orders = {(row, column): wins[row][column] for row, column in permutations(range(len(wins)), 2)}
    return plackett_luce({order: points for order, points in orders.items() if points}, len(wins), virtual_games)


def rate(games: Iterable[FinishedGame], contestants: int) -> list[Estimate]:
    """The Elo of each contestant from finished games."""
    orders: defaultdict[Order, float] = defaultdict(float)
    for game in games:
        for order, weight in orders_of(game).items():
            orders[order] += weight
    return plackett_luce(orders, contestants)
