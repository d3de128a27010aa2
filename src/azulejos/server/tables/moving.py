"""Tables that come from somebody's own browser: whatever is said to have happened there is checked as it is here."""

from __future__ import annotations

from collections.abc import Sequence

from azulejos.game.dealer import Dealer
from azulejos.game.notation import read_position
from azulejos.players.levels import LEVELS
from azulejos.server.tables import events as e
from azulejos.server.tables.names import clean_name
from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.setup import Setup
from azulejos.server.tables.table import Table
from azulejos.server.tables.undo import decisions_of


def check_moved(
    setup: Setup, dealer: Dealer, events: Sequence[e.TableEvent], table_id: str = "", created: str = ""
) -> Table:
    """The table after all this; raises `Refuse` unless it can have happened at one that is still played at."""
    if setup.position:
        _check_position(setup)
    table = Table(table_id, created, setup, dealer)
    for event in events:
        if not _can_happen(table, event):
            raise Refuse("bad_record", reason=f"event {table.version + 2} cannot have happened: {e.write(event)}")
        table, _ = table.after(event)
    if table.result:
        raise Refuse("game_over")
    return table


def _check_position(setup: Setup) -> None:
    """Raise `Refuse` unless the position can be, and is one of such a table."""
    try:
        view = read_position(setup.position)
    except ValueError as fault:
        raise Refuse("bad_position", reason=str(fault)) from fault
    if (len(view.boards), view.wall) != (len(setup.seats), setup.wall):
        raise Refuse("bad_position", reason=f"no position of this table: {setup.position!r}")


def _can_happen(table: Table, event: e.TableEvent) -> bool:
    """Whether an event is possible at a table of one device; the move of a decision is looked at when it is played."""
    if isinstance(event, e.Started) or table.version < 0:
        return isinstance(event, e.Started) and table.version < 0
    if (
        isinstance(event, (e.Joined, e.Listed, e.Claimed, e.Rematched))
        or table.result
        or not 0 <= event.seat < table.players
    ):
        return False
    if event.used and (len(event.used) != len(table.left) or min(event.used) < 0):
        return False
    return _is_sound(table, event)


def _is_sound(table: Table, event: e.TableEvent) -> bool:
    """Whether what an event says besides its seat is possible."""
    is_sound = True
    match event:
        case e.Decided():
            is_sound = event.seat in table.waiting
        case e.Undone():
            gone = table.game.decisions[decisions_of(table.game, event.seat)]
            is_sound = event.moves == sum(decision.plays for decision in gone)
        case e.Substituted():
            is_sound = 1 <= event.level <= len(LEVELS)
        case e.Renamed():
            is_sound = bool(event.name) and clean_name(event.name) == event.name
        case e.TimedOut():
            is_sound = bool(table.left)
    return is_sound
