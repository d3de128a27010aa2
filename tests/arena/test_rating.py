"""Ratings: cases computed by hand, and strengths recovered from games drawn with them."""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import pytest

from azulejos.arena.game_task import FinishedGame, Forfeit
from azulejos.arena.rating import bradley_terry, orders_of, plackett_luce, rate


def test_two_players_by_hand() -> None:
    """3 of 4 points are 190.85 Elo; the information is 4 * 3/16, so that the difference has the error 1 / sqrt(3/4)."""
    one, other = bradley_terry([[0, 3], [1, 0]], virtual_games=0)
    assert one.value - other.value == pytest.approx(190.85, abs=0.01)
    error = 400 / math.log(10) / math.sqrt(0.75)
    assert one.high - one.low == pytest.approx(2 * 1.96 * error / 2, rel=1e-3)


def test_three_players_by_hand() -> None:
    """Strengths 4, 2 and 1 meet so often that everybody gets just what is expected."""
    wins = [[0, 4, 8], [2, 0, 4], [2, 2, 0]]
    step = 400 * math.log10(2)
    assert [rating.value for rating in bradley_terry(wins, virtual_games=0)] == pytest.approx([step, 0, -step])


def test_one_who_won_everything_is_not_infinitely_strong() -> None:
    one, other = bradley_terry([[0, 10], [0, 0]])
    assert one.value - other.value == pytest.approx(400 * math.log10(10.5 / 0.5))
    assert one.high - one.low > 200


def test_strengths_are_recovered_from_pairs() -> None:
    truth = [150.0, 50.0, -50.0, -150.0]
    random = Random(3)
    wins = [[0.0] * 4 for _ in truth]
    for one in range(4):
        for other in range(one):
            for _ in range(500):
                won = random.random() < 1 / (1 + 10 ** ((truth[other] - truth[one]) / 400))
                wins[one if won else other][other if won else one] += 1
    for rating, true in zip(bradley_terry(wins), truth, strict=True):
        assert rating.low - 10 <= true <= rating.high + 10
        assert rating.high - rating.low < 60


def test_strengths_are_recovered_from_tables_of_three() -> None:
    truth = [200.0, 60.0, -60.0, -200.0]
    random = Random(5)
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(1500):
        table, order = random.sample(range(4), 3), []
        while table:
            order.append(random.choices(table, [10 ** (truth[who] / 400) for who in table])[0])
            table.remove(order[-1])
        orders[tuple(order)] += 1
    for rating, true in zip(plackett_luce(orders, 4), truth, strict=True):
        assert rating.low - 10 <= true <= rating.high + 10
        assert rating.high - rating.low < 60


def test_equals_at_a_table_of_three() -> None:
    """When all six orders come equally often, all are equal."""
    orders: dict[tuple[int, ...], float] = dict.fromkeys(
        [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)], 2.0
    )
    assert [rating.value for rating in plackett_luce(orders, 3)] == pytest.approx([0, 0, 0], abs=1e-6)


def finished(
    seats: tuple[int, ...], result: tuple[int, ...], shares: tuple[float, ...], failed: int = -1
) -> FinishedGame:
    forfeit = Forfeit(failed, "") if failed >= 0 else None
    return FinishedGame(0, 0, seats, ("x",) * len(seats), 0, result, shares, "row", ((),) * len(seats), forfeit)


def test_orders_of_finish() -> None:
    assert orders_of(finished((0, 1, 2), (30, 50, 40), (0, 1, 0))) == {(1, 2, 0): 1}
    assert orders_of(finished((0, 1), (30, 30), (0.5, 0.5))) == {(0, 1): 0.5, (1, 0): 0.5}
    assert orders_of(finished((0, 1), (30, 30), (0, 1))) == {(1, 0): 1}
    assert orders_of(finished((3, 1, 2), (9, 9, 50), (0, 0, 1))) == {(2, 3, 1): 0.5, (2, 1, 3): 0.5}


def test_who_failed_is_last() -> None:
    game = finished((0, 1, 2), (90, 20, 10), (0, 0.5, 0.5), failed=0)
    assert orders_of(game) == {(1, 2, 0): 1}


def test_rating_of_games() -> None:
    games = [finished((0, 1), (50, 30), (1, 0))] * 3 + [finished((1, 0), (50, 30), (1, 0))]
    assert [rating.value for rating in rate(games, 2)] == pytest.approx(
        [rating.value for rating in bradley_terry([[0, 3], [1, 0]])]
    )
