"""Positions with one provably best move: the solver proves it, the search has to find it."""

from __future__ import annotations

from pathlib import Path

import pytest

from azulejos import Game, Move
from azulejos.search.evaluators import ByHand
from azulejos.search.searcher import Searcher
from azulejos.search.solver import Solver
from azulejos.search.utility import utility

BUDGET = 20_000
LINES = [
    line.split("; ")
    for line in (Path(__file__).parent.parent / "golden" / "tactics.txt").read_text().splitlines()
    if not line.startswith("#")
]
SEARCHERS = {
    threads: Searcher([ByHand(at) for at in range(threads)], nodes=BUDGET + 1000, solve=False) for threads in (1, 4)
}
SOLVER = Solver(20_000)


def test_there_are_enough_of_every_kind() -> None:
    games = [Game.from_position(position) for position, _, _ in LINES]
    assert len(games) >= 30
    for players in (2, 3, 4):
        for wall in ("std", "gray"):
            assert sum((game.players, game.wall) == (players, wall) for game in games) >= 5


@pytest.mark.parametrize(("position", "best", "gap"), LINES)
def test_the_best_move_is_proved(position: str, best: str, gap: str) -> None:
    game = Game.from_position(position)
    solution = SOLVER.solve(game.states, ByHand().value_ends)
    assert solution is not None
    first, second, *_ = (utility(each.win[game.turn], each.margin[game.turn]) for each in solution.candidates)
    assert Move.from_id(solution.best.action) == Move.parse(best)
    assert first - second == pytest.approx(float(gap), abs=6e-4)


@pytest.mark.parametrize("threads", SEARCHERS)
@pytest.mark.parametrize(("position", "best", "gap"), LINES)
def test_the_search_finds_it_without_the_solver(position: str, best: str, gap: str, threads: int) -> None:
    report = SEARCHERS[threads].search(Game.from_position(position).states, nodes=BUDGET)
    assert not report.solved
    assert Move.from_id(report.best.action) == Move.parse(best), f"a move better by {gap}"
