"""What a training run can be told, apart from its folder and its time."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final, Literal

from azulejos.training.processor import MIXES, PlayPlan

Device = Literal["auto", "cpu", "cuda"]
"""Where to compute."""

DEVICES: Final = ("auto", "cpu", "cuda")
"""The devices that can be asked for."""
CUDA_SLOTS: Final = 16384
"""Games at once on a CUDA device."""
CPU_SLOTS: Final = 64
"""Games at once on a processor."""
CUDA_BATCH: Final = 8192
"""Samples of a step on a CUDA device."""
CPU_BATCH: Final = 512
"""Samples of a step on a processor."""


@dataclass(frozen=True)
class Options:
    """May be changed from one piece of a run to the next; the folder remembers them."""

    mix: str = "2std"
    """Which kinds of games."""
    device: Device = "auto"
    """Where to play and learn."""
    workers: int = 0
    """Self-play processes on processor cores; 0 is all cores but one."""
    slots: int = 0
    """Games side by side in each; 0 is 16384 on a CUDA device, 64 on a core."""
    simulations: int = PlayPlan.simulations
    """For each move."""
    temperature: float = PlayPlan.temperature
    """How freely moves are drawn in the opening of a round."""
    late_temperature: float = PlayPlan.late_temperature
    """The same after the opening."""
    shard_seconds: float = 10.0
    """How often games are written."""
    rate: float = 1e-3
    """How fast to learn."""
    final_rate: float | None = None
    """The rate falls to this one in the course of the piece."""
    batch: int = 0
    """0 is 8192 on a CUDA device, 512 on a core."""
    trust: float = 0.25
    """Share of the search's own value in the target."""
    window: int = 250_000
    """Positions to learn from, the newest ones."""
    reuse: float = 4.0
    """How often each position is learned from, on average."""
    candidate_steps: int = 500
    """From candidate to candidate."""
    gate_games: int = 100
    """Of a match at the gate."""
    gate_nodes: int = 64
    """Positions for each move there."""
    gate_workers: int = 1
    """Processes that play there."""
    threshold: float = 0.55
    """The score from which a candidate is accepted."""

    def __post_init__(self) -> None:
        if self.mix not in MIXES:
            raise ValueError(f"there is no mix {self.mix!r}: expected one of {', '.join(MIXES)}")
        if self.device not in DEVICES:
            raise ValueError(f"there is no device {self.device!r}: expected one of {', '.join(DEVICES)}")
        for name in ("simulations", "window", "candidate_steps", "gate_games", "gate_nodes", "gate_workers"):
            _check(name, getattr(self, name), getattr(self, name) >= 1, "at least 1")
        for name in ("workers", "slots", "batch"):
            _check(name, getattr(self, name), getattr(self, name) >= 0, "at least 0")
        for name in ("temperature", "late_temperature", "shard_seconds", "rate", "reuse"):
            _check(name, getattr(self, name), 0 < getattr(self, name) < float("inf"), "more than 0")
        if self.final_rate is not None:
            _check("final_rate", self.final_rate, 0 < self.final_rate < float("inf"), "more than 0")
        _check("trust", self.trust, 0 <= self.trust <= 1, "from 0 to 1")
        _check("threshold", self.threshold, 0 < self.threshold < 1, "between 0 and 1")

    def changed(self, given: dict[str, Any]) -> Options:
        """With what was given; None is not given."""
        return replace(self, **{name: value for name, value in given.items() if value is not None})

    def json(self) -> dict[str, Any]:
        """As plain data for JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Options:
        """The options in data as from `json`."""
        known = {field.name for field in fields(cls)}
        strange = [name for name in data if name not in known]
        if strange:
            raise ValueError(f"unknown options {', '.join(map(repr, strange))}")
        return cls(**data)

    def play_plan(self, seed: int, *, cuda: bool) -> PlayPlan:
        """How self-play plays."""
        return PlayPlan(
            slots=self.slots or (CUDA_SLOTS if cuda else CPU_SLOTS),
            simulations=self.simulations,
            mix=MIXES[self.mix],
            temperature=self.temperature,
            late_temperature=self.late_temperature,
            seed=seed,
        )


def _check(name: str, value: object, fine: bool, expected: str) -> None:
    if not fine:
        raise ValueError(f"{name.replace('_', '-')} must be {expected}, not {value!r}")
