"""A tree of a million nodes has to fit into a gibibyte, and a tree must not run out of edges long before its nodes."""

from __future__ import annotations

import pytest

from azulejos import Game
from azulejos.rules.state import STATE
from azulejos.search.driver import edges_for
from azulejos.search.evaluators import ByHand
from azulejos.search.searcher import Searcher
from azulejos.search.tree import EDGE, NODE


def test_a_million_nodes_fit_into_a_gibibyte() -> None:
    nodes = 1_000_000
    edges = edges_for(nodes)
    assert nodes * (STATE.itemsize + NODE.itemsize) + edges * EDGE.itemsize < 2**30


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("nodes", [300, 5000, 100_000])
def test_the_room_for_edges_lasts_nearly_as_long_as_the_room_for_nodes(players: int, nodes: int) -> None:
    searcher = Searcher([ByHand()], nodes)
    searcher.search(Game(players, "gray", seed=1).states, nodes=nodes)
    tree = searcher._forest.trees[0]
    assert int(tree["nodes"]) > 0.8 * nodes
