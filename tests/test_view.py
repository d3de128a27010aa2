"""What a view tells beyond its fields."""

from __future__ import annotations

import pytest

from azulejos.game.notation import read_position


def position(wall: str, line_1: str, rows: str) -> str:
    """Two players; the first has this first line and these rows of the wall."""
    return f"{wall} B4/-/-/-/- F 0:{line_1}/-/-/-/-:{rows}:- 0:-/-/-/-/-:5/5/5/5/5:- Y9R9K9W9 d2 6@1"


@pytest.mark.parametrize(
    ("wall", "line_1", "rows", "last"),
    [
        ("std", "W", "BYRK1/5/5/5/5", True),
        ("std", "-", "BYRK1/5/5/5/5", False),
        ("std", "W", "BYR2/5/5/5/5", False),
        ("gray", "W", "BYRK1/5/5/5/5", True),
        ("gray", "W", "BYRK1/4W/5/5/5", False),  # G6: the last column has a white tile, so the line will fall
    ],
)
def test_the_last_round_is_one_that_completes_a_row(wall: str, line_1: str, rows: str, last: bool) -> None:
    assert read_position(position(wall, line_1, rows)).last_round is last
