"""Mass random play: how games of this length and these scores come about, at machine speed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numba
import numpy as np
from numpy.typing import NDArray

from azulejos.game.arguments import check_seed, check_whole
from azulejos.game.game import END_REASONS
from azulejos.game.view import WALLS, Wall
from azulejos.rules import mass
from azulejos.rules import state as s

Device: TypeAlias = Literal["cpu", "cuda"]
"""Where games are simulated."""

ROUND_LIMIT: Final = 50
"""D11: random games could refuse to build for ever."""
LANES: Final = 64
"""Games played side by side; more than any machine has threads."""
CHUNK: Final = {"cpu": 100_000, "cuda": 50_000_000}
"""Games between two reports of progress."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """The counts of many random games."""

    games: int
    """How many games were played."""
    players: int
    """Seats in each game."""
    wall: Wall
    """The colored wall or the gray one."""
    seed: int
    """What all deals and moves follow from."""
    device: Device
    """Where the games were computed."""
    threads: int
    """How many threads of the processor took part."""
    seconds: float
    """How long it took."""
    tally: NDArray[np.int64]
    """All counts, as the compiled code keeps them."""

    @property
    def moves(self) -> int:
        """All moves of all games."""
        return int(self.tally[mass.TOTAL_MOVES_AT])

    @property
    def moves_per_second(self) -> float:
        """The speed, everything included."""
        return self.moves / self.seconds

    @property
    def scores(self) -> NDArray[np.int64]:
        """How many final scores were 0, 1, 2, ... points."""
        return self.tally[mass.SCORES_AT : mass.SCORES_AT + mass.SCORE_BINS]

    @property
    def rounds(self) -> NDArray[np.int64]:
        """How many games took 0, 1, 2, ... rounds."""
        return self.tally[mass.ROUNDS_AT : mass.ROUNDS_AT + mass.ROUND_BINS]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many games took 0, 1, 2, ... moves; the last count holds all longer ones."""
        return self.tally[mass.MOVES_AT : mass.MOVES_AT + mass.MOVE_BINS]

    @property
    def reasons(self) -> dict[str, int]:
        """How many games ended for which reason."""
        return {name: int(self.tally[mass.REASONS_AT + number]) for number, name in END_REASONS.items()}

    @property
    def wins(self) -> list[int]:
        """How many games each seat won alone."""
        return [int(self.tally[mass.WINS_AT + seat]) for seat in range(self.players)]

    @property
    def shared(self) -> int:
        """How many victories were shared."""
        return int(self.tally[mass.SHARED_AT])

    def json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "games": self.games,
            "moves": self.moves,
            "seconds": round(self.seconds, 6),
            "moves_per_second": round(self.moves_per_second),
            "players": self.players,
            "wall": self.wall,
            "seed": self.seed,
            "device": self.device,
            "threads": self.threads,
            "score": describe(self.scores),
            "rounds": describe(self.rounds),
            "length": describe(self.lengths),
            "reasons": self.reasons,
            "wins": self.wins,
            "shared": self.shared,
        }


def describe(counts: NDArray[np.int64]) -> dict[str, float]:
    """Mean, spread and quantiles of a distribution given as counts of 0, 1, 2, ...

    >>> describe(np.array([0, 1, 1, 2]))["mean"]
    2.25
    """
    values = np.arange(len(counts))
    total = counts.sum()
    mean = float((counts * values).sum() / total)
    spread = float(np.sqrt((counts * (values - mean) ** 2).sum() / total))
    below = np.cumsum(counts) / total
    quantiles = {f"p{percent}": int(np.searchsorted(below, percent / 100)) for percent in (5, 25, 50, 75, 95)}
    seen = np.flatnonzero(counts)
    return {"mean": round(mean, 4), "sd": round(spread, 4), "min": int(seen[0]), **quantiles, "max": int(seen[-1])}


def simulate(
    games: int,
    players: int = 2,
    wall: Wall = "std",
    seed: int = 0,
    threads: int | None = None,
    device: Device = "cpu",
    progress: Callable[[int], None] = lambda _: None,
) -> Simulation:
    """Play random games number 0 to `games - 1` of the series `seed`; `progress` is told how many are done.

    >>> simulate(games=100, seed=1).reasons
    {'row': 100, 'stalled': 0, 'round_limit': 0}
    """
    check_whole("games", games, 1, 10**15)
    check_whole("players", players, 2, s.MAX_PLAYERS)
    if wall not in WALLS:
        raise ValueError(f"wall must be 'std' or 'gray', not {wall!r}")
    if device not in CHUNK:
        raise ValueError(f"device must be 'cpu' or 'cuda', not {device!r}")
    most = numba.config.NUMBA_NUM_THREADS
    threads = most if threads is None else threads
    check_whole("threads", threads, 1, most)
    play = _on_device if device == "cuda" else _on_threads(threads)
    stream, gray = check_seed(seed), WALLS.index(wall)
    play(0, 0, players, gray, stream)  # compile before the clock starts
    tally = np.zeros(mass.TALLY_SIZE, np.int64)
    started = time.perf_counter()
    for first in range(0, games, CHUNK[device]):
        count = min(CHUNK[device], games - first)
        tally += play(first, count, players, gray, stream)
        progress(first + count)
    seconds = time.perf_counter() - started
    return Simulation(games, players, wall, seed, device, threads, seconds, tally)


def _on_threads(threads: int) -> Callable[[int, int, int, int, Any], NDArray[np.int64]]:
    states = np.zeros(LANES, s.STATE)

    def play(first: int, games: int, players: int, gray: int, seed: Any) -> NDArray[np.int64]:
        before = numba.get_num_threads()
        numba.set_num_threads(threads)
        tallies = np.zeros((LANES, mass.TALLY_SIZE), np.int64)
        try:
            mass.play_mass(states, tallies, first, games, players, gray, seed, ROUND_LIMIT)
        finally:
            numba.set_num_threads(before)
        total: NDArray[np.int64] = tallies.sum(axis=0)
        return total

    return play


def _on_device(first: int, games: int, players: int, gray: int, seed: Any) -> NDArray[np.int64]:
    try:
        from azulejos.rules import mass_cuda  # noqa: PLC0415 - needs numba-cuda, which few have
    except ImportError as fault:
        raise ValueError(f"device 'cuda' needs the package numba-cuda: {fault}") from fault
    if not mass_cuda.is_available():
        raise ValueError("device 'cuda' needs a CUDA device, and none was found")
    return mass_cuda.play_mass_on_device(first, games, players, gray, seed, ROUND_LIMIT)
