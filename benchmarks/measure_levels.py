"""Measure the steps between the levels, and write the table of docs/levels.md.

.venv/bin/python benchmarks/measure_levels.py --games 400
"""

from __future__ import annotations

import argparse
from itertools import pairwise

from azulejos.arena.match import MatchPlan, play_match
from azulejos.arena.running import Setting
from azulejos.players.levels import LEVELS


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--workers", type=int, default=None)
    args = parser.parse_args()
    rungs = ["greedy", *(level.spec for level in LEVELS)]
    print("| player | against | score | 95 % interval | games |\n|---|---|---|---|---|")
    for below, above in pairwise(rungs):
        result = play_match(MatchPlan((above, below), games=args.games), Setting(workers=args.workers))
        score = result.contestants[0].score
        interval = f"{score.low:.1%} to {score.high:.1%}"
        print(f"| {above} | {below} | {score.value:.1%} | {interval} | {result.games} |", flush=True)


if __name__ == "__main__":
    main()
