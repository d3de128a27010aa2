"""The search with the network: leaves are collected by the batch, valued at once, and taken in."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejos.net.arithmetic import ReadyNetwork, evaluate
from azulejos.net.features import FEATURES, write_features
from azulejos.rules.compiled import compiled, int64
from azulejos.rules.ending import can_be_last_round
from azulejos.rules.state import DEAL_DUE, STATE, State
from azulejos.rules.supply import deal, seed_stream
from azulejos.search.atomic import add
from azulejos.search.cache import EvaluationCache, look_up, store
from azulejos.search.hand import Hand, blend_playouts
from azulejos.search.mcts import back_up, expand, select, set_value, take_ticket, undo_select
from azulejos.search.tree import PENDING, ROOT, UNEXPANDED, record_of

BATCH: Final = 16
"""Leaves that go to the network at once."""
WALKS_PER_LEAF: Final = 4
"""Selections for each leaf of a batch, at most; those that end in finished games take nodes too."""
MOST_PER_BATCH: Final = WALKS_PER_LEAF * BATCH
"""Nodes that a batch can take."""
VISITS_PER_LEAF: Final = 8
"""A batch has one leaf for so many visits of the tree, lest a small tree be spread thin."""
DEALS_SEED: Final = 1
"""What the deals after a round's end follow from: the same for all ends, so that they can be compared."""
UNDEALT: Final = -1
"""Instead of the number of a deal: as it stands, before the deal."""
UNDEALT_COUNTS: Final = 4.0
"""What the network says of a round's end before the deal counts as much as so many deals after it."""

DONE: Final = 0
"""A slice of the search ended because the tree has its visits, or is full."""
PAUSED: Final = 1
"""A slice of the search ended because the network was asked often enough for now."""
BLOCKED: Final = 2
"""A slice of the search ended because only leaves were found that other threads have waiting."""


ASKING_ROOM: Final = record_of(
    ("playouts", "f8"),  # the share that a playout by hand has in the value of a leaf
    ("endings", "f8"),  # the same of a playout that ends the game
    ("asked", "i8"),  # how many positions the network was asked about so far
    ("which", "i8", (BATCH,)),  # which of the positions in question each row is
    ("x", "i1", (BATCH, FEATURES)),  # their features
)
"""The record of how a network is asked."""


class Asking(NamedTuple):
    """The network and what it said; for one thread."""

    network: ReadyNetwork
    """The network that is asked."""
    cache: EvaluationCache
    """What the network said before."""
    hand: Hand
    """The evaluation by hand, for the playouts."""
    dealt: NDArray[Any]
    """One state: the end of a round after a deal."""
    room: NDArray[Any]
    """One `ASKING_ROOM`, in which it computes."""

    @staticmethod
    def make(network: ReadyNetwork, hand: Hand, playouts: float, endings: float) -> Asking:
        """A network that has not been asked anything yet."""
        asking = Asking(network, EvaluationCache.empty(), hand, np.zeros(1, STATE), np.zeros(1, ASKING_ROOM))
        asking.room["playouts"], asking.room["endings"] = playouts, endings
        return asking


@compiled
def collect(forest: Any, t: int, end: int, batch: int, cache: Any, x: Any, tuning: Any) -> int:
    """Select leaves of tree t until a batch of new ones is found, their features in `x`; returns how many there are.

    Leaves whose value is known or in the cache are backed up at once; all in all no more than `end` visits of the tree.
    A leaf that waits already, with this or another thread, ends the batch.
    """
    found = int64(0)
    for _ in range(WALKS_PER_LEAF * batch):
        if found == batch or take_ticket(forest, t, end) < 0:
            break
        kind = select(forest, t, found, tuning)
        node = int64(forest.leaves[found].node)
        if kind == UNEXPANDED:
            row = look_up(cache, forest.states[t, node])
            if row < 0:
                write_features(forest.states[t, node], x[found])
                found += 1
                continue
            set_value(forest, t, node, cache.outcome[row])
            expand(forest, t, node, cache.logits[row], tuning.prior_floor)
        elif kind == PENDING:
            undo_select(forest, t, found)
            add(forest, forest.trees[t], "visits", -1)
            break
        back_up(forest, t, found)
    return found


@compiled
def take_in(forest: Any, t: int, count: int, cache: Any, answers: Any, tuning: Any) -> None:
    """Take in what the network said of the collected leaves."""
    for b in range(count):
        node = int64(forest.leaves[b].node)
        store(cache, forest.states[t, node], answers.logits[b], answers.outcome[b])
        set_value(forest, t, node, answers.outcome[b])
        expand(forest, t, node, answers.logits[b], tuning.prior_floor)
        back_up(forest, t, b)


@compiled
def simulate_batches(forest: Any, t: int, end: int, threads: int, most: int, asking: Any, tuning: Any) -> int:
    """Run simulations until tree t has `end` visits, or the network was asked about so many positions.

    Returns why it stopped: `DONE`, `PAUSED` or `BLOCKED`.
    """
    answers, room = asking.network.answers, asking.room[0]
    asked = 0
    can_end = room.endings > 0.0 and can_be_last_round(forest.states[t, ROOT])
    while asked < most:
        visits = int64(forest.trees[t].visits)
        if int64(forest.trees[t].nodes) + threads * MOST_PER_BATCH >= forest.states.shape[1]:
            return DONE
        batch = min(BATCH, 1 + visits // (VISITS_PER_LEAF * threads))
        count = collect(forest, t, end, batch, asking.cache, room.x, tuning)
        if count > 0:
            evaluate(asking.network, room.x, count)
            if room.playouts > 0.0 or can_end:
                blend_playouts(asking.hand, forest, t, count, answers.outcome, room.playouts, room.endings)
            take_in(forest, t, count, asking.cache, answers, tuning)
            asked += count
            room.asked += count
        elif int64(forest.trees[t].visits) >= end:
            return DONE
        elif int64(forest.trees[t].visits) == visits:
            return BLOCKED
    return PAUSED


@compiled
def ask_about_ends(asking: Any, states: Any, number: int, first: int, most: int, values: Any) -> int:
    """Mix what the network says after deal number so and so into `values[0 or 1, n, seat]` of states before a deal.

    What it says before the deal, which comes first, counts as several deals. It begins with state number `first`, stops
    after the batch in which it has asked about `most` of them, and returns the state to go on with.
    """
    share = np.float32(1.0) if number == UNDEALT else np.float32(1.0 / (UNDEALT_COUNTS + number + 1))
    room = asking.room[0]
    asked = 0
    count = 0
    for at in range(first, len(states)):
        if states[at].phase == DEAL_DUE:
            asking.dealt[0] = states[at]
            if number != UNDEALT:
                deal_number(asking.dealt[0], number)
            write_features(asking.dealt[0], room.x[count])
            room.which[count] = at
            count += 1
        if count == BATCH or (at + 1 == len(states) and count > 0):
            evaluate(asking.network, room.x, count)
            room.asked += count
            for b in range(count):
                mix_in(states[room.which[b]], asking.network.answers.outcome[b], share, values, room.which[b])
            asked += count
            count = 0
            if asked >= most:
                return at + 1
    return len(states)


@compiled
def mix_in(state: State, outcome: Any, share: Any, values: Any, at: int) -> None:
    """Give an outcome, the acting seat's turn first, a share of `values[0 or 1, at, seat]`."""
    players = int64(state.players)
    for turn in range(players):
        seat = (int64(state.seat) + turn) % players
        for what in range(2):
            values[what, at, seat] += share * (outcome[what, turn] - values[what, at, seat])


@compiled
def deal_number(state: State, number: int) -> None:
    """Deal number so and so: always the same for the same bag."""
    seed_stream(state, DEALS_SEED, number)
    deal(state)


@compiled
def blend_ends(states: Any, asked: Any, share: float, values: Any) -> None:
    """Turn values by hand of states before a deal into the network's, but for this share."""
    for at in range(len(states)):
        if states[at].phase == DEAL_DUE:
            for what in range(2):
                for seat in range(int64(states[at].players)):
                    by_hand = values[what, at, seat] - asked[what, at, seat]
                    values[what, at, seat] = asked[what, at, seat] + np.float32(share) * by_hand
