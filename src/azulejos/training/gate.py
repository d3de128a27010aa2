"""The gate: a candidate meets the network that plays now, and is accepted if it does clearly better than an equal.

Every kind of table of the run's mix is played, more of those that are more frequent in it. At a table of n the
candidate has one seat, and an equal gets a share of 1/n. Shares times n/2 can be averaged: 0.5 is an equal.
"""

from __future__ import annotations

import contextlib
import functools
import math
import tempfile
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from azulejos.arena.game_task import FinishedGame, GameTask, Key, RecordedGame, play_game
from azulejos.arena.match import MatchPlan, Pair, share_of, summary, whole_pairs
from azulejos.arena.running import check_players
from azulejos.arena.statistics import Estimate, elo_of, mean_margin, mean_share
from azulejos.arena.store import Folder
from azulejos.game.view import Wall
from azulejos.training.atomic import write_atomic
from azulejos.training.cards import GateResult, Interval, NetworkCard, Networks, TableResult
from azulejos.training.plan import TrainingPlan
from azulejos.training.pool import TaskPool

SEED_STEP: Final = 7919
"""Keeps the deals of the gates of neighboring runs apart."""
AHEAD: Final = 2
"""Games given away for each worker: they are short, and the next one should be at hand."""

OnResult = Callable[[NetworkCard], None]
"""Told of the card of every candidate that is decided."""


@dataclass(frozen=True, slots=True)
class TableMatch:
    """The games of a match at one kind of table."""

    plan: MatchPlan
    """What was played."""
    pairs: tuple[Pair, ...]
    """The games, in pairs."""

    @property
    def games(self) -> int:
        """How many were played."""
        return len(self.pairs) * self.plan.players

    @property
    def scores(self) -> list[float]:
        """For each pair or rotation the candidate's share, 0.5 for that of an equal."""
        return [share_of(0, pair) * self.plan.players / 2 for pair in self.pairs]

    @property
    def share(self) -> Estimate:
        """The candidate's share of the victories."""
        return mean_share([share_of(0, pair) for pair in self.pairs])

    def result(self) -> TableResult:
        """The games as they stand on a card."""
        table = f"{self.plan.players}{self.plan.wall}"
        who = summary(self.plan, self.pairs).contestants
        forfeits = [each.forfeits for each in who]
        return TableResult(table, self.games, Interval.of(self.share), Interval.of(who[0].margin), forfeits)


def gate_plans(plan: TrainingPlan, seed: int, candidate: str, opponent: str) -> list[MatchPlan]:
    """The matches of a candidate, one for each kind of table; players are named by paths in the run folder."""
    specs = tuple(f"net:weights=networks/{name}.npz,nodes={plan.gate_nodes}" for name in (candidate, opponent))
    seed = (seed * SEED_STEP + int(candidate) * 1009) % (1 << 31)
    plans = []
    for players, gray, share in plan.games:
        wall: Wall = "gray" if gray else "std"
        plans.append(MatchPlan(specs, max(2 * players, round(plan.gate_games * share)), players, wall, seed))
    return plans


def verdict(tables: Sequence[TableMatch], opponent: str, plan: TrainingPlan) -> GateResult:
    """The result of a match."""
    scores = [score for table in tables for score in table.scores]
    two = all(table.plan.players == 2 for table in tables)
    score = mean_share(scores) if two else mean_margin(scores)
    games = sum(table.games for table in tables)
    results = [table.result() for table in tables]
    return GateResult(opponent, games, plan.gate_nodes, Interval.of(score), plan.threshold, results)


def rate(tables: Sequence[TableMatch], base: Interval | None) -> Interval:
    """The opponent's rating and the difference that the games show; errors add up as independent ones do.

    All or nothing would be an infinite difference: half a game is given to the loser.
    """
    difference = variance = 0.0
    total = sum(table.games for table in tables)
    for table in tables:
        edge = 0.5 / (table.games + 1)
        value, low, high = (
            elo_of(min(max(share, edge), 1 - edge), table.plan.players)
            for share in (table.share.value, table.share.low, table.share.high)
        )
        difference += value * table.games / total
        variance += (max(high - value, value - low) * table.games / total) ** 2
    elo, half = difference, 0.0
    if base is not None:
        elo += base.value
        half = ((base.high or 0.0) - (base.low or 0.0)) / 2
    half = math.hypot(half, math.sqrt(variance))
    return Interval(round(elo, 1), round(elo - half, 1), round(elo + half, 1))


class GateMatch:
    """The match of a candidate, game by game; opened again it knows what was played."""

    def __init__(self, folder: Path, plans: Sequence[MatchPlan]) -> None:
        self.plans = plans
        """What is played, one for each kind of table."""
        self._stores = [_open_store(folder / f"{plan.players}{plan.wall}", plan) for plan in plans]
        self._finished: list[dict[Key, FinishedGame]] = [
            {game.key: game for game in store.finished} for store in self._stores
        ]
        self.waiting = deque(
            (table, task)
            for table, plan in enumerate(plans)
            for task in plan.tasks()
            if task.key not in self._finished[table]
        )
        """The games to be played, each with the number of its table."""
        self._left = len(self.waiting)

    @property
    def is_over(self) -> bool:
        """Whether all games are played."""
        return self._left == 0

    def add(self, table: int, task: GameTask, played: RecordedGame | None) -> None:
        """Keep a game that was played; one that was lost with its worker is played again."""
        if played is None:
            self.waiting.appendleft((table, task))
            return
        self._stores[table].add(played)
        self._finished[table][task.key] = played.game
        self._left -= 1

    def tables(self) -> list[TableMatch]:
        """The games so far, as far as their pairs are whole."""
        pairs = (tuple(whole_pairs(done, plan.players)) for plan, done in zip(self.plans, self._finished, strict=True))
        return [TableMatch(plan, each) for plan, each in zip(self.plans, pairs, strict=True)]

    def close(self) -> None:
        """Close the files."""
        for store in self._stores:
            store.close()


def _open_store(path: Path, plan: MatchPlan) -> Folder:
    """The games so far; those of a match under other conditions (nodes, opponent) are put aside."""
    try:
        return Folder(path, plan.json())
    except ValueError as fault:
        if "another plan" not in str(fault):
            raise
        number = next(number for number in range(1, 1000) if not path.with_name(f"{path.name}.{number}").exists())
        path.rename(path.with_name(f"{path.name}.{number}"))
        return Folder(path, plan.json())


class Gate:
    """Lets candidates meet the network that plays, the newest first, one match at a time."""

    def __init__(self, folder: Path, plan: TrainingPlan, seed: int, pool: TaskPool, on_result: OnResult) -> None:
        self.networks = Networks(folder)
        """The networks of the run."""
        self._folder, self._plan, self._seed, self._pool, self._on_result = folder, plan, seed, pool, on_result
        self._match: GateMatch | None = None
        self._candidate = self._opponent = ""
        self._files: dict[str, bytes] = {}  # what workers on other machines need of the run folder

    def prepare(self) -> None:
        """Compile what players need, once instead of in every worker and before the clock starts."""
        newest = self.networks.newest().network
        with contextlib.chdir(self._folder):
            check_players(gate_plans(self._plan, self._seed, newest, newest)[0].specs)

    def turn(self) -> None:
        """Begin a match if a candidate waits, give games away, and decide when all are played."""
        if self._match is None:
            self._begin()
        match = self._match
        if match is None:
            return
        self._pool.collect(0.0)  # first, so that those who are free now play for the gate and nothing else
        while match.waiting and self._pool.free > (1 - AHEAD) * self._pool.workers.size:
            table, task = match.waiting.popleft()
            then = functools.partial(match.add, table, task)
            self._pool.give(then, play_gate_game, self._folder.resolve(), self._files, task)
        if match.is_over:
            self._decide(match)

    def _begin(self) -> None:
        waiting = [card for card in self.networks.cards() if card.accepted is None]
        if not waiting:
            return
        begun = [card for card in waiting if (self._folder / "gate" / card.network).exists()]
        candidate = (begun or waiting)[-1].network
        for card in waiting:
            if card.network < candidate:
                card.accepted, card.overtaken_by = False, candidate
                self.networks.write(card)
        self._candidate, self._opponent = candidate, self.networks.newest().network
        plans = gate_plans(self._plan, self._seed, candidate, self._opponent)
        self._match = GateMatch(self._folder / "gate" / candidate, plans)
        names = [f"networks/{name}.npz" for name in (candidate, self._opponent)] if self._pool.is_far else []
        self._files = self._pool.workers.share({name: (self._folder / name).read_bytes() for name in names})

    def _decide(self, match: GateMatch) -> None:
        card, opponent = self.networks.card(self._candidate), self.networks.card(self._opponent)
        tables = match.tables()
        match.close()
        self._match = None
        card.gate = verdict(tables, opponent.network, self._plan)
        card.rating = rate(tables, opponent.rating)
        card.accepted = card.gate.score.value >= self._plan.threshold
        self.networks.write(card)
        self._on_result(card)

    def close(self) -> None:
        """Let go of a match under way; it goes on when the gate is opened again."""
        if self._match is not None:
            self._match.close()


def play_gate_game(folder: Path, files: dict[str, bytes], task: GameTask) -> RecordedGame:
    """Play a game between players whose weights are in a run folder, or come along as files."""
    with contextlib.chdir(unpacked(files) if files else folder):
        return play_game(task)


_unpacked: dict[int, tempfile.TemporaryDirectory[str]] = {}
"""The folder with the files of the match that this process plays in, which goes when the process ends."""


def unpacked(files: dict[str, bytes]) -> Path:
    """A folder of this machine with these files, written once for a match."""
    key = hash(tuple(sorted(files.items())))
    if key not in _unpacked:
        while _unpacked:
            _unpacked.popitem()[1].cleanup()
        _unpacked[key] = tempfile.TemporaryDirectory(prefix="azulejos-")
        for name, data in files.items():
            write_atomic(Path(_unpacked[key].name) / name, data)
    return Path(_unpacked[key].name)
