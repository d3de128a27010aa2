"""The root of a tree in self-play: a few moves drawn by their priors share the walks, and the worse half drops out
again and again; what was found makes a better policy of the priors. For processor cores and kernels alike.

After Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by planning with Gumbel" (2022). `noise[t, edge]`
are Gumbel numbers times a heat: the moves with the highest log prior plus noise are moves drawn without putting back.
`logs[t, edge]` keeps the log priors, since the prior of an edge says here whether its move is still in the game: for
the walk those left have a prior so large that the least visited is always next, the others none.
"""

from __future__ import annotations

import math
from typing import Any, Final

from azulejos.rules.compiled import compiled, int64
from azulejos.search.halving import OVERWHELMING
from azulejos.search.tree import ROOT
from azulejos.search.walk import value_for

LEAST_PRIOR: Final = 1e-30
"""Smaller ones count as this one, for the sake of the logarithm."""
LOWEST: Final = -1e30
"""Lower than any score."""


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
def begin_halving(nodes: Any, edges: Any, logs: Any, noise: Any, softness: float, candidates: int, t: int) -> None:
    """Note the log priors of a fresh root, softened by a temperature, and draw the moves to be compared."""
    count = int64(nodes[t, ROOT].count)
    for edge in range(count):
        logs[t, edge] = math.log(max(float(edges[t, edge].prior), LEAST_PRIOR)) / softness
        edges[t, edge].prior = 0.0
    for _ in range(min(candidates, count)):
        best = 0
        highest = LOWEST
        for edge in range(count):
            score = float(logs[t, edge]) + float(noise[t, edge])
            if edges[t, edge].prior == 0.0 and score > highest:
                best = edge
                highest = score
        edges[t, best].prior = OVERWHELMING


@compiled
def untried_value(nodes: Any, edges: Any, logs: Any, t: int) -> float:
    """What a move of the root is worth that was not tried: the root's own value mixed with the mean of those tried.

    The mean is weighted by priors, the mixture by visits.
    """
    visits = 0
    weight = 0.0
    total = 0.0
    for edge in range(int64(nodes[t, ROOT].count)):
        count = int64(edges[t, edge].visits)
        if count > 0:
            prior = math.exp(float(logs[t, edge]))
            visits += count
            weight += prior
            total += prior * edges[t, edge].total / count
    own = value_for(nodes, t, ROOT, int64(nodes[t, ROOT].seat))
    return (own + visits * total / weight) / (1 + visits) if visits > 0 else own


@compiled
def value_weight(nodes: Any, edges: Any, visit_offset: float, value_scale: float, t: int) -> float:
    """How much the values of the root's moves count beside their log priors: the more visits, the more."""
    most = 0
    for edge in range(int64(nodes[t, ROOT].count)):
        most = max(most, int64(edges[t, edge].visits))
    return (visit_offset + most) * value_scale


@compiled
def improved_log(edges: Any, logs: Any, weight: float, untried: float, t: int, edge: int) -> float:
    """The log prior of a move of the root, and what was found about its value."""
    count = int64(edges[t, edge].visits)
    value = edges[t, edge].total / count if count > 0 else untried
    return float(logs[t, edge]) + weight * value


@compiled
def halve(
    nodes: Any, edges: Any, logs: Any, noise: Any, visit_offset: float, value_scale: float, stay: int, t: int
) -> None:
    """Let moves drop out at the root until no more than so many stay, the worst first."""
    count = int64(nodes[t, ROOT].count)
    weight = value_weight(nodes, edges, visit_offset, value_scale, t)
    untried = untried_value(nodes, edges, logs, t)
    left = 0
    for edge in range(count):
        left += 1 if edges[t, edge].prior > 0.0 else 0
    for _ in range(left - stay):
        worst = 0
        lowest = -LOWEST
        for edge in range(count):
            if edges[t, edge].prior > 0.0:
                score = improved_log(edges, logs, weight, untried, t, edge) + float(noise[t, edge])
                if score < lowest:
                    worst = edge
                    lowest = score
        edges[t, worst].prior = 0.0


@compiled
def end_halving(nodes: Any, edges: Any, logs: Any, noise: Any, visit_offset: float, value_scale: float, t: int) -> int:
    """The edge of the best move that is left; the priors of the root become the better policy."""
    halve(nodes, edges, logs, noise, visit_offset, value_scale, 1, t)
    count = int64(nodes[t, ROOT].count)
    weight = value_weight(nodes, edges, visit_offset, value_scale, t)
    untried = untried_value(nodes, edges, logs, t)
    best = 0
    highest = LOWEST
    for edge in range(count):
        if edges[t, edge].prior > 0.0:
            best = edge
        highest = max(highest, improved_log(edges, logs, weight, untried, t, edge))
    total = 0.0
    for edge in range(count):
        edges[t, edge].prior = math.exp(improved_log(edges, logs, weight, untried, t, edge) - highest)
        total += edges[t, edge].prior
    for edge in range(count):
        edges[t, edge].prior /= total
    return best
