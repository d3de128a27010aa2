"""The network's eyes."""

from __future__ import annotations

import numpy as np
import pytest

from azulejos import Game
from azulejos.game.view import Wall
from azulejos.net import features as f


def row(game: Game) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
    x = np.full(f.FEATURES, 99, np.int8)
    f.write_features(game.states[0], x)
    return x


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("wall", ["std", "gray"])
def test_every_column_is_written(players: int, wall: Wall) -> None:
    game = Game(players, wall, seed=1)
    while not game.is_over:
        assert 99 not in row(game)
        game.play(game.legal_moves[len(game.legal_moves) // 3])


def test_the_random_stream_is_not_seen() -> None:
    states = Game(seed=1).states
    other = states.copy()
    other["rng"] = 77
    x, y = np.zeros((2, f.FEATURES), np.int8)
    f.write_features(states[0], x)
    f.write_features(other[0], y)
    assert (x == y).all()


def test_the_acting_seat_comes_first() -> None:
    """The same boards with the seats exchanged look the same to whoever acts."""
    one = "std B4/-/-/-/- FBY 9:B/-/-/-/-:1Y3/5/5/5/5:- 20:-/Y/-/-/-:5/5/K4/5/5:R2 B3Y8R9K9W9 d1 4@1"
    two = "std B4/-/-/-/- FBY 20:-/Y/-/-/-:5/5/K4/5/5:R2 9:B/-/-/-/-:1Y3/5/5/5/5:- B3Y8R9K9W9 d2 4@2"
    assert (
        row(Game.from_position(one.replace("FBY", "FBY"))) == row(Game.from_position(two.replace("FBY", "FBY")))
    ).all()


def test_a_position_as_numbers() -> None:
    game = Game.from_position(
        "std B4/-/-/-/- FB2Y 9:B/-/R2/-/-:1Y3/5/5/5/5:- 20:-/Y/-/-/-:5/5/K4/5/5:R2 B3Y8R9K9W9 d1 4@1"
    )
    x = row(game)
    display = x[: f.DISPLAY_WIDTH].reshape(5, 4)
    assert display.tolist() == [[0, 0, 0, 1], [0] * 4, [0] * 4, [0] * 4, [0] * 4]
    center = x[f.CENTER_AT : f.TABLE_AT]
    assert center[:8].tolist() == [1, 1, 0, 0, 0, 0, 0, 0]
    assert center[-1] == 1
    table = x[f.TABLE_AT : f.BOARDS_AT]
    assert table[:5].tolist() == [3, 8, 9, 9, 9]
    assert table[10:18].tolist() == [1, 1, 1, 0, 0, 0, 0, 0]  # the fourth round
    board = x[f.BOARDS_AT : f.BOARDS_AT + f.BOARD_WIDTH]
    assert board[:7].tolist() == [1, 0, 0, 0, 0, 0, 1]  # line 1: blue, full
    assert board[14:21].tolist() == [0, 0, 1, 0, 0, 1, 0]  # line 3: red, one space open
    assert board[35:60].tolist() == [0, 1] + [0] * 23  # yellow on the second cell
    worths = board[110:135].reshape(5, 5)
    assert worths[0].tolist() == [2, 0, 2, 1, 1]
    assert worths[1].tolist() == [1, 2, 1, 1, 1]
    assert board[-1] == 9
    assert x[f.BOARDS_AT + 2 * f.BOARD_WIDTH :].sum() == 0  # nobody sits there
