"""Why a request is not obeyed: a code for a program and a line of text for a person."""

from __future__ import annotations

from typing import Final

import msgspec

from azulejos.game.errors import IllegalMove, InvalidNotation, InvalidPosition
from azulejos.players.player import ImpossibleLimit, PlayerFailed

CODES: Final[dict[type[Exception], str]] = {
    InvalidNotation: "invalid_notation",
    InvalidPosition: "invalid_position",
    ImpossibleLimit: "bad_arguments",
    PlayerFailed: "player_failed",
    msgspec.DecodeError: "bad_json",
    msgspec.ValidationError: "bad_arguments",
}
"""The code for each kind of error."""
LONGEST_TEXT: Final = 1000
"""Characters of an error's text; what is longer is cut."""


class CannotObey(ValueError):
    """A request that cannot be obeyed; `code` says why."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        """The reason, as a word for programs."""


def explain(fault: Exception) -> tuple[str, str]:
    """The code and the text, on one line, of anything that went wrong.

    >>> explain(InvalidNotation("cannot read 'x' as a move"))
    ('invalid_notation', "cannot read 'x' as a move")
    """
    text = " ".join(str(fault).split())
    if len(text) > LONGEST_TEXT:
        text = f"{text[:LONGEST_TEXT]} ..."
    if isinstance(fault, (CannotObey, IllegalMove)):
        return fault.code, text
    code = next((CODES[kind] for kind in type(fault).__mro__ if kind in CODES), "internal")
    return code, text or type(fault).__name__


def quoted(text: str) -> str:
    """A word for an error message, cut where it gets long."""
    return repr(text) if len(text) <= 60 else f"{text[:60]!r}..."
