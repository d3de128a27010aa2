"""The gate: a candidate meets the network that plays now, and is accepted if it does clearly better than an equal.

Every kind of table of the run's mix is played, more of those that are more frequent in it. At a table of n the
candidate has one seat, and an equal gets a share of 1/n. Shares times n/2 can be averaged: 0.5 is an equal.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from azulejos.arena.game_task import FinishedGame, Key
from azulejos.arena.match import MatchPlan, Pair, share_of, summary, whole_pairs
from azulejos.arena.running import check_players
from azulejos.arena.statistics import Estimate, elo_of, mean_margin, mean_share
from azulejos.arena.store import Folder
from azulejos.arena.workers import Workers, play_all
from azulejos.game.view import Wall
from azulejos.training.cards import WEIGHTS, Rating, newest_accepted, read_card, write_card
from azulejos.training.folder import RunFolder
from azulejos.training.processor import MIXES

Hire = Callable[[Sequence[str]], AbstractContextManager[Workers]]
"""From the weights files that the players name to workers for a while."""

SEED_STEP: Final = 7919
"""Keeps the deals of the gates of neighboring runs apart."""


class Stopped(Exception):
    """The time is up in the middle of a match; its games so far are kept."""


@dataclass(frozen=True, slots=True)
class Table:
    """The games of a match at one kind of table."""

    plan: MatchPlan
    """What was played."""
    pairs: tuple[Pair, ...]
    """The games, in pairs."""

    @property
    def name(self) -> str:
        """Players and wall."""
        return f"{self.plan.players}{self.plan.wall}"

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


def gate_plans(run: RunFolder, candidate: Path, opponent: Path) -> list[MatchPlan]:
    """The matches of a candidate, one for each kind of table."""
    options = run.options
    specs = tuple(
        f"net:weights={folder.parent.name}/{folder.name}/{WEIGHTS},nodes={options.gate_nodes}"
        for folder in (candidate, opponent)
    )
    seed = (run.seed * SEED_STEP + int(candidate.name) * 1009) % (1 << 31)
    plans = []
    for players, gray, share in MIXES[options.mix]:
        wall: Wall = "gray" if gray else "std"
        games = max(2 * players, round(options.gate_games * share))
        plans.append(MatchPlan(specs, games, players, wall, seed))
    return plans


def play_gate(run: RunFolder, candidate: Path, hire: Hire, over: Callable[[], bool]) -> dict[str, Any]:
    """Play what is left of a candidate's matches and write the result into its card; returns the result.

    The current folder has to be the run's: players are named by paths in it. Raises `Stopped` when the time is over.
    """
    opponent = newest_accepted(run)
    tables = []
    for plan in gate_plans(run, candidate, opponent):
        check_players(plan.specs)
        store = run.gate / candidate.name / f"{plan.players}{plan.wall}"
        tables.append(Table(plan, _play(plan, store, hire, over)))
    card = read_card(candidate)
    card["gate"] = verdict(tables, opponent.name, run.options.threshold)
    rating = rate(tables, read_card(opponent).get("rating"))
    card["rating"] = rating.json()
    write_card(candidate, card)
    result: dict[str, Any] = card["gate"]
    return result


def _play(plan: MatchPlan, store: Path, hire: Hire, over: Callable[[], bool]) -> tuple[Pair, ...]:
    with closing(_open_store(store, plan)) as folder:
        finished: dict[Key, FinishedGame] = {game.key: game for game in folder.finished}
        missing = [task for task in plan.tasks() if task.key not in finished]
        if missing:
            files = sorted({spec.partition("weights=")[2].partition(",")[0] for spec in plan.specs})
            with hire(files) as workers:
                for played in play_all(missing, workers):
                    folder.add(played)
                    finished[played.game.key] = played.game
                    if over():
                        raise Stopped
    return tuple(whole_pairs(finished, plan.players))


def _open_store(store: Path, plan: MatchPlan) -> Folder:
    """The games so far; those of a match under other conditions (nodes, opponent) are put aside."""
    try:
        return Folder(store, plan.json())
    except ValueError as fault:
        if "another plan" not in str(fault):
            raise
        for number in range(1, 1000):
            aside = store.with_name(f"{store.name}.{number}")
            if not aside.exists():
                shutil.move(store, aside)
                break
        return Folder(store, plan.json())


def verdict(tables: Sequence[Table], opponent: str, threshold: float) -> dict[str, Any]:
    """The result as it stands in the card."""
    scores = [score for table in tables for score in table.scores]
    two = all(table.plan.players == 2 for table in tables)
    score = mean_share(scores) if two else mean_margin(scores)
    return {
        "opponent": opponent,
        "games": sum(table.games for table in tables),
        "score": score.json(),
        "threshold": threshold,
        "accepted": score.value >= threshold,
        "tables": [
            {
                "table": table.name,
                "games": table.games,
                "nodes": int(table.plan.specs[0].rpartition("=")[2]),
                "share": table.share.json(),
                "margin": summary(table.plan, table.pairs).contestants[0].margin.json(),
                "forfeits": [who.forfeits for who in summary(table.plan, table.pairs).contestants],
            }
            for table in tables
        ],
    }


def rate(tables: Sequence[Table], opponent: dict[str, Any] | None) -> Rating:
    """The opponent's rating and the difference that the games show; errors add up as independent ones do.

    All or nothing would be an infinite difference: half a game is given to the loser.
    """
    differences, halves, weights = [], [], []
    for table in tables:
        edge = 0.5 / (table.games + 1)
        value, low, high = (
            elo_of(min(max(share, edge), 1 - edge), table.plan.players)
            for share in (table.share.value, table.share.low, table.share.high)
        )
        differences.append(value)
        halves.append(max(high - value, value - low))
        weights.append(table.games)
    total = sum(weights)
    difference = sum(weight * each for weight, each in zip(weights, differences, strict=True)) / total
    half = math.sqrt(sum((weight * each / total) ** 2 for weight, each in zip(weights, halves, strict=True)))
    base = opponent or {"elo": 0.0, "low": 0.0, "high": 0.0}
    elo = base["elo"] + difference
    half = math.hypot(half, fmean((base["high"] - base["elo"], base["elo"] - base["low"])))
    return Rating(elo, elo - half, elo + half)


def skipped(candidate: Path, newer: str) -> None:
    """Write into the card of a candidate that it had no match, because a newer one was there already."""
    card = read_card(candidate)
    card["gate"] = {"accepted": False, "skipped": f"{newer} was ready first"}
    write_card(candidate, card)


def waiting(folders: Sequence[Path]) -> Iterator[Path]:
    """Candidates without a result."""
    return (folder for folder in folders if read_card(folder)["gate"] is None)
