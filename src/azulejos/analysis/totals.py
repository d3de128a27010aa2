"""Luck and skill of players over many games."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev

from azulejos.analysis.likeness import Likeness, of_losses
from azulejos.analysis.review import Amount, Review


@dataclass(slots=True)
class Total:
    """Everything that was found out about a player."""

    name: str
    """The player's name as in the records."""
    receipts: list[dict[str, Amount]] = field(default_factory=list)
    """The receipt of each game; who had two seats has two of them."""
    losses: list[Amount] = field(default_factory=list)
    """What each decision cost that was not forced."""

    @property
    def like(self) -> Likeness | None:
        """What the player played like, all games together."""
        return of_losses(self.losses)

    def sum(self, part: str) -> Amount:
        """A line of all receipts together."""
        return self._over_games(part, math.fsum)

    def mean(self, part: str) -> Amount:
        """A line of a receipt on average."""
        return self._over_games(part, fmean)

    def error(self, part: str) -> Amount | None:
        """How far the mean may be off from that of many more games: one standard error; one game does not tell."""
        if len(self.receipts) < 2:
            return None
        return self._over_games(part, lambda values: stdev(values) / math.sqrt(len(values)))

    def _over_games(self, part: str, of: Callable[[list[float]], float]) -> Amount:
        amounts = [receipt[part] for receipt in self.receipts]
        return Amount(of([amount.win for amount in amounts]), of([amount.margin for amount in amounts]))


def add_up(games: Iterable[tuple[Sequence[str], Review]]) -> list[Total]:
    """What was found of each player in some games, given the names of the seats; those with most games first."""
    totals: dict[str, Total] = {}
    for names, found in games:
        for seat, receipt in enumerate(found.receipts):
            total = totals.setdefault(names[seat], Total(names[seat]))
            total.receipts.append(receipt)
            total.losses += [each.loss for each in found.decisions if each.seat == seat and not each.forced]
    return sorted(totals.values(), key=lambda total: -len(total.receipts))
