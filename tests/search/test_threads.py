"""Several threads in one tree: nothing is lost, nothing is counted twice, and every limit holds as with one thread."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from azulejos import Game
from azulejos.game.view import Wall
from azulejos.net.choice import network_for
from azulejos.rules.compiled import compiled
from azulejos.rules.turn import step
from azulejos.search.atomic import add, claim, publish, read
from azulejos.search.batches import BATCH
from azulejos.search.evaluators import ByHand, ByNetwork
from azulejos.search.report import Report
from azulejos.search.searcher import Searcher
from azulejos.search.tree import CLOSED, EXPANDED, ROOT, VALUED, Forest, SharedForest
from azulejos.search.utility import utility
from tests.search.test_searcher import check_limit_of_time

CONFIGURATIONS: list[tuple[int, Wall]] = [(2, "std"), (2, "gray"), (3, "std"), (4, "gray")]
THREADS = 4


def by_hand(threads: int = THREADS, *, nodes: int = 30_000, **options: Any) -> Searcher:
    return Searcher([ByHand(at) for at in range(threads)], nodes, **options)


def by_network(threads: int = THREADS, *, nodes: int = 5000, **options: Any) -> Searcher:
    return Searcher([ByNetwork(network_for(2, "std", BATCH)) for _ in range(threads)], nodes, **options)


@compiled
def count_up(forest: Any, times: int) -> None:
    for _ in range(times):
        add(forest, forest.edges[0, 0], "visits", 1)
        add(forest, forest.edges[0, 0], "total", 0.5)


@compiled
def claim_all(forest: Any, mark: int) -> int:
    """Claim every edge that is still to be had; what is claimed has to have been published by its claimer."""
    mine = 0
    for at in range(forest.edges.shape[1]):
        edge = forest.edges[0, at]
        if claim(forest, edge, "child", -1, -2):
            edge.action = mark
            publish(forest, edge, "child", mark)
            mine += 1
        else:
            while read(forest, edge, "child") == -2:
                pass
            if edge.action != edge.child:
                return -1
    return mine


def shared(edges: int) -> SharedForest:
    return Forest.grow(1, 1, edges, 1).share()


def in_threads(work: Sequence[Any]) -> None:
    threads = [threading.Thread(target=each) for each in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_no_step_of_two_threads_is_lost() -> None:
    forest, times = shared(1), 200_000
    count_up(forest, 0)
    in_threads([lambda: count_up(forest, times)] * THREADS)
    assert forest.edges[0, 0]["visits"] == THREADS * times
    assert forest.edges[0, 0]["total"] == THREADS * times / 2


def test_only_one_thread_gets_what_several_claim() -> None:
    forest = shared(200_000)
    claim_all(shared(0), 0)
    forest.edges["child"] = -1
    gained: list[int] = []
    in_threads([lambda mark=mark: gained.append(claim_all(forest, mark)) for mark in range(THREADS)])
    assert min(gained) >= 0
    assert sum(gained) == forest.edges.size
    assert sorted(gained) == sorted(np.bincount(forest.edges[0]["action"], minlength=THREADS).tolist())


class Checked:
    """A tree that several threads have grown, looked through from its root."""

    def __init__(self, finder: Searcher) -> None:
        forest = finder._forest
        self.tree = forest.trees[0]
        self.states, self.nodes = forest.states[0], forest.nodes[0, : self.tree["nodes"]]
        self.edges = forest.edges[0, : self.tree["edges"]]

    def edges_of(self, node: int) -> Any:
        record = self.nodes[node]
        return self.edges[record["first"] : record["first"] + record["count"]]

    def value(self, node: int, seat: int) -> float:
        return utility(float(self.nodes[node]["win"][seat]), float(self.nodes[node]["margin"][seat]))

    def check(self) -> None:
        self.check_indices()
        for node in np.flatnonzero(self.nodes["kind"] == EXPANDED).tolist():
            self.check_visits(node)
            self.check_children(node)
            if node != ROOT:
                self.check_order(node)
        count = int(self.nodes[ROOT]["count"])
        visits = self.edges[:count]["visits"]
        assert visits.sum() == self.tree["visits"] - 1

    def check_indices(self) -> None:
        """Every node has one edge that leads to it, every edge one node that it belongs to, and nobody is at work."""
        assert set(np.unique(self.nodes["kind"])) <= {EXPANDED, VALUED, CLOSED}
        children = self.edges["child"][self.edges["child"] >= 0]
        assert sorted(children.tolist()) == list(range(1, len(self.nodes)))
        assert (self.edges["child"] >= -1).all()
        assert ((self.edges["visits"] > 0) == (self.edges["child"] >= 0)).all()
        opened = self.nodes[self.nodes["kind"] == EXPANDED]
        spans = sorted(zip(opened["first"].tolist(), opened["count"].tolist(), strict=True))
        assert [first for first, _ in spans] == [0, *np.cumsum([count for _, count in spans])[:-1].tolist()]
        assert sum(count for _, count in spans) == len(self.edges)

    def check_visits(self, node: int) -> None:
        """A node was valued once, and everything else went through one of its edges."""
        for edge in self.edges_of(node):
            child = int(edge["child"])
            if child >= 0 and self.nodes[child]["kind"] != CLOSED:
                assert edge["visits"] == 1 + self.edges_of(child)["visits"].sum()
            if child >= 0:
                self.check_total(int(self.nodes[node]["seat"]), edge)

    def check_total(self, seat: int, edge: Any) -> None:
        """What an edge has added up, where that can be told from what is below: with two players, or from a leaf."""
        child = int(edge["child"])
        visits, own = int(edge["visits"]), self.value(child, seat)
        if self.nodes[child]["kind"] != EXPANDED:
            assert edge["total"] == pytest.approx(visits * own, rel=1e-4)
        elif self.states[ROOT]["players"] == 2:
            below = self.edges_of(child)
            total, count = float(below["total"].sum()), int(below["visits"].sum())
            expected = own + (total if self.nodes[child]["seat"] == seat else count - total)
            assert edge["total"] == pytest.approx(expected, abs=1e-3 * visits)

    def check_children(self, node: int) -> None:
        """Behind every edge is the state that its action leads to."""
        for edge in self.edges_of(node):
            if edge["child"] >= 0:
                state = self.states[node : node + 1].copy()
                follow(state, int(edge["action"]))
                assert state.tobytes() == self.states[edge["child"]].tobytes()

    def check_order(self, node: int) -> None:
        """Visited edges come first, then the one with the highest prior of the others."""
        edges = self.edges_of(node)
        visited = int((edges["visits"] > 0).sum())
        assert (edges["visits"][:visited] > 0).all()
        assert (np.diff(edges["prior"][:visited]) <= 0).all()
        if visited < len(edges):
            assert edges["prior"][visited] == edges["prior"][visited:].max()


@compiled
def follow(states: Any, action: int) -> None:
    step(states[0], action)


@pytest.mark.parametrize(("players", "wall"), CONFIGURATIONS)
def test_nothing_is_lost_by_hand(players: int, wall: Wall) -> None:
    finder, game = by_hand(), Game(players, wall, seed=4)
    report = finder.search(game.states, nodes=6000)
    assert report.nodes == 6000
    assert {candidate.action for candidate in report.candidates} == {move.id for move in game.legal_moves}
    Checked(finder).check()


@pytest.mark.parametrize("halving", [0, 8])
def test_nothing_is_lost_with_the_network(halving: int) -> None:
    finder = by_network(halving=halving)
    report = finder.search(Game(seed=4).states, nodes=1500)
    assert report.nodes == 1500
    if halving:
        assert sum(candidate.visits > 0 for candidate in report.candidates) == halving
    Checked(finder).check()


@pytest.mark.parametrize("room", [20, 100, 600])
def test_full_trees_stay_whole(room: int) -> None:
    """Small trees, again and again, until their room is used up: that is where threads meet most."""
    finder = by_hand(8, nodes=room, solve=False)
    for seed in range(40):
        report = finder.search(Game(2 + seed % 3, ("std", "gray")[seed % 2], seed=seed).states, seconds=30)
        assert room <= len(Checked(finder).nodes) <= room + 8 * 64
        assert report.nodes >= room
        Checked(finder).check()


def test_full_trees_of_the_network_stay_whole() -> None:
    finder = by_network(8, nodes=100, solve=False)
    for seed in range(10):
        finder.search(Game(seed=seed).states, seconds=30)
        Checked(finder).check()


def test_a_tree_without_room_for_edges_stays_whole() -> None:
    finder = by_hand(8, nodes=3000, solve=False)
    finder._forest = finder._forest._replace(edges=finder._forest.edges[:, :6000])
    finder._shares = [share._replace(edges=share.edges[:, :6000]) for share in finder._shares]
    for seed in range(10):
        report = finder.search(Game(4, seed=seed).states, nodes=3000)
        assert report.nodes > 20  # the room is used up about there, sooner or later as the threads go
        Checked(finder).check()


def test_few_positions_and_an_only_move() -> None:
    finder = by_hand(8, solve=False)
    for nodes in (1, 2, 3, 9):
        assert finder.search(Game(seed=1).states, nodes=nodes).nodes == nodes
        Checked(finder).check()
    game = Game.from_position("std -/-/-/-/- B 0:B/B2/B3/B4/B5:5/5/5/5/5:F 0:-/-/-/-/-:5/5/5/5/5:- Y20R20K20W20 d1 1@1")
    assert finder.search(game.states, nodes=500).best.visits > 0


@pytest.mark.parametrize("make", [by_hand, by_network])
def test_limits_of_time_hold(make: Callable[..., Searcher]) -> None:
    finder = make(nodes=1_000_000)
    finder.search(Game(seed=9).states, nodes=200)
    check_limit_of_time(finder, 0.3)
    Checked(finder).check_indices()


@pytest.mark.parametrize("make", [by_hand, by_network])
def test_it_can_be_stopped_and_tells_news(make: Callable[..., Searcher]) -> None:
    finder, stop, news = make(nodes=1_000_000), threading.Event(), list[Report]()
    threading.Timer(1.2, stop.set).start()
    started = time.perf_counter()
    report = finder.search(Game(seed=9).states, stop=stop.is_set, tell=news.append)
    assert time.perf_counter() - started < 20
    assert len(news) >= 2
    assert news[-1] == report
    assert [each.nodes for each in news] == sorted(each.nodes for each in news)
    assert all(sum(move.visits for move in each.candidates) == each.nodes - 1 for each in news)


def test_a_thread_that_fails_leaves_nobody_in_the_tree() -> None:
    class Failing(ByHand):
        def grow(self, forest: Forest, end: int, threads: int = 1, deadline: float = math.inf) -> None:
            if threads > 1:
                raise KeyError("broken")
            super().grow(forest, end, threads, deadline)

    good, game = ByHand(), Game(seed=6)
    for evaluators in ([good, Failing()], [Failing(), good]):
        with pytest.raises(KeyError, match="broken"):
            Searcher(evaluators, 300_000).search(game.states, seconds=30)


def test_the_end_of_a_round_is_solved_as_with_one_thread() -> None:
    game = Game(seed=11)
    while sum(map(sum, (game.view.center, *game.view.displays))) > 5:
        game.play(game.legal_moves[len(game.legal_moves) // 2])
    alone, together = (by_hand(threads).search(game.states, nodes=100) for threads in (1, THREADS))
    assert together.solved
    assert together.candidates == alone.candidates


def test_four_threads_think_much_the_same_as_one() -> None:
    """The order of walks differs from run to run; what is found out does not, except for a move now and then."""
    apart = []
    for seed in range(5):
        alone, together = (by_hand(n).search(Game(seed=seed).states, nodes=20_000) for n in (1, THREADS))
        means = {move.action: move.win[0] for move in alone.candidates if move.visits > 1000}
        known = [move for move in together.candidates if move.action in means and move.visits > 1000]
        apart += [abs(move.win[0] - means[move.action]) for move in known]
    assert len(apart) >= 3
    assert sum(apart) / len(apart) < 0.05
