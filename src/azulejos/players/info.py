"""What an engine says about one move, as words of an `info` line: written and read in one place."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Info:
    """A move's rank, its value and the line it begins.

    >>> info = Info(1, (0.61, 0.39), 4.31, ("3B4", "cR2"))
    >>> str(info)
    'multipv 1 margin +4.3 win 61.0 39.0 pv 3B4 cR2'
    >>> Info.read(str(info).split(), players=2)
    Info(rank=1, win=(0.61, 0.39), margin=4.3, line=('3B4', 'cR2'))
    """

    rank: int = 1
    """1 for the best move."""
    win: tuple[float, ...] = ()
    """Expected share of the victory of each seat, from 0 to 1; empty where not known."""
    margin: float | None = None
    """Expected final score of the side to move less that of its best opponent."""
    line: tuple[str, ...] = ()
    """The moves expected to follow, this one first."""

    @classmethod
    def read(cls, words: list[str], players: int) -> Info | None:
        """What is said about a move in a game of so many players; None if nothing is."""
        percentages = _numbers(_after(words, "win", players))
        margin = _numbers(_after(words, "margin", 1))
        info = cls(
            rank=int(max([1.0, *_numbers(_after(words, "multipv", 1))])),
            win=tuple(number / 100 for number in percentages) if len(percentages) == players else (),
            margin=margin[0] if margin else None,
            line=tuple(_after(words, "pv", len(words))),
        )
        return info if info.win or margin or info.line else None

    def __str__(self) -> str:
        margin = "" if self.margin is None else f" margin {round(self.margin, 1) + 0.0:+.1f}"  # never -0.0
        win = f" win {' '.join(f'{100 * share:.1f}' for share in self.win)}" if self.win else ""
        return f"multipv {self.rank}{margin}{win} pv {' '.join(self.line)}"


def read_effort(words: list[str]) -> dict[str, int]:
    """How much was looked at, `nodes` and `depth`, as far as an `info` line says.

    >>> read_effort("info nodes 801 time 420 depth 12 pv 3B4".split())
    {'nodes': 801, 'depth': 12}
    """
    before = words[: words.index("pv")] if "pv" in words else words
    said = {name: _numbers(_after(before, name, 1)) for name in ("nodes", "depth")}
    return {name: int(numbers[0]) for name, numbers in said.items() if numbers}


def _after(words: list[str], name: str, count: int) -> list[str]:
    """The words that follow a name, none if it is not there."""
    return words[words.index(name) + 1 :][:count] if name in words else []


def _numbers(words: list[str]) -> list[float]:
    """The words as numbers; none at all if one is not a number."""
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        return []
    return numbers if all(map(math.isfinite, numbers)) else []
