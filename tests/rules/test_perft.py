"""Perft: the number of leaves after so many moves, against a golden text and against the rules in plain words."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from azulejos import Game
from azulejos.game.view import WALLS
from azulejos.rules.perft import perft
from tests import reference

GOLDEN = Path(__file__).parent.parent / "golden" / "perft.txt"


class Case(NamedTuple):
    """A position of the golden text and its leaves at depth 1, 2 and 3."""

    name: str
    line: str
    leaves: tuple[int, ...]


def cases() -> list[Case]:
    """Blocks of three lines: a name, a position, the leaves."""
    found = []
    blocks = GOLDEN.read_text().strip().split("\n\n")[1:]
    for block in blocks:
        name, line, leaves = block.split("\n")
        found.append(Case(name, line, tuple(map(int, leaves.split()))))
    return found


CASES = cases()
by_name = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])


def perft_by_game(game: Game, depth: int) -> int:
    """The same through the Python face."""
    moves = game.legal_moves
    if depth == 0 or not moves:
        return 1
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        game.play(move)
        total += perft_by_game(game, depth - 1)
        game.undo()
    return total


def test_the_golden_text_has_all_kinds_of_positions() -> None:
    games = [Game.from_position(case.line) for case in CASES]
    assert {(game.wall, game.players) for game in games} == {(wall, players) for wall in WALLS for players in (2, 3, 4)}
    assert {game.phase for game in games} == {"d", "t", "r"}


@by_name
def test_perft_is_as_it_was(case: Case) -> None:
    states = Game.from_position(case.line).states
    assert tuple(perft(states, depth) for depth in (1, 2, 3)) == case.leaves


@by_name
def test_perft_of_no_moves_is_one_leaf(case: Case) -> None:
    assert perft(Game.from_position(case.line).states, 0) == 1


@by_name
def test_perft_through_the_rules_in_plain_words(case: Case) -> None:
    """Depth 1 and 2, and 3 where depth 2 is small."""
    model = reference.Reference(Game.from_position(case.line).view)
    deepest = 3 if case.leaves[1] < 2_000 else 2
    assert tuple(reference.perft(model, depth) for depth in range(1, deepest + 1)) == case.leaves[:deepest]


@by_name
def test_perft_through_the_python_face(case: Case) -> None:
    game = Game.from_position(case.line)
    before = game.position
    assert perft_by_game(game, 2) == case.leaves[1]
    assert game.position == before
