"""The three ways in which input can be wrong. All are `ValueError`."""

from __future__ import annotations

from collections.abc import Sequence


class InvalidNotation(ValueError):
    """Text that cannot be read as a position, a move, a deal or a record."""


class InvalidPosition(ValueError):
    """A position that can be read but cannot be; `faults` lists everything that is wrong with it."""

    def __init__(self, text: str, faults: Sequence[str]) -> None:
        super().__init__(f"impossible position {text!r}: {'; '.join(faults)}")
        self.text = text
        """The position as it was given."""
        self.faults = tuple(faults)
        """Everything that is wrong with it, a sentence each."""

    def __reduce__(self) -> tuple[type, tuple[str, tuple[str, ...]]]:
        """Errors travel between processes."""
        return type(self), (self.text, self.faults)


class IllegalMove(ValueError):
    """A move that can be read but is not allowed now; `code` and `arguments` say why, for any interface to word."""

    def __init__(self, message: str, code: str, arguments: dict[str, str | int]) -> None:
        super().__init__(message)
        self.code = code
        """The reason, such as `line_full`: one of those of `Game.why_illegal`."""
        self.arguments = arguments
        """What the sentence about the reason has to name."""

    def __reduce__(self) -> tuple[type, tuple[str, str, dict[str, str | int]]]:
        """Errors travel between processes."""
        return type(self), (str(self), self.code, self.arguments)
