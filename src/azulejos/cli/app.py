"""The command line: `azulejos --help` lists the commands."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated, NoReturn

from cyclopts import App, CycloptsError, Parameter, UnusedCliTokensError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

import azulejos
from azulejos import drawing
from azulejos.arena.simulation import Device, Simulation, simulate
from azulejos.cli import arena as arena_commands
from azulejos.cli import doctor as doctor_commands
from azulejos.cli import engine as engine_commands
from azulejos.cli import play as play_commands
from azulejos.cli import replay as replay_commands
from azulejos.cli import serve as serve_commands
from azulejos.cli import training as training_commands
from azulejos.cli.replay import RecordFile
from azulejos.drawing.words import plural
from azulejos.game.game import Game
from azulejos.game.notation import read_position
from azulejos.game.reader import read_record, record_texts
from azulejos.game.record import Record
from azulejos.game.replay import replay as replay_record
from azulejos.game.view import Wall
from azulejos.rules.perft import perft as count_perft

BAD_INPUT = 2
"""The exit code for input that cannot be used."""
MAX_PERFT_DEPTH = 12
"""Deeper trees would take too long."""

AsJson = Annotated[bool, Parameter(name="--json", negative="")]
"""The option `--json`."""
PlayerCount = Annotated[int, Parameter(name=["--players", "-p"])]
"""The option `--players`."""

app = App(
    name="azulejos",
    help="Play, study and simulate the tile-drafting board game Azul.",
    version=azulejos.__version__,
)
"""All commands; `main` runs it."""
serve_commands.register(app)
engine_commands.register(app)
arena_commands.register(app)
training_commands.register(app)
doctor_commands.register(app)
play_commands.register(app)
replay_commands.register(app)


def main() -> None:
    """Run a command; bad input ends with one line on standard error and exit code 2."""
    try:
        app(exit_on_error=False, print_error=False)
    except CycloptsError as fault:
        _fail(_without_command(fault) or fault)
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (ValueError, OSError) as fault:
        _fail(fault)
    except KeyboardInterrupt:
        sys.exit(130)


def _without_command(fault: CycloptsError) -> Exception | None:
    """A better word for an unknown command than that the one without a name takes no arguments."""
    if isinstance(fault, UnusedCliTokensError) and not fault.command_chain and fault.unused_tokens:
        return ValueError(f"there is no command {fault.unused_tokens[0]!r}: azulejos --help lists them")
    return None


def _fail(fault: Exception) -> NoReturn:
    reason = f"{fault.strerror}: {fault.filename!r}" if isinstance(fault, OSError) and fault.filename else str(fault)
    sys.stderr.write(f"azulejos: {' '.join(reason.split())}\n")
    sys.exit(BAD_INPUT)


def _colors() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


@app.command
def show(position: str, *, svg: Path | None = None) -> None:
    """Draw a position line, as text or into an SVG file.

    For example:

        azulejos show "$(azulejos new --seed 1)"
        azulejos show "$(azulejos new --seed 1)" --svg board.svg

    Parameters
    ----------
    position
        The position line; the form for addresses, with _ instead of blanks, works too.
    svg
        Write a picture to this file instead.
    """
    view = read_position(position.replace("_", " "))
    if svg is None:
        print(drawing.text(view, color=_colors()))
    else:
        svg.write_text(drawing.svg(view), encoding="utf-8")


@app.command
def verify(file: RecordFile, *, as_json: AsJson = False) -> None:
    """Replay every record of a file and check moves, heads of rounds, results and committed deals.

    Exit code 0 if all are right, 2 if any is not.

    For example:

        azulejos verify games.azul
        azulejos verify games.azul --json

    Parameters
    ----------
    file
        A file of records, text or JSON lines; - for standard input.
    as_json
        Print a line of JSON for each game.
    """
    wrong = number = 0
    for number, text in enumerate(record_texts(str(file)), 1):
        fault = None
        try:
            record = read_record(text)
        except ValueError as error:
            fault = str(error)
            wrong += 1
        if as_json:
            print(json.dumps({"game": number, "ok": fault is None, "error": fault}, ensure_ascii=False))
        elif fault is None:
            print(f"game {number}: {_summary(record)}")
        else:
            print(f"game {number}: {fault}", file=sys.stderr)
    if number == 0:
        raise azulejos.InvalidNotation(f"{str(file)!r} holds no record")
    if wrong:
        sys.exit(BAD_INPUT)


def _summary(record: Record) -> str:
    game = replay_record(record)
    moves = sum(1 for entry in record.entries if entry.head is None)
    deals = ", deals follow from the secret" if "DealSecret" in record.tags else ""
    return f"ok, {plural(game.round, 'round')}, {plural(moves, 'move')}, {record.result_text}{deals}"


@app.command
def perft(depth: int, position: str | None = None, *, as_json: AsJson = False) -> None:
    """Count the leaves of the tree of legal moves.

    For example:

        azulejos perft 3
        azulejos perft 2 "$(azulejos new --players 4 --seed 1)" --json

    Parameters
    ----------
    depth
        How many moves deep, 0 to 12.
    position
        A position line; without one, the first deal of seed 1.
    as_json
        Print JSON.
    """
    if not 0 <= depth <= MAX_PERFT_DEPTH:
        raise ValueError(f"depth must be a whole number from 0 to {MAX_PERFT_DEPTH}, not {depth}")
    game = Game(seed=1, starter=0) if position is None else Game.from_position(position.replace("_", " "))
    leaves = count_perft(game.states, depth)
    print(json.dumps({"position": game.position, "depth": depth, "leaves": leaves}) if as_json else leaves)


@app.command(name="simulate")
def simulate_command(
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
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("games", total=games)
        result = simulate(games, players, wall, seed, threads, device, lambda done: bar.update(task, completed=done))
    if as_json:
        print(json.dumps(result.json()))
    else:
        _print_simulation(result)


def _print_simulation(result: Simulation) -> None:
    data = result.json()
    table = Table("", "mean", "sd", "min", "5 %", "median", "95 %", "max", title=f"{result.games:,} random games")
    for name in ("score", "rounds", "length"):
        row = data[name]
        label = "moves" if name == "length" else name
        table.add_row(label, f"{row['mean']:.2f}", f"{row['sd']:.2f}", *(str(row[key]) for key in _QUANTILES))
    console = Console()
    console.print(table)
    ends = ", ".join(f"{name} {count / result.games:.2%}" for name, count in result.reasons.items() if count)
    wins = ", ".join(f"seat {seat} {count / result.games:.1%}" for seat, count in enumerate(result.wins, 1))
    console.print(f"ended by {ends}; won by {wins}, shared {result.shared / result.games:.1%}", highlight=False)
    where = "CUDA device" if result.device == "cuda" else f"{result.threads} thread{'s' * (result.threads > 1)}"
    speed = f"{result.moves:,} moves in {result.seconds:.2f} s on {where}: {result.moves_per_second:,.0f} moves/s"
    console.print(speed, highlight=False)


_QUANTILES = ("min", "p5", "p50", "p95", "max")


@app.command
def bench(*, as_json: AsJson = False) -> None:
    """Measure how fast the engine is here and print a table.

    For example:

        azulejos bench

    Parameters
    ----------
    as_json
        Print JSON.
    """
    from azulejos.cli.bench import machine, measure, signature

    rows = list(measure())
    if as_json:
        figures = [row.json() for row in rows]
        print(json.dumps({"machine": machine(), "figures": figures, "signature": signature()}))
        return
    table = Table("what", "figure", "unit", title=machine())
    table.columns[1].justify = "right"
    for row in rows:
        table.add_row(row.name, row.figure, row.unit)
    Console().print(table)
    print(f"signature of search: {signature()}")


@app.command
def new(*, players: PlayerCount = 2, wall: Wall = "std", seed: int | None = None) -> None:
    """Print the position line of a new game after its first deal.

    For example:

        azulejos new --players 3 --seed 7

    Parameters
    ----------
    players
        2, 3 or 4.
    wall
        std or gray.
    seed
        The same number gives the same tiles.
    """
    print(Game(players, wall, seed).position)
