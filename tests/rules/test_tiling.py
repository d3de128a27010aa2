"""R23-R37, D6: the wall and the floor at the end of a round."""

from __future__ import annotations

import pytest

from azulejos.game.happening import Tiled
from tests.positions import board, center, end_round, lid, table


def points(*boards: str) -> list[int]:
    """What each tile of the first seat scores when the round ends, in the order in which they are placed."""
    _, happening = end_round(*boards)
    return [tiled.points for tiled in happening.tiling if isinstance(tiled, Tiled) and tiled.seat == 0]


def test_r23_every_board_is_tiled_and_none_looks_at_another() -> None:
    alone, _ = end_round("0:B/-/-/-/-:5/5/5/5/5:-")
    both, happening = end_round("0:B/-/-/-/-:5/5/5/5/5:-", "7:B/-/-/-/-:1Y3/5/5/5/5:-")
    assert board(alone, 1) == board(both, 1) == "1:-/-/-/-/-:B4/5/5/5/5:-"
    assert board(both, 2) == "7:-/-/-/-/-:BY3/5/5/5/5:-"  # 2 for the pair, 2 for marker and tile on the floor
    assert [tiled.seat for tiled in happening.tiling] == [0, 1]


def test_r24_lines_are_tiled_from_top_to_bottom() -> None:
    """Column 3: the order 1, 2, 3 gives 1 + 2 + 3; any other order gives less."""
    _, happening = end_round("0:R/Y2/B3/-/-:5/5/5/5/5:-")
    assert [tiled.row for tiled in happening.tiling] == [0, 1, 2]
    assert points("0:R/Y2/B3/-/-:5/5/5/5/5:-") == [1, 2, 3]


def test_r25_every_complete_line_moves_one_tile() -> None:
    game, happening = end_round("0:B/W2/K3/R4/Y5:5/5/5/5/5:-")
    assert board(game, 1) == "15:-/-/-/-/-:B4/W4/K4/R4/Y4:-"
    assert len(happening.tiling) == 5


def test_r25_it_is_mandatory() -> None:
    """A tile that ends the game is placed all the same: there is nothing to decide on the colored wall."""
    game, _ = end_round("0:W/-/-/-/-:BYRK1/5/5/5/5:-")
    assert game.is_over
    assert board(game, 1).split(":")[2] == "BYRKW/5/5/5/5"


@pytest.mark.parametrize(("line", "wall"), [("B", "B4"), ("Y", "1Y3"), ("R", "2R2"), ("K", "3K1"), ("W", "4W")])
def test_r26_the_tile_goes_to_the_space_of_its_color(line: str, wall: str) -> None:
    game, _ = end_round(f"0:{line}/-/-/-/-:5/5/5/5/5:-")
    assert board(game, 1).split(":")[2] == f"{wall}/5/5/5/5"


def test_r27_a_tile_scores_before_the_next_line_is_handled() -> None:
    """Row 1 scores 1 although row 2 puts a tile below it in the same round."""
    assert points("0:B/W2/-/-/-:5/5/5/5/5:-") == [1, 2]


def test_r28_the_other_tiles_of_the_line_go_to_the_lid() -> None:
    game, _ = end_round("0:B/W2/K3/R4/Y5:5/5/5/5/5:-")
    assert lid(game) == "Y4R3K2W2"  # one of the two white ones is the last tile of the offer


def test_r29_incomplete_lines_stay() -> None:
    game, happening = end_round("0:-/B/Y2/R3/K4:5/5/5/5/5:-")
    assert board(game, 1) == "0:-/B/Y2/R3/K4:5/5/5/5/5:-"
    assert happening.tiling == ()


def test_r31_no_neighbour_1_point() -> None:
    assert points("0:-/-/B3/-/-:B4/5/5/5/4B:-") == [1]


def test_r31_a_diagonal_neighbour_is_none() -> None:
    assert points("0:-/-/B3/-/-:5/1B1R1/5/1K1B1/5:-") == [1]


@pytest.mark.parametrize(
    ("row", "expected"),
    [("1W3", 2), ("KW3", 3), ("3Y1", 2), ("3YR", 3), ("1W1Y1", 3), ("KW1YR", 5), ("K2Y1", 2), ("K3R", 1)],
)
def test_r32_the_unbroken_horizontal_run(row: str, expected: int) -> None:
    assert points(f"0:-/-/B3/-/-:5/5/{row}/5/5:-") == [expected]


@pytest.mark.parametrize(
    ("column", "expected"), [("-Y--", 2), ("RY--", 3), ("--W-", 2), ("--WK", 3), ("-YW-", 3), ("RYWK", 5), ("R-WK", 3)]
)
def test_r33_the_unbroken_vertical_run(column: str, expected: int) -> None:
    """Column 3 of the colored wall is R Y B W K; blue comes to its middle."""
    first, second, fourth, fifth = ("5" if cell == "-" else f"2{cell}2" for cell in column)
    assert points(f"0:-/-/B3/-/-:{first}/{second}/5/{fourth}/{fifth}:-") == [expected]


def test_r32_r33_a_tile_in_both_runs_counts_twice() -> None:
    _, happening = end_round("0:-/-/B3/-/-:5/2Y2/KW3/2W2/5:-")
    (tiled,) = happening.tiling
    assert isinstance(tiled, Tiled)
    assert (tiled.horizontal, tiled.vertical, tiled.points) == (3, 3, 6)


def test_r34_a_direction_without_neighbour_scores_nothing() -> None:
    _, happening = end_round("0:-/-/B3/-/-:5/2Y2/5/2W2/5:-")
    (tiled,) = happening.tiling
    assert isinstance(tiled, Tiled)
    assert (tiled.horizontal, tiled.vertical, tiled.points) == (0, 3, 3)


def test_r32_runs_do_not_go_round_the_edge() -> None:
    """Column 5 of row 1 and column 1 of row 2 are no neighbours."""
    assert points("0:W/-/-/-/-:5/W4/5/5/5:-") == [1]
    assert points("0:-/W2/-/-/-:4W/5/5/5/5:-") == [1]


@pytest.mark.parametrize(("tiles", "lost"), [(0, 0), (1, 1), (2, 2), (3, 4), (4, 6), (5, 8), (6, 11), (7, 14)])
def test_r35_every_occupied_space_costs_its_number(tiles: int, lost: int) -> None:
    floor = "-" if tiles == 0 else "K" if tiles == 1 else f"K{tiles}"
    game, happening = end_round(f"50:-/-/-/-/-:5/5/5/5/5:{floor}")
    assert game.scores[0] == 50 - lost
    assert (happening.floors[0].penalty, happening.floors[0].lost) == (lost, lost)


@pytest.mark.parametrize(("floor", "lost"), [("F", 1), ("FK", 2), ("FK4", 8), ("FB2Y2R2", 14), ("FK7", 14)])
def test_r35_the_marker_counts_as_a_tile(floor: str, lost: int) -> None:
    game, _ = end_round(f"50:-/-/-/-/-:5/5/5/5/5:{floor}")
    assert game.scores[0] == 50 - lost


def test_r36_the_score_never_goes_below_0() -> None:
    game, happening = end_round("5:-/-/-/-/-:5/5/5/5/5:K7")
    assert game.scores[0] == 0
    assert (happening.floors[0].penalty, happening.floors[0].lost) == (14, 5)


def test_r36_d6_it_is_clipped_every_round_so_nothing_is_owed() -> None:
    game, _ = end_round("5:-/-/-/-/-:5/5/5/5/5:K7")
    game.play("=B4/Y4/R4/K4/W4")
    for move in ("2Yf", "1B5", "3Rf", "4K4", "5Wf"):
        game.play(move)
    assert game.round == 8
    assert game.scores == (1, 0)


def test_d6_points_of_the_round_come_before_its_floor() -> None:
    """Clipping before the wall was scored would leave 3."""
    game, _ = end_round("0:R/Y2/-/-/-:5/5/5/5/5:K2")
    assert game.scores[0] == 1 + 2 - 2


def test_r37_floor_tiles_go_to_the_lid_and_the_marker_to_its_holder() -> None:
    game, _ = end_round("50:-/-/-/-/-:5/5/5/5/5:FB2YK", played="6@2")
    assert board(game, 1) == "42:-/-/-/-/-:5/5/5/5/5:-"
    assert lid(game) == "B2YKW"
    assert (game.starter, game.seat) == (0, 0)
    assert center(game) == "F"


def test_r37_the_marker_never_enters_bag_or_lid() -> None:
    game = table("0:-/-/-/-/-:5/5/5/5/5:FK6", center="W", turn="d2")
    game.play("cWf")
    assert sum(game.view.bag) + sum(game.view.lid) == 100
    assert game.view.marker
