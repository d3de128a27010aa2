"""The root of a tree in self-play: a few moves drawn by their priors share the visits, and the worse half drops out
again and again; what was found makes a better policy of the priors. For processor cores and kernels alike.

After Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by planning with Gumbel" (2022). The
prior of an edge says here whether its move is still in the game: for the selection those left have a prior so large
that the least visited is always next, the others none.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejos.rules.compiled import compiled, int64
from azulejos.search.halving import OVERWHELMING
from azulejos.search.mcts import value_for
from azulejos.search.tree import ROOT

LEAST_PRIOR: Final = 1e-30
"""Smaller ones count as this one, for the sake of the logarithm."""
LOWEST: Final = -1e30
"""Lower than any score."""


class Comparison(NamedTuple):
    """What the moves of the roots are compared by."""

    logs: NDArray[np.float32]
    """[tree, edge]: the log priors."""
    noise: NDArray[np.float32]
    """[tree, edge]: Gumbel numbers times a temperature; the moves with the highest log prior plus noise are moves drawn
    without putting back."""
    softness: float
    """The temperature of the priors, lest self-play grow ever surer of its first thought."""
    candidates: int
    """How many moves are compared at first."""
    visit_offset: float
    """Added to the visits of the most visited move: both together say how much values count beside priors."""
    value_scale: float
    """What that is multiplied with."""


def halvings(simulations: int, candidates: int) -> dict[int, int]:
    """After which simulations how many moves stay: all phases are about as long, two moves stay to the end.

    >>> halvings(64, 16)
    {16: 8, 32: 4, 48: 2}
    """
    phases = max(1, math.ceil(math.log2(candidates)))
    stay: dict[int, int] = {}
    done, left = 0, candidates
    while True:
        done += left * max(1, simulations // (phases * left))
        if left <= 2 or done >= simulations:
            return stay
        left = (left + 1) // 2
        stay[done] = left


@compiled
def begin_halving(forest: Any, comparison: Any, t: int) -> None:
    """Note the log priors of a fresh root, softened by a temperature, and draw the moves to be compared."""
    count = int64(forest.nodes[t, ROOT].count)
    for edge in range(count):
        comparison.logs[t, edge] = math.log(max(float(forest.edges[t, edge].prior), LEAST_PRIOR)) / comparison.softness
        forest.edges[t, edge].prior = 0.0
    for _ in range(min(comparison.candidates, count)):
        best = 0
        highest = LOWEST
        for edge in range(count):
            score = float(comparison.logs[t, edge]) + float(comparison.noise[t, edge])
            if forest.edges[t, edge].prior == 0.0 and score > highest:
                best = edge
                highest = score
        forest.edges[t, best].prior = OVERWHELMING


@compiled
def untried_value(forest: Any, comparison: Any, t: int) -> float:
    """What a move of the root is worth that was not tried: the root's own value mixed with the mean of those tried.

    The mean is weighted by priors, the mixture by visits.
    """
    visits = 0
    weight = 0.0
    total = 0.0
    for edge in range(int64(forest.nodes[t, ROOT].count)):
        count = int64(forest.edges[t, edge].visits)
        if count > 0:
            prior = math.exp(float(comparison.logs[t, edge]))
            visits += count
            weight += prior
            total += prior * forest.edges[t, edge].total / count
    own = value_for(forest, t, ROOT, int64(forest.nodes[t, ROOT].seat))
    return (own + visits * total / weight) / (1 + visits) if visits > 0 else own


@compiled
def value_weight(forest: Any, comparison: Any, t: int) -> float:
    """How much the values of the root's moves count beside their log priors: the more visits, the more."""
    most = 0
    for edge in range(int64(forest.nodes[t, ROOT].count)):
        most = max(most, int64(forest.edges[t, edge].visits))
    weight: float = (comparison.visit_offset + most) * comparison.value_scale
    return weight


@compiled
def improved_log(forest: Any, comparison: Any, weight: float, untried: float, t: int, edge: int) -> float:
    """The log prior of a move of the root, and what was found about its value."""
    count = int64(forest.edges[t, edge].visits)
    value = forest.edges[t, edge].total / count if count > 0 else untried
    return float(comparison.logs[t, edge]) + weight * value


@compiled
def halve(forest: Any, comparison: Any, stay: int, t: int) -> None:
    """Let moves drop out at the root until no more than so many stay, the worst first."""
    count = int64(forest.nodes[t, ROOT].count)
    weight = value_weight(forest, comparison, t)
    untried = untried_value(forest, comparison, t)
    left = 0
    for edge in range(count):
        left += 1 if forest.edges[t, edge].prior > 0.0 else 0
    for _ in range(left - stay):
        worst = 0
        lowest = -LOWEST
        for edge in range(count):
            if forest.edges[t, edge].prior > 0.0:
                score = improved_log(forest, comparison, weight, untried, t, edge) + float(comparison.noise[t, edge])
                if score < lowest:
                    worst = edge
                    lowest = score
        forest.edges[t, worst].prior = 0.0


@compiled
def end_halving(forest: Any, comparison: Any, t: int) -> int:
    """The edge of the best move that is left; the priors of the root become the better policy."""
    halve(forest, comparison, 1, t)
    count = int64(forest.nodes[t, ROOT].count)
    weight = value_weight(forest, comparison, t)
    untried = untried_value(forest, comparison, t)
    best = 0
    highest = LOWEST
    for edge in range(count):
        if forest.edges[t, edge].prior > 0.0:
            best = edge
        highest = max(highest, improved_log(forest, comparison, weight, untried, t, edge))
    total = 0.0
    for edge in range(count):
        forest.edges[t, edge].prior = math.exp(improved_log(forest, comparison, weight, untried, t, edge) - highest)
        total += forest.edges[t, edge].prior
    for edge in range(count):
        forest.edges[t, edge].prior /= total
    return best
