"""What results prove: means with intervals, Elo differences, and the sequential probability ratio test.

The unit is the pair (or group of rotations), never the single game: the games of a pair have the same tiles, and
treating them as independent would give intervals that are wrong.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Final, Literal

Z95: Final = 1.959963984540054
"""95 % of a normal distribution lies within so many standard deviations."""
PAIR_SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What a pair of two games with shared victories can bring, in points per game."""
UNSEEN: Final = 1e-3
"""The count given to an outcome never seen, lest its likelihood be zero."""

Verdict = Literal["H0", "H1", "undecided"]
"""What a sequential test says: one of its two hypotheses, or not yet."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and its 95 % confidence interval."""

    value: float
    """The best guess."""
    low: float
    """The lower end of the interval."""
    high: float
    """The upper end of the interval."""

    def json(self) -> dict[str, float | None]:
        """The estimate as plain data for JSON; null is infinite."""
        pairs = (("value", self.value), ("low", self.low), ("high", self.high))
        return {name: round(number, 5) if math.isfinite(number) else None for name, number in pairs}


def mean_share(groups: Sequence[float]) -> Estimate:
    """The mean of the shares that pairs or groups brought, each from 0 to 1.

    Groups that are all alike show no variance to compute with; then as many games won or lost outright are assumed,
    which varies most.

    >>> mean_share([1.0, 0.5] * 200)
    Estimate(value=0.75, low=0.725..., high=0.774...)
    """
    count = len(groups)
    mean = fmean(groups)
    if count < 2 or min(groups) == max(groups):
        return Estimate(mean, *_wilson(mean, count))
    half = student95(count - 1) * stdev(groups) / math.sqrt(count)
    return Estimate(mean, max(0.0, mean - half), min(1.0, mean + half))


def mean_margin(groups: Sequence[float]) -> Estimate:
    """The mean of values without bounds; one group alone does not show how much they vary."""
    count = len(groups)
    mean = fmean(groups)
    half = student95(count - 1) * stdev(groups) / math.sqrt(count) if count > 1 else math.inf
    return Estimate(mean, mean - half, mean + half)


def _wilson(share: float, count: int) -> tuple[float, float]:
    """Wilson's interval for a share of `count` games won or lost outright."""
    middle = (share + Z95**2 / (2 * count)) / (1 + Z95**2 / count)
    half = Z95 / (1 + Z95**2 / count) * math.sqrt(share * (1 - share) / count + (Z95 / (2 * count)) ** 2)
    return (0.0 if share == 0 else middle - half), (1.0 if share == 1 else middle + half)  # the ends exactly


def student95(freedom: int) -> float:
    """How many standard errors hold 95 % of Student's distribution; from 3 degrees of freedom on within 1 %."""
    if freedom < 3:
        return (12.7062, 4.3027)[freedom - 1]
    z, n = Z95, freedom
    terms = (
        z,
        (z**3 + z) / (4 * n),
        (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2),
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3),
    )
    return sum(terms)


def nearest_rank(values: Iterable[float], share: float) -> float:
    """The smallest value that this share of them do not exceed; 0 of none."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0


def elo_of(share: float, players: int = 2) -> float:
    """By how much Elo a player must surpass equal opponents to get this share of the victories.

    >>> round(elo_of(0.75)), round(elo_of(0.25, players=4))
    (191, 0)
    """
    if not 0 < share < 1:
        return -math.inf if share <= 0 else math.inf
    return 400 * math.log10(share * (players - 1) / (1 - share))


def score_of(elo: float) -> float:
    """The share of the victories that an Elo difference promises in games of two."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_difference(share: Estimate, players: int = 2) -> Estimate:
    """The Elo difference that a share proves."""
    return Estimate(elo_of(share.value, players), elo_of(share.low, players), elo_of(share.high, players))


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of "stronger by elo1" (H1) against "stronger by elo0" (H0)."""

    elo0: float
    """The difference in Elo points under H0."""
    elo1: float
    """The difference in Elo points under H1."""
    alpha: float = 0.05
    """How often H1 may be accepted where H0 is true."""
    beta: float = 0.05
    """How often H0 may be accepted where H1 is true."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(f"elo0 must be less than elo1, not {self.elo0:g},{self.elo1:g}")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise ValueError(f"{name} must be between 0 and 0.5, not {value:g}")

    def json(self) -> dict[str, float]:
        """The test as plain data for JSON."""
        return {"elo0": self.elo0, "elo1": self.elo1, "alpha": self.alpha, "beta": self.beta}

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[float]) -> float:
        """The log-likelihood ratio of H1 to H0 after so many pairs of each of `PAIR_SCORES`.

        Each hypothesis only fixes the mean; the rest of the distribution is the likeliest with that mean (the
        generalized test for five outcomes, as used for chess engines).
        """
        seen = [max(count, UNSEEN) for count in counts]
        under0, under1 = (_likeliest(seen, score_of(elo)) for elo in (self.elo0, self.elo1))
        return sum(count * math.log(p1 / p0) for count, p0, p1 in zip(seen, under0, under1, strict=True))

    def verdict(self, counts: Sequence[float]) -> Verdict:
        """What the pairs so far allow to accept."""
        low, high = self.bounds
        ratio = self.ratio(counts)
        return "H0" if ratio <= low else "H1" if ratio >= high else "undecided"


def _likeliest(seen: Sequence[float], mean: float) -> list[float]:
    """The probabilities of `PAIR_SCORES` with this mean under which what was seen is likeliest.

    They are seen frequencies divided by 1 + tilt * (score - mean); the tilt is found by bisection.
    """
    total = sum(seen)
    moments = [(count / total, score - mean) for count, score in zip(seen, PAIR_SCORES, strict=True)]
    low, high = -1 / (1 - mean), 1 / mean
    for _ in range(50):
        tilt = (low + high) / 2
        if sum(share * away / (1 + tilt * away) for share, away in moments) > 0:
            low = tilt
        else:
            high = tilt
    return [share / (1 + tilt * away) for share, away in moments]
