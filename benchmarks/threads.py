"""What do more threads bring? Positions a second of a search whose tree several threads share.

    python benchmarks/threads.py                    1, 2, 4, 8 threads as far as there are cores
    python benchmarks/threads.py --threads 1 4 --seconds 0.5 --repeats 5

The first deals of some games are searched in turn with every number of threads, so that whatever else the machine does
falls on all of them alike. Whether a position that threads look at together is worth as much as with one thread is for
a match to tell: `azulejos match search:threads=4,nodes=1000 search:nodes=1000`.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from statistics import fmean

from azulejos.cli.bench import machine
from azulejos.game.game import Game
from azulejos.net.choice import network_for
from azulejos.search.batches import BATCH
from azulejos.search.evaluators import ByHand, ByNetwork
from azulejos.search.searcher import Searcher

ROOM = 400_000


def by_hand(threads: int) -> Searcher:
    """A search by hand."""
    return Searcher([ByHand(at) for at in range(threads)], ROOM)


def by_network(threads: int) -> Searcher:
    """A search with the network for two players."""
    return Searcher([ByNetwork(network_for(2, "std", BATCH)) for _ in range(threads)], ROOM)


def measure(make: Callable[[int], Searcher], threads: list[int], options: argparse.Namespace) -> dict[int, list[float]]:
    """Positions a second of every search."""
    searchers = {count: make(count) for count in threads}
    for searcher in searchers.values():
        searcher.search(Game(seed=0).states, nodes=300)  # compiled before the clock starts
    speeds: dict[int, list[float]] = {count: [] for count in threads}
    for _ in range(options.repeats):
        for seed in range(options.positions):
            for count, searcher in searchers.items():
                report = searcher.search(Game(seed=seed).states, seconds=options.seconds)
                speeds[count].append(report.nodes / report.seconds)
    return speeds


def main() -> None:
    """Print a table."""
    cores = os.cpu_count() or 1
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--threads", type=int, nargs="+", default=[count for count in (1, 2, 4, 8) if count <= cores])
    parser.add_argument("--seconds", type=float, default=0.15, help="for each search")
    parser.add_argument("--positions", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    print(f"{machine()}\n")
    print("| search | threads | positions/s | lowest | highest | times the first |\n|---|---|---|---|---|---|")
    for name, make in (("by hand", by_hand), ("with the network", by_network)):
        first = 0.0
        for count, speeds in measure(make, options.threads, options).items():
            mean = fmean(speeds)
            first = first or mean
            figures = f"{mean:,.0f} | {min(speeds):,.0f} | {max(speeds):,.0f} | {mean / first:.2f}"
            print(f"| {name} | {count} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
