"""Where everything goes on a screen of some size: the largest tiles that fit, and a log beside or below the boards."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Final

from textual.geometry import Region

from azulejos.rules.state import displays_for
from azulejos.tui.board.pieces import LARGE, MEDIUM, SIZES, SMALL, Size

PROMPT_LINES: Final = 2
"""Lines of the prompt."""
LEAST_LOG_WIDTH: Final = 34
"""A log beside the boards is at least so wide."""
MOST_LOG_WIDTH: Final = 60
"""A log is no wider than this."""
LEAST_LOG_LINES: Final = {LARGE: 4, MEDIUM: 2, SMALL: 1}
"""Larger tiles are worth less than some lines of the log."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The sizes of tiles, and where everything goes on the screen."""

    size: Size
    """The size of tiles on boards."""
    offer_size: Size
    """The size of tiles on displays and in the center."""
    displays_abreast: int
    """How many displays stand side by side."""
    head: Region
    """Where the heading goes."""
    offer: Region
    """Where displays and center go."""
    boards: tuple[Region, ...]
    """Where each board goes."""
    prompt: Region
    """Where the prompt goes."""
    log: Region
    """Where the log goes."""
    keys: Region
    """Where the keys are listed."""


def layout_for(width: int, height: int, players: int) -> Layout | None:
    """The best layout for a screen, or None if it is too small for the whole table."""
    for size in SIZES:
        for offer_size in SIZES[SIZES.index(size) :]:
            for abreast, beside in ((2, True), (2, False), (1, True), (1, False)):
                found = _Attempt(width, height, players, size, offer_size, abreast, beside).layout()
                if found:
                    return found
    return None


@dataclass(frozen=True, slots=True)
class _Attempt:
    """The table at the left or the full width, boards so many abreast, the log beside or below them."""

    width: int
    height: int
    players: int
    size: Size
    offer_size: Size
    abreast: int
    beside: bool

    @property
    def between(self) -> int:
        """Columns between two boards."""
        return 2 if self.width < 2 * self.size.board_width + 8 else 4

    @property
    def board_rows(self) -> int:
        return ceil(self.players / self.abreast)

    def layout(self) -> Layout | None:
        """This layout, if it fits."""
        boards_width = self.abreast * self.size.board_width + (self.abreast - 1) * self.between
        most = boards_width + 2 if self.beside else self.width + 2
        displays = displays_for(self.players)
        in_row = min(displays, most // self.offer_size.display_width)
        if boards_width > self.width or in_row < 1:
            return None
        in_row = ceil(displays / ceil(displays / in_row))
        offer = Region(0, 1, in_row * self.offer_size.display_width - 2, self._offer_lines(displays, in_row))
        table_width = max(boards_width, offer.width)
        if self.beside and self.width - table_width - 4 < LEAST_LOG_WIDTH:
            return None
        spare = self.height - 1 - offer.height - self.board_rows * self.size.board_height - PROMPT_LINES - 1
        log_lines = 0 if self.beside else LEAST_LOG_LINES[self.size]
        if spare < log_lines:
            return None
        return self._place(in_row, offer, table_width, spare - log_lines)

    def _offer_lines(self, displays: int, in_row: int) -> int:
        return (ceil(displays / in_row) + 1) * self.offer_size.height

    def _place(self, in_row: int, offer: Region, table_width: int, spare: int) -> Layout:
        """Everything in its place; what is spare goes first between the parts."""
        x = 1 if self.width > table_width else 0
        top = 2 if spare >= self.board_rows + 3 else 1
        offer, spare = offer.at_offset((x, top)), spare - top + 1
        above = min(spare, 1)
        gap = 1 if spare - above >= self.board_rows - 1 else 0
        boards = tuple(self._board(seat, x, offer.bottom + above, gap) for seat in range(self.players))
        bottom = boards[-1].bottom
        prompt_y = bottom + (1 if spare - above - gap * (self.board_rows - 1) > 0 else 0)
        below = prompt_y + PROMPT_LINES
        log = Region(0, below, self.width, self.height - 1 - below)
        if self.beside:
            log = Region(table_width + 3, 1, min(MOST_LOG_WIDTH, self.width - table_width - 4), self.height - 2)
        prompt = Region(0, prompt_y, table_width if self.beside else self.width, PROMPT_LINES)
        head, keys = Region(0, 0, self.width, 1), Region(0, self.height - 1, self.width, 1)
        return Layout(self.size, self.offer_size, in_row, head, offer, boards, prompt, log, keys)

    def _board(self, seat: int, left: int, top: int, gap: int) -> Region:
        size, across, down = self.size, seat % self.abreast, seat // self.abreast
        return Region(
            left + across * (size.board_width + self.between),
            top + down * (size.board_height + gap),
            size.board_width,
            size.board_height,
        )
