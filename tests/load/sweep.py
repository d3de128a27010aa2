"""How many moves a second servers carry within a given time: one process and two, at equal p95.

    python -m tests.load.sweep --processes 1 2 --p95 50 --seconds 15

For each number of processes tables are added until a move takes too long to reach the other client, then the number is
narrowed down. `--processes 0` is one on a file; the others have a PostgreSQL and a Redis.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.load.tables import loaded_server, measure
from tests.server.live import Live

GROWTH = 1.5
"""By how much the tables grow from one measurement to the next."""
MOST_STEPS = 9
"""Measurements of one number of processes, at most."""
NEAR = 1.15
"""The number of tables is found when the next larger one that was tried is no more than so many times as large."""


@dataclass(frozen=True)
class Point:
    """One measurement."""

    processes: int
    tables: int
    moves: float
    """Moves a second."""
    p50: float
    p95: float
    """Milliseconds."""
    lost: int
    busy: float
    """Cores that the servers used."""

    @property
    def row(self) -> list[str]:
        """What is printed."""
        figures = f"{self.moves:.0f}", f"{self.p50:.1f}", f"{self.p95:.1f}", str(self.lost), f"{self.busy:.0%}"
        return [str(self.processes), str(self.tables), *figures]


def point(live: Live, processes: int, tables: int, seconds: float, pace: float) -> Point:
    """Measure so many tables."""
    tally, taken, busy = asyncio.run(measure(live, tables, seconds, pace))
    cuts = [1000 * cut for cut in statistics.quantiles(tally.seconds, n=100, method="inclusive")]
    lost = tally.lost + tally.out_of_order
    return Point(processes, tables, tally.moves / taken, cuts[49], cuts[94], lost, busy / taken)


def sweep(processes: int, options: argparse.Namespace, rows: Table) -> Point | None:
    """The most that so many processes carry within the time, if they carry anything."""
    best: Point | None = None
    too_many: int | None = None
    tables = options.tables
    with tempfile.TemporaryDirectory() as folder, loaded_server(Path(folder), processes) as live:
        for _ in range(MOST_STEPS):
            found = point(live, processes, tables, options.seconds, options.pace)
            rows.add_row(*found.row)
            print(*found.row)  # that somebody sees it goes on
            if found.p95 <= options.p95 and not found.lost:
                best = found
            else:
                too_many = tables
            low = best.tables if best else 0
            if too_many is None:
                tables = int(tables * GROWTH)
            elif too_many <= max(1, low) * NEAR:
                break
            else:
                tables = (low + too_many) // 2
    return best


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description="Find how many moves a second servers carry")
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--p95", type=float, default=50.0, help="milliseconds that a move may take")
    parser.add_argument("--tables", type=int, default=150, help="how many to begin with")
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--pace", type=float, default=1.0, help="seconds between the moves of a table")
    options = parser.parse_args()
    rows = Table("processes", "tables", "moves/s", "p50, ms", "p95, ms", "lost", "processor", title="every measurement")
    found = [sweep(processes, options, rows) for processes in options.processes]
    most = Table("processes", "tables", "moves/s", "times the first", title=f"most with p95 up to {options.p95:g} ms")
    for processes, best in zip(options.processes, found, strict=True):
        times = f"{best.moves / found[0].moves:.2f}" if best and found[0] else "-"
        most.add_row(str(processes), *(best.row[1:3] if best else "--"), times)
    console = Console(width=100)
    console.print(rows)
    console.print(most)


if __name__ == "__main__":
    main()
