"""Which decisions stand after an undo."""

from __future__ import annotations

from azulejos.game.refusal import refuse
from azulejos.server.tables.match import Decision, Match
from azulejos.server.tables.refuse import Refuse


def decisions_after_undo(match: Match, seat: int) -> list[Decision]:
    """The decisions that stand when a seat takes back its last one; raises `Refuse` where it may not.

    A choice that nobody has seen can be taken back whatever the others did. Anything else until the next person has
    decided; what computers decided since goes back with it.
    """
    decisions = match.decisions
    if match.hidden.get(seat):
        at = _last_of(decisions, seat)
        return decisions[:at] + decisions[at + 1 :]
    at = next((at for at in reversed(range(len(decisions))) if decisions[at].person), -1)
    if _last_of(decisions, seat, person=True) < 0:
        raise Refuse(refuse("nothing_to_undo").code)
    if decisions[at].seat != seat or _was_seen_by_others(decisions, at):
        raise Refuse("undo_too_late")
    return decisions[:at]


def may_undo(match: Match, seat: int) -> bool:
    """Whether a seat may take back its last decision now."""
    try:
        decisions_after_undo(match, seat)
    except Refuse:
        return False
    return True


def _last_of(decisions: list[Decision], seat: int, *, person: bool = False) -> int:
    return next(
        (
            at
            for at in reversed(range(len(decisions)))
            if decisions[at].seat == seat and (decisions[at].person or not person)
        ),
        -1,
    )


def _was_seen_by_others(decisions: list[Decision], at: int) -> bool:
    """Whether this is a tiling choice that was shown together with those of another person."""
    first = last = at
    while first >= 0 and decisions[first].move.is_tiling:
        first -= 1
    while last < len(decisions) and decisions[last].move.is_tiling:
        last += 1
    return any(decision.person and decision.seat != decisions[at].seat for decision in decisions[first + 1 : last])
