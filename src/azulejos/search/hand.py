"""The search without a network: a leaf is played out to the end of its round and valued there by hand-made features."""

from __future__ import annotations

from typing import Any

from azulejos.rules.compiled import compiled, int64, uint64
from azulejos.rules.state import DEAL_DUE, OVER, State
from azulejos.rules.supply import mix
from azulejos.rules.turn import step
from azulejos.search.atomic import claim, publish
from azulejos.search.evaluation import predict
from azulejos.search.policy import quick_action, write_line_values, write_logits
from azulejos.search.together import (
    back_up_together,
    descend_together,
    expand_together,
    take_turn,
    turn_back_together,
)
from azulejos.search.tree import CLOSED, PENDING, ROOT, UNEXPANDED, VALUED
from azulejos.search.walk import back_up, descend, expand, final_margin, has_room, set_value, turn_back, win_share

PRIOR_HEAT = 1.5
"""Points by which a move must look better to be tried e times as often."""
HAND_EVENLY = 0.1
"""Share of the priors that all moves have alike."""
PLAYOUT_HEAT = 0.3
"""Points of noise in the moves of a playout."""


@compiled
def play_to_round_end(state: State, values: Any, heat: float) -> int:
    """Play quick moves until the round or the game is over; returns how many."""
    moves = 0
    while state.phase not in (DEAL_DUE, OVER):
        step(state, quick_action(state, values, heat))
        moves += 1
    return moves


@compiled
def value_by_hand(state: State, weights: Any, features: Any, outcome: Any, b: int) -> None:
    """Write the outcome of a round's end, or of a finished game, into `outcome[b]`."""
    if state.phase != OVER:
        predict(state, weights, features, outcome, b)
        return
    players = int64(state.players)
    for turn in range(players):
        seat = (int64(state.seat) + turn) % players
        outcome[b, 0, turn] = win_share(state, seat)
        outcome[b, 1, turn] = final_margin(state, seat)


@compiled
def value_ends_by_hand(states: Any, weights: Any, features: Any, outcome: Any, win: Any, margin: Any) -> None:
    """Write the outcomes of the ends of rounds into `win[n, seat]` and `margin[n, seat]`."""
    for at in range(len(states)):
        value_by_hand(states[at], weights, features, outcome, 0)
        players = int64(states[at].players)
        for turn in range(players):
            seat = (int64(states[at].seat) + turn) % players
            win[at, seat] = outcome[0, 0, turn]
            margin[at, seat] = outcome[0, 1, turn]


@compiled
def value_by_playout(
    state: State, values: Any, scratch: Any, seed: int, weights: Any, features: Any, outcome: Any
) -> int:
    """Write the outcome of a leaf into `outcome[0]`, its acting seat's turn first; returns the moves played."""
    scratch[0] = state
    scratch[0].rng = mix(uint64(seed))
    moves = play_to_round_end(scratch[0], values, PLAYOUT_HEAT)
    value_by_hand(scratch[0], weights, features, outcome, 1)
    players = int64(state.players)
    shift = (int64(state.seat) - int64(scratch[0].seat)) % players
    for turn in range(players):
        outcome[0, 0, turn] = outcome[1, 0, (turn + shift) % players]
        outcome[0, 1, turn] = outcome[1, 1, (turn + shift) % players]
    return moves


@compiled
def final_playouts(state: State, values: Any, scratch: Any, seed: int, playouts: int) -> int:
    """Play the round out so many times; returns how often that was the end of the game."""
    final = 0
    write_line_values(state, values)
    for number in range(playouts):
        scratch[0] = state
        scratch[0].rng = mix(uint64(seed) + uint64(number))
        play_to_round_end(scratch[0], values, PLAYOUT_HEAT)
        final += 1 if scratch[0].phase == OVER else 0
    return final


@compiled
def blend_playouts(
    states: Any,
    leaves: Any,
    t: int,
    count: int,
    seed: int,
    weights: Any,
    values: Any,
    scratch: Any,
    features: Any,
    spare: Any,
    outcome: Any,
    share: float,
    final_share: float,
) -> int:
    """Mix a playout into somebody else's outcome of each leaf; returns the playout moves.

    It has this share, or the final one if it ended the game: then its outcome is no guess.
    """
    moves = 0
    write_line_values(states[t, ROOT], values)
    for b in range(count):
        node = int64(leaves[b].node)
        number = uint64(seed) + uint64(node)
        moves += value_by_playout(states[t, node], values, scratch, number, weights, features, spare)
        part = final_share if scratch[0].phase == OVER else share
        for turn in range(int64(states[t, node].players)):
            for what in range(2):
                outcome[b, what, turn] += part * (spare[0, what, turn] - outcome[b, what, turn])
    return moves


@compiled
def open_node(states: Any, nodes: Any, edges: Any, trees: Any, t: int, node: int, values: Any, logits: Any) -> None:
    """Give a valued node its edges."""
    write_logits(states[t, node], values, PRIOR_HEAT, logits, 0)
    expand(states, nodes, edges, trees, t, node, logits, 0, HAND_EVENLY)


@compiled
def simulate_by_hand(
    states: Any,
    nodes: Any,
    edges: Any,
    trees: Any,
    roots: Any,
    leaves: Any,
    t: int,
    count: int,
    seed: int,
    weights: Any,
    values: Any,
    scratch: Any,
    features: Any,
    logits: Any,
    outcome: Any,
    exploration: float,
    reduction: float,
) -> int:
    """Run so many simulations in tree t, fewer when it is full; returns the playout moves."""
    moves = 0
    write_line_values(states[t, ROOT], values)
    for _ in range(count):
        if not has_room(states, edges, trees, t, 1):
            break
        kind = descend(states, nodes, edges, trees, leaves, t, t, exploration, reduction)
        if kind == VALUED:
            open_node(states, nodes, edges, trees, t, int64(leaves[t].node), values, logits)
            turn_back(edges, leaves, t, t)
            kind = descend(states, nodes, edges, trees, leaves, t, t, exploration, reduction)
        node = int64(leaves[t].node)
        if kind == UNEXPANDED:
            number = uint64(seed) + uint64(trees[t].visits)
            moves += value_by_playout(states[t, node], values, scratch, number, weights, features, outcome)
            set_value(states, nodes, t, node, outcome, 0)
            nodes[t, node].kind = CLOSED if states[t, node].phase == DEAL_DUE else VALUED
            if node == ROOT:
                open_node(states, nodes, edges, trees, t, node, values, logits)
        back_up(states, nodes, edges, trees, roots, leaves, t, t)
    return moves


@compiled
def find_leaf_together(
    states: Any,
    nodes: Any,
    edges: Any,
    trees: Any,
    leaves: Any,
    t: int,
    values: Any,
    logits: Any,
    fresh: Any,
    exploration: float,
    reduction: float,
) -> int:
    """Walk until a leaf is found that no other thread is at; returns b, the leaf being `leaves[b]`.

    The ways in `leaves[:b]` ended where others are at work. They go on counting as visited, which sends the next
    walk elsewhere, and are to be turned back in the end.
    """
    b = 0
    while True:
        kind = descend_together(states, nodes, edges, trees, leaves, t, b, exploration, reduction)
        node = int64(leaves[b].node)
        if kind == VALUED and claim(nodes[t, node], "kind", VALUED, PENDING):
            write_logits(states[t, node], values, PRIOR_HEAT, logits, 0)
            expand_together(states, nodes, edges, trees, t, node, logits, 0, HAND_EVENLY, fresh)
            turn_back_together(edges, leaves, t, b)
        elif kind not in (VALUED, PENDING):
            return b
        elif b + 1 < len(leaves):
            b += 1
        else:
            turn_back_together(edges, leaves, t, b)


@compiled
def simulate_together(
    states: Any,
    nodes: Any,
    edges: Any,
    trees: Any,
    roots: Any,
    leaves: Any,
    t: int,
    end: int,
    threads: int,
    seed: int,
    weights: Any,
    values: Any,
    scratch: Any,
    features: Any,
    logits: Any,
    outcome: Any,
    fresh: Any,
    exploration: float,
    reduction: float,
) -> int:
    """Run simulations beside other threads until tree t has `end` visits or is full; returns the playout moves."""
    moves = 0
    write_line_values(states[t, ROOT], values)
    while has_room(states, edges, trees, t, threads) and take_turn(trees, t, end):
        b = find_leaf_together(states, nodes, edges, trees, leaves, t, values, logits, fresh, exploration, reduction)
        node = int64(leaves[b].node)
        if nodes[t, node].kind == PENDING:
            number = uint64(seed) + uint64(node)
            moves += value_by_playout(states[t, node], values, scratch, number, weights, features, outcome)
            set_value(states, nodes, t, node, outcome, 0)
            publish(nodes[t, node], "kind", CLOSED if states[t, node].phase == DEAL_DUE else VALUED)
        back_up_together(states, nodes, edges, roots, leaves, t, b)
        for lost in range(b):
            turn_back_together(edges, leaves, t, lost)
    return moves
