"""The command that lets players meet over the same deals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.console import Console

from azulejos.cli.games import MatchOptions, check_some, showing_games
from azulejos.cli.options import OptionalPlayerCount, print_json

if TYPE_CHECKING:
    from azulejos.arena.statistics import Sprt


def match(
    *specs: str,
    games: int = 100,
    players: OptionalPlayerCount = None,
    sprt: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    alpha: float = 0.05,
    beta: float = 0.05,
    options: MatchOptions = MatchOptions(),  # noqa: B008 - it cannot be changed
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
    check_some(specs)
    plan = MatchPlan(specs, games, table, options.wall, options.seed, options.limits(), test)
    with showing_games(plan.whole_pairs * table, options) as on_game:
        result = play_match(plan, options.setting(), on_game)
    if options.as_json:
        print_json(result.json())
    else:
        Console().print(match_table(result))


def _sprt(text: str, alpha: float, beta: float) -> Sprt:
    from azulejos.arena.statistics import Sprt

    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError as fault:
        raise ValueError(f"cannot read {text!r} as a sequential test: expected elo0,elo1 as in 0,10") from fault
    return Sprt(elo0, elo1, alpha, beta)
