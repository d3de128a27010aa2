"""The learner: a network, its optimizer, and the moving average of its weights."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import torch

from azulejos.training.cards import LOSSES
from azulejos.training.losses import SampleBatch, losses, total
from azulejos.training.network import Network, load, wake
from azulejos.training.plan import Shape, TrainingPlan

AVERAGING: Final = 0.005
"""How fast the averaged weights follow those that learn, in a step."""
RECENT: Final = 0.01
"""How fast the losses that are told follow those of each step."""
WARM_UP_STEPS: Final = 200
"""Steps in which the rate of a new run rises."""
LEARN_SECONDS: Final = 0.25
"""After so long a processor that learns lets others have their turn, whatever is left to learn."""

Sampling = Callable[[int], SampleBatch]
"""Gives so many samples by lot."""


class Learner:
    """A network that learns from samples."""

    def __init__(self, shape: Shape, plan: TrainingPlan, device: torch.device, seed: int) -> None:
        torch.manual_seed(seed)
        self._seed = seed
        self.plan = plan
        """The plan by which it learns."""
        self.network = Network(shape).to(device)
        """The network that learns."""
        fused = device.type == "cuda"
        self.optimizer = torch.optim.AdamW(self.network.parameters(), lr=plan.rate, weight_decay=1e-4, fused=fused)
        """The optimizer that changes the network's weights."""
        self.steps = 0
        """Gradient steps so far."""
        self.average = {name: value.clone() for name, value in self.network.state_dict().items()}
        """The weights to play with: they follow those that learn."""
        self._recent = torch.zeros(len(LOSSES), device=device)
        self._due = 0.0
        # a device is given its work in advance: whoever waits here waits for the self-play that it does before
        self._seconds = math.inf if device.type == "cuda" else LEARN_SECONDS

    @property
    def losses(self) -> dict[str, float] | None:
        """The losses, averaged over the last steps."""
        if not self.steps:
            return None
        return {name: round(value, 4) for name, value in zip(LOSSES, self._recent.tolist(), strict=True)}

    @property
    def rate(self) -> float:
        """The learning rate of the last step."""
        return float(self.optimizer.param_groups[0]["lr"])

    @property
    def busy(self) -> bool:
        """Whether there is something left to learn at once."""
        return self._due >= self.plan.batch

    def learn(self, sampling: Sampling, positions: int, share: float) -> None:
        """Learn as much as so many new positions allow; `share` of the time has passed."""
        self._due += self.plan.reuse * positions
        end = time.monotonic() + self._seconds
        before = self.steps
        while self.busy and time.monotonic() < end:
            self._due -= self.plan.batch
            self._step(sampling(self.plan.batch), self._rate(share))
        if self.steps > before:
            self._follow(self.steps - before)

    def _rate(self, share: float) -> float:
        high, low = self.plan.rate, self.plan.final_rate
        rate = low + (high - low) * 0.5 * (1 + math.cos(math.pi * min(1.0, share)))
        return rate * min(1.0, (self.steps + 1) / WARM_UP_STEPS)

    def _step(self, batch: SampleBatch, rate: float) -> None:
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        parts = losses(self.network, *batch, self.plan.trust)
        self.optimizer.zero_grad(set_to_none=True)
        total(parts).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.steps += 1
        now = torch.stack([part.detach() for part in parts])
        self._recent.lerp_(now, max(RECENT, 1 / self.steps))

    @torch.no_grad()
    def _follow(self, steps: int) -> None:
        """Let the average follow after some steps; at first it is the mean of all steps."""
        weight = max(1 - (1 - AVERAGING) ** steps, steps / self.steps)
        for name, value in self.network.state_dict().items():
            self.average[name].lerp_(value, weight)

    def averaged(self) -> Network:
        """The network to play with, on the processor."""
        network = Network(self.network.shape)
        network.load_state_dict(self.average)
        return network

    def state(self) -> dict[str, Any]:
        """Everything needed to go on."""
        return {
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": self.average,
            "steps": self.steps,
            "recent": self._recent,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what `state` gave."""
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.average = state["average"]
        self.steps, self._recent = state["steps"], state["recent"]

    def begin_with(self, path: Path) -> dict[str, Any]:
        """Take over the weights of a file; returns its card."""
        card = load(self.network, path)
        if self.plan.wake:
            wake(self.network, self._seed)
        self.average = {name: value.clone() for name, value in self.network.state_dict().items()}
        return card
