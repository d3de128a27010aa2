"""Eight levels for people: each beats the one below in 60 to 75 % of two-player games.

A level is a row of this table. Weak levels see fewer positions and choose among the moves they looked at by lot, the
better ones more often: they overlook things, as people do, but do not throw tiles away. The top ones look with the
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

from azulejos.net.choice import network_for
from azulejos.net.inference import WeightsError
from azulejos.players.registry import read_options
from azulejos.players.searching import SearchingPlayer, by_hand, by_network
from azulejos.search.evaluators import BATCH

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
    Level(2, "casual", 35, 0.79),
    Level(3, "familiar", 55, 0.64),
    Level(4, "practised", 88, 0.51),
    Level(5, "skilled", 145, 0.395),
    Level(6, "strong", 260, 0.3),
    Level(7, "expert", 16, 1.15, network=True),
    Level(8, "master", 16, 0.37, network=True),
)
WITHOUT_NETWORK: Final = {7: Level(7, "expert", 500, 0.23), 8: Level(8, "master", 1000, 0.17)}
"""What they do where the weights cannot be read: by hand, so few positions would make them beginners."""


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
    row = level if not level.network or _has_network() else WITHOUT_NETWORK[level.number]
    evaluator = by_network if row.network else by_hand
    return SearchingPlayer(level.spec, evaluator, seed, nodes=row.nodes, heat=row.heat)


def _has_network() -> bool:
    try:
        network_for(2, "std", BATCH)
    except WeightsError:
        return False
    return True


level1, level2, level3, level4, level5, level6, level7, level8 = (partial(make, level) for level in LEVELS)
