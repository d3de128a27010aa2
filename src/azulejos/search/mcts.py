"""One simulation of the tree search (MCTS): select a leaf, expand it, back its value up. For one thread, for several in
one tree, and for kernels alike.

The tree has no locks. In a forest that threads share, numbers are added to by atomic steps, and whoever wants to change
more than a number claims it first:

* An edge that leads nowhere yet belongs to the first thread that chooses it (its `child` becomes `IN_THE_MAKING`). Only
  when the new node is complete, and the best of the edges behind has been brought forward, does the edge get its child
  and then its first visit. Until then it is the last edge that others can choose, so nobody touches those behind.
* A node is `PENDING` while one thread values it or gives it edges. Others that end there look for another leaf.

A visit counts from the way down, its value only from the way up (virtual loss, though it makes an edge less urgent and
no worse). So while a thread, or a leaf of the same batch, is at work below an edge, the next simulation goes elsewhere.
"""

from __future__ import annotations

import math
from typing import Any

from azulejos.rules.compiled import compiled, int64
from azulejos.rules.random_play import bit_count
from azulejos.rules.state import COLORS, DEAL_DUE, DRAFTING, MAX_PLAYERS, OVER, State
from azulejos.rules.turn import legal_actions, step, tiling_choice
from azulejos.search.atomic import add, claim, publish, read
from azulejos.search.tree import (
    CLOSED,
    EXPANDED,
    IN_THE_MAKING,
    LONGEST_PATH,
    MOST_EDGES,
    NO_CHILD,
    PENDING,
    ROOT,
    UNEXPANDED,
)
from azulejos.search.utility import final_margin, utility, win_share


@compiled
def plant(forest: Any, t: int, state: State) -> None:
    """Start tree t anew from a state."""
    forest.states[t, ROOT] = state
    forest.trees[t].nodes = 1
    forest.trees[t].edges = 0
    forest.trees[t].deepest = 0
    forest.trees[t].visits = 0
    for edge in range(MOST_EDGES):
        for seat in range(MAX_PLAYERS):
            forest.roots[t, edge, 0, seat] = 0.0
            forest.roots[t, edge, 1, seat] = 0.0
    enter(forest, t, int64(ROOT))


@compiled
def enter(forest: Any, t: int, node: int) -> None:
    """Fill in a new node; the value of a finished game is known at once."""
    state, record = forest.states[t, node], forest.nodes[t, node]
    record.count = 0
    record.kind = UNEXPANDED
    record.seat = state.seat
    if state.phase == OVER:
        record.kind = CLOSED
        for seat in range(int64(state.players)):
            record.win[seat] = win_share(state, seat)
            record.margin[seat] = final_margin(state, seat)


@compiled
def take_ticket(forest: Any, t: int, end: int) -> int:
    """The number of the next simulation of tree t; -1 if `end` have begun already."""
    number = int64(add(forest, forest.trees[t], "visits", 1))
    if number < end:
        return number
    add(forest, forest.trees[t], "visits", -1)
    return -1


@compiled
def value_for(forest: Any, t: int, node: int, seat: int) -> float:
    """The utility of a valued node for a seat."""
    record = forest.nodes[t, node]
    return utility(float(record.win[seat]), float(record.margin[seat]))


@compiled
def valued_visits(edge: Any) -> int:
    """How many visits of an edge have a value in its total; never less than none, even while others count."""
    return max(0, int64(edge.visits) - int64(edge.virtual))


@compiled
def best_edge(forest: Any, t: int, node: int, tuning: Any) -> int:
    """The edge to follow by PUCT; edges without a value yet count as a little worse than the node (first-play urgency).

    The edges of a node begin with those visited and the unvisited one with the highest prior: behind that there is none
    that could be better. Only the root keeps its order and is looked at as a whole.
    """
    edges = forest.edges
    first = int64(forest.nodes[t, node].first)
    end = first + int64(forest.nodes[t, node].count)
    visits = 0
    valued = 0
    total = 0.0
    tried = 0.0
    for edge in range(first, end):
        count = int64(edges[t, edge].visits)
        if count > 0:
            visits += count
            valued += valued_visits(edges[t, edge])
            total += edges[t, edge].total
            tried += edges[t, edge].prior
        elif node != ROOT:
            end = edge + 1
            break
    own = value_for(forest, t, node, int64(forest.nodes[t, node].seat))
    untried = (own + total) / (valued + 1) - tuning.fpu * math.sqrt(tried)
    factor = tuning.exploration * math.sqrt(visits + 1.0)
    best = -1e30
    chosen = first
    for edge in range(first, end):
        count = int64(edges[t, edge].visits)
        known = valued_visits(edges[t, edge])
        urge = factor * edges[t, edge].prior
        if known > 0:
            score = (edges[t, edge].total * (count + 1) + urge * known) / (known * (count + 1))
        else:
            score = untried + urge / (count + 1)
        if score > best:
            best = score
            chosen = edge
    return chosen


@compiled
def select(forest: Any, t: int, b: int, tuning: Any) -> int:
    """Go down tree t from its root to a leaf and note the way in `leaves[b]`; returns the kind of the leaf.

    `UNEXPANDED` means that the caller has to value it, `PENDING` that somebody is at it. Every edge on the way counts
    as visited from now on.
    """
    leaf = forest.leaves[b]
    node = int64(ROOT)  # of the type of other nodes, lest what is called with it be compiled twice
    length = 0
    kind = int64(read(forest, forest.nodes[t, node], "kind"))
    if kind == UNEXPANDED:
        forest.nodes[t, ROOT].kind = PENDING
    while kind == EXPANDED and length < LONGEST_PATH:
        at = best_edge(forest, t, node, tuning)
        edge = forest.edges[t, at]
        child = int64(read(forest, edge, "child"))
        mine = child == NO_CHILD and claim(forest, edge, "child", NO_CHILD, IN_THE_MAKING)
        if mine:
            child = make_child(forest, t, node, at)
        elif child < 0:
            continue  # it will be there in a moment
        add(forest, edge, "visits", 1)
        add(forest, edge, "virtual", 1)
        leaf.path[length] = at
        length += 1
        node = child
        kind = int64(read(forest, forest.nodes[t, node], "kind"))
        if mine and kind == PENDING:
            kind = UNEXPANDED
    leaf.node = node
    leaf.length = length
    if length > forest.trees[t].deepest:  # noqa: PLR1730 - written seldom, lest threads wait for each other's memory
        forest.trees[t].deepest = length
    return kind


@compiled
def make_child(forest: Any, t: int, node: int, edge: int) -> int:
    """Make the node that an edge leads to, for the thread that has claimed the edge, and still to be valued by it."""
    child = int64(add(forest, forest.trees[t], "nodes", 1))
    forest.states[t, child] = forest.states[t, node]
    step(forest.states[t, child], int64(forest.edges[t, edge].action))
    enter(forest, t, child)
    if forest.nodes[t, child].kind == UNEXPANDED:
        forest.nodes[t, child].kind = PENDING
    if node != ROOT:
        bring_best(forest.edges, t, edge + 1, int64(forest.nodes[t, node].first) + int64(forest.nodes[t, node].count))
    publish(forest, forest.edges[t, edge], "child", child)
    return child


@compiled
def undo_select(forest: Any, t: int, b: int) -> None:
    """Forget a way down that ended where somebody else is at work."""
    for at in range(int64(forest.leaves[b].length)):
        edge = forest.edges[t, int64(forest.leaves[b].path[at])]
        add(forest, edge, "virtual", -1)
        add(forest, edge, "visits", -1)


@compiled
def expand(forest: Any, t: int, node: int, logits: Any, prior_floor: float) -> None:
    """Give a node that the caller has claimed its edges, with the softmax of the legal actions' logits as priors.

    A share of the priors, the floor, is the same for all actions. The end of a round has no edges and stays a leaf; so
    does any node once the room for edges is used up.
    """
    state, record = forest.states[t, node], forest.nodes[t, node]
    if state.phase == DEAL_DUE:
        publish(forest, record, "kind", CLOSED)
        return
    count = count_actions(state)
    first = int64(add(forest, forest.trees[t], "edges", count))
    if first + MOST_EDGES > forest.edges.shape[1]:
        add(forest, forest.trees[t], "edges", -count)
        publish(forest, record, "kind", CLOSED)
        return
    legal_actions(state, forest.edges[t]["action"][first:])
    set_priors(forest.edges, t, first, first + count, logits, prior_floor)
    if node != ROOT:
        bring_best(forest.edges, t, first, first + count)
    record.first = first
    record.count = count
    publish(forest, record, "kind", EXPANDED)


@compiled
def count_actions(state: State) -> int:
    """How many legal actions there are."""
    if state.phase != DRAFTING:
        return bit_count(tiling_choice(state)[1])
    count = 0
    for color in range(COLORS):
        count += bit_count(int64(state.holds[color])) * bit_count(int64(state.open[state.seat, color]))
    return count


@compiled
def set_priors(edges: Any, t: int, first: int, end: int, logits: Any, floor: float) -> None:
    """Fill in unvisited edges: the softmax of `logits[action]` are their priors, but for a share that is the same."""
    highest = -1e30
    for edge in range(first, end):
        highest = max(highest, float(logits[edges[t, edge].action]))
    weight = 0.0
    for edge in range(first, end):
        edges[t, edge].prior = math.exp(float(logits[edges[t, edge].action]) - highest)
        weight += edges[t, edge].prior
    for edge in range(first, end):
        edges[t, edge].prior = (1.0 - floor) * edges[t, edge].prior / weight + floor / (end - first)
        edges[t, edge].visits = 0
        edges[t, edge].virtual = 0
        edges[t, edge].total = 0.0
        edges[t, edge].child = NO_CHILD


@compiled
def bring_best(edges: Any, t: int, first: int, end: int) -> None:
    """Put the edge with the highest prior first, none of them being visited yet."""
    if first >= end:
        return
    best = first
    for edge in range(first + 1, end):
        if edges[t, edge].prior > edges[t, best].prior:
            best = edge
    prior = edges[t, best].prior
    action = edges[t, best].action
    edges[t, best].prior = edges[t, first].prior
    edges[t, best].action = edges[t, first].action
    edges[t, first].prior = prior
    edges[t, first].action = action


@compiled
def has_room(forest: Any, t: int, leaves: int) -> bool:
    """Whether tree t can take so many more leaves."""
    nodes_left = forest.states.shape[1] - int64(forest.trees[t].nodes)
    edges_left = forest.edges.shape[1] - int64(forest.trees[t].edges)
    return bool(nodes_left > leaves and edges_left > leaves * MOST_EDGES)


@compiled
def set_value(forest: Any, t: int, node: int, outcome: Any) -> None:
    """Take over an evaluator's answer, `outcome[0 or 1, turn]` with the acting seat's turn first."""
    state, record = forest.states[t, node], forest.nodes[t, node]
    players = int64(state.players)
    for turn in range(players):
        seat = (int64(state.seat) + turn) % players
        record.win[seat] = outcome[0, turn]
        record.margin[seat] = outcome[1, turn]


@compiled
def back_up(forest: Any, t: int, b: int) -> None:
    """Add the value of the leaf to every edge on the way to it."""
    leaf = forest.leaves[b]
    value = forest.nodes[t, leaf.node]
    node = ROOT
    for at in range(int64(leaf.length)):
        edge = forest.edges[t, int64(leaf.path[at])]
        add(forest, edge, "total", value_for(forest, t, int64(leaf.node), int64(forest.nodes[t, node].seat)))
        add(forest, edge, "virtual", -1)
        node = int64(edge.child)
    if leaf.length > 0:
        sums = forest.roots[t, leaf.path[0]]
        for seat in range(int64(forest.states[t, ROOT].players)):
            sums[0, seat] += value.win[seat]
            sums[1, seat] += value.margin[seat]
