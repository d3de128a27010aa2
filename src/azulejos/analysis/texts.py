"""A review in words of one language or another, which others find: tables that are printed or written on a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Row = tuple[str, ...]
"""A row of a table, as long as the head of the table."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of texts with its heading."""

    title: str
    """What the table shows."""
    head: Row
    """The words over the columns."""
    rows: tuple[Row, ...]
    """The lines of the table."""


@dataclass(frozen=True, slots=True)
class Texts:
    """Everything that is said of a review."""

    language: str
    """The code of the language, as in `en`."""
    title: str
    """Who played and how it ended."""
    names: tuple[str, ...]
    """What each seat is called."""
    summary: tuple[str, ...]
    """Sentences: what everybody played like, and why a record was not followed any further."""
    receipts: Sheet
    """What the result of each seat is made of, in points."""
    chances: Sheet
    """What the result of each seat is made of, in shares of the victory."""
    marks: Sheet
    """How many marks each seat got."""
    deals: Sheet
    """The luck of every deal."""
    decisions: Sheet
    """Every decision and what it cost."""
    win: str
    """What the graph of winning chances is called."""
    margin: str
    """What the graph of margins is called."""
    luck: str
    """What the bars of luck are called."""
    round: str
    """What a round is called, with its number left open as `{round}`."""
    percent: Callable[[float], str]
    """How a share of the victory is written."""
    signed: Callable[[float], str]
    """How points won or lost are written."""
