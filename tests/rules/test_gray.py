"""R30, G1-G11, D7, D8, D14: the gray wall."""

from __future__ import annotations

import pytest

from azulejos import Game, IllegalMove
from azulejos.game.happening import Fell, Happening, Tiled
from tests.positions import board, end_round, lid, lines_open_to, table


def gray_round(*boards: str, players: int = 2) -> tuple[Game, Happening]:
    """The end of a round on the gray wall."""
    return end_round(*boards, players=players, wall="gray")


def choices(game: Game) -> list[str]:
    """The legal moves as they are written."""
    return [str(move) for move in game.legal_moves]


def test_g1_drafting_is_the_same_on_both_walls() -> None:
    other = "0:-/-/-/R3/-:5/5/5/5/5:F"
    colored = table("3:B/-/Y2/-/-:5/5/2B2/5/5:K2", other, displays="BY2R", center="K2")
    plain = table("3:B/-/Y2/-/-:5/5/B4/5/5:K2", other, wall="gray", displays="BY2R", center="K2")
    assert choices(colored) == choices(plain)
    colored.play("1Y4")
    plain.play("1Y4")
    assert board(colored, 1).split(":")[1] == board(plain, 1).split(":")[1] == "B/-/Y2/Y2/-"


def test_r30_g2_any_free_space_of_the_row() -> None:
    game, happening = gray_round("0:-/B2/-/-/-:5/1Y1R1/5/5/5:-")
    assert happening.tiling == ()
    assert (game.phase, game.seat) == ("t", 0)
    assert choices(game) == ["t21", "t23", "t25"]


def test_g2_the_tile_goes_where_the_player_says() -> None:
    game, _ = gray_round("0:-/B2/-/-/-:5/1Y1R1/5/5/5:-")
    (tiled,) = game.play("t23").tiling
    assert tiled == Tiled(seat=0, row=1, column=2, color=0, horizontal=3, vertical=0)
    assert board(game, 1) == "3:-/-/-/-/-:5/1YBR1/5/5/5:-"
    assert lid(game) == "BW"


def test_g3_no_color_twice_in_a_column() -> None:
    game, _ = gray_round("0:-/B2/-/-/-:B4/5/2B2/5/4B:-")
    assert choices(game) == ["t22", "t24"]
    with pytest.raises(IllegalMove, match="blue is already in column 3"):
        game.play("t23")


def test_g3_another_color_in_the_column_does_not_matter() -> None:
    game, _ = gray_round("0:-/B2/-/-/-:Y4/5/2R2/5/4K:-")
    assert choices(game) == ["t21", "t22", "t23", "t24", "t25"]


def test_g4_no_color_twice_in_a_row() -> None:
    """It follows from drafting: the row takes tiles only from its line."""
    game = table("0:-/-/-/-/-:5/3B1/5/5/5:-", wall="gray", displays="B4/Y4")
    assert lines_open_to(game, "1B") == "1345f"
    with pytest.raises(IllegalMove, match="blue is already on row 2"):
        game.play("1B2")


def test_g5_legal_columns_are_free_and_without_the_color() -> None:
    game, _ = gray_round("0:-/-/B3/-/-:B4/1B3/1K1Y1/5/5:-")
    assert choices(game) == ["t33", "t35"]
    with pytest.raises(IllegalMove, match="row 3, column 2 is taken"):
        game.play("t32")


def test_g6_a_line_without_a_column_falls_whole() -> None:
    """Row 3 has one free cell, and its column holds blue."""
    game, happening = gray_round("9:-/-/B3/-/-:5/4B/YRKW1/5/5:-")
    assert happening.tiling == (Fell(seat=0, row=2, color=0, count=3, to_lid=0),)
    assert happening.floors[0].penalty == 4
    assert board(game, 1) == "5:-/-/-/-/-:5/4B/YRKW1/5/5:-"
    assert lid(game) == "B3W"


def test_g6_what_the_floor_has_no_room_for_goes_to_the_lid() -> None:
    game, happening = gray_round("30:-/-/-/-/B5:5/4B/5/5/YRKW1:K5")
    assert happening.tiling == (Fell(seat=0, row=4, color=0, count=5, to_lid=3),)
    assert game.scores[0] == 30 - 14
    assert lid(game) == "B5K5W"


def test_g6_the_marker_takes_a_space_from_the_falling_line() -> None:
    _, happening = gray_round("30:-/-/-/-/B5:5/4B/5/5/YRKW1:FK5")
    assert happening.tiling == (Fell(seat=0, row=4, color=0, count=5, to_lid=4),)


def test_g6_a_line_that_fell_is_free_for_its_color_again() -> None:
    game, _ = gray_round("9:-/-/B3/-/-:5/4B/YRKW1/5/5:-")
    game.play("=B4/Y4/R4/K4/W4")
    game.play("2Yf")
    assert lines_open_to(game, "1B") == "1345f"


def test_g7_a_tile_with_a_space_must_be_placed() -> None:
    game, _ = gray_round("0:-/B2/-/-/-:5/1Y1R1/5/5/5:-")
    assert all(move.is_tiling for move in game.legal_moves)
    with pytest.raises(IllegalMove, match="line 2 has to be placed first"):
        game.play("cBf")


def test_g8_lines_are_resolved_from_top_to_bottom() -> None:
    game, _ = gray_round("0:B/-/Y3/-/-:5/5/5/5/5:-")
    with pytest.raises(IllegalMove, match="line 1 has to be placed first"):
        game.play("t31")
    game.play("t12")
    assert choices(game) == ["t31", "t32", "t33", "t34", "t35"]


STUCK_BELOW = "9:B/B2/-/-/-:YRK2/RKWY1/5/5/5:-"
"""Blue in line 1 may go to column 4 or 5; blue in line 2 only to column 5."""


def test_g8_an_upper_choice_may_leave_a_lower_line_without_a_space() -> None:
    game, _ = gray_round(STUCK_BELOW)
    assert choices(game) == ["t14", "t15"]
    happening = game.play("t15")
    assert [type(event) for event in happening.tiling] == [Tiled, Fell]
    assert board(game, 1) == "8:-/-/-/-/-:YRK1B/RKWY1/5/5/5:-"


def test_g8_the_other_choice_leaves_it_one() -> None:
    game, _ = gray_round(STUCK_BELOW)
    happening = game.play("t14")
    assert [type(event) for event in happening.tiling] == [Tiled, Tiled]
    assert board(game, 1).split(":")[2] == "YRKB1/RKWYB/5/5/5"
    assert game.is_over


def test_g9_fallen_lines_count_in_the_penalty_of_this_round() -> None:
    game, happening = gray_round("9:-/B2/-/-/-:5/YRKW1/5/5/4B:K")
    assert happening.floors[0].penalty == 4
    assert game.scores[0] == 9 - 4


def test_g10_scoring_is_the_same_in_the_order_of_resolution() -> None:
    """Column 3 from top to bottom: 1, then 2, then 3."""
    game, _ = gray_round("0:R/Y2/B3/-/-:5/5/5/5/5:-")
    points = []
    for move in ("t13", "t23", "t33"):
        (tiled,) = game.play(move).tiling
        assert isinstance(tiled, Tiled)
        points.append(tiled.points)
    assert points == [1, 2, 3]
    assert game.scores[0] == 6


def test_g10_both_directions_on_the_real_grid() -> None:
    game, _ = gray_round("0:-/-/B3/-/-:5/1Y3/R1KW1/1K3/5:-")
    assert choices(game) == ["t32", "t35"]
    (tiled,) = game.play("t32").tiling
    assert tiled == Tiled(seat=0, row=2, column=1, color=0, horizontal=4, vertical=3)


def test_g11_a_complete_row_ends_the_game_with_bonuses() -> None:
    """Column 4 is complete already; the fifth blue tile completes its row and its color."""
    wall = "B2YR/1B1RK/2BKY/KYRB1/YRKW1"
    game, happening = gray_round(f"10:-/-/-/-/B5:{wall}:-")
    (tiled,) = happening.tiling
    assert isinstance(tiled, Tiled)
    assert tiled.points == 5
    assert game.outcome is not None
    assert game.outcome.reason == "row"
    assert [(bonus.rows, bonus.columns, bonus.colors, bonus.points) for bonus in happening.bonuses] == [
        (1, 1, 1, 19),
        (0, 0, 0, 0),
    ]
    assert game.scores == (10 + 5 + 19, 0)


def test_d7_seats_are_tiled_in_order_then_every_floor_is_scored() -> None:
    ready = "9:B/-/-/-/-:5/5/5/5/5:K"
    game, happening = gray_round(ready, ready, ready, players=3)
    seats = []
    while game.phase == "t":
        assert happening.floors == ()
        assert [seat.floor for seat in game.view.boards[:2]] == [(0, 0, 0, 1, 0)] * 2
        seats.append(game.seat)
        happening = game.play("t11")
    assert seats == [0, 1, 2]
    assert [floor.seat for floor in happening.floors] == [0, 1, 2]


def test_d7_one_board_does_not_limit_another() -> None:
    ready = "0:B/-/-/-/-:5/5/5/5/5:-"
    game, _ = gray_round(ready, ready)
    game.play("t11")
    assert choices(game) == ["t11", "t12", "t13", "t14", "t15"]


def test_d8_drafting_a_color_that_no_column_can_take_is_legal() -> None:
    game = table("0:-/-/-/-/-:4B/YRKW1/5/5/5:-", wall="gray", displays="B2Y2/Y4")
    assert "2" in lines_open_to(game, "1B")
    preview = game.preview("1B2")
    assert (preview.completes, preview.columns, preview.points) == (True, (), 0)
    game.play("1B2")
    assert board(game, 1) == "0:-/B2/-/-/-:4B/YRKW1/5/5/5:-"


def test_d14_a_single_legal_column_is_taken_without_asking() -> None:
    game, happening = gray_round("0:-/B2/-/-/-:B4/1YRK1/5/5/5:-")
    assert happening.tiling == (Tiled(seat=0, row=1, column=4, color=0, horizontal=4, vertical=0),)
    assert game.phase == "r"


def test_d14_two_legal_columns_are_a_choice() -> None:
    game, happening = gray_round("0:-/B2/-/-/-:Y4/1YRK1/5/5/5:-")
    assert happening.tiling == ()
    assert choices(game) == ["t21", "t25"]
