"""How good are an engine's moves? The loss of its choices in 500 positions, in two minutes and without a match.

    .venv/bin/python benchmarks/yardstick.py net
    .venv/bin/python benchmarks/yardstick.py 'process:./my-engine --option' --milliseconds 100

The player is named as in `azulejos match`; `process:` starts any program that speaks the protocol (docs/engine.md).
`yardstick.jsonl` holds the positions, of all kinds of games, and what every move loses by very deep searches, in
ten-thousandths: of a utility that goes from 0 to 1, most of it the share of the victory. Deep searches err, too: below
a loss of about one thousandth there is little to tell. A move that the file does not know loses as much as the worst.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from azulejos.arena.statistics import mean_margin
from azulejos.arena.workers import hired
from azulejos.game.game import Game
from azulejos.players.player import Limits
from azulejos.players.registry import make

FILE: Final = Path(__file__).with_name("yardstick.jsonl")
THOUSANDTHS: Final = 10
"""Units of the file in a thousandth."""
AT_ONCE: Final = 20
"""Positions that a worker gets at a time: a player begins anew for each lot."""
ALL: Final = "all"


def answers(spec: str, lines: list[dict[str, Any]], milliseconds: int) -> list[tuple[str, float, bool]]:
    """The kind of each position, what the choice loses in thousandths, and whether the player has solved it."""
    player = make(spec, 0)
    try:
        return [_answer(player, line, milliseconds) for line in lines]
    finally:
        player.close()


def _answer(player: Any, line: dict[str, Any], milliseconds: int) -> tuple[str, float, bool]:
    game = Game.from_position(line["position"])
    choice = player.choose(game, Limits(milliseconds=milliseconds))
    lost = line["losses"].get(str(choice.move), max(line["losses"].values()))
    wall = "colored" if game.wall == "std" else "gray"
    return f"{game.players} {wall}", lost / THOUSANDTHS, "solved" in choice.why


def measured(spec: str, lines: list[dict[str, Any]], milliseconds: int, workers: int) -> list[tuple[str, float, bool]]:
    """The answers of all positions, in order."""
    lots = [lines[at : at + AT_ONCE] for at in range(0, len(lines), AT_ONCE)]
    with hired(workers) as pool:
        tasks = [pool.submit(answers, spec, lot, milliseconds) for lot in lots]
        return [answer for task in tasks for answer in task.result()]


def table(found: list[tuple[str, float, bool]]) -> Iterator[str]:
    """What was found for each kind and for all, as a table."""
    by_kind: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for kind, lost, solved in found:
        by_kind[kind].append((lost, solved))
        by_kind[ALL].append((lost, solved))
    yield "| players, wall | mean loss of a move, thousandths | best move | solved | positions |"
    yield "|---|---|---|---|---|"
    for kind in [*sorted(by_kind.keys() - {ALL}), ALL]:
        losses = [lost for lost, _ in by_kind[kind]]
        mean, best = mean_margin(losses), sum(lost < 1 for lost in losses) / len(losses)
        solved = sum(solved for _, solved in by_kind[kind]) / len(losses)
        interval = f"{mean.value:.1f} ({max(0.0, mean.low):.1f} to {mean.high:.1f})"
        yield f"| {kind} | {interval} | {100 * best:.0f} % | {100 * solved:.0f} % | {len(losses)} |"


def main() -> None:
    """Ask the player about all positions, and print what it lost."""
    parser = argparse.ArgumentParser(description="The mean loss of a player's moves.")
    parser.add_argument("player", help="as in `azulejos match`")
    parser.add_argument("--milliseconds", type=int, default=200, help="for each move (200)")
    parser.add_argument("--workers", type=int, default=0, help="processes; 0, as usual, is this one alone")
    parser.add_argument("--file", type=Path, default=FILE)
    args = parser.parse_args()
    lines = [json.loads(text) for text in args.file.read_text("utf-8").splitlines()]
    print(*table(measured(args.player, lines, args.milliseconds, args.workers)), sep="\n")


if __name__ == "__main__":
    main()
