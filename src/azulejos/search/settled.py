"""What the moves of a searched position are worth if everybody answers with the best that was found.

The means that a search goes by hold every reply that it tried, bad ones too; so they flatter whoever moved last, and a
position looks worse by them than after the next move. Here a node that was visited often is worth what its best reply
is worth, and one that was visited seldom is worth the mean: values that hardly change from one move to the next.
"""

from __future__ import annotations

from typing import Any, Final

from azulejos.rules.compiled import compiled, int64
from azulejos.search.tree import NO_CHILD, ROOT
from azulejos.search.utility import utility

SETTLING_VISITS: Final = 50
"""From so many visits below it a node is worth its best reply alone; with fewer the mean has a share."""


@compiled
def settle(forest: Any, trusted: float, values: Any) -> None:
    """Write what each node of tree 0 is worth into `values[node, 0 or 1, seat]`: share of the victory and margin.

    Replies count that were visited nearly as often as any other: at least the `trusted` share of the most visits.
    """
    for node in range(int64(forest.trees[0].nodes) - 1, -1, -1):  # whatever is below a node has a higher number
        settle_node(forest, node, trusted, values)


@compiled
def settle_node(forest: Any, node: int, trusted: float, values: Any) -> None:
    """Settle one node, below which all are settled."""
    record = forest.nodes[0, node]
    players = int64(forest.states[0, ROOT].players)
    for seat in range(players):
        values[node, 0, seat] = record.win[seat]
        values[node, 1, seat] = record.margin[seat]
    first = int64(record.first)
    below = 0
    most = 0
    for edge in range(first, first + int64(record.count)):
        visits = int64(forest.edges[0, edge].visits)
        if visits > 0:
            child = int64(forest.edges[0, edge].child)
            below += visits
            most = max(most, visits)
            for what in range(2):
                for seat in range(players):
                    values[node, what, seat] += visits * values[child, what, seat]
        elif node != ROOT:
            break  # only the root keeps its order: elsewhere none behind was visited
    if below == 0:
        return
    best = best_reply(forest, node, trusted * most, values)
    share = min(1.0, below / SETTLING_VISITS)
    for what in range(2):
        for seat in range(players):
            mean = values[node, what, seat] / (below + 1)
            values[node, what, seat] = mean + share * (values[best, what, seat] - mean)


@compiled
def best_reply(forest: Any, node: int, enough: float, values: Any) -> int:
    """The child that the seat to move likes best, of those visited often enough."""
    record = forest.nodes[0, node]
    seat = int64(record.seat)
    first = int64(record.first)
    highest = -1e30
    best = int64(NO_CHILD)
    for edge in range(first, first + int64(record.count)):
        visits = int64(forest.edges[0, edge].visits)
        if visits > 0 and visits >= enough:
            child = int64(forest.edges[0, edge].child)
            worth = utility(float(values[child, 0, seat]), float(values[child, 1, seat]))
            if worth > highest:
                highest = worth
                best = child
        elif visits == 0 and node != ROOT:
            break
    return best
