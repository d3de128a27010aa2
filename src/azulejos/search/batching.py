"""Leaves by the batch: what a processor core hands to an evaluator at once."""

from __future__ import annotations

from typing import Any, Final

from numpy.typing import NDArray

from azulejos.net.features import write_features
from azulejos.rules.compiled import compiled, int64
from azulejos.rules.state import DEAL_DUE
from azulejos.rules.supply import deal, seed_stream
from azulejos.search.atomic import add
from azulejos.search.memory import recall, remember
from azulejos.search.together import (
    back_up_together,
    descend_together,
    expand_together,
    take_turn,
    turn_back_together,
)
from azulejos.search.tree import PENDING, UNEXPANDED
from azulejos.search.walk import back_up, descend, expand, set_value, turn_back

WALKS_PER_LEAF: Final = 4
"""Walks for each leaf of a batch, at most; those that end in finished games take nodes too."""
DEALS_SEED: Final = 1
"""What the deals after a round's end follow from: the same for all ends, so that they can be compared."""
NET_EVENLY: Final = 0.01
"""Share of the priors that all moves have alike."""


@compiled
def collect(
    states: Any,
    nodes: Any,
    edges: Any,
    trees: Any,
    roots: Any,
    leaves: Any,
    t: int,
    batch: int,
    end: int,
    words: Any,
    memory: Any,
    x: Any,
    exploration: float,
    reduction: float,
) -> int:
    """Walk tree t until a batch of new leaves is found, their features in `x`; returns how many there are.

    Leaves whose value is known or remembered are counted at once; all in all no more than `end` visits of the tree. A
    walk that meets a leaf of this batch again ends it.
    """
    found = 0
    for _ in range(WALKS_PER_LEAF * batch):
        if found == batch or int64(trees[t].visits) + found >= end:
            break
        kind = descend(states, nodes, edges, trees, leaves, t, found, exploration, reduction)
        node = int64(leaves[found].node)
        if kind == UNEXPANDED:
            row = recall(memory, words[t, node])
            if row < 0:
                write_features(states[t, node], x[found])
                found += 1
                continue
            set_value(states, nodes, t, node, memory.outcome, row)
            expand(states, nodes, edges, trees, t, node, memory.logits, row, NET_EVENLY)
        elif kind == PENDING:
            turn_back(edges, leaves, t, found)
            break
        back_up(states, nodes, edges, trees, roots, leaves, t, found)
    return found


@compiled
def absorb(
    states: Any,
    nodes: Any,
    edges: Any,
    trees: Any,
    roots: Any,
    leaves: Any,
    t: int,
    count: int,
    words: Any,
    memory: Any,
    logits: Any,
    outcome: Any,
) -> None:
    """Take in an evaluator's answers for the collected leaves."""
    for b in range(count):
        node = int64(leaves[b].node)
        remember(memory, words[t, node], logits, outcome, b)
        set_value(states, nodes, t, node, outcome, b)
        expand(states, nodes, edges, trees, t, node, logits, b, NET_EVENLY)
        back_up(states, nodes, edges, trees, roots, leaves, t, b)


@compiled
def collect_together(
    states: Any,
    nodes: Any,
    edges: Any,
    trees: Any,
    roots: Any,
    leaves: Any,
    t: int,
    batch: int,
    end: int,
    words: Any,
    memory: Any,
    x: Any,
    fresh: Any,
    exploration: float,
    reduction: float,
) -> int:
    """Like `collect`, for one of several threads that are to bring tree t to `end` visits.

    A walk that meets a leaf that this or another thread has waiting ends the batch.
    """
    found = 0
    for _ in range(WALKS_PER_LEAF * batch):
        if found == batch or not take_turn(trees, t, end):
            break
        kind = descend_together(states, nodes, edges, trees, leaves, t, found, exploration, reduction)
        node = int64(leaves[found].node)
        if kind == UNEXPANDED:
            row = recall(memory, words[t, node])
            if row < 0:
                write_features(states[t, node], x[found])
                found += 1
                continue
            set_value(states, nodes, t, node, memory.outcome, row)
            expand_together(states, nodes, edges, trees, t, node, memory.logits, row, NET_EVENLY, fresh)
        elif kind == PENDING:
            turn_back_together(edges, leaves, t, found)
            add(trees[t], "visits", -1)
            break
        back_up_together(states, nodes, edges, roots, leaves, t, found)
    return found


@compiled
def absorb_together(
    states: Any,
    nodes: Any,
    edges: Any,
    trees: Any,
    roots: Any,
    leaves: Any,
    t: int,
    count: int,
    words: Any,
    memory: Any,
    logits: Any,
    outcome: Any,
    fresh: Any,
) -> None:
    """Like `absorb`, beside other threads."""
    for b in range(count):
        node = int64(leaves[b].node)
        remember(memory, words[t, node], logits, outcome, b)
        set_value(states, nodes, t, node, outcome, b)
        expand_together(states, nodes, edges, trees, t, node, logits, b, NET_EVENLY, fresh)
        back_up_together(states, nodes, edges, roots, leaves, t, b)


@compiled
def deal_each(states: Any, number: int) -> None:
    """Deal number so and so for every state before a deal."""
    for at in range(len(states)):
        if states[at].phase == DEAL_DUE:
            seed_stream(states[at], DEALS_SEED, number)
            deal(states[at])


def dealt(states: NDArray[Any], number: int) -> NDArray[Any]:
    """Copies of some states, those before a deal after deal number so and so."""
    copies = states.copy()
    deal_each(copies, number)
    return copies


@compiled
def write_batch(states: Any, x: Any) -> None:
    """The features of some states."""
    for at in range(len(states)):
        write_features(states[at], x[at])


@compiled
def set_ends(states: Any, outcome: Any, win: Any, margin: Any) -> None:
    """Outcomes of round ends by absolute seat, from an evaluator's answers."""
    for at in range(len(states)):
        players = int64(states[at].players)
        for turn in range(players):
            seat = (int64(states[at].seat) + turn) % players
            win[at, seat] = outcome[at, 0, turn]
            margin[at, seat] = outcome[at, 1, turn]
