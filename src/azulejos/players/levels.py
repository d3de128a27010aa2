"""Eight levels for people: each beats the one below in 60 to 75 % of two-player games. And full strength, far above.

A level is a row of this table. Weak levels see fewer positions and choose among the moves they looked at by lot, the
better ones more often: they overlook things, as people do, but do not throw tiles away. The top ones look with the
network. Full strength is no ninth step: it is the player `net`, limited by nothing but its time.
`benchmarks/rating_list.py` measures all of them and writes what it finds to ratings.json, which is where the page and
docs/levels.md have it from.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from functools import partial
from importlib import resources
from typing import Any, Final

import msgspec

from azulejos.game.game import Game
from azulejos.game.view import Wall
from azulejos.net.choice import has_all_networks
from azulejos.players.player import Choice, Limits
from azulejos.players.registry import read_options
from azulejos.players.searching import EvaluatorFor, SearchingPlayer, by_hand, by_network
from azulejos.search.report import Report

RATINGS: Final = "ratings.json"
"""The file with the measured strength of each level."""


@dataclass(frozen=True, slots=True)
class Level:
    """One level of the computer players."""

    number: int
    """The number of the level, from 1."""
    name: str
    """The name of the level in plain words; interfaces translate it by its number."""
    nodes: int
    """Positions looked at for each move."""
    temperature: float
    """How freely it chooses among them."""
    network: bool = False
    """Whether it plays with the network."""

    @property
    def spec(self) -> str:
        """The name under which the registry knows it."""
        return f"level{self.number}"

    @property
    def same_as(self) -> str:
        """The spec of a player that does the same, which says how it plays."""
        return f"{'net' if self.network else 'search'}:nodes={self.nodes},temperature={self.temperature:g}"

    @property
    def rating(self) -> int:
        """Measured: 400 points are ten times the chance, and the first level has 1000."""
        return measured_ratings()[self.spec]


@dataclass(frozen=True, slots=True)
class FullStrength:
    """The opponent after the last level: the best the program can do in a time that people like to wait."""

    number: int
    """How tables call it, whatever levels there are: no level will ever have so high a number."""
    name: str
    """Its name in plain words; interfaces translate it."""
    spec: str
    """The name under which the registry knows it."""
    milliseconds: int
    """How long it thinks about a move."""

    @property
    def rating(self) -> int | None:
        """Measured as those of the levels are, if it has been; with a quarter of a second for a move."""
        return measured_ratings().get(self.spec)


LEVELS: Final = (
    Level(1, "beginner", 18, 1.1),
    Level(2, "casual", 35, 0.79),
    Level(3, "regular", 57, 0.63),
    Level(4, "practiced", 88, 0.51),
    Level(5, "skilled", 145, 0.395),
    Level(6, "strong", 260, 0.3),
    Level(7, "expert", 30, 8, network=True),
    Level(8, "master", 16, 3, network=True),
)
"""All levels, from the weakest to the strongest."""
FULL_STRENGTH: Final = FullStrength(100, "full strength", "net", 1000)
"""The opponent after the levels."""
PLACING: Final = 4
"""A place on the gray wall, of the few there are, gets the fourth part of its time."""
OPPONENTS: Final = (*LEVELS, FULL_STRENGTH)
"""All computers that people can sit down with, from the weakest to the strongest."""
SPECS: Final = {opponent.number: opponent.spec for opponent in OPPONENTS}
"""The name under which the registry knows each of them, by its number."""
RATED_TABLE: Final[tuple[int, Wall]] = (2, "std")
"""Players and wall of the table at which the levels are rated."""
ELSEWHERE: Final = {7: Level(7, "expert", 32, 0.6, network=True), 8: Level(8, "master", 48, 0.3, network=True)}
"""What the top levels do at other tables, where the network knows less."""
WITHOUT_NETWORK: Final = {7: Level(7, "expert", 500, 0.23), 8: Level(8, "master", 1000, 0.17)}
"""What they do where weights cannot be read: by hand, where so few positions are too few."""


def spec_of(number: int) -> str:
    """The name under which the registry knows an opponent; a newer server may know more levels.

    >>> spec_of(3), spec_of(100), spec_of(42)
    ('level3', 'net', 'level42')
    """
    return SPECS.get(number, f"level{number}")


@functools.cache
def measured_ratings() -> dict[str, int]:
    """The rating of every player that was measured, by spec.

    >>> measured_ratings()["level1"]
    1000
    """
    listed = msgspec.json.decode(resources.files("azulejos.players").joinpath(RATINGS).read_bytes())["ratings"]
    return {spec: round(rating["value"]) for spec, rating in listed.items()}


def make(level: Level, rest: str, seed: int) -> SearchingPlayer:
    """The player of a level; it has no options."""
    read_options(rest, {}, level.spec)
    if level.network and has_all_networks():
        return NetworkLevel(level, seed)
    level = WITHOUT_NETWORK.get(level.number, level)
    return SearchingPlayer(level.spec, by_hand, seed, nodes=level.nodes, temperature=level.temperature)


def _network(level: Level, seed: int) -> tuple[str, EvaluatorFor, int]:
    return level.spec, functools.partial(by_network, nodes=level.nodes), seed


class NetworkLevel(SearchingPlayer):
    """A level with the network, which looks at more positions where that knows less."""

    def __init__(self, level: Level, seed: int) -> None:
        super().__init__(*_network(level, seed), nodes=level.nodes, temperature=level.temperature)
        other = ELSEWHERE[level.number]
        self._elsewhere = SearchingPlayer(*_network(other, seed), nodes=other.nodes, temperature=other.temperature)

    def begin(self, seed: int) -> None:
        """Start a game, wherever it is played."""
        super().begin(seed)
        self._elsewhere.begin(seed)

    def choose(self, game: Game, limits: Limits, **options: Any) -> Choice:
        """The move of whichever plays such games."""
        if (game.players, game.wall) == RATED_TABLE:
            return super().choose(game, limits, **options)
        return self._elsewhere.choose(game, limits, **options)

    def search(self, game: Game, limits: Limits, **options: Any) -> Report:
        """What that one found."""
        if (game.players, game.wall) == RATED_TABLE:
            return super().search(game, limits, **options)
        return self._elsewhere.search(game, limits, **options)

    def close(self) -> None:
        """Let go of the trees."""
        super().close()
        self._elsewhere.close()


level1, level2, level3, level4, level5, level6, level7, level8 = (partial(make, level) for level in LEVELS)
