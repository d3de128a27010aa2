"""The search without a network: a leaf is played out to the end of its round and valued there by hand-made features."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejos.rules.compiled import compiled, int64, uint64
from azulejos.rules.state import ACTIONS, DEAL_DUE, MAX_PLAYERS, OVER, STATE, State
from azulejos.rules.supply import mix
from azulejos.rules.turn import step
from azulejos.search.atomic import claim, publish
from azulejos.search.evaluation import SEAT_FEATURES, evaluation_weights, predict
from azulejos.search.mcts import back_up, expand, has_room, select, set_value, take_ticket, undo_select
from azulejos.search.policy import LINE_VALUES, quick_action, write_line_values, write_logits
from azulejos.search.tree import CLOSED, PENDING, ROOT, VALUED, record_of
from azulejos.search.utility import final_margin, win_share

PRIOR_TEMPERATURE: Final = 1.5
"""Points by which a move must look better to be tried e times as often."""
PLAYOUT_TEMPERATURE: Final = 0.3
"""Points of noise in the moves of a playout."""


HAND_ROOM: Final = record_of(
    ("seed", "u8"),  # what the noise of the playouts follows from
    ("moves", "i8"),  # how many were played in all playouts so far
    ("values", "f4", LINE_VALUES),  # what complete lines are worth in the round that is searched
    ("features", "f4", (SEAT_FEATURES,)),  # those of a board at the end of a round
    ("logits", "f4", (ACTIONS,)),  # what moves look like at first sight
    ("outcome", "f4", (2, MAX_PLAYERS)),  # what was found of a position, the turn first that acts there
    ("end", "f4", (2, MAX_PLAYERS)),  # the same of the end of a round
)
"""The record of what the evaluation by hand writes down."""


class Hand(NamedTuple):
    """The evaluation by hand, for one thread."""

    weights: NDArray[np.float32]
    """The fitted weights of `evaluation`."""
    played: NDArray[Any]
    """One state, in which the playout is played."""
    room: NDArray[Any]
    """One `HAND_ROOM`, in which it computes."""

    @staticmethod
    def make(seed: int) -> Hand:
        """An evaluation by hand with this noise in its playouts."""
        hand = Hand(evaluation_weights(), np.zeros(1, STATE), np.zeros(1, HAND_ROOM))
        hand.room["seed"] = seed
        return hand


@compiled
def play_to_round_end(state: State, values: Any, temperature: float) -> int:
    """Play quick moves until the round or the game is over; returns how many."""
    moves = 0
    while state.phase not in (DEAL_DUE, OVER):
        step(state, quick_action(state, values, temperature))
        moves += 1
    return moves


@compiled
def value_end(hand: Any, state: State, outcome: Any) -> None:
    """Write the outcome of a round's end, or of a finished game."""
    if state.phase != OVER:
        predict(state, hand.weights, hand.room[0].features, outcome)
        return
    players = int64(state.players)
    for turn in range(players):
        seat = (int64(state.seat) + turn) % players
        outcome[0, turn] = win_share(state, seat)
        outcome[1, turn] = final_margin(state, seat)


@compiled
def value_ends(hand: Any, states: Any, values: Any) -> None:
    """Write the outcomes of those states where a round is over into `values[0 or 1, n, seat]`."""
    for at in range(len(states)):
        players = int64(states[at].players)
        if states[at].phase not in (DEAL_DUE, OVER):
            continue
        value_end(hand, states[at], hand.room[0].end)
        for turn in range(players):
            seat = (int64(states[at].seat) + turn) % players
            values[0, at, seat] = hand.room[0].end[0, turn]
            values[1, at, seat] = hand.room[0].end[1, turn]


@compiled
def play_out(hand: Any, state: State, number: int) -> None:
    """Play the round out, with the noise of this number; `hand.played` is its end."""
    hand.played[0] = state
    hand.played[0].rng = mix(hand.room[0].seed + uint64(number))
    hand.room[0].moves += play_to_round_end(hand.played[0], hand.room[0].values, PLAYOUT_TEMPERATURE)


@compiled
def value_by_playout(hand: Any, state: State, number: int) -> None:
    """Write the outcome of a leaf into `hand.room`."""
    room = hand.room[0]
    play_out(hand, state, number)
    value_end(hand, hand.played[0], room.end)
    players = int64(state.players)
    shift = (int64(state.seat) - int64(hand.played[0].seat)) % players
    for turn in range(players):
        room.outcome[0, turn] = room.end[0, (turn + shift) % players]
        room.outcome[1, turn] = room.end[1, (turn + shift) % players]


@compiled
def final_playouts(hand: Any, states: Any, playouts: int) -> int:
    """Play the round of `states[0]` out so many times; returns how often that was the end of the game."""
    final = 0
    write_line_values(states[0], hand.room[0].values)
    for number in range(playouts):
        play_out(hand, states[0], number)
        final += 1 if hand.played[0].phase == OVER else 0
    return final


@compiled
def blend_playouts(hand: Any, forest: Any, t: int, count: int, outcome: Any, share: float, final_share: float) -> None:
    """Mix a playout into somebody else's outcome of each leaf.

    It has this share, or the final one if it ended the game: then its outcome is no guess.
    """
    write_line_values(forest.states[t, ROOT], hand.room[0].values)
    for b in range(count):
        node = int64(forest.leaves[b].node)
        value_by_playout(hand, forest.states[t, node], node)
        part = final_share if hand.played[0].phase == OVER else share
        for turn in range(int64(forest.states[t, node].players)):
            for what in range(2):
                outcome[b, what, turn] += part * (hand.room[0].outcome[what, turn] - outcome[b, what, turn])


@compiled
def find_leaf(forest: Any, t: int, hand: Any, tuning: Any) -> int:
    """Select until a leaf is found that no other thread is at; returns b, the leaf being `leaves[b]`.

    A node gets its edges when it is met for the second time. The ways in `leaves[:b]` ended where others are at work.
    They go on counting as visited, which sends the next one elsewhere, and are to be undone in the end.
    """
    b = int64(0)
    while True:
        kind = select(forest, t, b, tuning)
        node = int64(forest.leaves[b].node)
        if kind == VALUED and claim(forest, forest.nodes[t, node], "kind", VALUED, PENDING):
            expand_by_hand(forest, t, node, hand, tuning)
            undo_select(forest, t, b)
        elif kind not in (VALUED, PENDING):
            return b
        elif b + 1 < len(forest.leaves):
            b += 1
        else:
            undo_select(forest, t, b)


@compiled
def expand_by_hand(forest: Any, t: int, node: int, hand: Any, tuning: Any) -> None:
    """Give a node its edges."""
    room = hand.room[0]
    write_logits(forest.states[t, node], room.values, PRIOR_TEMPERATURE, room.logits)
    expand(forest, t, node, room.logits, tuning.prior_floor)


@compiled
def simulate(forest: Any, t: int, end: int, threads: int, hand: Any, tuning: Any) -> None:
    """Run simulations, beside other threads if there are several, until tree t has `end` visits or is full."""
    write_line_values(forest.states[t, ROOT], hand.room[0].values)
    while has_room(forest, t, threads):
        ticket = take_ticket(forest, t, end)
        if ticket < 0:
            break
        b = find_leaf(forest, t, hand, tuning)
        node = int64(forest.leaves[b].node)
        if forest.nodes[t, node].kind == PENDING:
            value_by_playout(hand, forest.states[t, node], ticket)
            set_value(forest, t, node, hand.room[0].outcome)
            kind = CLOSED if forest.states[t, node].phase == DEAL_DUE else VALUED
            publish(forest, forest.nodes[t, node], "kind", kind)
            if node == ROOT:
                expand_by_hand(forest, t, node, hand, tuning)
        back_up(forest, t, b)
        for lost in range(b):
            undo_select(forest, t, lost)
