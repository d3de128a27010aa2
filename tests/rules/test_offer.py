"""R7-R22, D1-D4: the factory offer."""

from __future__ import annotations

from typing import Literal

import pytest

from azulejos import Game, IllegalMove
from tests.positions import board, center, end_round, lid, lines_open_to, table


def test_r7_the_starter_moves_first_then_clockwise() -> None:
    game = Game(players=3, seed=1, starter=1)
    seats = []
    for _ in range(7):
        seats.append(game.seat)
        game.play(game.legal_moves[-1])
    assert seats == [1, 2, 0, 1, 2, 0, 1]


def test_r7_players_may_get_unequal_numbers_of_turns() -> None:
    game = table(displays="B4/Y4/R4", turn="d2", played="2@2")
    seats = [game.play(move).seat for move in ("1Bf", "2Yf", "3Rf")]
    assert seats == [1, 0, 1]
    assert game.phase == "r"


def test_r8_only_a_source_that_holds_tiles_and_a_color_that_is_there() -> None:
    game = table(displays="B4/-/Y2R2", center="K")
    assert {str(move)[:2] for move in game.legal_moves} == {"1B", "3Y", "3R", "cK"}


@pytest.mark.parametrize("move", ["2Bf", "1Yf", "cBf"])
def test_r8_nothing_can_be_taken_where_it_is_not(move: str) -> None:
    game = table(displays="B4/-/Y2R2", center="K")
    with pytest.raises(IllegalMove, match="there is no"):
        game.play(move)


def test_r8_there_is_always_a_turn_and_never_a_pass() -> None:
    """A player whose lines accept nothing has the floor."""
    full = "0:B/Y2/R3/K4/W5:5/5/5/5/5:-"
    game = table(full, displays="BYRK")
    assert [str(move) for move in game.legal_moves] == ["1Bf", "1Yf", "1Rf", "1Kf"]


def test_r9_all_tiles_of_the_color_and_the_rest_to_the_center() -> None:
    game = table(displays="BR2W/Y4", center="R")
    drafted = game.play("1R5").drafted
    assert drafted is not None
    assert (drafted.taken, drafted.marker) == (2, False)
    assert center(game) == "FBRW"
    assert board(game, 1) == "0:-/-/-/-/R2:5/5/5/5/5:-"
    assert game.position.split(" ")[1] == "-/Y4/-/-/-"


def test_r9_an_emptied_display_is_empty_for_the_rest_of_the_round() -> None:
    game = table(displays="BR2W/Y4")
    game.play("1R5")
    assert not any(str(move).startswith("1") for move in game.legal_moves)


def test_r10_from_the_center_the_other_tiles_stay() -> None:
    game = table(displays="Y4", center="B3KW2")
    game.play("cB3")
    assert center(game) == "KW2"
    assert board(game, 1) == "0:-/-/B3/-/-:5/5/5/5/5:F"


def test_r11_the_first_to_take_from_the_center_takes_the_marker() -> None:
    game = table(displays="Y4", center="B3KW2")
    first = game.play("cB3").drafted
    second = game.play("cK2").drafted
    assert first is not None
    assert second is not None
    assert (first.marker, second.marker) == (True, False)
    assert [seat.marker for seat in game.view.boards] == [True, False]
    assert not game.view.marker


def test_r11_taking_from_a_display_leaves_the_marker() -> None:
    game = table(displays="B3Y", center="K")
    game.play("1B3")
    assert center(game) == "FYK"


def test_r11_the_marker_takes_the_leftmost_free_space() -> None:
    """With two tiles there it lies on the third space and costs its 2 points."""
    game = table("9:-/-/-/-/-:5/5/5/5/5:K2", center="B3Y")
    assert game.preview("cB4").cost == 2
    game.play("cB4")
    game.play("cYf")
    assert game.scores[0] == 9 - (1 + 1 + 2)


def test_r12_the_marker_comes_before_the_tiles() -> None:
    """Six tiles lie on the floor: the marker gets the last space and the excess goes to the lid."""
    game = table("0:-/-/-/-/-:5/5/5/5/5:K6", center="B2Y")
    drafted = game.play("cB1").drafted
    assert drafted is not None
    assert (drafted.placed, drafted.dropped, drafted.to_lid) == (1, 1, 1)
    assert board(game, 1) == "0:B/-/-/-/-:5/5/5/5/5:FK6"
    assert lid(game) == "B"


def test_r13_a_pick_goes_to_one_line_and_what_is_over_to_no_other() -> None:
    game = table(displays="B4/Y4")
    game.play("1B2")
    assert board(game, 1) == "0:-/B2/-/-/-:5/5/5/5/5:B2"


@pytest.mark.parametrize("line", [1, 2, 3, 4, 5])
def test_r14_line_r_has_r_spaces(line: int) -> None:
    game = table(displays="Y4", center="B9", turn="d2")
    drafted = game.play(f"cB{line}").drafted
    assert drafted is not None
    assert (drafted.placed, drafted.dropped) == (line, 9 - line)


def test_r14_a_line_is_filled_on_in_later_turns() -> None:
    game = table("0:-/-/-/-/B2:5/5/5/5/5:-", displays="B2Y2/Y4")
    game.play("1B5")
    assert board(game, 1) == "0:-/-/-/-/B4:5/5/5/5/5:-"


def test_r15_a_line_with_tiles_accepts_only_their_color() -> None:
    game = table("0:-/B/-/Y2/-:5/5/5/5/5:-", displays="B2Y2/Y4")
    assert lines_open_to(game, "1B") == "1235f"
    assert lines_open_to(game, "1Y") == "1345f"


def test_r16_excess_goes_to_the_floor() -> None:
    game = table("0:-/-/R2/-/-:5/5/5/5/5:-", displays="BR3/Y4")
    drafted = game.play("1R3").drafted
    assert drafted is not None
    assert (drafted.taken, drafted.placed, drafted.dropped, drafted.to_lid) == (3, 1, 2, 0)
    assert board(game, 1) == "0:-/-/R3/-/-:5/5/5/5/5:R2"


@pytest.mark.parametrize("wall", ["std", "gray"])
def test_r17_no_color_that_the_wall_row_holds(wall: Literal["std", "gray"]) -> None:
    game = table("0:-/-/-/-/-:B4/5/5/3B1/5:-", wall=wall, displays="B4/Y4")
    assert lines_open_to(game, "1B") == "235f"
    assert lines_open_to(game, "2Y") == "12345f"


def test_r17_holds_in_the_round_after_the_tile_was_placed() -> None:
    game, _ = end_round("0:-/R2/-/-/-:5/5/5/5/5:-", played="1@1")
    game.play("=R4/Y4/B4/K4/W4")
    game.play("2Yf")
    assert game.seat == 0
    assert lines_open_to(game, "1R") == "1345f"


def test_r18_the_same_color_in_several_lines() -> None:
    game = table("0:R/-/R/-/R4:5/5/5/5/5:-", displays="Y2R2/Y4")
    game.play("1R2")
    assert board(game, 1) == "0:R/R2/R/-/R4:5/5/5/5/5:-"


def test_r19_the_floor_is_open_although_a_line_is() -> None:
    game = table(displays="BY3/Y4")
    game.play("1Yf")
    assert board(game, 1) == "0:-/-/-/-/-:5/5/5/5/5:Y3"


def test_r20_what_cannot_be_placed_goes_to_the_floor() -> None:
    game = table("0:Y/R2/K3/W4/Y5:5/5/5/5/5:W2", displays="B2Y2/Y4")
    assert lines_open_to(game, "1B") == "f"
    game.play("1Bf")
    assert board(game, 1) == "0:Y/R2/K3/W4/Y5:5/5/5/5/5:B2W2"


def test_r21_full_floor_overflows_to_lid() -> None:
    game = table("0:-/-/-/-/-:5/5/5/5/5:K6", displays="B3Y/Y4")
    drafted = game.play("1Bf").drafted
    assert drafted is not None
    assert (drafted.dropped, drafted.to_lid) == (3, 2)
    assert board(game, 1) == "0:-/-/-/-/-:5/5/5/5/5:BK6"
    assert lid(game) == "B2"


def test_r21_what_already_lies_on_a_full_floor_stays() -> None:
    game = table("0:-/-/-/-/-:5/5/5/5/5:K7", displays="B4/Y4")
    game.play("1Bf")
    assert board(game, 1) == "0:-/-/-/-/-:5/5/5/5/5:K7"
    assert lid(game) == "B4"


def test_r21_the_marker_occupies_a_space() -> None:
    game = table("0:-/-/-/-/-:5/5/5/5/5:FK5", displays="B3Y/Y4")
    game.play("1Bf")
    assert board(game, 1) == "0:-/-/-/-/-:5/5/5/5/5:FBK5"
    assert lid(game) == "B2"


def test_r21_tiles_in_the_lid_cost_nothing() -> None:
    game = table("20:-/-/-/-/-:5/5/5/5/5:K7", displays="B4/Y4")
    assert game.preview("1Bf").cost == 0
    game.play("1Bf")
    game.play("2Yf")
    assert game.scores[0] == 20 - 14


def test_r22_the_offer_goes_on_while_a_tile_is_there() -> None:
    game = table(displays="B3Y")
    game.play("1B3")
    assert (game.phase, game.seat) == ("d", 1)
    game.play("cYf")
    assert game.phase == "r"


def test_r22_the_marker_alone_does_not_keep_the_offer_going() -> None:
    game = table(displays="B4")
    happening = game.play("1B4")
    assert game.phase == "r"
    assert len(happening.floors) == 2


def test_d1_a_pick_fills_the_line_as_far_as_it_goes() -> None:
    """There is one move for a line, and it drops nothing that would fit."""
    game = table(displays="B3Y/Y4")
    assert [str(move) for move in game.legal_moves if str(move).startswith("1B4")] == ["1B4"]
    preview = game.preview("1B4")
    assert (preview.placed, preview.dropped) == (3, 0)
    game.play("1B4")
    assert board(game, 1) == "0:-/-/-/B3/-:5/5/5/5/5:-"


def test_d2_a_full_line_is_no_second_name_for_the_floor() -> None:
    game = table("0:B/-/-/-/-:5/5/5/5/5:-", displays="B4/Y4")
    assert lines_open_to(game, "1B") == "2345f"
    with pytest.raises(IllegalMove, match="line 1 is full"):
        game.play("1B1")


def test_d2_r15_a_line_filled_in_play_is_closed_and_a_begun_one_keeps_its_color() -> None:
    game = table(displays="B2Y2/B2Y2/B3Y")
    game.play("1B2")
    game.play("2Bf")
    assert lines_open_to(game, "3B") == "1345f"
    assert lines_open_to(game, "cY") == "1345f"
    game.play("3B5")
    game.play("cYf")
    assert board(game, 1) == "1:-/-/-/-/B3:5/1B3/5/5/5:-"


def test_d3_a_marker_beside_a_full_floor_costs_nothing_and_its_holder_starts() -> None:
    game = table("20:-/-/-/-/-:5/5/5/5/5:K7", center="BY", turn="d1", played="6@2")
    assert game.preview("cB5").cost == 0
    drafted = game.play("cB5").drafted
    assert drafted is not None
    assert drafted.marker
    assert board(game, 1) == "20:-/-/-/-/B:5/5/5/5/5:FK7"
    game.play("cYf")
    assert game.scores[0] == 20 - 14
    assert game.starter == 0


@pytest.mark.parametrize("starter", [1, 2])
def test_d4_nobody_takes_from_the_center_and_the_same_seat_starts_again(starter: int) -> None:
    game = table(displays="B4/Y4/R4/K4/W4", turn=f"d{starter}", played=f"6@{starter}")
    for move in ("1Bf", "2Yf", "3Rf", "4Kf", "5Wf"):
        assert center(game) == "F"
        game.play(move)
    assert game.position.endswith(f" r{starter} 7@{starter}")
    assert center(game) == "F"
