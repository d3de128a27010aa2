"""The command that measures how fast the engine is here: each figure of its table says what was done."""

from __future__ import annotations

import hashlib
import os
import platform
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numba
import numpy as np
from rich.console import Console
from rich.table import Table

from azulejos.arena.simulation import simulate
from azulejos.arena.workers import processor_name
from azulejos.cli.options import AsJson, print_json
from azulejos.game.arguments import check_seed
from azulejos.game.game import Game
from azulejos.game.moves import Move
from azulejos.game.view import WALLS
from azulejos.net.choice import network_for
from azulejos.net.features import FEATURES, write_features
from azulejos.net.inference import Inference
from azulejos.rules import batch
from azulejos.rules import state as s
from azulejos.search.batches import BATCH
from azulejos.search.evaluators import ByHand, ByNetwork
from azulejos.search.searcher import Searcher

REPEATS: Final = 3
"""The best of so many counts: other programs can only slow a measurement down."""

SEARCHED_GAMES: Final = 8
"""Games whose positions the search is timed on."""
SEARCH_SECONDS: Final = 0.25
"""How long each of these positions is searched."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure that was measured."""

    name: str
    """What was measured."""
    value: float
    """The figure itself."""
    unit: str
    """What it counts, such as `moves/s`."""

    @property
    def figure(self) -> str:
        """The value as a person reads it."""
        return f"{self.value:,.0f}" if self.value >= 100 else f"{self.value:.3g}"

    def json(self) -> dict[str, Any]:
        """The figure as plain data."""
        return {"name": self.name, "value": self.value, "unit": self.unit}


def machine() -> str:
    """The machine in words."""
    versions = f"Python {platform.python_version()}, numba {numba.__version__}"
    return f"{processor_name()}, {os.cpu_count()} cores, {versions}"


def best(measure: Callable[[], float]) -> float:
    """The highest of a few measurements."""
    return max(measure() for _ in range(REPEATS))


def measure() -> Iterator[Figure]:
    """All figures, one after the other."""
    threads = numba.config.NUMBA_NUM_THREADS
    for players, wall in ((2, "std"), (4, "std"), (2, "gray")):
        speed = best(lambda p=players, w=wall: simulate(30_000, p, w, threads=1).moves_per_second)  # type: ignore[misc]
        yield Figure(f"random games, {players} players, {wall} wall, 1 thread", speed, "moves/s")
    speed = best(lambda: simulate(60_000, threads=threads).moves_per_second)
    yield Figure(f"random games, 2 players, {threads} threads", speed, "moves/s")
    cuda = cuda_speed()
    if cuda:
        yield Figure("random games, 2 players, CUDA device", cuda, "moves/s")
    yield Figure("Python loop over action numbers", best(loop_over_numbers), "moves/s")
    yield Figure("Game.play with history", best(play_games), "moves/s")
    yield from search_speeds()
    yield Figure("import azulejos", 1000 * min(import_seconds() for _ in range(REPEATS)), "ms")
    yield Figure("first Game(), compiled before", 1000 * min(first_game_seconds() for _ in range(REPEATS)), "ms")
    yield Figure("one state", s.STATE.itemsize, "bytes")


def search_speeds() -> Iterator[Figure]:
    """What the two searches do in a second on one thread."""
    by_hand = ByHand()
    positions, seconds = search_some(Searcher([by_hand], 200_000))
    yield Figure("search by hand, 1 thread", positions / seconds, "positions/s")
    yield Figure("search by hand, playout moves", by_hand.playout_moves / seconds, "moves/s")
    network = network_for(2, "std", BATCH)
    positions, seconds = search_some(Searcher([ByNetwork(network)], 200_000))
    yield Figure("search with the network, 1 thread", positions / seconds, "positions/s")
    yield Figure("network alone, batches of 16", network_speed(network), "positions/s")


def search_some(searcher: Searcher) -> tuple[int, float]:
    """Search the first deals of a few games for a while; returns positions and seconds in all."""
    searcher.search(Game(seed=0).states, nodes=1)  # compiled before the clock starts
    positions, seconds = 0, 0.0
    for seed in range(SEARCHED_GAMES):
        report = searcher.search(Game(seed=seed).states, seconds=SEARCH_SECONDS)
        positions += report.nodes
        seconds += report.seconds
    return positions, seconds


def network_speed(network: Inference) -> float:
    """Positions a second of the network alone."""
    x = np.zeros((BATCH, FEATURES), np.int8)
    for at in range(BATCH):
        write_features(Game(seed=at).states[0], x[at])
    network(x)  # compiled before the clock starts
    rounds = 200
    started = time.perf_counter()
    for _ in range(rounds):
        network(x)
    return rounds * BATCH / (time.perf_counter() - started)


def signature() -> str:
    """A digest of how `search` plays a few positions; it changes only when its play changes."""
    searcher = Searcher([ByHand()], 10_000)
    digest = hashlib.sha256()
    for seed in range(12):
        game = Game(2 + seed % 3, WALLS[seed % 2], seed=seed)
        for _ in range(seed):
            game.play(game.legal_moves[0])
        report = searcher.search(game.states, nodes=400)
        digest.update(f"{report.best.action} {report.best.visits} {report.depth};".encode())
    return digest.hexdigest()[:12]


def cuda_speed() -> float | None:
    """Random games on a CUDA device, or None where there is none."""
    try:
        return best(lambda: simulate(100_000_000, device="cuda").moves_per_second)
    except ValueError:
        return None


def loop_over_numbers() -> float:
    """Legal actions and step, one call each a move, from Python."""
    states, actions = np.zeros(1, s.STATE), np.zeros(256, np.int16)
    choose, moves = random.Random(1).random, 0
    batch.new_game_one(states, 0, 2, 0, check_seed(0), 0, -1, 50)
    batch.step_one(states, 0, actions[batch.legal_one(states, 0, actions) - 1])  # compiled before the clock starts
    started = time.perf_counter()
    for game in range(500):
        batch.new_game_one(states, 0, 2, 0, check_seed(1), game, -1, 50)
        while count := batch.legal_one(states, 0, actions):
            batch.step_one(states, 0, actions[int(choose() * count)])
            moves += 1
    return moves / (time.perf_counter() - started)


def play_games() -> float:
    """`Game.play` alone, the moves known before."""
    rng = random.Random(1)
    seconds, moves = 0.0, 0
    for seed in range(60):
        game = Game(seed=seed)
        while not game.is_over:
            game.play(rng.choice(game.legal_moves))
        again = Game(seed=seed)
        plays = [play for play in game.history if isinstance(play, Move)]
        started = time.perf_counter()
        for play in plays:
            again.play(play)
        seconds += time.perf_counter() - started
        moves += len(plays)
    return moves / seconds


def import_seconds() -> float:
    """A fresh interpreter's `import azulejos`."""
    return _in_a_fresh_interpreter("import azulejos", "")


def first_game_seconds() -> float:
    """A fresh interpreter's first `Game()`."""
    return _in_a_fresh_interpreter("azulejos.Game(seed=1)", "import azulejos")


def _in_a_fresh_interpreter(statement: str, before: str) -> float:
    code = f"import time\n{before}\nstarted = time.perf_counter()\n{statement}\nprint(time.perf_counter() - started)"
    return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)


def bench(*, as_json: AsJson = False) -> None:
    """Measure how fast the engine is here and print a table.

    For example:

        azulejos bench

    Parameters
    ----------
    as_json
        Print JSON.
    """
    rows = list(measure())
    if as_json:
        figures = [row.json() for row in rows]
        print_json({"machine": machine(), "figures": figures, "signature": signature()})
        return
    table = Table("what", "figure", "unit", title=machine())
    table.columns[1].justify = "right"
    for row in rows:
        table.add_row(row.name, row.figure, row.unit)
    Console().print(table)
    print(f"signature of search: {signature()}")
