"""R1-R6, D10, D12: what is on the table before the first move."""

from __future__ import annotations

from collections import Counter

import pytest

from azulejos import Game
from azulejos.game.view import WALLS, Wall
from azulejos.rules import state as s
from tests.positions import EMPTY, board, center, end_round, table


@pytest.mark.parametrize(("players", "displays", "left"), [(2, 5, 80), (3, 7, 72), (4, 9, 64)])
def test_r1_displays_and_tiles_for_each_number_of_players(players: int, displays: int, left: int) -> None:
    view = Game(players=players, seed=1).view
    assert [sum(display) for display in view.displays] == [4] * displays
    assert sum(view.bag) == left
    assert len(view.boards) == players
    assert view.lid == (0,) * 5


@pytest.mark.parametrize("players", [-1, 0, 1, 5, 9])
def test_r1_no_other_number_of_players(players: int) -> None:
    with pytest.raises(ValueError, match="players"):
        Game(players=players)


def test_components_are_twenty_tiles_of_each_of_five_colors() -> None:
    view = Game(seed=5).view
    assert [sum(colors) for colors in zip(view.bag, *view.displays, strict=True)] == [20] * 5


def test_components_every_board_starts_empty_with_score_0() -> None:
    game = Game(players=4, seed=5)
    assert [board(game, seat) for seat in (1, 2, 3, 4)] == [EMPTY] * 4


def test_components_floor_spaces_cost_1_1_2_2_2_3_3() -> None:
    assert [s.PENALTY[spaces + 1] - s.PENALTY[spaces] for spaces in range(7)] == [1, 1, 2, 2, 2, 3, 3]


@pytest.mark.parametrize("row", range(5))
@pytest.mark.parametrize("color", "BYRKW")
def test_components_colored_wall(row: int, color: str) -> None:
    """The wall as printed, each of its 25 cells reached by a complete line."""
    printed = ["BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB"]
    line = color if row == 0 else f"{color}{row + 1}"
    lines = "/".join(line if at == row else "-" for at in range(5))
    game, happening = end_round(f"0:{lines}:5/5/5/5/5:-")
    (tiled,) = happening.tiling
    column = printed[row].index(color)
    row_with_tile = (str(column) if column else "") + color + (str(4 - column) if column < 4 else "")
    rows = "/".join(row_with_tile if at == row else "5" for at in range(5))
    assert board(game, 1) == f"1:-/-/-/-/-:{rows}:-"
    assert tiled.row == row


@pytest.mark.parametrize("wall", WALLS)
def test_r2_one_side_of_the_board_for_everybody(wall: Wall) -> None:
    """Both seats complete line 1: on the colored wall nobody is asked for a column, on the gray wall both are."""
    ready = "0:B/-/-/-/-:5/5/5/5/5:-"
    game, happening = end_round(ready, ready, wall=wall)
    asked = []
    while game.phase == "t":
        asked.append(game.seat)
        game.play("t13")
    assert asked == ([] if wall == "std" else [0, 1])
    assert game.wall == wall
    assert len(happening.tiling) == (2 if wall == "std" else 0)


def test_r3_d10_a_random_seat_starts() -> None:
    starts = Counter(Game(players=4, seed=seed).starter for seed in range(400))
    assert sorted(starts) == [0, 1, 2, 3]
    chi_square = sum((starts[seat] - 100) ** 2 / 100 for seat in range(4))
    assert chi_square < 16.27  # 3 degrees of freedom, one in a thousand


@pytest.mark.parametrize("starter", [0, 1, 2])
def test_r3_d10_a_chosen_seat_starts_and_the_position_says_which(starter: int) -> None:
    game = Game(players=3, seed=7, starter=starter)
    assert (game.starter, game.seat) == (starter, starter)
    assert game.position.endswith(f" d{starter + 1} 1@{starter + 1}")


def test_d10_choosing_the_starter_does_not_change_the_deal() -> None:
    assert Game(seed=7, starter=0).view.displays == Game(seed=7, starter=1).view.displays == Game(seed=7).view.displays


@pytest.mark.parametrize("starter", [-1, 2])
def test_d10_a_starter_who_does_not_sit_at_the_table(starter: int) -> None:
    with pytest.raises(ValueError, match="starter"):
        Game(players=2, starter=starter)


def test_r4_offer_then_tiling_then_the_next_round() -> None:
    game = table("0:B/-/-/-/-:5/5/5/5/5:-", center="W", turn="d2", played="1@1")
    happening = game.play("cWf")
    assert (len(happening.tiling), len(happening.floors)) == (1, 2)
    assert (game.phase, game.round) == ("r", 2)
    game.play("=B4/Y4/R4/K4/W4")
    assert (game.phase, game.round) == ("d", 2)


def test_r4_rounds_follow_each_other_by_number() -> None:
    game = Game(seed=3, max_rounds=4)
    rounds = [game.round]
    while not game.is_over:
        game.play(game.legal_moves[-1])
        rounds.append(game.round)
    assert sorted(set(rounds)) == [1, 2, 3, 4]
    assert rounds == sorted(rounds)


def test_r5_most_points_win() -> None:
    game, _ = end_round("20:-/-/-/-/-:5/5/5/5/5:-", "33:-/-/-/-/-:5/5/5/5/5:-", max_rounds=6)
    assert game.outcome is not None
    assert game.outcome.winners == (1,)
    assert game.outcome.scores == (20, 31)


def test_r6_the_marker_lies_in_an_empty_center() -> None:
    assert center(Game(players=3, seed=2)) == "F"


def test_r6_the_marker_is_back_in_the_center_when_a_round_starts() -> None:
    game, _ = end_round()
    game.play("=B4/Y4/R4/K4/W4")
    assert center(game) == "F"
    assert not any(seat.marker for seat in game.view.boards)


def test_d12_bag_and_lid_are_public_the_order_of_the_draw_is_not() -> None:
    one, other = (table(center="W", bag="B9Y9R9K9W9", turn="d2", seed=seed) for seed in (1, 2))
    assert one.view == other.view
    assert one.view.bag == (9, 9, 9, 9, 9)
    assert one.view.lid == (11, 11, 11, 11, 10)
    one.play("cWf")
    other.play("cWf")
    assert one.view != other.view
