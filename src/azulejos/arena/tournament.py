"""A tournament: everybody against everybody in duplicate pairs, or random tables of three and four, and a rating."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from statistics import fmean
from typing import Any, ClassVar

from azulejos.arena.game_task import FinishedGame, GameTask
from azulejos.arena.plan import Plan, rotations
from azulejos.arena.rating import rate
from azulejos.arena.running import EVERY_CORE, OnGame, Setting, check_players, run
from azulejos.arena.statistics import Estimate


@dataclass(frozen=True, slots=True)
class TournamentPlan(Plan):
    """Everything that decides how a tournament goes.

    With two players `games` is for every two contestants; at larger tables it is for all, and lots decide who sits
    down together.
    """

    kind: ClassVar = "tournament"
    """What the plan is for."""

    def __post_init__(self) -> None:
        Plan.__post_init__(self)
        if len(self.specs) < self.players:
            raise ValueError(f"{len(self.specs)} contestants: expected at least {self.players} for such tables")
        twice = next((name for name in self.names if self.names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"the contestant {twice!r} is named twice")

    def tables(self) -> list[tuple[int, ...]]:
        """The contestants of each pair or group of rotations; pairings take turns, so that all advance evenly."""
        everybody = range(len(self.specs))
        if self.players == 2:
            return [*combinations(everybody, 2)] * self.whole_pairs
        return [
            tuple(Random(f"{self.seed} table {number}").sample(everybody, self.players))
            for number in range(self.whole_pairs)
        ]

    def tasks(self) -> list[GameTask]:
        """All games, those of a pair together."""
        return [
            self.task("tournament", number, rotation, seats)
            for number, table in enumerate(self.tables())
            for rotation, seats in enumerate(rotations(table))
        ]


@dataclass(frozen=True, slots=True)
class Standing:
    """How one contestant did."""

    spec: str
    """The spec of the contestant."""
    rating: Estimate
    """Elo; the mean of all contestants is 0."""
    games: int
    """Games that it played."""
    points: float
    """The shares of victories that it won, summed."""
    margin: float
    """Mean of own score less the best of the others."""
    seconds_per_move: float
    """How long a move took on average."""
    forfeits: int
    """Games that it lost because it failed."""

    def json(self) -> dict[str, Any]:
        """The standing as plain data for JSON."""
        return {
            "spec": self.spec,
            "rating": self.rating.json(),
            "games": self.games,
            "points": round(self.points, 4),
            "margin": round(self.margin, 4),
            "seconds_per_move": round(self.seconds_per_move, 6),
            "forfeits": self.forfeits,
        }


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """What a tournament showed."""

    plan: TournamentPlan
    """The plan of the tournament that was played."""
    games: int
    """How many games count."""
    standings: tuple[Standing, ...]
    """How everybody did, the strongest first."""
    cross: tuple[tuple[tuple[float, int], ...], ...]
    """Points and games of each against each other, in the order of the standings; at a larger table one has beaten
    everybody who finished behind."""

    def json(self) -> dict[str, Any]:
        """The tournament as plain data for JSON."""
        return {
            "plan": self.plan.json(),
            "games": self.games,
            "standings": [standing.json() for standing in self.standings],
            "cross": [[list(cell) for cell in row] for row in self.cross],
        }


def play_tournament(
    plan: TournamentPlan, setting: Setting = EVERY_CORE, on_game: OnGame = lambda _: None
) -> TournamentResult:
    """Play a tournament, or what is left of it.

    >>> result = play_tournament(TournamentPlan(("random", "greedy"), games=4), Setting(workers=0))
    >>> [standing.spec for standing in result.standings]
    ['greedy', 'random']
    """
    check_players(plan.specs)
    finished = run(plan.tasks(), plan.json(), setting, on_game)
    games = [finished[key] for key in sorted(finished)]
    ratings = rate(games, len(plan.specs))
    order = sorted(range(len(plan.specs)), key=lambda number: -ratings[number].value)
    return TournamentResult(
        plan=plan,
        games=len(games),
        standings=tuple(_standing(plan.names[number], number, ratings[number], games) for number in order),
        cross=tuple(tuple(_meetings(one, other, games) for other in order) for one in order),
    )


def _standing(spec: str, number: int, rating: Estimate, games: Sequence[FinishedGame]) -> Standing:
    held = [(game, game.seats.index(number)) for game in games if number in game.seats]
    times = [time / 1000 for game, seat in held for time in game.milliseconds[seat]]
    return Standing(
        spec=spec,
        rating=rating,
        games=len(held),
        points=sum(game.shares[seat] for game, seat in held),
        margin=fmean(game.margin(seat) for game, seat in held) if held else 0.0,
        seconds_per_move=fmean(times) if times else 0.0,
        forfeits=sum(game.forfeit is not None and game.forfeit.seat == seat for game, seat in held),
    )


def _meetings(one: int, other: int, games: Sequence[FinishedGame]) -> tuple[float, int]:
    if one == other:
        return 0.0, 0
    met = [game for game in games if one in game.seats and other in game.seats]
    points = 0.0
    for game in met:
        mine, theirs = (game.place(game.seats.index(who)) for who in (one, other))
        points += 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0
    return points, len(met)
