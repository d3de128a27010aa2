"""What the server raises when it does not do what it was asked, and every code that it has for that."""

from __future__ import annotations

from typing import Final

from azulejos.game.refusal import Refusal

CODES: Final = frozenset(
    {
        "bad_message",
        "too_large",
        "too_fast",
        "unknown_table",
        "wrong_link",
        "not_your_seat",
        "not_your_turn",
        "stale_version",
        "undo_too_late",
        "undo_past_deal",
        "table_full",
        "not_away_long",
        "no_hints",
        "not_over",
        "seat_not_absent",
        "seat_taken",
        "no_lobby",
        "not_substituted",
        "seat_resigned",
        "out_of_time",
        "hello_first",
        "already_said_hello",
        "wrong_protocol",
        "wrong_origin",
        "storage_failed",
        "busy",
        "bad_name",
        "bad_clock",
        "bad_seats",
        "bad_move",
        "bad_position",
        "bad_record",
        "too_many_tables",
        "no_computer",
        "not_found",
        "method_not_allowed",
        "internal",
    }
)
"""Every code besides those of `azulejos.game.refusal.REASONS`; a page words all of them."""


class Refuse(Exception):
    """Raised anywhere in the server to refuse something.

    >>> Refuse("not_your_seat", seat=2).refusal
    Refusal(code='not_your_seat', arguments={'seat': 2})
    """

    def __init__(self, code: str, **arguments: str | int) -> None:
        super().__init__(code, arguments)
        self.refusal = Refusal(code, arguments)
        """The reason, as it is told."""

    def __str__(self) -> str:
        return f"{self.refusal.code} {self.refusal.arguments or ''}".strip()
