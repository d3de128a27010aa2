"""The learner as a process of its own: draws from the window of recent shards, and writes candidates. Needs PyTorch."""

from __future__ import annotations

import io
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from azulejos.training.cards import (
    FIRST,
    LOSSES,
    STATE_FILE,
    WEIGHTS,
    Card,
    exists,
    machine,
    networks,
    newest_accepted,
    publish,
)
from azulejos.training.folder import Journal, RunFolder
from azulejos.training.learner import Symmetries, losses, total
from azulejos.training.model import Network, Shape, load, save
from azulejos.training.options import CPU_BATCH, CUDA_BATCH
from azulejos.training.shards import ShardError, Shelf, Window, read_shard
from azulejos.training.whole import sweep, write_whole

SAVE_SECONDS: Final = 10.0
"""How often the learner saves where it is."""
LOOK_SECONDS: Final = 1.0
"""How often to look for new shards."""
AVERAGING: Final = 0.01
"""How fast the weights of candidates follow those that learn."""
RECENT: Final = 0.02
"""How fast the losses that are told follow those of each step."""
WARM_UP_STEPS: Final = 100
"""In which the rate of a new run rises."""
KEPT_WINDOWS: Final = 2
"""Shards are kept until so many windows of newer positions are there."""


def pick_device(wanted: str) -> torch.device:
    """The device to learn on; a CUDA device must be there if it is asked for by name."""
    if wanted == "cuda" and not torch.cuda.is_available():
        raise ValueError("there is no CUDA device here: expected --device cpu or auto")
    return torch.device("cuda" if wanted != "cpu" and torch.cuda.is_available() else "cpu")


def device_name(device: torch.device) -> str:
    """What a device is called on cards."""
    return str(torch.cuda.get_device_name(device)) if device.type == "cuda" else machine()


def make_network(run: RunFolder) -> Network:
    """A network of the run's shape, not yet trained."""
    torch.manual_seed(run.seed)
    return Network(Shape(**run.shape))


def begin_run(run: RunFolder, start: Path | None = None) -> None:
    """Give a new run its first network: untrained, or from a file of weights."""
    network = make_network(run)
    games = 0
    if start is not None:
        games = int(load(network, start).get("games", 0))
    card = Card(
        network=FIRST,
        shape=run.shape,
        mix=run.options.mix,
        games=games,
        positions=0,
        steps=0,
        selfplay_minutes=0.0,
        learner_minutes=0.0,
        device=device_name(torch.device("cpu")),
        parent=start.name if start else None,
        rating={"elo": 0.0, "low": 0.0, "high": 0.0, "anchor": FIRST},
    )
    sweep(run.accepted)
    publish(run.accepted, card, lambda folder: _save_weights(network, folder, card))


def _save_weights(network: Network, folder: Path, card: Card) -> None:
    minutes = round(card.selfplay_minutes + card.learner_minutes, 1)
    save(network, str(folder / WEIGHTS), games=card.games, minutes=minutes, mix=card.mix)


class Learner:
    """A network that learns, and everything needed to go on after a sudden end."""

    def __init__(self, run: RunFolder) -> None:
        self.run, self.options = run, run.options
        self.device = pick_device(run.options.device)
        """What it learns on."""
        self.network = make_network(run).to(self.device)
        """What learns."""
        self.optimizer = torch.optim.AdamW(self.network.parameters(), lr=run.options.rate, weight_decay=1e-4)
        """What changes it."""
        self.steps, self.drawn, self.seconds, self.recent = 0, 0, 0.0, np.zeros(3)
        self.batch = run.options.batch or (CUDA_BATCH if self.device.type == "cuda" else CPU_BATCH)
        """Samples of a step."""
        self.shelf, self.window = Shelf(run.selfplay), Window(run.options.window)
        self.journal = Journal(run.path)
        """Where it is told what happened."""
        self._read: set[str] = set()
        self._positions = 0
        sweep(run.learner)
        sweep(run.candidates)
        self._resume()
        self.average = {name: value.clone() for name, value in self._average_there.items()}
        """The weights that candidates are made of: they follow those that learn."""
        self._random = np.random.default_rng([run.seed, self.steps])
        self._symmetries = Symmetries(self.device, run.seed + self.steps)

    def _resume(self) -> None:
        """Go on from the newest state there is: the learner's own, or the one that went with the newest network."""
        places = (self.run.candidates, self.run.accepted, self.run.rejected)
        named = sorted((folder for place in places for folder in networks(place)), key=lambda folder: folder.name)
        kept = [folder / STATE_FILE for folder in named if (folder / STATE_FILE).exists()]
        loaded = [_load_state(path, self.device) for path in (self.run.learner / STATE_FILE, *kept[-1:])]
        states = [state for state in loaded if state]
        if not states:
            load(self.network, newest_accepted(self.run) / WEIGHTS)
            self._average_there = self.network.state_dict()
            return
        best = max(states, key=lambda state: int(state["steps"]))
        self.network.load_state_dict(best["network"])
        self.optimizer.load_state_dict(best["optimizer"])
        self._average_there = best["average"]
        self.steps, self.drawn, self.seconds = best["steps"], best["drawn"], best["seconds"]
        self.recent = np.array(best["recent"])

    def learn(self, over: Callable[[], bool], share: Callable[[], float]) -> None:
        """Learn until the time is over; `share` says how much of it has passed."""
        looked = saved = time.monotonic()
        self._look()
        while not over():
            now = time.monotonic()
            if now - looked > LOOK_SECONDS:
                looked = now
                self._look()
            if now - saved > SAVE_SECONDS:
                saved = now
                self.save()
            if not self._may_step():
                time.sleep(0.1)
                continue
            self._step(share())
            self.seconds += time.monotonic() - now
            if self.steps % self.options.candidate_steps == 0:
                self.propose()
        self.save()

    def _look(self) -> None:
        """Read new shards, the newest first until the window is full."""
        names = [name for name in self.shelf.names() if name not in self._read]
        fresh, room = [], self.window.capacity
        for name in reversed(names):
            self._read.add(name)
            if room <= 0:
                continue
            try:
                samples, _ = read_shard(self.run.selfplay / name)
            except FileNotFoundError:
                continue
            except ShardError as fault:
                self._set_aside(name, fault)
                continue
            fresh.append(samples)
            room -= len(samples)
        for samples in reversed(fresh):
            self.window.add(samples)
        if names:
            self.shelf.prune(KEPT_WINDOWS * self.window.capacity)
            self._positions = self.shelf.totals().positions

    def _set_aside(self, name: str, fault: ShardError) -> None:
        aside = self.shelf.set_aside(name)
        self.journal.add("warning", what=f"{fault}; it is now {str(aside.relative_to(self.run.path))!r}")

    def _may_step(self) -> bool:
        enough = self.window.size >= min(4 * self.batch, self.window.capacity)
        return enough and self.drawn < self.options.reuse * self._positions

    def _step(self, share: float) -> None:
        for group in self.optimizer.param_groups:
            group["lr"] = self._rate(share)
        drawn = self.window.draw(self._random, self.batch)
        columns = (drawn.features, drawn.policy.astype(np.float32), drawn.win, drawn.margin, drawn.search)
        x, policy, win, margin, search = (torch.from_numpy(column).to(self.device) for column in columns)
        x, policy = self._symmetries(x, policy)
        parts = losses(self.network, x, policy, win, margin, search, self.options.trust)
        self.optimizer.zero_grad(set_to_none=True)
        total(parts).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.steps += 1
        self.drawn += self.batch
        now = np.array([float(part.detach()) for part in parts])
        self.recent += max(RECENT, 1 / self.steps) * (now - self.recent)
        with torch.no_grad():
            for name, value in self.network.state_dict().items():
                self.average[name].lerp_(value, max(AVERAGING, 1 / self.steps))

    def _rate(self, share: float) -> float:
        high, low = self.options.rate, self.options.final_rate or self.options.rate
        rate = low + (high - low) * 0.5 * (1 + math.cos(math.pi * min(1.0, share)))
        return rate * min(1.0, (self.steps + 1) / WARM_UP_STEPS)

    def _losses(self) -> dict[str, float]:
        return {name: round(float(value), 4) for name, value in zip(LOSSES, self.recent, strict=True)}

    def _state(self) -> bytes:
        state = {
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": self.average,
            "steps": self.steps,
            "drawn": self.drawn,
            "seconds": self.seconds,
            "recent": self.recent.tolist(),
        }
        buffer = io.BytesIO()
        torch.save(state, buffer)
        return buffer.getvalue()

    def save(self) -> None:
        """Keep what was learned; only what is kept is told."""
        if self.steps:
            write_whole(self.run.learner / STATE_FILE, self._state())
            rate = self.optimizer.param_groups[0]["lr"]
            seconds = round(self.seconds, 1)
            self.journal.add("learner", steps=self.steps, losses=self._losses(), rate=rate, seconds=seconds)

    def propose(self) -> None:
        """Write a candidate."""
        name = f"{self.steps:07d}"
        if exists(self.run, name):
            return
        totals = self.shelf.totals()
        card = Card(
            network=name,
            shape=self.run.shape,
            mix=self.options.mix,
            games=totals.games,
            positions=totals.positions,
            steps=self.steps,
            selfplay_minutes=round(totals.seconds / 60, 2),
            learner_minutes=round(self.seconds / 60, 2),
            device=device_name(self.device),
            parent=newest_accepted(self.run).name,
            losses=self._losses(),
        )
        network = make_network(self.run)
        network.load_state_dict(self.average)

        def fill(folder: Path) -> None:
            _save_weights(network, folder, card)
            write_whole(folder / STATE_FILE, self._state())

        publish(self.run.candidates, card, fill)
        self.journal.add("candidate", network=name, games=card.games, positions=card.positions, losses=card.losses)


def _load_state(path: Path, device: torch.device) -> dict[str, Any] | None:
    try:
        state: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
    except FileNotFoundError:  # not yet written; or the gate has just rejected its network
        return None
    except Exception as fault:  # PyTorch raises many kinds for a file that is cut short
        raise ValueError(f"cannot read {str(path)!r} as the learner's state: {fault}") from fault
    return state
