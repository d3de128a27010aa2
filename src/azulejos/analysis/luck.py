"""What a deal was worth: what is expected before it, over many deals that might have come.

The network is asked about many deals, and a search about the first few of them: how much better it knows than the
network is added to the network's mean (a control variate). So few searches give what many would.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from azulejos.net.arithmetic import evaluate
from azulejos.net.features import write_features
from azulejos.rules.compiled import compiled, int64
from azulejos.rules.state import State
from azulejos.search.batches import BATCH, deal_number

SAMPLED_DEALS: Final = 512
"""How many deals the network is asked about."""
SEARCHED_DEALS: Final = 16
"""How many of the deals, the first, are searched."""
DEAL_NODES: Final = 1000
"""Positions looked at in each of these searches."""


@compiled
def sample_deals(asking: Any, state: State, start: int, end: int, sampled: Any) -> None:
    """Write what the network says after each deal from one number up to another into `sampled[deal, 0 or 1, seat]`.

    Which deals these are follows from the bag alone: always the same for the same position.
    """
    room = asking.room[0]
    players = int64(state.players)
    for first in range(start, end, BATCH):
        batch = min(BATCH, end - first)
        for at in range(batch):
            asking.dealt[0] = state
            deal_number(asking.dealt[0], first + at)
            write_features(asking.dealt[0], room.x[at])
        evaluate(asking.network, room.x, batch)
        room.asked += batch
        for at in range(batch):
            for turn in range(players):
                seat = (int64(state.seat) + turn) % players
                for what in range(2):
                    sampled[first + at, what, seat] = asking.network.answers.outcome[at, what, turn]


@compiled
def expect(sampled: Any, searched: Any, expected: Any) -> None:
    """Write what is expected before a deal, and how far that may be off (one standard error), for each seat.

    `sampled` is what the network says of all deals, `searched` what the search says of the first of them; the answer is
    `expected[0 or 1 for the error, 0 or 1 for win or margin, seat]`.
    """
    for what in range(2):
        for seat in range(expected.shape[2]):
            mean, spread = mean_and_spread(sampled, sampled, 0.0, len(sampled), what, seat)
            better, doubt = mean_and_spread(searched, sampled, 1.0, len(searched), what, seat)
            expected[0, what, seat] = mean + better
            expected[1, what, seat] = np.sqrt(spread / len(sampled) + doubt / max(1, len(searched)))


@compiled
def mean_and_spread(values: Any, base: Any, share: float, count: int, what: int, seat: int) -> tuple[float, float]:
    """Mean and variance over deals of a value less a share of another."""
    total = 0.0
    for deal in range(count):
        total += values[deal, what, seat] - share * base[deal, what, seat]
    mean = total / max(1, count)
    squares = 0.0
    for deal in range(count):
        squares += (values[deal, what, seat] - share * base[deal, what, seat] - mean) ** 2
    return mean, squares / max(1, count - 1)
