"""The command that lets everybody meet everybody."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from azulejos.cli.games import MatchOptions, check_some, showing_games
from azulejos.cli.options import PlayerCount, print_json


def tournament(
    *specs: str,
    games: int = 100,
    players: PlayerCount = 2,
    plot: Path | None = None,
    options: MatchOptions = MatchOptions(),  # noqa: B008 - it cannot be changed
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

    check_some(specs)
    if plot is not None:
        check_plot(plot)
    plan = TournamentPlan(specs, games, players, options.wall, options.seed, options.limits())
    with showing_games(len(plan.tasks()), options) as on_game:
        result = play_tournament(plan, options.setting(), on_game)
    if plot is not None:
        plot_ratings(result, plot)
    if options.as_json:
        print_json(result.json())
    else:
        Console().print(tournament_table(result))
