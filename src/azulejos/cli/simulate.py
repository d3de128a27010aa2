"""The command that plays many random games."""

from __future__ import annotations

from typing import Final

from rich.console import Console
from rich.table import Table

from azulejos.arena.simulation import Device, Simulation
from azulejos.arena.simulation import simulate as play_games
from azulejos.cli.options import AsJson, PlayerCount, print_json, progress_bar
from azulejos.game.view import Wall

QUANTILES: Final = ("min", "p5", "p50", "p95", "max")
"""The columns of the table behind mean and deviation."""


def simulate(
    *,
    games: int = 100_000,
    players: PlayerCount = 2,
    wall: Wall = "std",
    seed: int = 0,
    threads: int | None = None,
    device: Device = "cpu",
    as_json: AsJson = False,
) -> None:
    """Play many random games at machine speed and print how they went.

    For example:

        azulejos simulate --games 1000000
        azulejos simulate --games 100000 --players 4 --wall gray --seed 7 --json

    Parameters
    ----------
    games
        How many.
    players
        2, 3 or 4.
    wall
        std or gray.
    seed
        The same number gives the same games, on every machine and device.
    threads
        How many processor threads; all of them if not given.
    device
        cpu, or cuda for a graphics card (needs numba-cuda).
    as_json
        Print JSON.
    """
    with progress_bar() as bar:
        task = bar.add_task("games", total=games)
        result = play_games(games, players, wall, seed, threads, device, lambda done: bar.update(task, completed=done))
    if as_json:
        print_json(result.json())
    else:
        _print_simulation(result)


def _print_simulation(result: Simulation) -> None:
    data = result.json()
    table = Table("", "mean", "sd", "min", "5 %", "median", "95 %", "max", title=f"{result.games:,} random games")
    for name in ("score", "rounds", "length"):
        row = data[name]
        label = "moves" if name == "length" else name
        table.add_row(label, f"{row['mean']:.2f}", f"{row['sd']:.2f}", *(str(row[key]) for key in QUANTILES))
    console = Console()
    console.print(table)
    ends = ", ".join(f"{name} {count / result.games:.2%}" for name, count in result.reasons.items() if count)
    wins = ", ".join(f"seat {seat} {count / result.games:.1%}" for seat, count in enumerate(result.wins, 1))
    console.print(f"ended by {ends}; won by {wins}, shared {result.shared / result.games:.1%}", highlight=False)
    where = "CUDA device" if result.device == "cuda" else f"{result.threads} thread{'s' * (result.threads > 1)}"
    speed = f"{result.moves:,} moves in {result.seconds:.2f} s on {where}: {result.moves_per_second:,.0f} moves/s"
    console.print(speed, highlight=False)
