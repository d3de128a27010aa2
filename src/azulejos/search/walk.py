"""One simulation: down the tree to a leaf, edges for the leaf, its value back up; for threads and kernels alike."""

from __future__ import annotations

import math
from typing import Any

from azulejos.rules.compiled import compiled, int64
from azulejos.rules.ending import winners
from azulejos.rules.offer import legal_lines
from azulejos.rules.state import COLORS, COLUMNS, DEAL_DUE, DRAFTING, DRAFTS, LINES, MAX_PLAYERS, OVER, SOURCES, State
from azulejos.rules.turn import step, tiling_choice
from azulejos.search.tree import (
    CLOSED,
    EXPANDED,
    LONGEST_PATH,
    MOST_EDGES,
    NO_CHILD,
    PENDING,
    ROOT,
    UNEXPANDED,
)

MARGIN_SHARE = 0.15
"""How much of a utility is the margin; the rest is the share of the victory."""
MARGIN_RANGE = 60.0
"""A margin of so many points counts as all of it."""


@compiled
def utility(win: float, margin: float) -> float:
    """What a seat wants: to win, and to win by much; from 0 to 1."""
    scaled = max(-1.0, min(1.0, margin / MARGIN_RANGE))
    return (1.0 - MARGIN_SHARE) * win + MARGIN_SHARE * (0.5 + 0.5 * scaled)


@compiled
def win_share(state: State, seat: int) -> float:
    """R43: the part of the victory that a seat has in a finished game."""
    seats = winners(state)
    if seats >> seat & 1 == 0:
        return 0.0
    sharing = 0
    for other in range(MAX_PLAYERS):
        sharing += seats >> other & 1
    return 1.0 / sharing


@compiled
def final_margin(state: State, seat: int) -> float:
    """A seat's score less the best of the others."""
    best = -1
    for other in range(int64(state.players)):
        if other != seat:
            best = max(best, int64(state.score[other]))
    return float(int64(state.score[seat]) - best)


@compiled
def plant(states: Any, nodes: Any, trees: Any, roots: Any, t: int, state: State) -> None:
    """Start tree t anew from a state."""
    states[t, ROOT] = state
    trees[t].nodes = 1
    trees[t].edges = 0
    trees[t].deepest = 0
    trees[t].visits = 0
    for edge in range(MOST_EDGES):
        for seat in range(MAX_PLAYERS):
            roots[t, edge, 0, seat] = 0.0
            roots[t, edge, 1, seat] = 0.0
    enter(states, nodes, t, ROOT)


@compiled
def enter(states: Any, nodes: Any, t: int, node: int) -> None:
    """Fill in a new node; the value of a finished game is known at once."""
    state = states[t, node]
    nodes[t, node].count = 0
    nodes[t, node].kind = UNEXPANDED
    nodes[t, node].seat = state.seat
    if state.phase == OVER:
        nodes[t, node].kind = CLOSED
        for seat in range(int64(state.players)):
            nodes[t, node].win[seat] = win_share(state, seat)
            nodes[t, node].margin[seat] = final_margin(state, seat)


@compiled
def value_for(nodes: Any, t: int, node: int, seat: int) -> float:
    """The utility of a valued node for a seat."""
    return utility(float(nodes[t, node].win[seat]), float(nodes[t, node].margin[seat]))


@compiled
def valued_visits(edges: Any, t: int, edge: int) -> int:
    """How many visits of an edge have a value in its total; never less than none, even while others count."""
    return max(0, int64(edges[t, edge].visits) - int64(edges[t, edge].waiting))


@compiled
def best_edge(nodes: Any, edges: Any, t: int, node: int, exploration: float, reduction: float) -> int:
    """The edge to follow: PUCT; edges without a value yet count as a little worse than the node itself.

    A visit that waits for its value makes an edge less urgent, but no worse. The edges of a node begin with those
    visited and the unvisited one with the highest prior: behind that there is none that could be better. Only the root
    keeps its order and is looked at as a whole.
    """
    first = int64(nodes[t, node].first)
    end = first + int64(nodes[t, node].count)
    visits = 0
    valued = 0
    total = 0.0
    tried = 0.0
    for edge in range(first, end):
        count = int64(edges[t, edge].visits)
        if count > 0:
            visits += count
            valued += valued_visits(edges, t, edge)
            total += edges[t, edge].total
            tried += edges[t, edge].prior
        elif node != ROOT:
            end = edge + 1
            break
    own = value_for(nodes, t, node, int64(nodes[t, node].seat))
    untried = (own + total) / (valued + 1) - reduction * math.sqrt(tried)
    factor = exploration * math.sqrt(visits + 1.0)
    best = -1e30
    chosen = first
    for edge in range(first, end):
        count = int64(edges[t, edge].visits)
        known = valued_visits(edges, t, edge)
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
def descend(
    states: Any, nodes: Any, edges: Any, trees: Any, leaves: Any, t: int, b: int, exploration: float, reduction: float
) -> int:
    """Walk tree t from its root to a leaf and note the way in `leaves[b]`; returns the kind of the leaf.

    Every edge on the way counts as visited from now on, which leads the next walk of the same batch elsewhere.
    """
    node = ROOT
    length = 0
    while nodes[t, node].kind == EXPANDED and length < LONGEST_PATH:
        edge = best_edge(nodes, edges, t, node, exploration, reduction)
        edges[t, edge].visits += 1
        edges[t, edge].waiting += 1
        leaves[b].path[length] = edge
        length += 1
        child = int64(edges[t, edge].child)
        if child == NO_CHILD:
            child = int64(trees[t].nodes)
            trees[t].nodes = child + 1
            edges[t, edge].child = child
            states[t, child] = states[t, node]
            step(states[t, child], int64(edges[t, edge].action))
            enter(states, nodes, t, child)
            if node != ROOT:
                bring_best(edges, t, edge + 1, int64(nodes[t, node].first) + int64(nodes[t, node].count))
        node = child
    leaves[b].node = node
    leaves[b].length = length
    trees[t].deepest = max(int64(trees[t].deepest), length)
    kind = int64(nodes[t, node].kind)
    if kind == UNEXPANDED:
        nodes[t, node].kind = PENDING
    return kind


@compiled
def turn_back(edges: Any, leaves: Any, t: int, b: int) -> None:
    """Forget a walk that ended on a leaf somebody else is already valuing."""
    for at in range(int64(leaves[b].length)):
        edges[t, leaves[b].path[at]].visits -= 1
        edges[t, leaves[b].path[at]].waiting -= 1


@compiled
def expand(
    states: Any, nodes: Any, edges: Any, trees: Any, t: int, node: int, logits: Any, b: int, evenly: float
) -> None:
    """Give a node its edges, with the softmax of `logits[b, action]` over the legal actions as priors.

    A share of the priors, `evenly`, is the same for all actions, so that none is overlooked for ever. The end of a
    round has no edges and stays a leaf; so does any node once the room for edges is used up.
    """
    if states[t, node].phase == DEAL_DUE or int64(trees[t].edges) + MOST_EDGES > edges.shape[1]:
        nodes[t, node].kind = CLOSED
        return
    first = int64(trees[t].edges)
    end = write_edges(states[t, node], edges, t, first)
    set_priors(edges, t, first, end, logits, b, evenly)
    if node != ROOT:
        bring_best(edges, t, first, end)
    nodes[t, node].first = first
    nodes[t, node].count = end - first
    nodes[t, node].kind = EXPANDED
    trees[t].edges = end


@compiled
def write_edges(state: State, edges: Any, t: int, first: int) -> int:
    """Write an unvisited edge for every legal action, from edge `first` on; returns the end of them."""
    edge = first
    if state.phase == DRAFTING:
        for source in range(SOURCES):
            for color in range(COLORS):
                lines = legal_lines(state, source, color)
                for line in range(LINES):
                    if lines >> line & 1:
                        edges[t, edge].action = (source * COLORS + color) * LINES + line
                        edge += 1
    else:
        row, columns = tiling_choice(state)
        for column in range(COLUMNS):
            if columns >> column & 1:
                edges[t, edge].action = DRAFTS + row * COLUMNS + column
                edge += 1
    for at in range(first, edge):
        edges[t, at].visits = 0
        edges[t, at].waiting = 0
        edges[t, at].total = 0.0
        edges[t, at].child = NO_CHILD
    return edge


@compiled
def set_priors(edges: Any, t: int, first: int, end: int, logits: Any, b: int, evenly: float) -> None:
    """Give edges the softmax of `logits[b, action]` as priors, but for a share that is the same for all."""
    highest = -1e30
    for edge in range(first, end):
        highest = max(highest, float(logits[b, edges[t, edge].action]))
    weight = 0.0
    for edge in range(first, end):
        edges[t, edge].prior = math.exp(float(logits[b, edges[t, edge].action]) - highest)
        weight += edges[t, edge].prior
    for edge in range(first, end):
        edges[t, edge].prior = (1.0 - evenly) * edges[t, edge].prior / weight + evenly / (end - first)


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
def has_room(states: Any, edges: Any, trees: Any, t: int, batch: int) -> bool:
    """Whether tree t can take a batch of so many more leaves."""
    nodes_left = states.shape[1] - int64(trees[t].nodes)
    edges_left = edges.shape[1] - int64(trees[t].edges)
    return bool(nodes_left > batch and edges_left > batch * MOST_EDGES)


@compiled
def back_up(states: Any, nodes: Any, edges: Any, trees: Any, roots: Any, leaves: Any, t: int, b: int) -> None:
    """Add the value of the leaf to every edge on the way to it."""
    leaf = int64(leaves[b].node)
    node = ROOT
    for at in range(int64(leaves[b].length)):
        edge = int64(leaves[b].path[at])
        edges[t, edge].total += value_for(nodes, t, leaf, int64(nodes[t, node].seat))
        edges[t, edge].waiting -= 1
        node = int64(edges[t, edge].child)
    if leaves[b].length > 0:
        for seat in range(int64(states[t, ROOT].players)):
            roots[t, leaves[b].path[0], 0, seat] += nodes[t, leaf].win[seat]
            roots[t, leaves[b].path[0], 1, seat] += nodes[t, leaf].margin[seat]
    trees[t].visits += 1


@compiled
def set_value(states: Any, nodes: Any, t: int, node: int, outcome: Any, b: int) -> None:
    """Take over an evaluator's answer, `outcome[b, 0 or 1, turn]` with the acting seat's turn first."""
    players = int64(states[t, node].players)
    for turn in range(players):
        seat = (int64(states[t, node].seat) + turn) % players
        nodes[t, node].win[seat] = outcome[b, 0, turn]
        nodes[t, node].margin[seat] = outcome[b, 1, turn]
