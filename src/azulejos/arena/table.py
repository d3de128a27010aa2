"""Results as tables for people."""

from __future__ import annotations

import math
from collections.abc import Callable

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from azulejos.arena.match import Contestant, MatchResult
from azulejos.arena.statistics import Estimate, Sprt
from azulejos.arena.tournament import TournamentResult
from azulejos.drawing.words import plural

MATCH_ROWS: tuple[tuple[str, Callable[[Contestant], str]], ...] = (
    ("score", lambda who: f"{who.score.value:.1%}"),
    ("  95 % interval", lambda who: f"{who.score.low:.1%} to {who.score.high:.1%}"),
    ("Elo", lambda who: elo_text(who.elo.value)),
    ("  95 % interval", lambda who: interval_text(who.elo)),
    ("won alone", lambda who: str(who.wins)),
    ("shared", lambda who: str(who.shared)),
    ("margin", lambda who: f"{who.margin.value:+.1f}"),
    ("  95 % interval", lambda who: interval_text(who.margin, 1)),
    ("moves", lambda who: f"{who.moves:,}"),
    ("seconds per move", lambda who: seconds_text(who.seconds_per_move)),
    ("  99 % within", lambda who: seconds_text(who.p99_seconds)),
    ("  longest", lambda who: seconds_text(who.longest_seconds)),
    ("forfeits", lambda who: str(who.forfeits)),
)
"""The rows of the table of a match: a title, and how to write the figure."""


def match_table(result: MatchResult) -> RenderableType:
    """What a match showed."""
    plan = result.plan
    count = plural(result.pairs, "pair") if plan.players == 2 else f"{plural(result.pairs, 'deal')} by rotation"
    title = f"{plural(result.games, 'game')} in {count}, {plan.players} players, {plan.wall} wall, seed {plan.seed}"
    table = Table("", *(escape(who.spec) for who in result.contestants))
    for column in table.columns[1:]:
        column.justify, column.overflow = "right", "fold"
    for label, cell in MATCH_ROWS:
        table.add_row(label, *(cell(who) for who in result.contestants))
    ends = ", ".join(f"{reason} {number}" for reason, number in result.reasons.items())
    lines = [f"victory shared in {plural(result.shared, 'game')}; games ended by: {ends}"]
    if plan.sprt and result.sprt:
        low, high = result.sprt.bounds
        test = f"SPRT {plan.sprt.elo0:g},{plan.sprt.elo1:g}"
        lines += [
            f"{test}: {verdict_text(plan.sprt, result.sprt.verdict)}",
            f"log-likelihood ratio {result.sprt.ratio:+.2f} between {low:+.2f} and {high:+.2f}",
            f"pairs from 0 to 2 points: {', '.join(map(str, result.sprt.counts))}",
        ]
    return Group(Text(title), table, *map(Text, lines))


def verdict_text(test: Sprt, verdict: str) -> str:
    """The verdict of a sequential test in words."""
    return {
        "H0": f"H0 accepted, not stronger by {test.elo1:g} Elo",
        "H1": f"H1 accepted, stronger by more than {test.elo0:g} Elo",
        "undecided": "undecided, more games are needed",
    }[verdict]


def tournament_table(result: TournamentResult) -> RenderableType:
    """Standings and cross table of a tournament."""
    plan = result.plan
    title = f"{plural(result.games, 'game')}, {plan.players} players, {plan.wall} wall, seed {plan.seed}"
    standings = Table("", "contestant", "Elo ± 95 %", "points", "margin", "s/move", "forfeits")
    for number, who in enumerate(result.standings, 1):
        standings.add_row(
            str(number),
            Text(who.spec),
            f"{elo_text(who.rating.value)} ± {who.rating.high - who.rating.value:.0f}",
            _points_text(who.points, who.games),
            f"{who.margin:+.1f}",
            seconds_text(who.seconds_per_move),
            str(who.forfeits),
        )
    for column in standings.columns[2:]:
        column.justify = "right"
    standings.columns[1].overflow = "fold"
    return Group(Text(title), standings, _cross_table(result))


def _cross_table(result: TournamentResult) -> Table:
    numbers = [str(number) for number in range(1, len(result.standings) + 1)]
    table = Table("", "contestant", *numbers)
    for number, who, row in zip(numbers, result.standings, result.cross, strict=True):
        table.add_row(number, Text(who.spec), *(_points_text(*cell) if cell[1] else "" for cell in row))
    for column in table.columns[2:]:
        column.justify = "right"
    return table


def _points_text(points: float, games: int) -> str:
    return f"{round(points, 1):g}/{games}"


def elo_text(elo: float) -> str:
    """An Elo difference with its sign; without bounds it is the sign and an infinity."""
    return f"{elo:+.0f}" if math.isfinite(elo) else "-∞" if elo < 0 else "+∞"


def interval_text(estimate: Estimate, digits: int = 0) -> str:
    """The bounds of an interval with their signs."""
    low, high = (f"{x:+.{digits}f}" if math.isfinite(x) else elo_text(x) for x in (estimate.low, estimate.high))
    return f"{low} to {high}"


def seconds_text(seconds: float) -> str:
    """Seconds with three digits that count."""
    return f"{seconds:.4f}" if seconds < 1 else f"{seconds:.2f}"
