"""A review as plain data for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from azulejos.analysis.analyst import RatedLine, Value
from azulejos.analysis.likeness import likeness
from azulejos.analysis.review import Amount, DealReview, DecisionReview, Review


def as_json(found: Review, names: Sequence[str]) -> dict[str, Any]:
    """Everything that was found; seats count from 0, moves are written as in records."""
    return {
        "players": found.players,
        "nodes": found.nodes,
        "seats": [
            {"name": name, **{part: _amount(amount) for part, amount in receipt.items()}, "like": like and asdict(like)}
            for name, receipt, like in zip(names, found.receipts, likeness(found), strict=False)
        ],
        "deals": [_deal(deal) for deal in found.deals],
        "decisions": [_decision(decision) for decision in found.decisions],
        "finished": found.finished,
        "fault": found.fault,
        "stopped": found.stopped,
    }


def _amount(amount: Amount) -> dict[str, float]:
    return {"margin": amount.margin, "win": amount.win}


def _value(value: Value) -> dict[str, list[float]]:
    return {"margin": list(value.margin), "win": list(value.win)}


def _deal(deal: DealReview) -> dict[str, Any]:
    return {
        "ply": deal.ply,
        "round": deal.round,
        "deal": str(deal.deal),
        "luck": [_amount(luck) for luck in deal.luck],
        "expected": _value(deal.expected),
        "error": _value(deal.error),
        "value": _value(deal.after),
    }


def _decision(decision: DecisionReview) -> dict[str, Any]:
    return {
        "ply": decision.ply,
        "round": decision.round,
        "seat": decision.seat,
        "played": str(decision.played.move),
        "best": str(decision.best.move),
        "loss": _amount(decision.loss),
        "exact": decision.exact,
        "forced": decision.forced,
        "mark": decision.mark or None,
        "reasons": [asdict(reason) for reason in decision.reasons],
        "value": _value(decision.played.value),
        "lines": [_line(line) for line in decision.lines],
    }


def _line(line: RatedLine) -> dict[str, Any]:
    return {"moves": [str(move) for move in line.moves], "visits": line.visits, "value": _value(line.value)}
