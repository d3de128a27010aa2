"""The search as its users meet it: limits, news, honesty, and numbers that add up."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from azulejos import Game
from azulejos.game.view import Wall
from azulejos.search.evaluators import ByHand
from azulejos.search.report import Report
from azulejos.search.searcher import Searcher

CONFIGURATIONS: list[tuple[int, Wall]] = [(2, "std"), (2, "gray"), (3, "std"), (3, "gray"), (4, "std"), (4, "gray")]


def searcher(threads: int = 1, *, seed: int = 0, nodes: int = 30_000) -> Searcher:
    return Searcher([ByHand(seed + at) for at in range(threads)], nodes)


@pytest.mark.parametrize(("players", "wall"), CONFIGURATIONS)
def test_the_numbers_of_a_report_add_up(players: int, wall: Wall) -> None:
    game = Game(players, wall, seed=4)
    report = searcher().search(game.states, nodes=2000)
    assert {candidate.action for candidate in report.candidates} == {move.id for move in game.legal_moves}
    assert sum(candidate.visits for candidate in report.candidates) == report.nodes - 1  # the root was valued too
    assert sum(candidate.prior for candidate in report.candidates) == pytest.approx(1)
    assert report.best.visits >= 0.15 * max(candidate.visits for candidate in report.candidates)
    assert sum(report.best.win) == pytest.approx(1, abs=1e-3)
    assert len(report.best.margin) == players
    if players == 2:
        assert report.best.margin[0] == pytest.approx(-report.best.margin[1], abs=1e-2)


@pytest.mark.parametrize(("players", "wall"), CONFIGURATIONS)
def test_the_expected_line_can_be_played(players: int, wall: Wall) -> None:
    game = Game(players, wall, seed=5)
    report = searcher().search(game.states, nodes=3000)
    assert len(report.best.line) > 2
    for action in report.best.line:
        legal = {move.id: move for move in game.legal_moves}
        game.play(legal[action])
        if game.round > 1:
            break


def test_a_limit_of_nodes_is_kept_and_the_result_is_always_the_same() -> None:
    game = Game(seed=6)
    reports = [searcher().search(game.states, nodes=1234) for _ in range(2)]
    assert reports[0].nodes == 1234
    assert reports[0].candidates == reports[1].candidates


def test_another_seed_gives_another_search() -> None:
    game = Game(seed=6)
    one, two = (searcher(seed=seed).search(game.states, nodes=500) for seed in (0, 1))
    assert one.candidates != two.candidates


@pytest.mark.parametrize(("players", "wall"), CONFIGURATIONS)
def test_the_search_does_not_know_the_order_of_the_bag(players: int, wall: Wall) -> None:
    """Two games that differ in nothing but the random stream get the same search."""
    game = Game(players, wall, seed=7)
    states = game.states
    other = states.copy()
    other["rng"] = states["rng"] ^ np.uint64(0xDEADBEEF)
    assert states.tobytes() != other.tobytes()
    one, two = (searcher().search(each, nodes=1500) for each in (states, other))
    assert one.candidates == two.candidates


def test_the_state_that_is_searched_stays_as_it_was() -> None:
    states = Game(seed=8).states
    before = states.tobytes()
    searcher().search(states, nodes=300)
    assert states.tobytes() == before


def check_limit_of_time(finder: Searcher, seconds: float) -> None:
    """It ends in time, and uses it: in one of three tries at least, since other programs run on this machine too."""
    states, seen = Game(seed=9).states, []
    for _ in range(3):
        started = time.perf_counter()
        seen.append(finder.search(states, seconds=seconds).nodes)
        assert seconds - 0.05 < time.perf_counter() - started < 5
    assert max(seen) > 100


def test_a_limit_of_time_ends_the_search() -> None:
    finder = searcher(nodes=2_000_000)
    finder.search(Game(seed=9).states, nodes=10)
    check_limit_of_time(finder, 0.2)


def test_a_search_can_be_stopped_from_another_thread() -> None:
    finder, stop = searcher(nodes=2_000_000), threading.Event()
    threading.Timer(0.2, stop.set).start()
    started = time.perf_counter()
    report = finder.search(Game(seed=9).states, stop=stop.is_set)
    assert time.perf_counter() - started < 20
    assert report.nodes > 0


def test_news_come_while_it_thinks_and_at_the_end() -> None:
    news: list[Report] = []
    report = searcher(nodes=2_000_000).search(Game(seed=9).states, seconds=1.3, tell=news.append)
    assert len(news) >= 2
    assert news[-1] == report
    assert [each.nodes for each in news] == sorted(each.nodes for each in news)


def test_a_full_tree_ends_the_search() -> None:
    report = searcher(nodes=500).search(Game(seed=9).states, seconds=30)
    assert 100 < report.nodes < 20_000


def test_threads_share_the_work() -> None:
    game = Game(seed=10)
    report = searcher(threads=2).search(game.states, nodes=4000)
    assert report.nodes == 4000
    assert sum(candidate.visits for candidate in report.candidates) == report.nodes - 1


def test_the_only_move_is_not_thought_about_for_long() -> None:
    game = Game.from_position("std -/-/-/-/- B 0:B/B2/B3/B4/B5:5/5/5/5/5:F 0:-/-/-/-/-:5/5/5/5/5:- Y20R20K20W20 d1 1@1")
    assert len(game.legal_moves) == 1
    thinker = searcher()
    thinker.search(game.states, nodes=1)  # compiled before the clock starts
    started = time.perf_counter()
    report = thinker.search(game.states, seconds=30)
    assert time.perf_counter() - started < 10
    assert report.best.action == game.legal_moves[0].id


def test_near_the_end_of_a_round_the_report_is_a_solution() -> None:
    game = Game(seed=11)
    while sum(map(sum, (game.view.center, *game.view.displays))) > 5:
        game.play(game.legal_moves[len(game.legal_moves) // 2])
    report = searcher().search(game.states, nodes=100)
    assert report.solved
    assert len(report.candidates) == len(game.legal_moves)
    for action in report.best.line:
        game.play(next(move for move in game.legal_moves if move.id == action))
    assert game.round == 2
