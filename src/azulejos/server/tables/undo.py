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
    by_people = [at for at, decision in enumerate(decisions) if decision.person]
    if not any(decisions[at].seat == seat for at in by_people):
        raise Refuse("nothing_to_undo")
    at = by_people[-1]
    if decisions[at].seat != seat or _was_seen_by_others(decisions, at):
        raise Refuse("undo_too_late")
    return slice(at, len(decisions))


def may_undo(game: TableGame, seat: int) -> bool:
    """Whether a seat may take back its last decision now."""
    try:
        decisions_of(game, seat)
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
