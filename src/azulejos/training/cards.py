"""Networks of a run and their cards: `networks/0000500.npz` with `networks/0000500.json`, named by gradient steps.

A network is there when its card is. It waits for its gate match as long as the card does not say whether it is
accepted.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from azulejos.arena.statistics import Estimate
from azulejos.net.features import FEATURES_VERSION
from azulejos.training.atomic import write_atomic
from azulejos.training.plan import Shape

LOSSES: Final = ("policy", "win", "margin")
"""What is learned: policy, victory and margin."""


class Interval(Struct):
    """A value and its 95 % confidence interval; None is infinite."""

    value: float
    """The best guess."""
    low: float | None
    """The lower end of the interval."""
    high: float | None
    """The upper end of the interval."""

    @staticmethod
    def of(estimate: Estimate) -> Interval:
        """An estimate as it stands on a card."""
        return msgspec.convert(estimate.json(), Interval)


class TableResult(Struct):
    """The games of a gate match at one kind of table."""

    table: str
    """Players and wall of the table, as in `2std`."""
    games: int
    """How many games were played."""
    share: Interval
    """The candidate's share of the victories."""
    margin: Interval
    """The candidate's score less the best of the others."""
    forfeits: list[int]
    """Games that candidate and opponent lost because they failed."""


class GateResult(Struct):
    """How a candidate's match came out."""

    opponent: str
    """The network that played until then."""
    games: int
    """How many games were played."""
    nodes: int
    """Positions that both looked at for a move."""
    score: Interval
    """The candidate's score over all tables; an equal has 0.5."""
    threshold: float
    """The score that was needed."""
    tables: list[TableResult]
    """How the match came out at each kind of table."""


class NetworkCard(Struct, kw_only=True):
    """What is known of a network."""

    network: str
    """Its name: the gradient steps so far."""
    shape: Shape
    """The size of the network."""
    mix: str
    """Which games it learned last."""
    games: int
    """Self-play games so far."""
    positions: int
    """Positions of self-play so far."""
    steps: int
    """Gradient steps so far."""
    minutes: float
    """Minutes of training so far."""
    device: str
    """What it was trained on."""
    parent: str | None
    """The accepted network of the time, or the file that the run began with."""
    losses: dict[str, float] | None = None
    """How wrong it was when it was saved."""
    accepted: bool | None = None
    """Whether it may play; None until that is decided."""
    gate: GateResult | None = None
    """How its match came out, if it had one."""
    overtaken_by: str | None = None
    """The newer network that was ready before its match could begin."""
    rating: Interval | None = None
    """Elo over the run's first network, as far as measured."""
    features_version: int = FEATURES_VERSION
    """The version of the features that it was trained with."""
    created: str = ""
    """When it was saved."""


class Networks:
    """The networks of a run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "networks"
        """The folder of the networks."""

    def weights(self, name: str) -> Path:
        """The file with a network's weights."""
        return self.folder / f"{name}.npz"

    def cards(self) -> list[NetworkCard]:
        """The cards of all networks, the oldest first."""
        return [self.card(path.stem) for path in sorted(self.folder.glob("[0-9]*.json"))]

    def card(self, name: str) -> NetworkCard:
        """The card of a network."""
        path = self.folder / f"{name}.json"
        try:
            return msgspec.json.decode(path.read_bytes(), type=NetworkCard)
        except msgspec.DecodeError as fault:
            raise ValueError(f"cannot read {str(path)!r} as a card: {fault}") from fault

    def write(self, card: NetworkCard) -> None:
        """Write a card, anew if there is one."""
        path = self.folder / f"{card.network}.json"
        write_atomic(path, msgspec.json.format(msgspec.json.encode(card)) + b"\n")

    def newest(self) -> NetworkCard:
        """The card of the network that plays: the newest that was accepted."""
        accepted = [card for card in self.cards() if card.accepted]
        if not accepted:
            raise ValueError(f"{str(self.folder)!r} holds no network that may play")
        return accepted[-1]
