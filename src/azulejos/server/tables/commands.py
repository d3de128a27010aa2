"""What somebody asks of a table becomes an event, or is refused."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from azulejos.game.errors import InvalidNotation
from azulejos.game.moves import Move
from azulejos.server.http.security import clean_name
from azulejos.server.protocol import incoming as asked
from azulejos.server.tables import events as e
from azulejos.server.tables.refuse import Refuse
from azulejos.server.tables.table import Table
from azulejos.server.tables.undo import decisions_after_undo

MOST_EVENTS: Final = 20_000
"""Of a table: years of play."""
MOST_ASIDE: Final = 1000
"""Events that are no moves, such as names, and everything undone."""


def judge(table: Table, message: Any, mine: Collection[int], present: Sequence[bool]) -> e.Happened:
    """The event that a message leads to; raises `Refuse`. `mine` are the sender's seats."""
    rule = _RULES.get(type(message))
    if rule is None:
        raise Refuse("bad_message")
    if message.seat >= table.players:
        raise Refuse("not_your_seat", seat=message.seat)
    _check_length(table, message)
    event: e.Happened = rule(table, message, mine, present)
    return event


def _check_length(table: Table, message: Any) -> None:
    """Nobody may fill the database with one table; one that nobody can play on with can still be given up."""
    aside = table.version - len(table.match.decisions)
    if isinstance(message, asked.Resign):
        return
    if table.version >= MOST_EVENTS or (aside >= MOST_ASIDE and not isinstance(message, asked.Play)):
        raise Refuse("too_fast")


def check_decision(table: Table, seat: int, text: str) -> Move:
    """The move, if this seat may play it now."""
    try:
        move = Move.parse(text)
    except InvalidNotation:
        raise Refuse("bad_move", move=text) from None
    if table.result:
        raise Refuse("game_over")
    if seat not in table.waiting:
        raise Refuse("not_your_turn", seat=seat)
    match = table.match
    if match.is_choosing:
        own = match.own(seat)
        if move in own.moves:
            return move
        position = match.position_for(seat)
        refusal = type(match.game).from_position(position).why_illegal(move)
    else:
        refusal = match.game.why_illegal(move)
    if refusal:
        raise Refuse(refusal.code, **refusal.arguments)
    return move


def check_version(table: Table, version: int, seat: int) -> None:
    """Refuse what was decided before something changed that matters to this seat."""
    if not table.fresh_since[seat] <= version <= table.version:
        raise Refuse("stale_version", version=table.version)


def _own(seat: int, mine: Collection[int]) -> None:
    if seat not in mine:
        raise Refuse("not_your_seat", seat=seat)


def _going_on(table: Table) -> None:
    if table.result:
        raise Refuse("game_over")


def _not_resigned(table: Table, seat: int) -> None:
    if table.seats[seat].resigned:
        raise Refuse("seat_resigned", seat=seat)


def _play(table: Table, message: asked.Play, mine: Collection[int], _present: Sequence[bool]) -> e.Happened:
    _own(message.seat, mine)
    _going_on(table)
    check_version(table, message.version, message.seat)
    if not table.is_person(message.seat):
        raise Refuse("not_your_turn", seat=message.seat)
    move = check_decision(table, message.seat, message.move)
    return e.Decided(seat=message.seat, move=str(move))


def _undo(table: Table, message: asked.Undo, mine: Collection[int], _present: Sequence[bool]) -> e.Happened:
    _own(message.seat, mine)
    _going_on(table)
    check_version(table, message.version, message.seat)
    if not table.is_person(message.seat):
        raise Refuse("not_your_turn", seat=message.seat)
    decisions_after_undo(table.match, message.seat)
    return e.Undone(seat=message.seat)


def _resign(table: Table, message: asked.Resign, mine: Collection[int], _present: Sequence[bool]) -> e.Happened:
    _own(message.seat, mine)
    _going_on(table)
    _not_resigned(table, message.seat)
    return e.Resigned(seat=message.seat)


def _substitute(table: Table, message: asked.Substitute, mine: Collection[int], present: Sequence[bool]) -> e.Happened:
    seat = message.seat
    if not mine:
        raise Refuse("not_your_seat", seat=seat)
    _going_on(table)
    if not table.is_person(seat) or (seat not in mine and present[seat]):
        raise Refuse("seat_not_absent", seat=seat)
    return e.Substituted(seat=seat, level=message.level)


def _come_back(table: Table, message: asked.ComeBack, mine: Collection[int], _present: Sequence[bool]) -> e.Happened:
    seat = message.seat
    _own(seat, mine)
    _going_on(table)
    _not_resigned(table, seat)
    if table.seats[seat].substitute is None:
        raise Refuse("not_substituted", seat=seat)
    if table.left and not table.left[seat]:
        raise Refuse("out_of_time", seat=seat)
    return e.CameBack(seat=seat)


def _rename(_table: Table, message: asked.Rename, mine: Collection[int], _present: Sequence[bool]) -> e.Happened:
    _own(message.seat, mine)
    name = clean_name(message.name)
    if not name:
        raise Refuse("bad_name")
    return e.Renamed(seat=message.seat, name=name)


def _hint(table: Table, message: asked.AskHint, mine: Collection[int], _present: Sequence[bool]) -> e.Happened:
    _own(message.seat, mine)
    _going_on(table)
    check_version(table, message.version, message.seat)
    if message.seat not in table.waiting or not table.is_person(message.seat):
        raise Refuse("not_your_turn", seat=message.seat)
    return e.Assisted(seat=message.seat)


_RULES: Final[dict[type, Any]] = {
    asked.Play: _play,
    asked.Undo: _undo,
    asked.Resign: _resign,
    asked.Substitute: _substitute,
    asked.ComeBack: _come_back,
    asked.Rename: _rename,
    asked.AskHint: _hint,
}
