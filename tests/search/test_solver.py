"""The solver against brute force, and what it promises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from azulejos import Game
from azulejos.game.view import Wall
from azulejos.rules.compiled import compiled
from azulejos.rules.state import OVER
from azulejos.rules.turn import legal_actions, step
from azulejos.search.evaluators import ByHand
from azulejos.search.policy import LINE_VALUES, quick_action, write_line_values
from azulejos.search.solver import Solver, groups_on_offer
from azulejos.search.utility import utility

EVALUATOR = ByHand()
VALUES = np.zeros(LINE_VALUES, np.float32)


def brute_force(states: Any) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Max-n by plain recursion over every sequence of moves, nothing remembered."""
    actions = np.zeros(256, np.int16)
    count = legal_actions(states[0], actions)
    if count == 0:
        win, margin = EVALUATOR.value_ends(states)
        return win[0], margin[0]
    seat = int(states[0]["seat"])
    best: tuple[float, Any, Any] | None = None
    for action in actions[:count].tolist():
        child = states.copy()
        step(child[0], action)
        win, margin = brute_force(child)
        value = utility(float(win[seat]), float(margin[seat]))
        if best is None or value > best[0]:
            best = (value, win, margin)
    assert best is not None
    return best[1], best[2]


@compiled
def quick(states: Any, values: Any) -> int:
    write_line_values(states[0], values)
    return quick_action(states[0], values, 1.0)


def late_positions(players: int, wall: Wall, groups: int, games: int) -> list[Any]:
    """Positions of quickly played games with at most so many groups left in a round."""
    found = []
    for seed in range(games):
        game = Game(players, wall, seed=seed, max_rounds=4)
        while not game.is_over:
            states = game.states
            if groups_on_offer(states[0]) <= groups:
                found.append(states)
            states["rng"] = np.uint64(seed)
            game.play(game.legal_moves[0].from_id(quick(states, VALUES)))
    return found


@pytest.mark.parametrize(("players", "games"), [(2, 110), (3, 70), (4, 70)])
def test_the_solver_agrees_with_brute_force_on_the_colored_wall(players: int, games: int) -> None:
    compare(late_positions(players, "std", 2, games), at_least=500)


@pytest.mark.parametrize(("players", "games"), [(2, 14), (3, 5)])
def test_the_solver_agrees_with_brute_force_on_the_gray_wall(players: int, games: int) -> None:
    positions = [states for states in late_positions(players, "gray", 1, games) if size(states) < 400]
    compare(positions, at_least=60)


def size(states: Any) -> int:
    solution = Solver(2000).solve(states, EVALUATOR.value_ends)
    return solution.nodes if solution else 10**9


def compare(positions: list[Any], at_least: int) -> None:
    assert len(positions) >= at_least
    solver = Solver(5000)
    for states in positions:
        solution = solver.solve(states, EVALUATOR.value_ends)
        assert solution is not None
        root = states.copy()
        root["rng"] = 0
        win, margin = brute_force(root)
        seat = int(states[0]["seat"])
        values = [utility(each.win[seat], each.margin[seat]) for each in solution.candidates]
        assert max(values) == values[0] == pytest.approx(utility(float(win[seat]), float(margin[seat])), abs=1e-6)


def test_the_line_of_a_solution_can_be_played_and_ends_the_round() -> None:
    for states in late_positions(2, "std", 4, 5):
        solution = Solver(20_000).solve(states, EVALUATOR.value_ends)
        if solution is None:
            continue
        walked = states.copy()
        actions = np.zeros(256, np.int16)
        for action in solution.best.line:
            assert action in actions[: legal_actions(walked[0], actions)].tolist()
            step(walked[0], action)
        assert legal_actions(walked[0], actions) == 0


def test_too_many_positions_are_not_solved() -> None:
    assert Solver(1000).solve(Game(seed=1).states, EVALUATOR.value_ends) is None


def test_the_solution_does_not_depend_on_the_random_stream() -> None:
    states = late_positions(2, "std", 3, 1)[0]
    other = states.copy()
    other["rng"] = 12345
    one, two = (Solver().solve(each, EVALUATOR.value_ends) for each in (states, other))
    assert one is not None
    assert two is not None
    assert one.candidates == two.candidates


def ends_below(states: Any) -> list[Any]:
    """Every end of the round that can arise, each once."""
    actions = np.zeros(256, np.int16)
    open_, seen = [states.copy()], {}
    open_[0]["rng"] = 0
    while open_:
        at = open_.pop()
        count = legal_actions(at[0], actions)
        if count == 0:
            seen[at.tobytes()] = at
        for action in actions[:count].tolist():
            child = at.copy()
            step(child[0], action)
            open_.append(child)
    return list(seen.values())


def test_too_many_ends_are_not_solved_but_ends_of_the_game_are_free() -> None:
    positions = late_positions(2, "std", 2, 12)
    final = 0
    for states in positions:
        ends = ends_below(states)
        unfinished = sum(int(end[0]["phase"]) != OVER for end in ends)
        assert Solver(most_ends=unfinished).solve(states, EVALUATOR.value_ends) is not None
        if unfinished:
            assert Solver(most_ends=unfinished - 1).solve(states, EVALUATOR.value_ends) is None
        final += unfinished == 0
    assert final > 5, "rounds that end the game, whatever is played"
