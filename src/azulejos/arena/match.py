"""A match: the same deals with the seats changed, until its games are played or a sequential test is decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, ClassVar

from azulejos.arena.game_task import FinishedGame, GameTask, Key
from azulejos.arena.plan import Plan, rotations
from azulejos.arena.running import EVERY_CORE, OnGame, Setting, check_players, run
from azulejos.arena.statistics import (
    PAIR_SCORES,
    Estimate,
    Sprt,
    Verdict,
    elo_difference,
    mean_margin,
    mean_share,
    nearest_rank,
)

Pair = tuple[FinishedGame, ...]
"""The games with the same deals; for more than two players one for each rotation of the seats."""


@dataclass(frozen=True, slots=True)
class MatchPlan(Plan):
    """Everything that decides how a match goes.

    Two contestants at a larger table: the first has one seat, each in turn, and the second all others.
    """

    kind: ClassVar = "match"
    """What the plan is for."""
    sprt: Sprt | None = None
    """The sequential test that may end the match early, if there is one."""

    def __post_init__(self) -> None:
        Plan.__post_init__(self)
        if len(self.specs) not in {2, self.players}:
            expected = "2" if self.players == 2 else f"2 or {self.players}"
            raise ValueError(f"{len(self.specs)} contestants for a table of {self.players}: expected {expected}")
        if self.sprt and self.players != 2:
            raise ValueError(f"the sequential test is for 2 players, not {self.players}")

    def seatings(self) -> list[tuple[int, ...]]:
        """The contestant on each seat, for each rotation.

        >>> MatchPlan(("a", "b")).seatings()
        [(0, 1), (1, 0)]
        """
        if len(self.specs) < self.players:
            return [tuple(int(seat != one) for seat in range(self.players)) for one in range(self.players)]
        return rotations(range(self.players))

    def tasks(self) -> list[GameTask]:
        """All games, those of a pair together."""
        event = " vs ".join(self.names)
        return [
            self.task(event, pair, rotation, seats)
            for pair in range(self.whole_pairs)
            for rotation, seats in enumerate(self.seatings())
        ]

    def json(self) -> dict[str, Any]:
        """The plan as plain data for JSON."""
        return {**Plan.json(self), "sprt": self.sprt and self.sprt.json()}


@dataclass(frozen=True, slots=True)
class Contestant:
    """How one contestant did."""

    spec: str
    """Who it is: its spec, or the name of an object."""
    score: Estimate
    """Share of the victories, for each seat it had."""
    elo: Estimate
    """Against the others, taken as equals."""
    wins: int
    """Games that it won alone."""
    shared: int
    """Games in which it shared the victory."""
    margin: Estimate
    """Own score less the best of the others."""
    moves: int
    """Moves that it made in all."""
    seconds_per_move: float
    """How long a move took on average."""
    p99_seconds: float
    """99 % of its moves took no longer."""
    longest_seconds: float
    """How long its slowest move took."""
    forfeits: int
    """Games that it lost because it failed."""

    def json(self) -> dict[str, Any]:
        """The plan as plain data for JSON."""
        numbers = {name: getattr(self, name) for name in ("spec", "wins", "shared", "moves", "forfeits")}
        times = ("seconds_per_move", "p99_seconds", "longest_seconds")
        estimates = {name: getattr(self, name).json() for name in ("score", "elo", "margin")}
        return {**numbers, **estimates, **{name: round(getattr(self, name), 6) for name in times}}


@dataclass(frozen=True, slots=True)
class SprtResult:
    """How far a sequential test came."""

    verdict: Verdict
    """What the test has shown so far."""
    ratio: float
    """The logarithm of the likelihood ratio."""
    bounds: tuple[float, float]
    """Below the first the verdict is H0, above the second H1."""
    counts: tuple[int, ...]
    """Pairs of each of the five outcomes, from two defeats to two victories."""

    def json(self) -> dict[str, Any]:
        """The result as plain data for JSON."""
        bounds = [round(bound, 4) for bound in self.bounds]
        return {"verdict": self.verdict, "ratio": round(self.ratio, 4), "bounds": bounds, "counts": list(self.counts)}


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What a match showed; only whole pairs count."""

    plan: MatchPlan
    """The plan of the match that was played."""
    pairs: int
    """Whole pairs, or groups of rotations."""
    games: int
    """The games in these."""
    shared: int
    """Games in which several share the victory."""
    reasons: dict[str, int]
    """How many games ended how."""
    contestants: tuple[Contestant, ...]
    """How each of them did, in the order of the plan."""
    sprt: SprtResult | None = None
    """How the sequential test came out, if there was one."""

    def json(self) -> dict[str, Any]:
        """The match as plain data for JSON."""
        return {
            "plan": self.plan.json(),
            "pairs": self.pairs,
            "games": self.games,
            "shared": self.shared,
            "reasons": self.reasons,
            "contestants": [contestant.json() for contestant in self.contestants],
            "sprt": self.sprt and self.sprt.json(),
        }


def play_match(plan: MatchPlan, setting: Setting = EVERY_CORE, on_game: OnGame = lambda _: None) -> MatchResult:
    """Play a match, or what is left of it.

    >>> result = play_match(MatchPlan(("greedy", "random"), games=4), Setting(workers=0))
    >>> result.games, result.contestants[0].wins
    (4, 4)
    """
    check_players(plan.specs)
    test = _Test(plan)
    finished = run(plan.tasks(), plan.json(), setting, on_game, test.decided)
    pairs = whole_pairs(finished, plan.players)
    if plan.sprt:
        test.decided(finished)
        pairs = pairs[: test.seen]
    return summary(plan, pairs, test.result())


def whole_pairs(finished: dict[Key, FinishedGame], players: int) -> list[Pair]:
    """The pairs of which every game is finished, in order."""
    numbers = sorted({pair for pair, _ in finished})
    keys = ([(number, rotation) for rotation in range(players)] for number in numbers)
    return [tuple(finished[key] for key in group) for group in keys if all(key in finished for key in group)]


class _Test:
    """The sequential test of a match as its games come in.

    Pairs count in their own order, not in that in which they finish: then the result does not depend on the number of
    workers, and quick games are not preferred.
    """

    def __init__(self, plan: MatchPlan) -> None:
        self._sprt = plan.sprt
        self._counts = [0] * len(PAIR_SCORES)
        self._verdict: Verdict = "undecided"
        self.seen = 0

    def decided(self, finished: dict[Key, FinishedGame]) -> bool:
        """Take in the pairs that have become whole; whether the test is over."""
        if self._sprt is None:
            return False
        while self._verdict == "undecided" and all((self.seen, rotation) in finished for rotation in (0, 1)):
            pair = finished[self.seen, 0], finished[self.seen, 1]
            self._counts[PAIR_SCORES.index(share_of(0, pair))] += 1
            self.seen += 1
            self._verdict = self._sprt.verdict(self._counts)
        return self._verdict != "undecided"

    def result(self) -> SprtResult | None:
        """How far it came."""
        if self._sprt is None:
            return None
        return SprtResult(self._verdict, self._sprt.ratio(self._counts), self._sprt.bounds, tuple(self._counts))


def share_of(contestant: int, pair: Pair) -> float:
    """The share of the victories of a contestant in a pair, for each seat it had."""
    return fmean(game.shares[seat] for game, seat in _seats_of(contestant, pair))


def _seats_of(contestant: int, games: Sequence[FinishedGame]) -> list[tuple[FinishedGame, int]]:
    return [(game, seat) for game in games for seat, who in enumerate(game.seats) if who == contestant]


def summary(plan: MatchPlan, pairs: Sequence[Pair], sprt: SprtResult | None = None) -> MatchResult:
    """What these pairs show."""
    games = [game for pair in pairs for game in pair]
    reasons = [game.reason for game in games]
    return MatchResult(
        plan=plan,
        pairs=len(pairs),
        games=len(games),
        shared=sum(max(game.shares) < 1 and game.forfeit is None for game in games),
        reasons={reason: reasons.count(reason) for reason in sorted(set(reasons))},
        contestants=tuple(_contestant(plan, number, pairs) for number in range(len(plan.specs))),
        sprt=sprt,
    )


def _contestant(plan: MatchPlan, number: int, pairs: Sequence[Pair]) -> Contestant:
    games = [game for pair in pairs for game in pair]
    held = _seats_of(number, games)
    times = [time / 1000 for game, seat in held for time in game.milliseconds[seat]]
    return Contestant(
        spec=plan.names[number],
        score=mean_share([share_of(number, pair) for pair in pairs]),
        elo=_elo(plan, number, pairs),
        wins=sum(game.shares[seat] == 1 for game, seat in held),
        shared=sum(0 < game.shares[seat] < 1 and game.forfeit is None for game, seat in held),
        margin=mean_margin([fmean(game.margin(seat) for game, seat in _seats_of(number, pair)) for pair in pairs]),
        moves=len(times),
        seconds_per_move=fmean(times) if times else 0.0,
        p99_seconds=nearest_rank(times, 0.99),
        longest_seconds=max(times, default=0.0),
        forfeits=sum(game.forfeit is not None and game.forfeit.seat == seat for game, seat in held),
    )


def _elo(plan: MatchPlan, number: int, pairs: Sequence[Pair]) -> Estimate:
    """The Elo against the others; the second of two contestants has that of the first, reversed."""
    if len(plan.specs) == 2 and number == 1:
        first = _elo(plan, 0, pairs)
        return Estimate(-first.value, -first.high, -first.low)
    return elo_difference(mean_share([share_of(number, pair) for pair in pairs]), plan.players)
