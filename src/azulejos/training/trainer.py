"""The trainer: self-play and learning in turns for so many minutes, and a gate that lets better networks play.

Self-play is on a CUDA device in this process, or on processor cores by workers, here or on a cluster. Everything
needed to go on is saved every so often, in atomic files.
"""

from __future__ import annotations

import contextlib
import functools
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import torch

from azulejos.arena.game_task import derived_seed
from azulejos.arena.workers import available_cores, hired, processor_name
from azulejos.net.inference import read_weights
from azulejos.training.atomic import out_of_room, write_atomic
from azulejos.training.cards import Interval, NetworkCard, Networks
from azulejos.training.checkpoint import CHECKPOINT, Progress, load_checkpoint, save_checkpoint
from azulejos.training.curves import can_draw, draw
from azulejos.training.gate import Gate
from azulejos.training.learner import Learner
from azulejos.training.losses import Symmetries, batch_of
from azulejos.training.network import read_network, read_shape, save
from azulejos.training.plan import TrainingPlan
from azulejos.training.policy_scale import measure, soften_file
from azulejos.training.pool import TaskPool, TrainingFailed
from azulejos.training.replay import ReplayBuffer
from azulejos.training.run_folder import FolderError, Journal, RunFolder, now
from azulejos.training.selfplay import SelfPlay, Tally
from azulejos.training.selfplay_cpu import PooledSelfPlay
from azulejos.training.silence import silence_file

NEWS_SECONDS: Final = 15.0
"""How often news are told."""
CURVES_SECONDS: Final = 60.0
"""How often the plot is drawn."""
WAIT_SECONDS: Final = 0.1
"""How long to wait for workers when there is nothing to learn."""
WEIGHTS: Final = "weights.npz"
"""The file of a run folder with the network to play with."""

News = dict[str, Any]
"""Where a run stands, as plain data."""
Tell = Callable[[News], None]
"""A function that is told where a run stands."""


def train(run: RunFolder, minutes: float, start: Path | None, ray: str | None, tell: Tell) -> News:
    """Train for so many minutes, from where the last piece of the run ended; returns where it stands then."""
    device = pick_device(run.plan(cuda=False).device)
    plan = run.plan(cuda=device.type == "cuda" and ray is None)
    _check_files(run, plan, start)
    with run.locked(), _full_disk_told(run):
        with _workers(run, plan, device, ray) as pool:
            signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends a run as Ctrl-C does; Ray listens too
            with contextlib.closing(Trainer(run, plan, device, pool, start)) as trainer:
                end = trainer.go(60 * minutes, tell)
        if plan.scale_games:
            end["awake"] = drop_silent(run, plan)
            with _hired(run, plan, ray) as pool:
                end["policy_scale"] = scale_policy(run, plan, pool)
        return end


def pick_device(wanted: str) -> torch.device:
    """The device to learn on; a CUDA device must be there if it is asked for by name."""
    if wanted == "cuda" and not torch.cuda.is_available():
        raise ValueError("there is no CUDA device here: expected --device cpu or auto")
    return torch.device("cuda" if wanted != "cpu" and torch.cuda.is_available() else "cpu")


def _check_files(run: RunFolder, plan: TrainingPlan, start: Path | None) -> None:
    """Refuse files that cannot be used, before anything is written."""
    if plan.teacher:
        read_shape(Path(plan.teacher))
    if start is not None and Networks(run.path).cards():
        raise FolderError(f"{str(run.path)!r} has networks already: --start is for a new folder")
    if start is not None and start.suffix != ".pt" and read_shape(start) != run.shape:
        raise ValueError(f"{str(start)!r} has a network of {read_shape(start)}: expected {run.shape}")


@contextlib.contextmanager
def _workers(run: RunFolder, plan: TrainingPlan, device: torch.device, ray: str | None) -> Iterator[TaskPool | None]:
    """Workers for self-play or gate games on processor cores, if there are any to be played there."""
    if device.type == "cuda" and ray is None and not plan.gate_games:
        yield None
        return
    if device.type == "cpu":
        torch.set_num_threads(max(1, available_cores() // 2))
    with _hired(run, plan, ray) as pool:
        yield pool


@contextlib.contextmanager
def _hired(run: RunFolder, plan: TrainingPlan, ray: str | None) -> Iterator[TaskPool]:
    with hired(max(1, available_cores() - 1) if plan.workers is None else plan.workers, ray) as workers:
        yield TaskPool(workers, lambda why: Journal(run.path).add("restart", why=why))


def drop_silent(run: RunFolder, plan: TrainingPlan) -> dict[str, int]:
    """Leave silent units out of the network to play with, not of the one that learns; returns how many are left."""
    found = silence_file(run.path / WEIGHTS, plan.games, seed=run.seed)
    Journal(run.path).add("silence", awake=found)
    return found


def scale_policy(run: RunFolder, plan: TrainingPlan, pool: TaskPool) -> float:
    """Scale the policy of the network to play with, as it loses least; the one that learns stays as it is."""
    path = run.path / WEIGHTS
    found = measure(read_weights(path), plan.games, plan.scale_games, run.seed, pool)
    Journal(run.path).add("scale", **msgspec.to_builtins(found))
    soften_file(path, found.scale)
    return found.scale


@contextlib.contextmanager
def _full_disk_told(run: RunFolder) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        if out_of_room(fault):
            raise TrainingFailed(f"the disk of {str(run.path)!r} is full") from fault
        raise


class Every:
    """Something that is due every so often."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._next = seconds, time.monotonic() + seconds

    def is_due(self) -> bool:
        """Whether it is time; then the next time is so many seconds from now."""
        due = time.monotonic() >= self._next
        if due:
            self._next = time.monotonic() + self._seconds
        return due


class Trainer:
    """A run under way: the learner, self-play and the gate, and how far they have come."""

    def __init__(
        self, run: RunFolder, plan: TrainingPlan, device: torch.device, pool: TaskPool | None, start: Path | None = None
    ) -> None:
        self.run, self.plan, self.device = run, plan, device
        self.networks, self.journal = Networks(run.path), Journal(run.path)
        self.learner = Learner(run.shape, plan, device, run.seed)
        """The network that learns, and how."""
        self.progress = Progress()
        """How far the run has come."""
        self._resume(start)
        self._earlier, self._began = self.progress.minutes, time.monotonic()
        self._moves, self._lately = 0, Tally()
        self._next_network = self.learner.steps + plan.candidate_steps
        self.gate = Gate(run.path, plan, run.seed, pool, self._judged) if plan.gate_games and pool else None
        """What decides who plays, where it is not always the newest."""
        self._pool = pool
        self.play = self._self_play(pool)
        """The games that are played."""

    def _resume(self, start: Path | None) -> None:
        """Go on from the checkpoint, or give a new run its first network."""
        checkpoint = self.run.path / CHECKPOINT
        if checkpoint.exists():
            self.progress = load_checkpoint(checkpoint, self.learner)
        elif start is not None and start.suffix == ".pt":
            self.progress = load_checkpoint(start, self.learner)
        elif start is not None:
            card = self.learner.begin_with(start)
            self.progress = Progress(games=int(card.get("games", 0)), minutes=float(card.get("minutes", 0)))
        if not self.networks.cards():
            self._publish(start.name if start else None, accepted=True, rating=Interval(0.0, 0.0, 0.0))
            self._save_weights(self.run.path / WEIGHTS)

    def _self_play(self, pool: TaskPool | None) -> SelfPlay:
        pieces = sum(line["kind"] == "begin" for line in self.journal.lines())
        seed = derived_seed(self.run.seed, pieces)  # never the games of an earlier piece
        self.journal.add("begin", device=self._device_name(), plan=msgspec.to_builtins(self.plan))
        player = Path(self.plan.teacher or self.networks.weights(self.networks.newest().network))
        on_device = self.device.type == "cuda" and not (pool and pool.is_far)
        follows = on_device and not self.plan.teacher and not self.plan.gate_games  # every step of the learner
        self._accepted_play = not self.plan.teacher and not follows
        if on_device:
            from azulejos.training.selfplay_cuda import CudaSelfPlay  # noqa: PLC0415 - needs numba-cuda

            return CudaSelfPlay(self.learner.network if follows else read_network(player).cuda(), self.plan, seed)
        assert pool is not None
        replay = ReplayBuffer(self.run.path / "replay", self.plan.replay)
        for what in replay.load():
            self.journal.add("warning", what=what)
        show = functools.partial(batch_of, Symmetries(self.device, seed), self.device)
        play = PooledSelfPlay(pool, self.plan, seed, replay, show)
        play.use(player)
        return play

    def go(self, seconds: float, tell: Tell) -> News:
        """Play and learn until the time is up; returns where the run stands."""
        plots = can_draw()
        if not plots:
            self.journal.add("warning", what="no curves without matplotlib: pip install 'azulejos[plots]'")
        self.play.prepare()  # compiles before the clock starts
        if self.gate:
            self.gate.prepare()
        self._began = time.monotonic()
        news, saving, curves = Every(NEWS_SECONDS), Every(self.plan.save_seconds), Every(CURVES_SECONDS)
        try:
            while (passed := time.monotonic() - self._began) < seconds:
                self.turn(passed / seconds)
                if saving.is_due():
                    self.save()
                if news.is_due():
                    tell(self._news())
                if plots and curves.is_due():
                    draw(self.run)
        except KeyboardInterrupt:
            self.save()
            raise
        self.save()
        told = self._news()
        tell(told)
        if plots:
            draw(self.run)
        return told

    def turn(self, share: float) -> None:
        """Play, learn and judge a little; `share` of the time has passed."""
        if self.gate:
            self.gate.turn()
        came = self.play.turn(0.0 if self.learner.busy else WAIT_SECONDS)
        self.progress.positions += came
        if self.play.ready:
            self.learner.learn(self.play.sample, came, share)
        if self.learner.steps >= self._next_network:
            self._next_network += self.plan.candidate_steps
            self.save()  # first, so that no network is ahead of the checkpoint
            card = self._publish(self.networks.newest().network, accepted=None if self.gate else True)
            if card.accepted:
                self._let_play(card)

    def _publish(self, parent: str | None, *, accepted: bool | None, rating: Interval | None = None) -> NetworkCard:
        """Save the averaged network with a card."""
        card = NetworkCard(
            network=f"{self.learner.steps:07d}",
            shape=self.run.shape,
            mix=self.plan.mix,
            games=self.progress.games,
            positions=self.progress.positions,
            steps=self.learner.steps,
            minutes=round(self.progress.minutes, 2),
            device=self._device_name(),
            parent=parent,
            losses=self.learner.losses,
            accepted=accepted,
            rating=rating,
            created=now(),
        )
        self._save_weights(self.networks.weights(card.network))
        self.networks.write(card)
        self.journal.add("network", network=card.network, games=card.games, accepted=accepted)
        return card

    def _judged(self, card: NetworkCard) -> None:
        """A candidate's match is over."""
        score = card.gate and msgspec.to_builtins(card.gate.score)
        self.journal.add("gate", network=card.network, score=score, accepted=card.accepted)
        if card.accepted:
            self._let_play(card)

    def _let_play(self, card: NetworkCard) -> None:
        """Play with this network from now on, here and wherever `weights.npz` is used."""
        weights = self.networks.weights(card.network)
        write_atomic(self.run.path / WEIGHTS, weights.read_bytes())
        if self._accepted_play:
            self.play.use(weights)

    def _save_weights(self, path: Path) -> None:
        minutes = round(self.progress.minutes, 1)
        save(self.learner.averaged(), path, games=self.progress.games, minutes=minutes, mix=self.plan.mix)

    def save(self) -> None:
        """Save everything needed to go on, and the network to play with where there is no gate."""
        self._count()
        self.play.save()
        save_checkpoint(self.run.path / CHECKPOINT, self.learner, self.progress)
        if not self.plan.gate_games:
            self._save_weights(self.run.path / WEIGHTS)

    def _count(self) -> None:
        """Bring the counts up to date."""
        tally = self.play.count()
        self.progress.games += tally.games
        self._moves += tally.moves
        self._lately = self._lately.plus(tally)
        self.progress.minutes = self._earlier + (time.monotonic() - self._began) / 60

    def _news(self) -> News:
        self._count()
        lately, self._lately = self._lately, Tally()
        cards = self.networks.cards()
        newest = next(card for card in reversed(cards) if card.accepted)
        seconds = max(1.0, time.monotonic() - self._began)
        news: News = {
            "minutes": round(self.progress.minutes, 3),
            "games": self.progress.games,
            "positions": self.progress.positions,
            "steps": self.learner.steps,
            "simulations_per_second": round(self._moves * self.plan.simulations / seconds),
            "rounds": round(lately.rounds / max(1, lately.games), 2),
            "score": round(lately.score / max(1, lately.seats), 1),
            "losses": self.learner.losses,
            "rate": round(self.learner.rate, 6),
            "network": newest.network,
            "rating": newest.rating and msgspec.to_builtins(newest.rating),
            **{
                name: sum(card.accepted is state for card in cards)
                for name, state in (("accepted", True), ("rejected", False), ("waiting", None))
            },
        }
        self.journal.add("progress", **news)
        return news

    def _device_name(self) -> str:
        return str(torch.cuda.get_device_name(self.device)) if self.device.type == "cuda" else processor_name()

    def close(self) -> None:
        """Let workers go, and close the files of a gate match under way."""
        if self._pool:
            self._pool.close()
        if self.gate:
            self.gate.close()
