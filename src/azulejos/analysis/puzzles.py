"""The puzzles that ship: positions with one clearly best move, each with its theme and its rating."""

from __future__ import annotations

import functools
import hashlib
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final

import msgspec

from azulejos.game.notation import PLAYERS_BY_DISPLAYS
from azulejos.game.view import WALLS, Wall

FILE: Final = "puzzles.deflate"
"""The file of them, beside this one."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position to find the best move in."""

    id: str
    """What it is called, for ever: it follows from the position."""
    position: str
    """The position line."""
    solutions: tuple[str, ...]
    """The moves that are right; those after the first come to the same, or nearly so."""
    theme: str
    """What it is about; see `themes.THEMES`."""
    rating: int
    """How hard it is, on the scale of the levels."""

    @property
    def kind(self) -> tuple[int, Wall]:
        """How many play, and on which wall."""
        return kind_of(self.position)


def id_of(position: str) -> str:
    """The name of the puzzle with this position."""
    return hashlib.sha256(position.encode()).hexdigest()[:8]


def kind_of(position: str) -> tuple[int, Wall]:
    """How many play in a position, and on which wall.

    >>> kind_of("std BYKW/YRK2/Y2RK/BRKW/YR2W F 0:-/-/-/-/-:5/5/5/5/5:- 0:-/-/-/-/-:5/5/5/5/5:- B18Y15R15K15W17 d1 1@1")
    (2, 'std')
    """
    wall, displays = position.split()[:2]
    return PLAYERS_BY_DISPLAYS[displays.count("/") + 1], next(each for each in WALLS if each == wall)


@functools.cache
def shipped() -> tuple[Puzzle, ...]:
    """All puzzles that come with the program, by id."""
    packed = resources.files("azulejos.analysis").joinpath(FILE).read_bytes()
    return tuple(msgspec.json.Decoder(Puzzle).decode_lines(zlib.decompress(packed)))


def write_puzzles(puzzles: Iterable[Puzzle], path: Path) -> None:
    """Write the file that ships; the same puzzles always give the same bytes."""
    rows = msgspec.json.Encoder().encode_lines(sorted(puzzles, key=lambda each: each.id))
    path.write_bytes(zlib.compress(rows, 9))
