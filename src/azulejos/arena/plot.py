"""The ratings of a tournament as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from azulejos.arena.tournament import TournamentResult

FORMATS: Final = (".png", ".svg", ".pdf")
"""The kinds of pictures that can be drawn, by the ending of the file."""


def check_plot(file: Path) -> None:
    """Raise a `ValueError` unless such a picture can be drawn; asked before a tournament, not after."""
    if file.suffix.lower() not in FORMATS:
        raise ValueError(f"cannot draw {str(file)!r}: expected a name that ends in {', '.join(FORMATS)}")
    if not file.parent.is_dir():
        raise ValueError(f"cannot draw {str(file)!r}: there is no such folder")
    try:
        import matplotlib.figure  # noqa: F401, PLC0415 - optional, and slow to load
    except ImportError as fault:
        raise ValueError("a plot needs the package matplotlib: pip install 'azulejos[plots]'") from fault


def plot_ratings(result: TournamentResult, file: Path) -> None:
    """Draw the rating of each contestant with its interval into a PNG, SVG or PDF file."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - optional, and slow to load

    standings = result.standings[::-1]  # the strongest on top
    values = [who.rating.value for who in standings]
    below = [who.rating.value - who.rating.low for who in standings]
    above = [who.rating.high - who.rating.value for who in standings]
    figure = Figure(figsize=(8, 1.2 + 0.4 * len(standings)), layout="constrained")
    axes = figure.subplots()
    axes.errorbar(values, range(len(standings)), xerr=(below, above), fmt="o", capsize=4, color="#1f5fa8")
    axes.set_yticks(range(len(standings)), [who.spec for who in standings], parse_math=False)
    axes.set_ylim(-0.6, len(standings) - 0.4)
    axes.grid(axis="x", alpha=0.4)
    axes.set_xlabel("Elo, the mean of all is 0; bars are 95 % intervals")
    axes.set_title(f"{result.games} games, {result.plan.players} players, {result.plan.wall} wall")
    figure.savefig(file)
