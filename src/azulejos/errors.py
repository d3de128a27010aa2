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
        self.faults = tuple(faults)

    def __reduce__(self) -> tuple[type, tuple[str, tuple[str, ...]]]:
        """Errors travel between processes."""
        return type(self), (self.text, self.faults)


class IllegalMove(ValueError):
    """A move that can be read but is not allowed now; `code` and `arguments` say why, for any interface to word."""

    def __init__(self, message: str, code: str, arguments: dict[str, str | int]) -> None:
        super().__init__(message)
        self.code = code
        self.arguments = arguments

    def __reduce__(self) -> tuple[type, tuple[str, str, dict[str, str | int]]]:
        """Errors travel between processes."""
        return type(self), (str(self), self.code, self.arguments)
