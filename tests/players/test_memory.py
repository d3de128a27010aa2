"""What a player remembers: as much as its limit asks for, and not for every kind of game at once."""

from __future__ import annotations

import pytest

from azulejos import Game
from azulejos.players.levels import LEVELS
from azulejos.players.player import Limits
from azulejos.players.searching import MOST_KINDS, by_network, make_net
from azulejos.search.cache import ROWS
from azulejos.search.evaluators import ByNetwork


@pytest.mark.parametrize("level", [level for level in LEVELS if level.network], ids=lambda level: level.spec)
def test_answers_are_remembered_by_the_limit(level: object) -> None:
    nodes = getattr(level, "nodes", 0)
    few, many = by_network(2, "std", 0, nodes=nodes), by_network(2, "std", 0)
    assert isinstance(few, ByNetwork)
    assert isinstance(many, ByNetwork)
    assert nodes < len(few.asking.cache.keys) <= 128 * nodes
    assert len(many.asking.cache.keys) == ROWS


def test_only_the_last_kinds_of_games_are_kept() -> None:
    player = make_net("", 0)
    for players in (2, 3, 4):
        player.choose(Game(players, seed=1), Limits(milliseconds=1))
    kinds = {(players, wall) for players, wall, _ in player._searchers}
    assert kinds == {(3, "std"), (4, "std")}
    assert len(kinds) == MOST_KINDS
