"""Networks of a run and their cards: each is a folder with weights, a card, and the learner's state when it was made.

A network is a candidate first; the gate writes the result into its card and then moves it among the accepted or the
rejected ones. A card with a result in `candidates/` is one whose move was cut short.
"""

from __future__ import annotations

import contextlib
import json
import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from azulejos.net.features import FEATURES_VERSION
from azulejos.training.folder import RunFolder, now
from azulejos.training.whole import empty_folder, write_whole

CARD: Final = "card.json"
"""The file with the card."""
WEIGHTS: Final = "weights.npz"
"""The file with the weights."""
STATE_FILE: Final = "state.pt"
"""The file with the learner's state."""
FIRST: Final = "0000000"
"""The name of the first network."""
LOSSES: Final = ("policy", "win", "margin")
"""What is learned: policy, victory and margin."""


@dataclass(frozen=True, slots=True)
class Rating:
    """Elo with a 95 % interval; the run's first network has 0."""

    elo: float
    """The best guess."""
    low: float
    """The lower end of the interval."""
    high: float
    """The upper end of the interval."""

    def json(self) -> dict[str, Any]:
        """As plain data for JSON."""
        return {name: round(value, 1) for name, value in asdict(self).items()} | {"anchor": FIRST}


@dataclass(frozen=True, slots=True)
class Card:
    """What is known of a network."""

    network: str
    """Its name: the learner's steps."""
    shape: dict[str, int]
    """The size of the network."""
    mix: str
    """Which games it learned."""
    games: int
    """Self-play games of the run so far, and their positions."""
    positions: int
    """Positions of self-play that it could learn from."""
    steps: int
    """Steps of the gradient."""
    selfplay_minutes: float
    """How long self-play had run."""
    learner_minutes: float
    """How long the learner had run."""
    device: str
    """What it learned on."""
    parent: str | None
    """The accepted network of the time, or the file the run began with."""
    losses: dict[str, float] | None = None
    """How wrong it was, when it was made."""
    gate: dict[str, Any] | None = None
    """How its match at the gate came out."""
    rating: dict[str, Any] | None = None
    """Its strength, as far as measured."""
    features_version: int = FEATURES_VERSION
    """The version of the features that it was trained with."""
    created: str = ""
    """When it was made."""

    def json(self) -> dict[str, Any]:
        """As plain data for JSON."""
        return asdict(self)


def read_card(folder: Path) -> dict[str, Any]:
    """The card of a network."""
    try:
        card: dict[str, Any] = json.loads((folder / CARD).read_bytes())
    except ValueError as fault:
        raise ValueError(f"cannot read {str(folder / CARD)!r} as a card: {fault}") from fault
    return card


def write_card(folder: Path, card: dict[str, Any]) -> None:
    """Write the card of a network anew."""
    write_whole(folder / CARD, json.dumps(card, indent=2, ensure_ascii=False).encode() + b"\n")


def publish(place: Path, card: Card, fill: Callable[[Path], None]) -> Path:
    """Make a network's folder, whole or not at all; `fill` writes weights and state into it."""
    folder = place / card.network
    fresh = empty_folder(folder)
    fill(fresh)
    write_card(fresh, {**card.json(), "created": now()})
    fresh.rename(folder)
    return folder


def networks(place: Path) -> list[Path]:
    """The networks in one of a run's folders, the oldest first."""
    return sorted(path for path in place.iterdir() if path.name.isdigit() and (path / CARD).exists())


def newest_accepted(run: RunFolder) -> Path:
    """The network that plays."""
    found = networks(run.accepted)
    if not found:
        raise ValueError(f"{str(run.accepted)!r} holds no network")
    return found[-1]


def exists(run: RunFolder, name: str) -> bool:
    """Whether there is a network of this name already."""
    return any((place / name).exists() for place in (run.candidates, run.accepted, run.rejected))


def settle(run: RunFolder, folder: Path) -> Path:
    """Move a candidate whose card has a result to where it belongs; a rejected one needs no learner's state."""
    accepted = bool(read_card(folder)["gate"]["accepted"])
    if not accepted:
        with contextlib.suppress(FileNotFoundError):
            (folder / STATE_FILE).unlink()
    return folder.rename((run.accepted if accepted else run.rejected) / folder.name)


def machine() -> str:
    """This machine's processor, for cards."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
