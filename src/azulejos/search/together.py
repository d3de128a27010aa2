"""One simulation where several threads walk the same tree: what `walk` does, in steps that others may come between.

The tree has no locks. Visits and totals are added by instructions that cannot be interrupted, and whoever wants to
change more than a number claims it first:

* An edge that leads nowhere yet belongs to the first thread that chooses it (its `child` becomes `IN_THE_MAKING`). Only
  when the new node is complete, and the best of the edges behind has been brought forward, does the edge get its child
  and then its first visit. Until then it is the last edge that others can choose, so nobody touches those behind.
* A node is `PENDING` while one thread values it or gives it edges. Others that end there look for another leaf.

A visit counts from the way down, its value only from the way up. So while a thread is at work below an edge, that edge
is less urgent to the others, and they spread out by themselves.
"""

from __future__ import annotations

from typing import Any

from azulejos.rules.compiled import compiled, int64
from azulejos.rules.state import DEAL_DUE
from azulejos.rules.turn import step
from azulejos.search.atomic import add, claim, publish, read
from azulejos.search.tree import (
    CLOSED,
    EXPANDED,
    IN_THE_MAKING,
    LONGEST_PATH,
    NO_CHILD,
    PENDING,
    ROOT,
    UNEXPANDED,
)
from azulejos.search.walk import best_edge, bring_best, enter, set_priors, value_for, write_edges


@compiled
def take_turn(trees: Any, t: int, end: int) -> bool:
    """Count one more visit of tree t; false if `end` are under way or done already."""
    if add(trees[t], "visits", 1) < end:
        return True
    add(trees[t], "visits", -1)
    return False


@compiled
def make_child(states: Any, nodes: Any, edges: Any, trees: Any, t: int, node: int, edge: int) -> int:
    """Make the node that an edge leads to, for the thread that has claimed the edge, and still to be valued by it."""
    child = int64(add(trees[t], "nodes", 1))
    states[t, child] = states[t, node]
    step(states[t, child], int64(edges[t, edge].action))
    enter(states, nodes, t, child)
    if nodes[t, child].kind == UNEXPANDED:
        nodes[t, child].kind = PENDING
    if node != ROOT:
        bring_best(edges, t, edge + 1, int64(nodes[t, node].first) + int64(nodes[t, node].count))
    publish(edges[t, edge], "child", child)
    return child


@compiled
def descend_together(
    states: Any, nodes: Any, edges: Any, trees: Any, leaves: Any, t: int, b: int, exploration: float, reduction: float
) -> int:
    """Walk from the root, which has edges, to a leaf and note the way in `leaves[b]`; returns the kind of the leaf.

    `UNEXPANDED` means that this thread has to value it, `PENDING` that another thread is at it.
    """
    node = ROOT
    length = 0
    kind = EXPANDED
    while kind == EXPANDED and length < LONGEST_PATH:
        edge = best_edge(nodes, edges, t, node, exploration, reduction)
        child = int64(read(edges[t, edge], "child"))
        mine = child == NO_CHILD and claim(edges[t, edge], "child", NO_CHILD, IN_THE_MAKING)
        if mine:
            child = make_child(states, nodes, edges, trees, t, node, edge)
        elif child < 0:
            continue  # it will be there in a moment
        add(edges[t, edge], "visits", 1)
        add(edges[t, edge], "waiting", 1)
        leaves[b].path[length] = edge
        length += 1
        node = child
        kind = int64(read(nodes[t, node], "kind"))
        if mine and kind == PENDING:
            kind = UNEXPANDED
    leaves[b].node = node
    leaves[b].length = length
    if length > trees[t].deepest:  # noqa: PLR1730 - written seldom, lest threads wait for each other's memory
        trees[t].deepest = length
    return kind


@compiled
def turn_back_together(edges: Any, leaves: Any, t: int, b: int) -> None:
    """Forget a walk."""
    for at in range(int64(leaves[b].length)):
        add(edges[t, int64(leaves[b].path[at])], "waiting", -1)
        add(edges[t, int64(leaves[b].path[at])], "visits", -1)


@compiled
def expand_together(
    states: Any,
    nodes: Any,
    edges: Any,
    trees: Any,
    t: int,
    node: int,
    logits: Any,
    b: int,
    evenly: float,
    fresh: Any,
) -> None:
    """Give a node that this thread has claimed its edges, as `expand` does; they are made in `fresh`, to count them."""
    if states[t, node].phase == DEAL_DUE:
        publish(nodes[t, node], "kind", CLOSED)
        return
    count = write_edges(states[t, node], fresh, 0, 0)
    set_priors(fresh, 0, 0, count, logits, b, evenly)
    bring_best(fresh, 0, 0, count)
    first = int64(add(trees[t], "edges", count))
    if first + count > edges.shape[1]:
        add(trees[t], "edges", -count)
        publish(nodes[t, node], "kind", CLOSED)
        return
    for at in range(count):
        edges[t, first + at] = fresh[0, at]
    nodes[t, node].first = first
    nodes[t, node].count = count
    publish(nodes[t, node], "kind", EXPANDED)


@compiled
def back_up_together(states: Any, nodes: Any, edges: Any, roots: Any, leaves: Any, t: int, b: int) -> None:
    """Add the value of the leaf to every edge on the way to it; `roots` are the thread's own."""
    leaf = int64(leaves[b].node)
    node = ROOT
    for at in range(int64(leaves[b].length)):
        edge = int64(leaves[b].path[at])
        add(edges[t, edge], "total", value_for(nodes, t, leaf, int64(nodes[t, node].seat)))
        add(edges[t, edge], "waiting", -1)
        node = int64(edges[t, edge].child)
    for seat in range(int64(states[t, ROOT].players)):
        roots[t, leaves[b].path[0], 0, seat] += nodes[t, leaf].win[seat]
        roots[t, leaves[b].path[0], 1, seat] += nodes[t, leaf].margin[seat]
