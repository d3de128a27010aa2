"""Self-play as a process of its own: plays with the newest accepted network and writes shards."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from azulejos.net.inference import read_weights
from azulejos.training.cards import WEIGHTS, machine, newest_accepted
from azulejos.training.folder import Journal, RunFolder
from azulejos.training.processor import ProcessorSelfPlay
from azulejos.training.shards import Origin, Samples, Shelf
from azulejos.training.turns import GAME_OVER, TAKEN
from azulejos.training.whole import sweep

DEVICE_SHARD_POSITIONS = 200_000
"""A CUDA device fills a shard long before its seconds are over."""
HARVEST_STEPS = 16
"""A slot has room for about two games; samples must be copied before the next game needs it."""


class Playing(Protocol):
    """Games under way somewhere."""

    device: str
    """What it computes on."""

    @property
    def games(self) -> int:
        """How many are finished."""

    def use(self, network: Path) -> None:
        """Go on with the network in this folder."""

    def step(self) -> None:
        """Play one move in every game."""

    def take(self) -> Samples:
        """The samples of games finished since the last time."""

    def full(self) -> bool:
        """Whether the samples should be taken at once."""


class OnProcessor:
    """Self-play on a core of the processor."""

    def __init__(self, run: RunFolder, seed: int) -> None:
        self.device = machine()
        """What it plays on."""
        self._plan = run.options.play_plan(seed, cuda=False)
        self._play: ProcessorSelfPlay | None = None

    @property
    def games(self) -> int:
        """How many are finished."""
        return self._play.games if self._play else 0

    def use(self, network: Path) -> None:
        """Go on with the network in this folder."""
        weights = read_weights(network / WEIGHTS)
        if self._play is None:
            self._play = ProcessorSelfPlay(weights, self._plan)
        else:
            self._play.set_weights(weights)

    def step(self) -> None:
        """Play one move in every game."""
        assert self._play is not None
        self._play.step()

    def take(self) -> Samples:
        """The samples of games finished since the last time."""
        assert self._play is not None
        return self._play.take()

    def full(self) -> bool:
        """Never: a core is slow."""
        return False


class OnDevice:
    """Self-play on a CUDA device; needs PyTorch and numba-cuda."""

    def __init__(self, run: RunFolder, seed: int) -> None:
        import torch  # noqa: PLC0415 - only here

        from azulejos.training.learning import device_name, make_network  # noqa: PLC0415
        from azulejos.training.selfplay import Plan, SelfPlay  # noqa: PLC0415

        plan = run.options.play_plan(seed, cuda=True)
        self.device = device_name(torch.device("cuda"))
        """What it plays on."""
        self._network: Any = make_network(run).cuda()
        self._play = SelfPlay(self._network, Plan(**asdict(plan)))
        self.games = self._steps = 0
        """Finished so far."""
        self._finished: list[Samples] = []

    def use(self, network: Path) -> None:
        """Go on with the network in this folder."""
        from azulejos.training.model import load  # noqa: PLC0415 - only here

        load(self._network, network / WEIGHTS)

    def step(self) -> None:
        """Play one move in every game."""
        self._play.step()
        self._steps += 1
        if self._steps % HARVEST_STEPS == 0:
            self._harvest()

    def full(self) -> bool:
        """Whether there are samples enough for a shard."""
        return sum(map(len, self._finished)) >= DEVICE_SHARD_POSITIONS

    def take(self) -> Samples:
        """The samples of games finished since the last time."""
        self._harvest()
        parts, self._finished = self._finished, []
        return Samples.joined(parts)

    def _harvest(self) -> None:
        """Copy the samples of finished games to the host; they count as taken from now on."""
        play = self._play
        fresh = play.sample_done == GAME_OVER
        self.games += int(play.tally[0])
        play.tally.zero_()
        names = ("sample_x", "sample_policy", "sample_win", "sample_margin", "sample_search")
        columns = [getattr(play, name)[fresh].cpu().numpy() for name in names]
        play.sample_done[fresh] = TAKEN
        self._finished.append(Samples(*columns))


def play(run: RunFolder, number: int, over: Callable[[], bool], *, cuda: bool) -> None:
    """Play and write shards until the time is over; unfinished games are forgotten."""
    writer = f"w{number}"
    sweep(run.selfplay, f"*-{writer}.npz")
    shelf = Shelf(run.selfplay)
    seed = run.seed + 1_000_003 * (1 + shelf.totals().games) + number  # never the games of an earlier piece
    playing: Playing = OnDevice(run, seed) if cuda else OnProcessor(run, seed)
    network = newest_accepted(run)
    playing.use(network)
    begun, told = time.monotonic(), 0
    while not over():
        playing.step()
        passed = time.monotonic() - begun
        if playing.full() or passed >= run.options.shard_seconds:
            told += _write(run, shelf, playing, writer, network.name, told, passed)
            begun = time.monotonic()
            newest = newest_accepted(run)
            if newest != network:
                network = newest
                playing.use(network)
    _write(run, shelf, playing, writer, network.name, told, time.monotonic() - begun)


def _write(run: RunFolder, shelf: Shelf, playing: Playing, writer: str, network: str, told: int, seconds: float) -> int:
    """Write what is finished; returns how many games that are."""
    samples = playing.take()
    games = playing.games - told
    if games:
        simulations = run.options.simulations
        origin = Origin(network, games, len(samples), round(seconds, 3), playing.device, simulations)
        name = shelf.add(samples, origin, writer)
        Journal(run.path).add("shard", name=name, games=games, positions=len(samples), network=network)
    return games
