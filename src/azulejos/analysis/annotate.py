"""A reviewed game as a record: values and luck in comments, marks as glyphs, better moves as variations."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from azulejos.analysis.analyst import Value
from azulejos.analysis.marks import GLYPHS, MARKS
from azulejos.analysis.review import DealReview, DecisionReview, Review
from azulejos.game.record import Entry, Record

LEAST_TOLD: Final = 0.01
"""From this loss of the share of the victory the better line is written down."""
OUR_GLYPHS: Final = frozenset(GLYPHS[1:])
"""The glyphs that marks are written as."""


def annotate(record: Record, found: Review) -> Record:
    """The record with everything that was found, behind what was written there before; the glyphs of marks are new.

    `[%eval +3.2]` is what the margin of the player who moved was worth after the move, `[%win 61.0 39.0]` the share of
    the victory of each seat in percent, and `[%luck +1.2 -1.2]` what a deal changed for each seat, in points.
    """
    parts: dict[int, DealReview | DecisionReview] = {each.ply: each for each in found.deals}
    parts |= {each.ply: each for each in found.decisions}
    entries = []
    ply = 0
    for entry in record.entries:
        part = parts.get(ply) if entry.play is not None else None
        ply += entry.play is not None
        if part is None:
            entries.append(entry)
        elif isinstance(part, DealReview):
            entries.append(replace(entry, comments=(*entry.comments, _of_deal(part))))
        else:
            entries.append(_with_decision(entry, part))
    return replace(record, entries=tuple(entries))


def _with_decision(entry: Entry, part: DecisionReview) -> Entry:
    glyph = GLYPHS[MARKS.index(part.mark)]
    kept = tuple(old for old in entry.glyphs if old not in OUR_GLYPHS)
    variations = entry.variations
    if part.mark or part.loss.win >= LEAST_TOLD:
        first, *rest = (Entry(move) for move in part.best.moves)
        variations += ((replace(first, comments=(_of_value(part.best.value, part.seat),)), *rest),)
    return replace(
        entry,
        glyphs=(*kept, glyph) if glyph else kept,
        comments=(*entry.comments, _of_value(part.played.value, part.seat)),
        variations=variations,
    )


def _of_value(value: Value, seat: int) -> str:
    win = " ".join(f"{100 * share:.1f}" for share in value.win)
    return f"[%eval {_signed(value.margin[seat])}] [%win {win}]"


def _of_deal(part: DealReview) -> str:
    win = " ".join(f"{100 * share:.1f}" for share in part.after.win)
    return f"[%luck {' '.join(_signed(luck.margin) for luck in part.luck)}] [%win {win}]"


def _signed(points: float) -> str:
    return f"{round(points, 1) + 0.0:+.1f}"  # never -0.0
