"""Eight levels for people: each beats the one below in 60 to 75 % of two-player games.

A level is a row of this table. Weak levels see fewer positions and choose among the moves they looked at by lot, the
better ones more often: they overlook things, as people do, but do not throw tiles away. The upper ones look with the
network. The player `net` without a limit is stronger than all of them. `benchmarks/rating_list.py` measures them and
writes what it finds to ratings.json, which is where the page and docs/levels.md have it from.
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from functools import partial
from importlib import resources
from typing import Final

from azulejos.players.registry import read_options
from azulejos.players.searching import SearchingPlayer, by_hand, by_network

RATINGS: Final = "ratings.json"


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

    @property
    def same_as(self) -> str:
        """The spec of a player that does the same, which says how it plays."""
        return f"{'net' if self.network else 'search'}:nodes={self.nodes},heat={self.heat:g}"

    @property
    def rating(self) -> int:
        """Measured: 400 points are ten times the chance, and the first level has 1000."""
        return measured_ratings()[self.spec]


LEVELS: Final = (
    Level(1, "beginner", 18, 1.1),
    Level(2, "casual", 37, 0.77),
    Level(3, "familiar", 60, 0.61),
    Level(4, "practised", 100, 0.48),
    Level(5, "skilled", 175, 0.365),
    Level(6, "strong", 16, 0.85, network=True),
    Level(7, "expert", 16, 0.6, network=True),
    Level(8, "master", 16, 0.42, network=True),
)


@functools.cache
def measured_ratings() -> dict[str, int]:
    """The rating of every player that was measured, by spec.

    >>> measured_ratings()["level1"]
    1000
    """
    listed = json.loads(resources.files("azulejos.players").joinpath(RATINGS).read_text("utf-8"))["ratings"]
    return {spec: round(rating["value"]) for spec, rating in listed.items()}


def make(level: Level, rest: str, seed: int) -> SearchingPlayer:
    """The player of a level; it has no options."""
    read_options(rest, {}, level.spec)
    evaluator = by_network if level.network else by_hand
    return SearchingPlayer(level.spec, evaluator, seed, nodes=level.nodes, heat=level.heat)


level1, level2, level3, level4, level5, level6, level7, level8 = (partial(make, level) for level in LEVELS)
