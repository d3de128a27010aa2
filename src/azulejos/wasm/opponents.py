"""How every computer opponent thinks at every table, as numbers: what the page's own engine is told."""

from __future__ import annotations

from typing import Any

import msgspec

from azulejos.game.view import WALLS, Wall
from azulejos.net.choice import WEIGHTS
from azulejos.players.levels import ELSEWHERE, OPPONENTS, RATED_TABLE, WITHOUT_NETWORK, FullStrength, Level
from azulejos.players.searching import LAST_ROUNDS_BY_HAND, NET_AT_TABLES
from azulejos.rules.state import MAX_PLAYERS
from azulejos.search.evaluators import HAND_TUNING, NET_TUNING, ByHand, ByNetwork
from azulejos.search.searcher import TRUSTED_SHARE
from azulejos.search.tree import Tuning


class Way(msgspec.Struct, frozen=True, rename="camel"):
    """A way of thinking."""

    weights: str | None
    """The network that is asked, by the name of its file; None for the search by hand."""
    nodes: int
    """Positions to look at; 0 where time is the limit."""
    temperature: float
    """How freely it chooses by lot; with 0 it plays the best move, and solves the ends of rounds."""
    candidates: int
    """Moves compared by sequential halving."""
    most_ends: int
    """If a round can end in more ways it is searched rather than solved."""
    exploration: float
    """How much the search explores; see `Tuning`."""
    fpu: float
    """How much worse than its node a move is taken to be before it is tried; see `Tuning`."""
    prior_floor: float
    """The share of the priors that all moves of a node have alike; see `Tuning`."""
    playouts: float
    """What a playout by hand counts beside the network."""
    endings: float
    """What a playout that ends the game counts beside the network."""
    deals: int
    """After how many deals the solver asks the network."""
    last_round_by_hand: bool
    """Whether the last round of a game is searched by hand."""
    trusted: float = TRUSTED_SHARE
    """The share of the most visits that makes a mean trustworthy."""


class Opponent(msgspec.Struct, frozen=True, rename="camel"):
    """A computer that one can play against."""

    number: int
    """The number of the level, from 1, the weakest first."""
    name: str
    """The name of the level in plain words."""
    spec: str
    """How the command line calls it."""
    rating: int | None
    """The rating that was measured, if it was."""
    milliseconds: int
    """How long it thinks about a move; 0 where positions are the limit."""
    ways: dict[str, Way]
    """How it thinks at each kind of table: players and wall, as in "2-std"."""
    without_network: Way
    """How it thinks while there are no weights."""


def opponents() -> list[Opponent]:
    """All computers that people can sit down with."""
    return [
        Opponent(
            each.number, each.name, each.spec, each.rating, each.milliseconds if isinstance(each, FullStrength) else 0,
            {kind(players, wall): _way(each, players, wall) for players, wall in kinds()}, _stand_in(each),
        )
        for each in OPPONENTS
    ]  # fmt: skip


def kinds() -> list[tuple[int, Wall]]:
    """All kinds of tables."""
    return [(players, wall) for players in range(2, MAX_PLAYERS + 1) for wall in WALLS]


def kind(players: int, wall: Wall) -> str:
    """The name of a kind of table.

    >>> kind(3, "gray")
    '3-gray'
    """
    return f"{players}-{wall}"


def by_hand() -> Way:
    """The search by hand at full strength, which is also what stands in while there is no network."""
    return _hand(0, 0.0)


def _way(opponent: Level | FullStrength, players: int, wall: Wall) -> Way:
    if isinstance(opponent, FullStrength):
        return _net(players, wall, 0, 0.0)
    level = opponent if (players, wall) == RATED_TABLE else ELSEWHERE.get(opponent.number, opponent)
    return (
        _net(players, wall, level.nodes, level.temperature) if level.network else _hand(level.nodes, level.temperature)
    )


def _stand_in(opponent: Level | FullStrength) -> Way:
    if isinstance(opponent, FullStrength):
        return by_hand()
    level = WITHOUT_NETWORK.get(opponent.number, opponent)
    return _hand(level.nodes, level.temperature)


def _hand(nodes: int, temperature: float) -> Way:
    return Way(None, nodes, temperature, ByHand.candidates, ByHand.most_ends, *HAND_TUNING, 0.0, 0.0, 0, False)


def _net(players: int, wall: Wall, nodes: int, temperature: float) -> Way:
    table: dict[str, Any] = NET_AT_TABLES.get((players, wall), {})
    tuning = Tuning(*(table.get(name, value) for name, value in zip(NET_TUNING._fields, NET_TUNING, strict=True)))
    candidates = 0 if temperature else ByNetwork.candidates
    return Way(
        WEIGHTS[players, wall].removesuffix(".npz"), nodes, temperature, candidates, ByNetwork.most_ends, *tuning,
        table.get("playouts", 0.0), table.get("endings", 0.0), int(table.get("deals", 0)),
        not nodes and (players, wall) in LAST_ROUNDS_BY_HAND,
    )  # fmt: skip
