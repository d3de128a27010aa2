"""Eight levels for people: each beats the one below in 60 to 75 % of two-player games.

A level is a row of this table. Weak levels see fewer positions and choose among the moves they looked at by lot, the
better ones more often: they overlook things, as people do, but do not throw tiles away. The player `net` without a
limit is stronger than all of them. `benchmarks/measure_levels.py` measures the steps; docs/levels.md has the result.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from azulejos.players.registry import read_options
from azulejos.players.searching import SearchingPlayer, by_hand, by_network


@dataclass(frozen=True, slots=True)
class Level:
    """One level."""

    number: int
    name: str
    """In plain words; interfaces translate it by its number."""
    nodes: int
    """Positions looked at for each move."""
    heat: float
    """How freely it chooses among them."""
    network: bool = False

    @property
    def spec(self) -> str:
        """The name under which the registry knows it."""
        return f"level{self.number}"


LEVELS: Final = (
    Level(1, "beginner", 18, 1.1),
    Level(2, "casual", 32, 0.82),
    Level(3, "familiar", 50, 0.66),
    Level(4, "practised", 76, 0.54),
    Level(5, "skilled", 130, 0.42),
    Level(6, "strong", 240, 0.31),
    Level(7, "expert", 500, 0.23),
    Level(8, "master", 4, 0.0, network=True),
)


def make(level: Level, rest: str, seed: int) -> SearchingPlayer:
    """The player of a level; it has no options."""
    read_options(rest, {}, level.spec)
    evaluator = by_network if level.network else by_hand
    return SearchingPlayer(level.spec, evaluator, seed, nodes=level.nodes, heat=level.heat)


level1, level2, level3, level4, level5, level6, level7, level8 = (partial(make, level) for level in LEVELS)
