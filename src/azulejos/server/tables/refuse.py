"""A refusal: what the server says when it does not do what it was asked."""

from __future__ import annotations

from typing import Final

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
        "game_over",
        "not_over",
        "seat_not_absent",
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
    """Raised anywhere in the server to refuse something: a code that a page words, with its arguments.

    >>> str(Refuse("not_your_seat", seat=2))
    "not_your_seat {'seat': 2}"
    """

    def __init__(self, code: str, **arguments: str | int) -> None:
        super().__init__(code)
        self.code = code
        """The reason."""
        self.arguments = arguments
        """What its sentence has to name."""

    def __str__(self) -> str:
        return f"{self.code} {self.arguments}" if self.arguments else self.code
