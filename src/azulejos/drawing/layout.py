"""Where everything of a picture stands: the ring of displays, the strip below it, and the boards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from azulejos.drawing import board, offer
from azulejos.game.view import View

MARGIN: Final = 36
"""Between the edge of the picture and what is in it."""
_BETWEEN: Final = 24
_HEADING: Final = 92

_SIZES: Final = {2: (1, 1.0, 0.95), 3: (1, 0.82, 1.25), 4: (2, 1.0, 0.9)}
"""For each number of players: how many boards stand abreast, and how large boards and offer are drawn."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A part of a picture: where its origin is, and how large it is drawn."""

    x: float
    """How far to the right the origin is."""
    y: float
    """How far down the origin is."""
    scale: float = 1.0
    """How many times as large as by itself it is drawn."""

    def place(self, x: float, y: float) -> tuple[float, float]:
        """A place of the part as one of the picture.

        >>> Frame(100, 50, 2).place(3, 4)
        (106, 58)
        """
        return self.x + self.scale * x, self.y + self.scale * y


@dataclass(frozen=True, slots=True)
class PictureLayout:
    """The parts of a picture."""

    width: float
    """How wide the whole picture is."""
    height: float
    """How high the whole picture is."""
    ring: Frame
    """The displays around the center; the origin is the middle."""
    supply: Frame
    """The strip with bag and lid."""
    supply_width: float
    """How wide the strip with bag and lid is."""
    boards: tuple[Frame, ...]
    """The board of each seat."""

    @staticmethod
    def of(view: View) -> PictureLayout:
        """The layout for a table of so many players."""
        abreast, board_scale, offer_scale = _SIZES[view.players]
        ring_width = 2 * offer.ring_radius(len(view.displays)) * offer_scale
        board_width, board_height = board.WIDTH * board_scale, board.HEIGHT * board_scale
        down = -(-view.players // abreast)
        left = MARGIN + ring_width + 1.6 * _BETWEEN
        content = max(_HEADING + ring_width + 40 + offer.SUPPLY_HEIGHT, down * board_height + (down - 1) * _BETWEEN)
        height = content + 2 * MARGIN
        top = (height - down * board_height - (down - 1) * _BETWEEN) / 2
        ring_middle = (height - MARGIN - offer.SUPPLY_HEIGHT + MARGIN + _HEADING - 20) / 2
        places = ((seat % abreast, seat // abreast) for seat in range(view.players))
        return PictureLayout(
            width=left + abreast * board_width + (abreast - 1) * _BETWEEN + MARGIN,
            height=height,
            ring=Frame(MARGIN + ring_width / 2, ring_middle, offer_scale),
            supply=Frame(MARGIN, height - MARGIN - offer.SUPPLY_HEIGHT),
            supply_width=ring_width,
            boards=tuple(
                Frame(left + column * (board_width + _BETWEEN), top + row * (board_height + _BETWEEN), board_scale)
                for column, row in places
            ),
        )
