"""What is expected at the start of a game: measured for every kind of game, and what other deals say as well."""

from __future__ import annotations

import json
import math
from importlib import resources
from statistics import fmean, stdev

import numpy as np
import pytest

from azulejos import Game
from azulejos.analysis.analyst import Analyst
from azulejos.analysis.luck import DEAL_NODES
from azulejos.analysis.review import review
from azulejos.analysis.starts import STARTS, expect_start, starts
from azulejos.game.view import WALLS, Wall
from azulejos.net.choice import WEIGHTS, fingerprint
from azulejos.rules.state import MAX_PLAYERS, States

KINDS: list[tuple[int, Wall]] = [(players, wall) for players in (2, 3, 4) for wall in WALLS]
FRESH = 10
"""Deals of each kind that the table is compared with."""
UNLIKELY = 4.0
"""So many standard errors two estimates of the same thing are hardly ever apart."""


def is_known(states: States) -> bool:
    """Whether the table says what is expected."""
    return bool(expect_start(starts(), states[0], np.zeros((2, 2, MAX_PLAYERS))))


def test_every_kind_of_game_was_measured_with_the_networks_that_play() -> None:
    made = json.loads(resources.files("azulejos.analysis").joinpath(STARTS).read_text("utf-8"))
    rows = {(row["players"], row["wall"]): row for row in made["starts"]}
    again = "run `python benchmarks/review_checks.py starts.jsonl --parts starts --write starts`"
    assert rows.keys() == WEIGHTS.keys()
    assert made["nodes"] == DEAL_NODES, again
    assert {kind: row["network"] for kind, row in rows.items()} == {
        kind: fingerprint(name) for kind, name in WEIGHTS.items()
    }, again
    assert min(row["deals"] for row in rows.values()) >= 1000


@pytest.mark.parametrize(("players", "wall"), KINDS)
def test_other_deals_say_the_same(players: int, wall: Wall) -> None:
    analyst = Analyst(players, wall, nodes=DEAL_NODES)
    starter = players - 1
    expected, error = analyst.expect(Game.undealt(players, wall, starter).states)
    found = [analyst.value_dealt(Game(players, wall, seed=seed, starter=starter).states) for seed in range(FRESH)]
    assert sum(expected.win) == pytest.approx(1, abs=1e-3)
    assert max(range(players), key=lambda seat: expected.win[seat]) == starter
    for what in ("win", "margin"):
        for seat in range(players):
            values = [getattr(value, what)[seat] for value in found]
            doubt = math.hypot(getattr(error, what)[seat], stdev(values) / math.sqrt(FRESH))
            assert fmean(values) == pytest.approx(getattr(expected, what)[seat], abs=UNLIKELY * doubt)


def test_every_game_of_a_kind_begins_with_the_same_expectation() -> None:
    one, other, turned = (
        review(Game(seed=seed, starter=first).record(), nodes=64) for seed, first in ((1, 0), (2, 0), (3, 1))
    )
    assert one.deals[0].expected == other.deals[0].expected
    assert one.deals[0].after != other.deals[0].after
    assert one.receipts[0]["expected"] == turned.receipts[1]["expected"]


def test_only_the_start_of_a_whole_game_is_looked_up() -> None:
    assert is_known(Game.undealt(3, "gray", 2).states)
    assert not is_known(Game(seed=1).states)
    assert not is_known(Game.undealt(max_rounds=3).states)
    for field, value in (("round_number", 2), ("bag", 19), ("score", 1)):
        states = Game.undealt().states.copy()
        states[0][field] = value
        assert not is_known(states)
