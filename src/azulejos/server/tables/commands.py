"""What somebody asks of a table becomes an event, or is refused."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, assert_never

from azulejos.server.protocol import incoming
from azulejos.server.tables import events as e
from azulejos.server.tables.names import clean_name
from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.table import Table
from azulejos.server.tables.undo import decisions_of

MOST_EVENTS: Final = 20_000
"""Events of a table: years of play."""
MOST_ASIDE: Final = 1000
"""Events that are no moves, such as names, and everything undone."""


def decide(table: Table, command: incoming.Command, mine: Collection[int], present: Sequence[bool]) -> e.TableEvent:
    """The event that a command leads to; raises `Refuse`. `mine` are the sender's seats.

    Whether a move is legal is seen when the table lets it happen.
    """
    seat = command.seat
    is_allowed = bool(mine) if isinstance(command, incoming.Substitute) else seat in mine
    if seat >= table.players or not is_allowed:
        raise Refuse("not_your_seat", seat=seat)
    _check_length(table, command)
    if table.result and not isinstance(command, incoming.Rename):
        raise Refuse("game_over")
    event: e.TableEvent
    match command:
        case incoming.Play():
            _check_turn(table, command)
            event = e.Decided(seat=seat, move=command.move)
        case incoming.TakeHint():
            _check_turn(table, command)
            event = e.Assisted(seat=seat)
        case incoming.Undo():
            _check_fresh(table, command)
            gone = table.game.decisions[decisions_of(table.game, seat)]
            event = e.Undone(seat=seat, moves=sum(decision.plays for decision in gone))
        case incoming.Substitute():
            _check_absent(table, seat, here=present[seat] and seat not in mine)
            event = e.Substituted(seat=seat, level=command.level)
        case incoming.ComeBack():
            _check_substituted(table, seat)
            event = e.CameBack(seat=seat)
        case incoming.Resign():
            _check_not_resigned(table, seat)
            event = e.Resigned(seat=seat)
        case incoming.Rename():
            event = e.Renamed(seat=seat, name=_clean_name(command.name))
        case _:
            assert_never(command)
    return event


def _check_length(table: Table, command: incoming.Command) -> None:
    """Nobody may fill the database with one table; one that nobody can play on with can still be given up."""
    aside = table.version - len(table.game.decisions)
    if isinstance(command, incoming.Resign):
        return
    if table.version >= MOST_EVENTS or (aside >= MOST_ASIDE and not isinstance(command, incoming.Play)):
        raise Refuse("too_fast")


def _check_fresh(table: Table, command: incoming.Play | incoming.TakeHint | incoming.Undo) -> None:
    """Refuse what was decided before something changed that matters to this seat, or where a computer decides."""
    if not table.fresh_since[command.seat] <= command.version <= table.version:
        raise Refuse("stale_version", version=table.version)
    if not table.is_person(command.seat):
        raise Refuse("not_your_turn", seat=command.seat)


def _check_turn(table: Table, command: incoming.Play | incoming.TakeHint) -> None:
    _check_fresh(table, command)
    if command.seat not in table.waiting:
        raise Refuse("not_your_turn", seat=command.seat)


def _check_absent(table: Table, seat: int, *, here: bool) -> None:
    if here or not table.is_person(seat):
        raise Refuse("seat_not_absent", seat=seat)


def _check_substituted(table: Table, seat: int) -> None:
    _check_not_resigned(table, seat)
    if table.seats[seat].substitute is None:
        raise Refuse("not_substituted", seat=seat)
    if table.left and not table.left[seat]:
        raise Refuse("out_of_time", seat=seat)


def _check_not_resigned(table: Table, seat: int) -> None:
    if table.seats[seat].resigned:
        raise Refuse("seat_resigned", seat=seat)


def _clean_name(name: str) -> str:
    cleaned = clean_name(name)
    if not cleaned:
        raise Refuse("bad_name")
    return cleaned
