"""Which decisions an undo takes back."""

from __future__ import annotations

from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.table_game import Decision, TableGame


def decisions_of(game: TableGame, seat: int) -> slice:
    """The place of the decisions that go when a seat takes back its last one; raises `Refuse` where it may not.

    A choice that nobody has seen can be taken back whatever the others did. Anything else until the next person has
    decided; what computers decided since goes back with it.
    """
    decisions = game.decisions
    if game.hidden(seat):
        at = max(at for at, decision in enumerate(decisions) if decision.seat == seat)
        return slice(at, at + 1)
    if not any(decision.person and decision.seat == seat for decision in reversed(decisions)):
        raise Refuse("nothing_to_undo")
    at = next(at for at in reversed(range(len(decisions))) if decisions[at].person)
    if decisions[at].seat != seat or _was_seen_by_others(decisions, at):
        raise Refuse("undo_too_late")
    return slice(at, len(decisions))


def check_undo(game: TableGame, seat: int, *, alone: bool) -> slice:
    """The same, with what is fair between people: unless one plays alone, nobody takes back what led to a deal.

    Whoever could would look at the next tiles and then choose once more. Older tables may have such events, so this is
    looked at when an undo is asked for and not when it happens.
    """
    part = decisions_of(game, seat)
    plays = sum(decision.plays for decision in game.decisions[part])
    if not alone and plays and any(happening.deal for happening in game.log[-plays:]):
        raise Refuse("undo_past_deal")
    return part


def may_undo(game: TableGame, seat: int, *, alone: bool) -> bool:
    """Whether a seat may take back its last decision now."""
    try:
        check_undo(game, seat, alone=alone)
    except Refuse:
        return False
    return True


def _was_seen_by_others(decisions: list[Decision], at: int) -> bool:
    """Whether this is a tiling choice that was shown together with those of another person."""
    first = last = at
    while first >= 0 and decisions[first].move.is_tiling:
        first -= 1
    while last < len(decisions) and decisions[last].move.is_tiling:
        last += 1
    return any(decision.person and decision.seat != decisions[at].seat for decision in decisions[first + 1 : last])
