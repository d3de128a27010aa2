"""Who solves the puzzles that ship: python benchmarks/puzzles.py [--sample 200] [--theme floor] [--seconds 5].

Prints how many of each kind and theme there are, and the share that some levels and full strength, with
so many seconds for a move, solve at the first try. `--players 2 --wall gray` asks about one kind of game only, after
its network has changed; `--nodes 20000` limits full strength by positions, so that the answer is the same everywhere.
"""

from __future__ import annotations

import argparse
import functools
from collections import Counter
from random import Random

from rich.console import Console
from rich.table import Table

from azulejos.analysis.puzzles import Puzzle, shipped
from azulejos.analysis.themes import THEMES
from azulejos.arena.statistics import mean_share
from azulejos.arena.workers import hired
from azulejos.game.game import Game
from azulejos.game.view import WALLS
from azulejos.players import levels
from azulejos.players.player import Limits
from azulejos.players.searching import SearchingPlayer, make_net

EXAMINED = (levels.LEVELS[0], levels.LEVELS[3], levels.LEVELS[7])
TRIES = 8


@functools.cache
def players() -> tuple[SearchingPlayer, ...]:
    return (*(levels.make(level, "", 77) for level in EXAMINED), make_net("", 77))


def solve(puzzle: Puzzle, number: int, limits: Limits) -> list[float]:
    """How often each level solves a puzzle, and full strength does."""
    game = Game.from_position(puzzle.position)
    *weaker, full = players()
    shares = []
    for player in weaker:
        found = 0
        for seed in range(TRIES):
            player.begin(1000 * number + seed)
            found += str(player.choose(game, Limits()).move) in puzzle.solutions
        shares.append(found / TRIES)
    move = full.choose(game, limits).move
    return [*shares, float(str(move) in puzzle.solutions)]


def main() -> None:
    parser = argparse.ArgumentParser(description="Who solves the puzzles that ship")
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--theme", choices=THEMES, help="only puzzles about this")
    parser.add_argument("--players", type=int, choices=(2, 3, 4), help="only puzzles for so many")
    parser.add_argument("--wall", choices=WALLS, help="only puzzles on this wall")
    parser.add_argument("--seconds", type=float, default=5, help="that full strength has (5)")
    parser.add_argument("--nodes", type=int, help="positions that full strength looks at, instead of seconds")
    parser.add_argument("--workers", type=int, default=None)
    options = parser.parse_args()
    table = Table("", *THEMES, "all", title=f"{len(shipped())} puzzles")
    counts = Counter((puzzle.kind, puzzle.theme) for puzzle in shipped())
    for kind in sorted({puzzle.kind for puzzle in shipped()}):
        row = [counts[kind, theme] for theme in THEMES]
        table.add_row(f"{kind[0]} {kind[1]}", *map(str, row), str(sum(row)))
    Console().print(table)
    wanted = (options.players, options.wall, options.theme)
    asked = [
        puzzle
        for puzzle in shipped()
        if all(wish in (None, own) for wish, own in zip(wanted, (*puzzle.kind, puzzle.theme), strict=True))
    ]
    if options.nodes:
        limits, limited = Limits(nodes=options.nodes), f"{options.nodes} positions"
    else:
        limits, limited = Limits(milliseconds=round(1000 * options.seconds)), f"{options.seconds:g} s"
    sample = Random(1).sample(asked, min(options.sample, len(asked)))
    players()
    with hired(options.workers) as crew:
        answers = [crew.submit(solve, puzzle, number, limits) for number, puzzle in enumerate(sample)]
        found = [answer.result() for answer in answers]
    table = Table("player", "solves", "95 %", title=f"{len(sample)} of them")
    for name, column in zip(
        [*(level.spec for level in EXAMINED), f"net, {limited}"], zip(*found, strict=True), strict=True
    ):
        share = mean_share(column)
        table.add_row(name, f"{share.value:.1%}", f"{share.low:.1%} to {share.high:.1%}")
    Console().print(table)
    for puzzle, row in zip(sample, found, strict=True):
        if not row[-1]:
            Console().print(f"missed {puzzle.id} {puzzle.theme}: {' '.join(puzzle.solutions)}, {puzzle.position}")


if __name__ == "__main__":
    main()
