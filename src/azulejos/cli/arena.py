"""The commands that measure strength: `match` and `tournament`."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from azulejos.game.view import Wall

if TYPE_CHECKING:
    from azulejos.arena.running import OnGame, Setting
    from azulejos.arena.statistics import Sprt
    from azulejos.players.player import Limits

FAILED = 1
"""The exit code when games could not be played to their end."""


@Parameter(name="*")
@dataclass(frozen=True)
class Options:
    """What both commands can be told."""

    wall: Wall = "std"
    "std for the colored wall, gray for the gray one."
    nodes: int | None = None
    "How many positions a player may look at for a move."
    milliseconds: int | None = None
    "How long a player may think about a move."
    seed: int = 0
    "Of the first deal; each further pair has the next number."
    workers: int | None = None
    "How many processes play; one for every core if not given."
    ray: Annotated[list[str] | None, Parameter(consume_multiple=(0, 1), negative="")] = None
    "Play on a Ray cluster: its address, or none to start Ray here. Write it last."
    out: Path | None = None
    "Keep records and results in this folder; the same command again goes on from there."
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False
    "Print JSON."

    def limits(self) -> Limits:
        """How long to think."""
        from azulejos.players.player import Limits

        return Limits(self.nodes, self.milliseconds)

    def setting(self) -> Setting:
        """Where to play."""
        from azulejos.arena.running import Setting

        if self.workers == 0:
            raise ValueError("workers must be a whole number of at least 1, not 0")
        return Setting(self.workers, None if self.ray is None else (self.ray or ["local"])[0], self.out)


def register(app: App) -> None:
    """Add the commands of this file to the application."""
    for command in (match, tournament):
        app.command(command)


def match(
    *specs: str,
    games: int = 100,
    players: Annotated[int | None, Parameter(name=["--players", "-p"])] = None,
    sprt: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    alpha: float = 0.05,
    beta: float = 0.05,
    options: Options = Options(),  # noqa: B008 - it cannot be changed
) -> None:
    """Let players meet over the same deals with the seats changed, and say how much stronger one is.

    Two players at a table of 3 or 4: the first has one seat, each in turn, and the second all others.

    For example:

        azulejos match search:nodes=200 greedy --games 200
        azulejos match search greedy --players 4 --milliseconds 100 --out match
        azulejos match search:nodes=400 search:nodes=200 --games 2000 --sprt 0,30

    Parameters
    ----------
    specs
        Who plays: names as random, greedy or search:nodes=200.
    games
        How many, rounded up so that everybody has every seat of every deal.
    players
        2, 3 or 4; as many as are named if not given.
    sprt
        Stop as soon as the Elo difference is known to be elo0 or elo1, written as 0,10; 2 players.
    alpha
        How often elo1 may be accepted where elo0 is true.
    beta
        How often elo0 may be accepted where elo1 is true.
    """
    from azulejos.arena.match import MatchPlan, play_match
    from azulejos.arena.table import match_table

    test = None if sprt is None else _sprt(sprt, alpha, beta)
    table = len(specs) if players is None else players
    _check_some(specs)
    plan = MatchPlan(specs, games, table, options.wall, options.seed, options.limits(), test)
    with _progress(plan.whole_pairs * table, options) as on_game:
        result = play_match(plan, options.setting(), on_game)
    if options.as_json:
        print(json.dumps(result.json(), ensure_ascii=False))
    else:
        Console().print(match_table(result))


def tournament(
    *specs: str,
    games: int = 100,
    players: Annotated[int, Parameter(name=["--players", "-p"])] = 2,
    plot: Path | None = None,
    options: Options = Options(),  # noqa: B008 - it cannot be changed
) -> None:
    """Let everybody meet everybody, and rate them.

    For example:

        azulejos tournament random greedy search:nodes=50 --games 40
        azulejos tournament random greedy search:nodes=50 search:nodes=200 --players 3 --games 300 --plot ratings.svg

    Parameters
    ----------
    specs
        Who plays: names as random, greedy or search:nodes=200.
    games
        How many for every two; at tables of 3 and 4, where lots decide who meets, how many in all.
    players
        2, 3 or 4.
    plot
        Draw the ratings into this PNG, SVG or PDF file; needs matplotlib.
    """
    from azulejos.arena.plot import check_plot, plot_ratings
    from azulejos.arena.table import tournament_table
    from azulejos.arena.tournament import TournamentPlan, play_tournament

    _check_some(specs)
    if plot is not None:
        check_plot(plot)
    plan = TournamentPlan(specs, games, players, options.wall, options.seed, options.limits())
    with _progress(len(plan.tasks()), options) as on_game:
        result = play_tournament(plan, options.setting(), on_game)
    if plot is not None:
        plot_ratings(result, plot)
    if options.as_json:
        print(json.dumps(result.json(), ensure_ascii=False))
    else:
        Console().print(tournament_table(result))


def _check_some(specs: tuple[str, ...]) -> None:
    if len(specs) < 2:
        raise ValueError(f"{len(specs)} players named: expected at least 2, as in random greedy")


def _sprt(text: str, alpha: float, beta: float) -> Sprt:
    from azulejos.arena.statistics import Sprt

    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError as fault:
        raise ValueError(f"cannot read {text!r} as a sequential test: expected elo0,elo1 as in 0,10") from fault
    return Sprt(elo0, elo1, alpha, beta)


@contextlib.contextmanager
def _progress(games: int, options: Options) -> Iterator[OnGame]:
    """A bar on the terminal while games are played; failing workers and Ctrl-C end with a word on what is kept."""
    from azulejos.arena.workers import WorkersFailed

    kept = f"; what is finished is in {str(options.out)!r}, the same command goes on" if options.out else ""
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
    try:
        with bar:
            task = bar.add_task("games", total=games)
            yield lambda _: bar.advance(task)
    except WorkersFailed as fault:
        print(f"azulejos: {fault}{kept}", file=sys.stderr)
        sys.exit(FAILED)
    except KeyboardInterrupt:
        print(f"azulejos: stopped{kept}", file=sys.stderr)
        raise
