"""Intervals, Elo and the sequential test against known values."""

from __future__ import annotations

import math
from random import Random

import pytest

from azulejos.arena.statistics import (
    PAIR_SCORES,
    Estimate,
    Sprt,
    elo_difference,
    elo_of,
    mean_margin,
    mean_share,
    nearest_rank,
    score_of,
    student95,
)


def test_three_quarters_of_400_pairs() -> None:
    """Standard deviation 0.25 (with n-1: 0.250313), error 0.0125156, times 1.9659."""
    share = mean_share([1.0, 0.5] * 200)
    assert (share.value, share.low, share.high) == pytest.approx((0.75, 0.725395, 0.774605), abs=1e-5)
    elo = elo_difference(share)
    assert (elo.value, elo.low, elo.high) == pytest.approx((190.85, 168.73, 214.49), abs=0.05)


def test_pairs_that_balance_prove_more_than_games_would() -> None:
    balanced = mean_share([0.5] * 90 + [0.0] * 5 + [1.0] * 5)
    wild = mean_share([0.0] * 50 + [1.0] * 50)
    assert balanced.high - balanced.low < (wild.high - wild.low) / 3


@pytest.mark.parametrize(
    ("freedom", "exact"), [(1, 12.706), (2, 4.303), (3, 3.182), (9, 2.262), (30, 2.042), (399, 1.966)]
)
def test_student(freedom: int, exact: float) -> None:
    assert student95(freedom) == pytest.approx(exact, rel=0.01)


def test_ten_pairs_won_do_not_prove_that_all_will_be() -> None:
    """Wilson's interval for 10 of 10 is 72.2 % to 100 %."""
    share = mean_share([1.0] * 10)
    assert (share.value, share.high) == (1.0, 1.0)
    assert share.low == pytest.approx(0.7225, abs=1e-4)
    assert elo_difference(share).high == math.inf
    assert mean_share([0.0] * 10).low == 0.0


def test_one_pair_proves_next_to_nothing() -> None:
    share = mean_share([0.5])
    assert share.low < 0.1
    assert share.high > 0.9
    assert mean_margin([3.0]) == Estimate(3.0, -math.inf, math.inf)


def test_the_interval_holds_the_truth_19_times_in_20() -> None:
    random = Random(1)
    hits = 0
    for _ in range(1000):
        share = mean_share(random.choices(PAIR_SCORES, (1, 2, 4, 2, 1), k=40))
        hits += share.low <= 0.5 <= share.high
    assert 930 <= hits <= 970


def test_elo() -> None:
    assert elo_of(0.5) == 0
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(0.25, players=4) == pytest.approx(0)
    assert elo_of(0.5, players=3) == pytest.approx(120.41, abs=0.01)
    assert (elo_of(0.0), elo_of(1.0)) == (-math.inf, math.inf)
    assert score_of(elo_of(0.7)) == pytest.approx(0.7)


def test_infinite_estimates_are_null_in_json() -> None:
    assert Estimate(math.inf, 12.0, math.inf).json() == {"value": None, "low": 12.0, "high": None}


def test_nearest_rank() -> None:
    assert nearest_rank(range(1, 101), 0.99) == 99
    assert nearest_rank([5.0], 0.99) == 5.0
    assert nearest_rank([], 0.99) == 0.0


def test_bounds_of_the_sequential_test() -> None:
    assert Sprt(0, 10).bounds == pytest.approx((-2.9444, 2.9444), abs=1e-4)
    assert Sprt(0, 10, alpha=0.01, beta=0.1).bounds == pytest.approx((-2.2925, 4.4998), abs=1e-3)


def test_the_ratio_is_near_its_normal_approximation() -> None:
    """With many pairs: N (s1 - s0) (2 mean - s0 - s1) / (2 variance)."""
    counts = (100, 200, 400, 260, 140)
    total = sum(counts)
    mean = sum(count * score for count, score in zip(counts, PAIR_SCORES, strict=True)) / total
    variance = sum(count * (score - mean) ** 2 for count, score in zip(counts, PAIR_SCORES, strict=True)) / total
    s0, s1 = score_of(0), score_of(20)
    normal = total * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert Sprt(0, 20).ratio(counts) == pytest.approx(normal, rel=0.03)


def test_the_ratio_turns_with_the_board() -> None:
    assert Sprt(-10, 10).ratio((1, 2, 3, 4, 5)) == pytest.approx(-Sprt(-10, 10).ratio((5, 4, 3, 2, 1)))
    assert Sprt(-10, 10).ratio((3, 2, 9, 2, 3)) == pytest.approx(0, abs=1e-9)


def test_a_lucky_start_decides_nothing() -> None:
    assert Sprt(0, 10).verdict((0, 0, 0, 0, 5)) == "undecided"
    assert Sprt(0, 10).verdict((0, 0, 0, 0, 0)) == "undecided"


def mean_of(frequencies: tuple[float, ...]) -> float:
    return sum(share * score for share, score in zip(frequencies, PAIR_SCORES, strict=True))


def simulated(test: Sprt, elo: float, runs: int) -> dict[str, int]:
    random = Random(7)
    shift = 2 / 3 * (score_of(elo) - 0.5)
    frequencies = (0.1 - shift, 0.2 - shift, 0.4, 0.2 + shift, 0.1 + shift)
    assert mean_of(frequencies) == pytest.approx(score_of(elo))
    verdicts = {"H0": 0, "H1": 0, "undecided": 0}
    for _ in range(runs):
        counts = [0] * 5
        verdict = "undecided"
        while verdict == "undecided" and sum(counts) < 2000:
            counts[random.choices(range(5), frequencies)[0]] += 1
            verdict = test.verdict(counts)
        verdicts[verdict] += 1
    return verdicts


@pytest.mark.parametrize(("elo", "wrong"), [(0, "H1"), (60, "H0")])
def test_the_sequential_test_errs_as_seldom_as_it_promises(elo: float, wrong: str) -> None:
    """Of 200 runs 10 may go wrong; more than 18 would happen by chance once in 200."""
    verdicts = simulated(Sprt(0, 60), elo, 200)
    assert verdicts["undecided"] == 0
    assert verdicts[wrong] <= 18


@pytest.mark.parametrize(
    ("elo0", "elo1", "alpha", "beta", "named"),
    [
        (10, 0, 0.05, 0.05, "10,0"),
        (5, 5, 0.05, 0.05, "5,5"),
        (0, math.inf, 0.05, 0.05, "0,inf"),
        (0, 5, 0, 0.05, "alpha"),
        (0, 5, 0.05, 0.5, "beta"),
    ],
)
def test_impossible_tests_are_refused(elo0: float, elo1: float, alpha: float, beta: float, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        Sprt(elo0, elo1, alpha, beta)
