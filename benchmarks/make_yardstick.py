"""Make positions with the loss of every move by very deep searches, for `yardstick.py`.

    .venv/bin/python benchmarks/make_yardstick.py benchmarks/yardstick.jsonl --positions 500

A position is a decision drawn from a game of its own, so that none tells of another; two games of three are those of
`net`, the others those of levels. A first search looks at all moves alike, a second one at the best of them; where the
rest of the round can be solved it is. Every finished position is a line at once, and a line that is there already is
not made again, so it can be stopped and started. Work is shared among processes.
"""

from __future__ import annotations

import argparse
import functools
import json
from collections.abc import Iterator
from concurrent.futures import Future, as_completed
from pathlib import Path
from random import Random
from typing import Any, Final

from azulejos.arena.workers import hired
from azulejos.game.game import Game
from azulejos.game.moves import MOVES
from azulejos.game.view import Wall
from azulejos.net.choice import WEIGHTS, fingerprint
from azulejos.players.player import Limits, begin
from azulejos.players.registry import make
from azulejos.players.searching import by_network
from azulejos.search.searcher import Searcher
from azulejos.search.utility import utility

KINDS: Final = tuple(WEIGHTS)
"""Players and wall of the positions, in turn."""
PLAYERS: Final = ("net:nodes=200", "net:nodes=200", "level5", "net:nodes=200", "net:nodes=200", "level7")
"""Who plays the games, in turn."""
WIDE_NODES: Final = 200_000
"""Positions of the search that looks at all moves alike."""
DEEP_NODES: Final = 400_000
"""Positions of the search that looks at the best ones."""
BEST: Final = 5
"""So many of them."""
UNIT: Final = 10_000
"""Losses are whole numbers of this part of a utility, which goes from 0 to 1."""


def decision(number: int) -> Game:
    """A position of a game in which there is something to decide."""
    spec = PLAYERS[number // len(KINDS) % len(PLAYERS)]
    players, wall = KINDS[number % len(KINDS)]
    game, player = Game(players, wall, seed=number, starter=number % players), _player(spec)
    begin(player, number)
    there: list[str] = []
    while not game.is_over:
        if len(game.legal_moves) > 1:
            there.append(game.position)
        game.play(player.choose(game, Limits()).move)
    return Game.from_position(Random(number).choice(there))


@functools.cache
def _player(spec: str) -> Any:
    return make(spec, 0)


@functools.cache
def _searcher(players: int, wall: Wall) -> Searcher:
    return Searcher([by_network(players, wall, seed=0)], DEEP_NODES + 1)


def losses(game: Game, wide: int = WIDE_NODES, deep: int = DEEP_NODES) -> tuple[dict[str, int], bool]:
    """What every move loses against the best one, in `UNIT`s; and whether the rest of the round was solved."""
    lost, solved = _lost(game, wide, [move.id for move in game.legal_moves])
    if not solved:
        freely = _searcher(game.players, game.wall).search(game.states, nodes=wide)
        preferred = [each.action for each in freely.candidates[:BEST]]
        best = sorted(lost, key=lambda action: lost[action])[:BEST]
        again, _ = _lost(game, deep, list(dict.fromkeys((*best, *preferred))))
        lost |= again
    ranked = sorted(lost, key=lambda action: lost[action])
    return {str(MOVES[action]): round(UNIT * (lost[action] - lost[ranked[0]])) for action in ranked}, solved


def _lost(game: Game, nodes: int, required: list[int]) -> tuple[dict[int, float], bool]:
    """What these moves lose against the best one of a search that looks at them alike; and whether it was solved.

    What counts is the mean over all that was looked at after a move: what the best replies make of it hangs on few
    positions, and at tables of three and four differs from search to search by several hundredths.
    """
    searcher, seat = _searcher(game.players, game.wall), game.turn
    report = searcher.search(game.states, nodes=nodes, required=required)
    if report.solved:
        worth = {each.action: utility(each.win[seat], each.margin[seat]) for each in report.candidates}
    else:
        edges = {int(edge["action"]): edge for edge in searcher.root_edges()}
        worth = {action: float(edges[action]["total"]) / int(edges[action]["visits"]) for action in required}
    return {action: max(worth.values()) - value for action, value in worth.items()}, report.solved


def line(number: int) -> dict[str, Any]:
    """A position with its losses, as plain data."""
    game = decision(number)
    found, solved = losses(game)
    network = fingerprint(WEIGHTS[game.players, game.wall])
    return {"number": number, "position": game.position, "solved": solved, "network": network, "losses": found}


def read(path: Path) -> dict[int, dict[str, Any]]:
    """The lines that are there, by number; one that was cut off is passed over."""
    found = {}
    for text in path.read_text("utf-8").splitlines() if path.exists() else ():
        try:
            one = json.loads(text)
        except ValueError:
            continue
        found[one["number"]] = one
    return found


def made(numbers: list[int], workers: int) -> Iterator[dict[str, Any]]:
    """The lines of these numbers as they come."""
    line(0) if 0 in numbers else None  # compiled before there are many processes
    with hired(workers) as pool:
        tasks: list[Future[dict[str, Any]]] = [pool.submit(line, number) for number in numbers]
        for task in as_completed(tasks):
            yield task.result()


def main() -> None:
    """Make what is missing, then put the lines in order."""
    parser = argparse.ArgumentParser(description="Makes positions with the losses of their moves.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--workers", type=int, default=None, help="processes; every core if not said")
    args = parser.parse_args()
    there = read(args.file)
    with args.file.open("a", encoding="utf-8") as file:
        for one in made([number for number in range(args.positions) if number not in there], args.workers):
            file.write(json.dumps(one) + "\n")
            file.flush()
    lines = [one for _, one in sorted(read(args.file).items())]
    args.file.write_text("".join(json.dumps(one, separators=(",", ":")) + "\n" for one in lines), "utf-8")


if __name__ == "__main__":
    main()
