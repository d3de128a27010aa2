"""The rating list: play each level against the one below it, rate them, and write the tables of docs/levels.md.

    .venv/bin/python benchmarks/rating_list.py
    .venv/bin/python benchmarks/rating_list.py --also greedy random search net:nodes=16 net

Matches stay in src/azulejos/players/ratings.json. One begins again when a level or its network has changed, or with
`--afresh`; where more games are wanted than it has, those missing are played with further deals. Stop it when you like:
what is finished is kept.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from azulejos.arena.game_task import FinishedGame, Key
from azulejos.arena.match import MatchPlan, play_match, share_of, whole_pairs
from azulejos.arena.rating import bradley_terry
from azulejos.arena.running import Setting
from azulejos.arena.statistics import PAIR_SCORES, Estimate, mean_share
from azulejos.net.choice import WEIGHTS
from azulejos.players.levels import LEVELS, RATINGS
from azulejos.players.player import Limits

ROOT: Final = Path(__file__).resolve().parent.parent
STORE: Final = ROOT / "src/azulejos/players" / RATINGS
PAGE: Final = ROOT / "docs/levels.md"
NETWORK: Final = ROOT / "src/azulejos/net/weights" / WEIGHTS[2, "std"]
BEGIN, END = "<!-- ratings: written by benchmarks/rating_list.py -->", "<!-- end of ratings -->"
FIRST_RATING: Final = 1000
MILLISECONDS: Final = 250
"""A move of `net` or `search`, which have no limit of their own."""
AT_ONCE: Final = 200
"""Games after which the list is written."""
VIRTUAL_GAMES: Final = 0.05
"""Shared games assumed between every two: few, because most of these players never meet."""
OTHERS: Final = {
    "greedy": ("level1", "greedy"),
    "random": ("greedy", "random"),
    "search": ("search", "level8"),
    "net:nodes=16": ("net:nodes=16", "level8"),
    "net": ("net", "net:nodes=16"),
}
"""Whom the players that are not levels meet; one stands between level 8 and `net`, which would win nearly all games."""

Match = dict[str, Any]


def main() -> None:
    """Play what is missing, one match after the other, and write the list after each."""
    args = _arguments()
    known: dict[tuple[str, ...], Match] = {tuple(match["specs"]): match for match in _stored()}
    wanted = [(above.spec, below.spec) for below, above in pairwise(LEVELS)]
    for specs in wanted + [OTHERS[spec] for spec in args.also]:
        timed = bool({"net", "search"} & set(specs))
        games = args.timed_games if timed else args.games
        if args.afresh or known.get(specs, {}).get("how") != how(specs):
            known[specs] = _new(specs, MILLISECONDS if timed else None)
        while (missing := games - games_of(known[specs])) > 0:
            _play(known[specs], min(missing, AT_ONCE), args.workers)
            write(list(known.values()))
        print(_row(known[specs]), flush=True)
    write(list(known.values()))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The rating list of the levels.")
    parser.add_argument("--games", type=int, default=400, help="for each match (400)")
    parser.add_argument("--timed-games", type=int, default=40, help="for each match of net or search (40)")
    parser.add_argument("--also", nargs="*", choices=sorted(OTHERS), default=[], help="players that are not levels")
    parser.add_argument("--workers", type=int, help="processes; every core if not said")
    parser.add_argument("--afresh", action="store_true", help="play all of them again")
    return parser.parse_args()


def how(specs: Sequence[str]) -> list[str]:
    """How the players of a match play, so that a change shows; with the network its weights are part of that."""
    levels = {level.spec: level.same_as for level in LEVELS}
    ways = [levels.get(spec, spec) for spec in specs]
    weights = hashlib.sha256(NETWORK.read_bytes()).hexdigest()[:12]
    return [f"{way} with {weights}" if way.startswith("net") else way for way in ways]


def _stored() -> list[Match]:
    return list(json.loads(STORE.read_text("utf-8"))["matches"]) if STORE.exists() else []


def _new(specs: tuple[str, str], milliseconds: int | None) -> Match:
    """A match of which nothing is played yet."""
    empty = {"pairs": [0] * len(PAIR_SCORES), "p99_milliseconds": [0, 0], "date": ""}
    return {"specs": list(specs), "how": how(specs), "milliseconds": milliseconds, **empty}


def _play(match: Match, games: int, workers: int | None) -> None:
    """Add so many games, with deals that it has not had."""
    limits = Limits(milliseconds=match["milliseconds"])
    plan = MatchPlan(tuple(match["specs"]), games, seed=sum(match["pairs"]), limits=limits)
    finished: dict[Key, FinishedGame] = {}
    result = play_match(plan, Setting(workers=workers), lambda game: finished.update({game.key: game}))
    for pair in whole_pairs(finished, plan.players):
        match["pairs"][PAIR_SCORES.index(share_of(0, pair))] += 1
    for at, contestant in enumerate(result.contestants):
        match["p99_milliseconds"][at] = max(match["p99_milliseconds"][at], round(1000 * contestant.p99_seconds))
    match["date"] = datetime.now(UTC).date().isoformat()


def games_of(match: Match) -> int:
    """How many games it has."""
    return 2 * sum(match["pairs"])


def score_of(match: Match) -> Estimate:
    """The share of the victories of the first of its players."""
    counted = zip(PAIR_SCORES, match["pairs"], strict=True)
    return mean_share([score for score, count in counted for _ in range(count)])


def ratings_of(matches: Sequence[Match]) -> dict[str, dict[str, float]]:
    """Bradley-Terry ratings, the strongest first, shifted so that the first level has its round number.

    A match in which one side won everything says nothing of how far apart they are: it counts for no rating.
    """
    matches = [match for match in matches if 0 < score_of(match).value < 1]
    specs = sorted({spec for match in matches for spec in match["specs"]})
    points = [[0.0] * len(specs) for _ in specs]
    for match in matches:
        one, other = (specs.index(spec) for spec in match["specs"])
        points[one][other] = games_of(match) * score_of(match).value
        points[other][one] = games_of(match) - points[one][other]
    found = dict(zip(specs, bradley_terry(points, VIRTUAL_GAMES), strict=True))
    shift = FIRST_RATING - found[LEVELS[0].spec].value
    order = sorted(found, key=lambda spec: -found[spec].value)
    ends = ("value", "low", "high")
    return {spec: {end: round(getattr(found[spec], end) + shift, 1) for end in ends} for spec in order}


def write(matches: Sequence[Match]) -> None:
    """Both files: the measured data and, between its markers, the page."""
    ordered = sorted(matches, key=lambda match: match["specs"])
    ratings = ratings_of(ordered)
    STORE.write_text(json.dumps({"ratings": ratings, "matches": ordered}, indent=1) + "\n", "utf-8")
    before, begin, rest = PAGE.read_text("utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{str(PAGE)!r} has no place for the tables: expected {BEGIN!r} and {END!r}")
    PAGE.write_text(f"{before}{BEGIN}\n{tables(ordered, ratings)}\n{END}{after}", "utf-8")


def tables(matches: Sequence[Match], ratings: dict[str, dict[str, float]]) -> str:
    """The rating list and the matches behind it."""
    ways = {level.spec: f"`{level.same_as}`" for level in LEVELS}
    lines = ["| player | plays as | rating | 95 % interval | games |", "|---|---|---|---|---|"]
    for spec, rating in ratings.items():
        games = sum(games_of(match) for match in matches if spec in match["specs"])
        low, value, high = (round(rating[end]) for end in ("low", "value", "high"))
        lines.append(f"| {spec} | {ways.get(spec, '')} | {value} | {low} to {high} | {games} |")
    header = ["", "| player | against | score | 95 % interval | games | a move | 99 % of its moves within |"]
    rows = sorted(matches, key=lambda match: -ratings.get(match["specs"][0], {"value": math.inf})["value"])
    return "\n".join([*lines, *header, "|---|---|---|---|---|---|---|", *map(_row, rows)])


def _row(match: Match) -> str:
    one, other = match["specs"]
    score = score_of(match)
    limit = f"{match['milliseconds']} ms" if match["milliseconds"] else "its own limit"
    within = f"{match['p99_milliseconds'][0]} ms"
    cells = [one, other, f"{score.value:.1%}", f"{score.low:.1%} to {score.high:.1%}", games_of(match)]
    return f"| {' | '.join(map(str, [*cells, limit, within]))} |"


if __name__ == "__main__":
    main()
