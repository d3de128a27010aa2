"""What somebody asks of a table becomes an event, or is refused."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, assert_never

from azulejos.server.protocol import incoming
from azulejos.server.tables import events as e
from azulejos.server.tables.absence import Absence
from azulejos.server.tables.names import clean_name
from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.table import Table
from azulejos.server.tables.undo import check_undo

MOST_DECISIONS: Final = 1500
"""Decisions of a game: four players on the gray wall, who have the most, have at most 56 in a round."""
MOST_ASIDE: Final = 1000
"""Events that are no decisions, such as names, and everything undone."""


def decide(table: Table, command: incoming.Command, mine: Collection[int], absence: Absence) -> e.TableEvent:
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
            _check_hints(table)
            _check_version(table, command)
            event = e.Assisted(seat=seat)
        case incoming.Undo():
            _check_fresh(table, command)
            gone = table.game.decisions[check_undo(table.game, seat, alone=table.is_alone(seat))]
            event = e.Undone(seat=seat, moves=sum(decision.plays for decision in gone))
        case incoming.Substitute():
            _check_replaceable(table, seat)
            absence.check(table, seat, mine)
            event = e.Substituted(seat=seat, level=command.level)
        case incoming.ComeBack():
            _check_substituted(table, seat)
            event = e.CameBack(seat=seat)
        case incoming.Resign():
            _check_not_resigned(table, seat)
            event = e.Resigned(seat=seat)
        case incoming.Rename():
            event = e.Renamed(seat=seat, name=_clean_name(command.name))
        case incoming.Open():
            _check_host(table, seat)
            event = e.Listed(seat=seat, open=command.open)
        case _:
            assert_never(command)
    return event


def claim(table: Table, name: str, digest: str) -> e.Claimed:
    """The event by which somebody from the lobby takes a free seat; raises `Refuse` if there is none."""
    if not table.free:
        raise Refuse("seat_taken")
    return e.Claimed(seat=table.free[0], name=clean_name(name), digest=digest)


def _check_length(table: Table, command: incoming.Command) -> None:
    """Nobody may fill the database with one table; one that nobody can play on with can still be given up."""
    decisions = len(table.game.decisions)
    if isinstance(command, incoming.Resign):
        return
    if isinstance(command, incoming.Play):
        if decisions >= MOST_DECISIONS:
            raise Refuse("table_full", most=MOST_DECISIONS)
    elif table.version - decisions >= MOST_ASIDE:
        raise Refuse("table_full", most=MOST_ASIDE)


def _check_hints(table: Table) -> None:
    """Whoever opened the table decides; not only when it is one's turn, since a game can be looked up at any time."""
    if not table.setup.hints:
        raise Refuse("no_hints")


def _check_version(table: Table, command: incoming.Play | incoming.TakeHint | incoming.Undo) -> None:
    """Refuse what was decided before something changed that matters to this seat."""
    if not table.fresh_since[command.seat] <= command.version <= table.version:
        raise Refuse("stale_version", version=table.version)


def _check_fresh(table: Table, command: incoming.Play | incoming.Undo) -> None:
    """Refuse what is out of date, or where a computer decides."""
    _check_version(table, command)
    if not table.is_person(command.seat):
        raise Refuse("not_your_turn", seat=command.seat)


def _check_turn(table: Table, command: incoming.Play) -> None:
    _check_fresh(table, command)
    if command.seat not in table.waiting:
        raise Refuse("not_your_turn", seat=command.seat)


def _check_replaceable(table: Table, seat: int) -> None:
    if not table.is_person(seat):
        raise Refuse("seat_not_absent", seat=seat)


def _check_substituted(table: Table, seat: int) -> None:
    _check_not_resigned(table, seat)
    if table.seats[seat].substitute is None:
        raise Refuse("not_substituted", seat=seat)
    if table.left and not table.left[seat]:
        raise Refuse("out_of_time", seat=seat)


def _check_host(table: Table, seat: int) -> None:
    """Only whoever made the table says who may come."""
    if table.setup.seats[seat].kind != "here":
        raise Refuse("not_your_seat", seat=seat)


def _check_not_resigned(table: Table, seat: int) -> None:
    if table.seats[seat].resigned:
        raise Refuse("seat_resigned", seat=seat)


def _clean_name(name: str) -> str:
    cleaned = clean_name(name)
    if not cleaned:
        raise Refuse("bad_name")
    return cleaned
