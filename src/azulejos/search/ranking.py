"""What a search tells of the moves at its root: which comes first, what each is worth, and what may follow."""

from __future__ import annotations

from typing import Any, Final

from azulejos.rules.compiled import compiled, int64
from azulejos.rules.state import MAX_PLAYERS
from azulejos.search.report import sort_down
from azulejos.search.settled import best_reply, settle
from azulejos.search.tree import LONGEST_PATH, NO_CHILD, ROOT

LINES_TOLD: Final = 20
"""How many candidates are reported with the line expected to follow."""


@compiled
def rank(forest: Any, halving: Any, trusted: float, settled: bool, values: Any, found: Any) -> int:
    """Write down what is known of the root's moves; returns how many there are.

    All are worth what `settle` says, which is written to `values`: whoever shows a value shows this one. First comes
    the best among those looked at nearly as often as any other, at least the `trusted` share of the most visits: the
    best by these values where `settled`, as in hints and reviews, or by means, as in play. The others follow by visits,
    those with as many by priors.
    """
    count = order_by_visits(forest, halving, found)
    settle(forest, trusted, values)
    enough = max(1.0, trusted * float(forest.edges[0, found[0].edge].visits))
    if settled:
        bring_forward(found["edge"], best_settled(forest, enough, values, found))
    else:
        bring_forward(found["edge"], best_mean(forest, enough, count, found))
    for at in range(count):
        write_candidate(forest, halving, found[at], values, LONGEST_PATH if at < LINES_TOLD else 1)
    return count


@compiled
def best_settled(forest: Any, enough: float, values: Any, found: Any) -> int:
    """Which move has the highest settled value, of those looked at often enough; the first if none was."""
    best = best_reply(forest, ROOT, enough, values)
    at = 0
    while best != NO_CHILD and forest.edges[0, found[at].edge].child != best:
        at += 1
    return at


@compiled
def best_mean(forest: Any, enough: float, count: int, found: Any) -> int:
    """Which move has the highest mean, of those looked at often enough; the first if none was."""
    best = 0
    highest = -1e30
    for at in range(count):
        edge = forest.edges[0, found[at].edge]
        if edge.visits >= enough and edge.total / int64(edge.visits) > highest:
            highest = edge.total / int64(edge.visits)
            best = at
    return best


@compiled
def order_by_visits(forest: Any, halving: Any, found: Any) -> int:
    """Write down the root's moves by visits, those with as many by priors; returns how many there are."""
    count = int64(forest.nodes[0, ROOT].count)
    for edge in range(count):
        found[edge].edge = edge
        found[edge].key = prior_of(forest, halving, edge)
    sort_down(found["edge"], count, found["key"])
    for edge in range(count):
        found[edge].key = forest.edges[0, edge].visits
    sort_down(found["edge"], count, found["key"])
    return count


@compiled
def bring_forward(order: Any, which: int) -> None:
    """Put one of some numbers first; the order of the others stays."""
    chosen = order[which]
    for at in range(which, 0, -1):
        order[at] = order[at - 1]
    order[0] = chosen


@compiled
def write_candidate(forest: Any, halving: Any, candidate: Any, values: Any, longest: int) -> None:
    """Write down what is known of one move of the root, with what it is worth if it was looked at, and a line."""
    edge = int64(candidate.edge)
    visits = int64(forest.edges[0, edge].visits)
    candidate.action = forest.edges[0, edge].action
    candidate.visits = visits
    candidate.prior = prior_of(forest, halving, edge)
    child = int64(forest.edges[0, edge].child)
    for what in range(2):
        for seat in range(MAX_PLAYERS):
            candidate.outcome[what, seat] = values[child, what, seat] if visits > 0 else 0.0
    candidate.length = write_line(forest, edge, longest, candidate.line)


@compiled
def prior_of(forest: Any, halving: Any, edge: int) -> float:
    """What the evaluator thought of a move of the root."""
    return float(halving[0].priors[edge] if halving[0].left > 0 else forest.edges[0, edge].prior)


@compiled
def write_line(forest: Any, edge: int, longest: int, line: Any) -> int:
    """Write the actions below an edge of the root that the search looked at most, its own first; returns how many."""
    length = 0
    while length < longest:
        line[length] = forest.edges[0, edge].action
        length += 1
        child = int64(forest.edges[0, edge].child)
        if child == NO_CHILD:
            break
        first = int64(forest.nodes[0, child].first)
        most = 0
        for below in range(first, first + int64(forest.nodes[0, child].count)):
            if forest.edges[0, below].visits > most:
                most = int64(forest.edges[0, below].visits)
                edge = below
        if most == 0:
            break
    return length
