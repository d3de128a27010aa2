"""The course of a run as a picture: games, losses, gate matches and ratings."""

from __future__ import annotations

import io
from typing import Any

from azulejos.training.cards import LOSSES, networks, read_card
from azulejos.training.folder import CURVES, Journal, RunFolder
from azulejos.training.whole import write_whole

COLORS = ("#1f5fa8", "#b3402a", "#3c7d3c")
"""The colors of the curves."""


def can_draw() -> bool:
    """Whether matplotlib is there."""
    try:
        import matplotlib.figure  # noqa: F401, PLC0415 - optional, and slow to load
    except ImportError:
        return False
    return True


def draw(run: RunFolder) -> None:
    """Draw `curves.png` anew."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - optional, and slow to load

    lines = list(Journal(run.path).lines())
    figure = Figure(figsize=(11, 8), layout="constrained")
    axes = figure.subplots(2, 2)
    figure.suptitle(f"{run.path.name}: mix {run.options.mix}, network {run.shape['width']} x {run.shape['blocks']}")
    _draw_games(axes[0, 0], lines)
    _draw_losses(axes[0, 1], lines)
    _draw_gates(axes[1, 0], lines, run.options.threshold)
    _draw_ratings(axes[1, 1], run)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=100)
    write_whole(run.path / CURVES, buffer.getvalue())


def _draw_games(axes: Any, lines: list[dict[str, Any]]) -> None:
    told = [line for line in lines if line["kind"] == "progress"]
    axes.plot([line["minutes"] for line in told], [line["games"] for line in told], color=COLORS[0])
    axes.set_title("Self-play games")
    axes.set_xlabel("minutes of training")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.4)


def _draw_losses(axes: Any, lines: list[dict[str, Any]]) -> None:
    told = [line for line in lines if line["kind"] == "learner"]
    for name, color in zip(LOSSES, COLORS, strict=True):
        axes.plot([line["steps"] for line in told], [line["losses"][name] for line in told], color=color, label=name)
    axes.set_title("Losses")
    axes.set_xlabel("steps")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.4)
    axes.legend()


def _draw_gates(axes: Any, lines: list[dict[str, Any]], threshold: float) -> None:
    for accepted, color, label in ((True, COLORS[2], "accepted"), (False, COLORS[1], "rejected")):
        told = [line for line in lines if line["kind"] == "gate" and line["accepted"] == accepted]
        steps = [int(line["network"]) for line in told]
        scores = [line["score"] for line in told]
        bars = _bars([(each["value"], each["low"], each["high"]) for each in scores])
        axes.errorbar(steps, [each["value"] for each in scores], bars, fmt="o", capsize=3, color=color, label=label)
    axes.axhline(threshold, color="black", linewidth=1, linestyle="--")
    axes.axhline(0.5, color="black", linewidth=0.5)
    axes.set_title("Gate matches: score, 95 % interval, threshold")
    axes.set_xlabel("steps")
    axes.grid(alpha=0.4)
    axes.legend()


def _draw_ratings(axes: Any, run: RunFolder) -> None:
    cards = [read_card(folder) for folder in networks(run.accepted)]
    rated = [(card["steps"], card["rating"]) for card in cards if card["rating"]]
    values = [rating["elo"] for _, rating in rated]
    bars = _bars([(rating["elo"], rating["low"], rating["high"]) for _, rating in rated])
    axes.errorbar([steps for steps, _ in rated], values, bars, fmt="o-", capsize=3, color=COLORS[0])
    axes.set_title("Accepted networks: Elo over the first, 95 % interval")
    axes.set_xlabel("steps")
    axes.grid(alpha=0.4)


def _bars(estimates: list[tuple[float, float | None, float | None]]) -> tuple[list[float], list[float]]:
    below = [value - (value if low is None else low) for value, low, _ in estimates]
    above = [(value if high is None else high) - value for value, _, high in estimates]
    return below, above
