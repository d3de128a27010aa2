"""The state of a game: one NumPy record of 256 bytes, and the constants of the game.

A tree, a batch of games, a training shard are arrays of this record; copying one is one assignment and its bytes
hash and compare. Everything counts from 0: seats, colors, rows, columns. Source 0 is the center, sources 1-9 are
the displays. `holds` and `open` follow from the other fields: the rules keep them up to date because
"which moves are legal" is asked far more often than anything changes.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

State: TypeAlias = Any
"""One element of an array of `STATE`: its fields are attributes, which no type checker can know."""
States: TypeAlias = NDArray[Any]
"""An array of `STATE`."""

MAX_PLAYERS: Final = 4
"""Room for so many boards."""
COLORS: Final = 5
"""Blue, yellow, red, black, white."""
ROWS: Final = 5
"""Pattern lines, and rows of the wall."""
COLUMNS: Final = 5
"""Columns of the wall."""
SOURCES: Final = 10
"""The center and nine displays."""
TILES_PER_COLOR: Final = 20
"""Tiles of each color in the game."""
DISPLAY_SIZE: Final = 4
"""Tiles on a display."""
COLOR_LETTERS: Final = "BYRKW"
"""The letter of each color."""

CENTER: Final = 0
"""The source that is the center of the table."""

FLOOR: Final = 5
"""The "line" of a draft that goes straight to the floor; bit 5 of `open`."""

FLOOR_SPACES: Final = 7
"""Spaces of a floor."""
PENALTY: Final = (0, 1, 2, 4, 6, 8, 11, 14)
"""R35: what a floor with so many occupied spaces costs."""

ROW_BONUS: Final = 2
"""R42: points at the end for each complete row."""
COLUMN_BONUS: Final = 7
"""R42: points at the end for each complete column."""
COLOR_BONUS: Final = 10
"""R42: points at the end for each color that lies in every row."""

NOBODY: Final = -1
"""Value of `marker` while the starting-player marker lies in the center."""

DRAFTING: Final = 0
"""A phase: somebody takes tiles."""
TILING: Final = 1
"""A phase: somebody chooses a cell of the gray wall."""
FLOORS: Final = 2
"""A phase that is never seen from outside: the floors are scored without a decision."""
DEAL_DUE: Final = 3
"""A phase: the displays are to be filled."""
OVER: Final = 4
"""A phase: the game is over."""

ENDED_BY_ROW: Final = 0
"""Why a game is over: a row was complete."""
ENDED_STALLED: Final = 1
"""Why a game is over: nobody can ever complete a row (D9)."""
ENDED_BY_LIMIT: Final = 2
"""Why a game is over: the limit of rounds (D11)."""

NO_ROUND_LIMIT: Final = 32767
"""The largest round number; no game of people gets near it."""

LINES: Final = ROWS + 1
"""Where a draft can go: five lines and the floor."""
DRAFTS: Final = SOURCES * COLORS * LINES
"""Action numbers from here on are tiling choices."""
ACTIONS: Final = DRAFTS + ROWS * COLUMNS
"""All action numbers: drafts, and cells of the gray wall."""
MOST_LEGAL: Final = 256
"""Room for the legal actions of any state: at most 216."""

ROW_BITS: Final = 0b11111
"""The first row of a wall bitboard; row r is this shifted by 5 r."""
COLUMN_BITS: Final = 0b00001_00001_00001_00001_00001
"""The first column of a wall bitboard; column c is this shifted by c."""
ALL_LINES: Final = 0b111111
"""`open` of a color that all five lines and the floor accept."""

_FIELDS: Final = [
    ("rng", "u8"),  # the random stream, see supply.draw
    ("wall", "u4", (MAX_PLAYERS, COLORS)),  # bit 5 * row + column: this color lies there
    ("score", "i2", (MAX_PLAYERS,)),
    ("round_number", "i2"),  # from 1; in DEAL_DUE the round that is about to be dealt
    ("max_rounds", "i2"),  # the game is over after this round (D11)
    ("holds", "u2", (COLORS,)),  # bit s: source s holds this color
    ("displays", "i1", (SOURCES, COLORS)),  # tiles of a color at a source; source 0 is the center
    ("bag", "i1", (COLORS,)),
    ("lid", "i1", (COLORS,)),
    ("line_count", "i1", (MAX_PLAYERS, ROWS)),
    ("line_color", "i1", (MAX_PLAYERS, ROWS)),  # 0 while the line is empty
    ("floor", "i1", (MAX_PLAYERS, COLORS)),  # fallen tiles by color, without the marker
    ("open", "u1", (MAX_PLAYERS, COLORS)),  # bit r: line r accepts this color (R15-R17); bit 5 always set
    ("players", "i1"),
    ("gray", "i1"),  # 1 on the gray wall
    ("phase", "i1"),
    ("seat", "i1"),  # who acts; in DEAL_DUE who will start; in OVER 0
    ("starter", "i1"),  # who starts (or started) this round
    ("marker", "i1"),  # the seat that holds the starting-player marker, or NOBODY
]

STATE: Final = np.dtype((np.record, np.dtype(_FIELDS, align=True)))
"""The record; `np.zeros(n, STATE)` is room for n games."""
WORDS: Final = STATE.itemsize // 8
"""Words of a record, by which it is moved, hashed and compared."""


def displays_for(players: int) -> int:
    """R1: how many displays a game with so many players uses.

    >>> [displays_for(players) for players in (2, 3, 4)]
    [5, 7, 9]
    """
    return 2 * players + 1
