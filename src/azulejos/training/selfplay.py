"""What the trainer knows of self-play, wherever it runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from azulejos.training.losses import SampleBatch


class Tally(NamedTuple):
    """What self-play has done in a while."""

    moves: int = 0
    """Moves that were played."""
    games: int = 0
    """Games that were finished."""
    rounds: int = 0
    """Rounds of these games."""
    score: int = 0
    """Points of all seats of these games."""
    seats: int = 0
    """Seats of these games."""

    def plus(self, other: Tally) -> Tally:
        """The sum of two tallies."""
        return Tally(*map(sum, zip(self, other, strict=True)))


class SelfPlay(Protocol):
    """Games under way somewhere, and the samples they gave."""

    device: str
    """What it plays on, for cards."""

    @property
    def ready(self) -> bool:
        """Whether there are samples enough to learn from."""

    def prepare(self) -> None:
        """Compile everything, before the clock starts."""

    def turn(self, seconds: float) -> int:
        """Play on, or wait at most so long for others who play; returns how many positions came in."""

    def sample(self, size: int) -> SampleBatch:
        """So many samples by lot."""

    def count(self) -> Tally:
        """What was done since this was last asked."""

    def use(self, weights: Path) -> None:
        """Go on with the network in a file of weights."""

    def save(self) -> None:
        """Keep the samples as far as that is worth it."""
