"""Sequential halving at the root: who is looked at how often, and when it does not take place."""

from __future__ import annotations

import math

import pytest

from azulejos import Game
from azulejos.game.view import Wall
from azulejos.net.choice import network_for
from azulejos.search.batches import BATCH
from azulejos.search.driver import FEWEST_HALVED
from azulejos.search.evaluators import ByHand, ByNetwork
from azulejos.search.report import Report
from azulejos.search.searcher import LONGEST_HALVED, Searcher
from azulejos.search.tree import Forest

CONFIGURATIONS: list[tuple[int, Wall]] = [(2, "std"), (3, "gray"), (4, "std")]


def search(game: Game, halving: int | None, *, threads: int = 1, nodes: int = 800) -> Report:
    return Searcher([ByHand(at) for at in range(threads)], 5000, halving=halving).search(game.states, nodes=nodes)


def visits(report: Report) -> list[int]:
    return sorted((candidate.visits for candidate in report.candidates if candidate.visits), reverse=True)


@pytest.mark.parametrize(("players", "wall"), CONFIGURATIONS)
@pytest.mark.parametrize("threads", [1, 2])
def test_half_of_the_moves_drop_out_three_times(players: int, wall: Wall, threads: int) -> None:
    report = search(Game(players, wall, seed=4), 8, threads=threads)
    assert report.nodes == 800
    seen = visits(report)
    assert len(seen) == 8
    if threads == 1:
        for expected, group in (33, seen[4:]), (33 + 67, seen[2:4]), (33 + 67 + 133, seen[:2]):
            assert all(abs(count - expected) <= 4 for count in group), seen
        assert report.best.visits >= 33 + 67 - 4
    else:  # one that is held up leaves its share of a stage to the other, and comes back in the next
        assert sum(seen[:2]) > sum(seen[2:4]) > sum(seen[4:]) / 2


@pytest.mark.parametrize(("players", "wall"), CONFIGURATIONS)
def test_those_with_the_highest_priors_take_part_and_keep_them(players: int, wall: Wall) -> None:
    game = Game(players, wall, seed=4)
    report, plain = search(game, 8), search(game, 0)
    priors = {candidate.action: candidate.prior for candidate in report.candidates}
    assert priors == {candidate.action: candidate.prior for candidate in plain.candidates}
    worst = min(candidate.prior for candidate in report.candidates if candidate.visits)
    assert sum(prior > worst for prior in priors.values()) < 8


def test_the_result_is_always_the_same() -> None:
    game = Game(seed=6)
    assert search(game, 8).candidates == search(game, 8).candidates
    searcher = Searcher([ByHand()], 5000, halving=8)
    first = searcher.search(game.states, nodes=500)
    searcher.search(Game(seed=7).states, nodes=300)
    assert searcher.search(game.states, nodes=500).candidates == first.candidates


def test_with_few_positions_to_look_at_the_selection_alone_decides() -> None:
    game = Game(seed=6)
    few, more = FEWEST_HALVED - 1, FEWEST_HALVED + 200
    assert search(game, 8, nodes=few).candidates == search(game, 0, nodes=few).candidates
    assert search(game, 8, nodes=more).candidates != search(game, 0, nodes=more).candidates


@pytest.mark.parametrize("seconds", [LONGEST_HALVED + 1, None])
def test_without_an_end_in_sight_the_selection_alone_decides(seconds: float | None) -> None:
    searcher, game = Searcher([ByHand()], 50_000, halving=4), Game(seed=6)
    searcher.search(game.states, nodes=100)
    looks = iter(range(20))
    report = searcher.search(game.states, seconds=seconds, stop=lambda: next(looks, None) is None)
    assert len(visits(report)) > 8


def test_a_search_that_broke_down_leaves_nothing_behind() -> None:
    def fail() -> bool:
        raise KeyError

    searcher, game = Searcher([ByHand()], 5000, halving=8), Game(seed=6)
    with pytest.raises(KeyError):
        searcher.search(game.states, nodes=700, stop=fail)
    assert searcher.search(game.states, nodes=700).candidates == search(game, 8, nodes=700).candidates


class Metered(ByHand):
    """Looks at 20,000 positions a second, by a clock of its own that does not go on while this machine is busy."""

    now = 0.0

    def perf_counter(self) -> float:
        return self.now

    def grow(self, forest: Forest, end: int, threads: int = 1, deadline: float = math.inf) -> None:
        self.now += (end - int(forest.trees[0]["visits"])) / 20_000
        super().grow(forest, end, threads, deadline)


def test_time_is_shared_as_positions_are(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluator = Metered()
    monkeypatch.setattr("azulejos.search.searcher.time", evaluator)
    searcher = Searcher([evaluator], 200_000, halving=8)
    searcher.search(Game(seed=6).states, nodes=100)
    told: list[Report] = []
    report = searcher.search(Game(seed=6).states, seconds=0.8, tell=told.append)
    assert 0.8 <= report.seconds < 0.9
    assert len(told) == 2
    seen = visits(report)
    assert len(seen) == 8
    assert seen[1] > 1.5 * seen[4]
    assert all(math.isclose(sum(each.prior for each in news.candidates), 1, abs_tol=1e-3) for news in told)


def test_a_full_tree_ends_it_in_time() -> None:
    searcher = Searcher([ByHand()], 3000, halving=8)
    seen = visits(searcher.search(Game(4, seed=6).states, seconds=30.0))
    assert len(seen) == 8
    assert seen[1] > 1.5 * seen[4]


def test_fewer_moves_than_places() -> None:
    game = Game(2, "gray", seed=8)
    while len(game.legal_moves) > 5:
        game.play(game.legal_moves[0])
    report = Searcher([ByHand()], 5000, solve=False, halving=8).search(game.states, nodes=200)
    assert {candidate.action for candidate in report.candidates} == {move.id for move in game.legal_moves}


def test_an_only_move_has_a_value() -> None:
    game = Game.from_position("std -/-/-/-/- B 0:B/B2/B3/B4/B5:5/5/5/5/5:F 0:-/-/-/-/-:5/5/5/5/5:- Y20R20K20W20 d1 1@1")
    for nodes in (10, 500):
        report = Searcher([ByHand()], 5000, solve=False, halving=8).search(game.states, nodes=nodes)
        assert report.best.visits > 0
        assert sum(report.best.win) == pytest.approx(1, abs=1e-3)


def test_the_network_halves_and_the_hand_does_not() -> None:
    assert ByHand().candidates == 0
    assert len(visits(search(Game(seed=4), None))) > 20
    network = ByNetwork(network_for(2, "std", BATCH))
    report = Searcher([network], 2000).search(Game(seed=4).states, nodes=400)
    assert len(visits(report)) == network.candidates == 8
