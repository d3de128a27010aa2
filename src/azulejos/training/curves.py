"""The course of a run as a picture: games, losses, gate matches and ratings."""

from __future__ import annotations

import io
from typing import Any, Final

from azulejos.training.atomic import write_atomic
from azulejos.training.cards import LOSSES, Interval, NetworkCard, Networks
from azulejos.training.run_folder import Journal, RunFolder

COLORS: Final = ("#1f5fa8", "#b3402a", "#3c7d3c")
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

    told = progress(Journal(run.path))
    cards = Networks(run.path).cards()
    figure = Figure(figsize=(11, 8), layout="constrained")
    axes = figure.subplots(2, 2)
    for each in axes.flat:
        each.grid(alpha=0.4)
        each.set_xlabel("steps")
    figure.suptitle(f"{run.path.name}: network {run.shape.width} x {run.shape.blocks}")
    _draw_games(axes[0, 0], told)
    _draw_losses(axes[0, 1], told)
    _draw_gates(axes[1, 0], [card for card in cards if card.gate])
    _draw_ratings(axes[1, 1], [card for card in cards if card.accepted and card.rating])
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=100)
    write_atomic(run.path / "curves.png", buffer.getbuffer())


def progress(journal: Journal) -> list[dict[str, Any]]:
    """How far the run was and when, without what a sudden end has undone."""
    kept: list[dict[str, Any]] = []
    for line in journal.lines():
        if line["kind"] == "progress":
            while kept and kept[-1]["minutes"] >= line["minutes"]:
                kept.pop()
            kept.append(line)
    return kept


def _draw_games(axes: Any, told: list[dict[str, Any]]) -> None:
    axes.plot([line["minutes"] for line in told], [line["games"] for line in told], color=COLORS[0])
    axes.set_title("Self-play games")
    axes.set_xlabel("minutes of training")
    axes.set_ylim(bottom=0)


def _draw_losses(axes: Any, told: list[dict[str, Any]]) -> None:
    learned = [line for line in told if line["losses"]]
    steps = [line["steps"] for line in learned]
    for name, color in zip(LOSSES, COLORS, strict=True):
        axes.plot(steps, [line["losses"][name] for line in learned], color=color, label=name)
    axes.set_title("Losses")
    axes.set_ylim(bottom=0)
    axes.legend()


def _draw_gates(axes: Any, cards: list[NetworkCard]) -> None:
    for accepted, color, label in ((True, COLORS[2], "accepted"), (False, COLORS[1], "rejected")):
        judged = [card for card in cards if card.accepted == accepted]
        _draw_intervals(axes, [(card.steps, card.gate.score) for card in judged if card.gate], color, "o", label)
    axes.plot([card.steps for card in cards], [card.gate.threshold for card in cards if card.gate], "k--", linewidth=1)
    axes.axhline(0.5, color="black", linewidth=0.5)
    axes.set_title("Gate matches: score, 95 % interval, threshold")
    axes.legend()


def _draw_ratings(axes: Any, cards: list[NetworkCard]) -> None:
    _draw_intervals(axes, [(card.steps, card.rating) for card in cards if card.rating], COLORS[0], "o-", None)
    axes.set_title("Accepted networks: Elo over the first, 95 % interval")


def _draw_intervals(axes: Any, points: list[tuple[int, Interval]], color: str, shape: str, label: str | None) -> None:
    values = [each.value for _, each in points]
    below = [each.value - (each.value if each.low is None else each.low) for _, each in points]
    above = [(each.value if each.high is None else each.high) - each.value for _, each in points]
    steps = [step for step, _ in points]
    axes.errorbar(steps, values, (below, above), fmt=shape, capsize=3, color=color, label=label)
