"""What the screen asks for: the next key of a move, patience, or nothing more."""

from __future__ import annotations

from collections.abc import Sequence

from azulejos.game.moves import Move
from azulejos.game.view import View
from azulejos.locale import _
from azulejos.tui import words
from azulejos.tui.board.selection import Selection
from azulejos.tui.table.table import AnyTable


def question(table: AnyTable, chosen: Selection | None, view: View, names: Sequence[str]) -> str:
    """What to do now; above it, on a line of its own, what the move at the cursor would do."""
    if table.ending:
        return words.result(table.ending.winners, table.ending.scores, names)
    if chosen is None:
        told = table.notice or _whom_we_wait_for(table, names)
        return told + (" " + _("T: what can be done.") if table.notice and table.actions else "")
    asked = _next_key(chosen, view)
    if not asked and len(table.own_seats) == 1:
        asked = _("Your turn: choose a display 1-9 or 0, the center.")
    elif not asked:
        asked = _("{name}: choose a display 1-9 or 0, the center.").format(name=names[chosen.turn.seat])
    move = chosen.pointed_move
    return asked if move is None else f"{move}: {_effect(table, chosen, move)}\n{asked}"


def _whom_we_wait_for(table: AnyTable, names: Sequence[str]) -> str:
    others = [names[seat] for seat in table.waiting if seat not in table.own_seats]
    if len(others) > 1:
        return _("{names} are thinking ...").format(names=", ".join(others))
    return _("{name} is thinking ...").format(name=others[0]) if others else ""


def _next_key(chosen: Selection, view: View) -> str:
    """The key that a move in the making needs next; nothing if it has not begun."""
    if chosen.is_tiling:
        return _("Choose a column for the tile of line {row}: 1-5.").format(row=(chosen.turn.tiling_row or 0) + 1)
    if chosen.held:
        source, color = chosen.held
        return f"{words.in_hand(view, source, color)}: " + _("which line? 1-5, F")
    if chosen.cursor and chosen.cursor[0] == "take":
        told = words.group(view, int(chosen.cursor[1]), int(chosen.cursor[2]))
        return told if chosen.source is None else f"{told} - " + _("which color? B Y R K W")
    return ""


def _effect(table: AnyTable, chosen: Selection, move: Move) -> str:
    preview = chosen.turn.options.get(move)
    return words.effect(move, preview) if preview else table.why_not(move)
