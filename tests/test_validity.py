"""Every fault of a position is found and named; positions that can be are accepted."""

from __future__ import annotations

import pytest

from azulejos import Game, InvalidPosition
from azulejos.game.notation import read_position
from tests.positions import EMPTY, position, table, wall_without

FRESH = "BYKW/YRK2/Y2RK/BRKW/YR2W"


def faults(line: str) -> tuple[str, ...]:
    """What is wrong with a position line."""
    with pytest.raises(InvalidPosition) as caught:
        read_position(line)
    assert repr(line) in str(caught.value)
    return caught.value.faults


def of_board(
    board: str, *, wall: str = "std", center: str = "FW", bag: str = "-", turn: str = "d1", played: str = "6@1"
) -> tuple[str, ...]:
    """What is wrong with a board in a game of two players."""
    return faults(f"{wall} -/-/-/-/- {center} {board} {EMPTY} {bag} {turn} {played}")


def test_a_color_over_20() -> None:
    assert faults(f"std -/-/-/-/- FB {EMPTY} {EMPTY} B20 d1 6@1") == ("21 blue tiles, there are 20",)


def test_two_markers_or_none() -> None:
    held = EMPTY[:-1] + "F"
    assert faults(f"std -/-/-/-/- FW {held} {EMPTY} - d1 6@1") == ("2 starting-player markers, there is one",)
    assert faults(f"std -/-/-/-/- W {held} {held} - d1 6@1") == ("2 starting-player markers, there is one",)
    assert faults(f"std -/-/-/-/- W {EMPTY} {EMPTY} - d1 6@1") == ("no starting-player marker, there is one",)


def test_a_display_with_too_many_tiles() -> None:
    assert "display 2 holds 5 tiles, it has room for 4" in faults(f"std -/B5/-/-/- F {EMPTY} {EMPTY} - d1 6@1")


def test_a_round_beyond_all_rounds() -> None:
    assert faults(f"std -/-/-/-/- FW {EMPTY} {EMPTY} - d1 32768@1") == ("round 32768, there are at most 32767",)


def test_a_seat_that_nobody_has() -> None:
    assert faults(f"std -/-/-/-/- FW {EMPTY} {EMPTY} - d3 6@1") == ("seat to act 3 in a game with 2 seats",)
    assert faults(f"std -/-/-/-/- FW {EMPTY} {EMPTY} - d1 6@4") == ("starter 4 in a game with 2 seats",)


def test_a_score_beyond_240() -> None:
    assert of_board("241:-/-/-/-/-:5/5/5/5/5:-") == ("board 1: score 241, the highest possible is 240",)


def test_a_floor_with_too_many_tiles() -> None:
    assert of_board("0:-/-/-/-/-:5/5/5/5/5:B8") == ("board 1: 8 tiles on the floor, it has 7 spaces",)


def test_a_wall_that_grew_too_fast() -> None:
    assert "board 1: 1 tiles on row 1 after 0 rounds of tiling" in of_board("0:-/-/-/-/-:B4/5/5/5/5:-", played="1@1")


def test_a_row_that_grew_too_fast() -> None:
    """A line sends one tile a round to its row, so two rounds cannot give three, nor one round a complete row."""
    assert of_board("0:-/-/-/-/-:BYR2/5/5/5/5:-", played="3@1")
    assert faults(f"std -/-/-/-/- F 7:-/-/-/-/-:BYRKW/5/5/5/5:- {EMPTY} - e- 1@1")


def test_an_overfull_line() -> None:
    assert of_board("0:-/-/B4/-/-:5/5/5/5/5:-") == ("board 1: 4 tiles in line 3",)


def test_a_line_color_already_on_its_row() -> None:
    assert of_board("0:-/B/-/-/-:5/1B3/5/5/5:-") == ("board 1: blue in line 2 is already on row 2",)


@pytest.mark.parametrize("turn", ["r1", "e-"])
def test_a_complete_line_after_the_tiling(turn: str) -> None:
    found = faults(f"std -/-/-/-/- F 0:-/B2/-/-/-:5/5/5/5/5:- {EMPTY} B18 {turn} 6@1")
    assert found == ("board 1: line 2 is complete but not tiled",)


def test_a_complete_line_of_a_seat_before_the_one_that_tiles() -> None:
    ready = "0:B/-/-/-/-:5/5/5/5/5:-"
    assert "board 1: line 1 is complete but not tiled" in faults(f"gray -/-/-/-/- F {ready} {ready} - t2 6@1")


@pytest.mark.parametrize("turn", ["d1", "r1"])
def test_a_complete_row_at_the_start_of_a_round(turn: str) -> None:
    center = "FW" if turn == "d1" else "F"
    found = of_board("0:-/-/-/-/-:BYRKW/5/5/5/5:-", center=center, turn=turn, bag="B4")
    assert found == ("board 1: row 1 is complete before the end of the round",)


def test_a_complete_row_of_a_seat_that_has_yet_to_tile() -> None:
    found = faults("gray -/-/-/-/- F 0:B/-/-/-/-:5/5/5/5/5:- 0:-/-/-/-/-:BYRKW/5/5/5/5:- - t1 6@1")
    assert found == ("board 2: row 1 is complete before the end of the round",)


def test_a_complete_row_below_the_line_that_is_tiled_now() -> None:
    """Lines are tiled from the top: row 5 of the seat that places its line 1 cannot have been filled this round."""
    found = faults(f"gray -/-/-/-/- F 0:B/-/-/-/-:5/5/5/5/YRKWB:- {EMPTY} - t1 6@1")
    assert "board 1: row 5 is complete before the end of the round" in found


def test_a_complete_row_above_the_line_that_is_tiled_now_can_be() -> None:
    line = f"gray -/-/-/-/- F 0:-/-/B3/-/-:BYRKW/5/5/5/5:- {EMPTY} - t1 6@1"
    assert Game.from_position(line).phase == "t"


def test_a_color_in_the_wrong_cell_of_the_colored_wall() -> None:
    assert of_board("0:-/-/-/-/-:1B3/5/5/5/5:-") == ("board 1: blue on row 1, column 2 of the colored wall",)


def test_a_color_twice_in_a_row_or_column() -> None:
    assert of_board("0:-/-/-/-/-:B1B2/5/5/5/5:-", wall="gray") == ("board 1: blue twice in row 1",)
    assert of_board("0:-/-/-/-/-:B4/5/B4/5/5:-", wall="gray") == ("board 1: blue twice in column 1",)


def test_nothing_to_draft() -> None:
    assert of_board(EMPTY, center="F") == ("nothing to draft, the round is over",)


def test_short_displays() -> None:
    assert faults(f"std B3/-/Y3/-/- F {EMPTY} {EMPTY} - d1 6@1") == ("display 1 holds 3 tiles",)
    short = "display 1 is short although there were tiles to fill it"
    assert faults(f"std B3/-/-/-/- F {EMPTY} {EMPTY} Y d1 6@1") == (short,)
    assert faults(f"std B3/Y4/-/-/- F {EMPTY} {EMPTY} - d1 6@1") == (short,)


def test_too_many_tiles_in_the_center() -> None:
    assert faults(f"std {FRESH} FB {EMPTY} {EMPTY} - d1 6@1") == ("1 tiles in the center with 0 displays emptied",)
    assert faults(f"std B4/B4/B4/B4/- FY4 {EMPTY} {EMPTY} - d1 6@1") == (
        "4 tiles in the center with 1 displays emptied",
    )


def test_before_the_first_draft_of_a_round() -> None:
    assert faults(f"std {FRESH} F {EMPTY} {EMPTY} - d2 6@1") == ("seat 2 to act before seat 1 has started the round",)
    held = EMPTY[:-1] + "F"
    assert faults(f"std {FRESH} - {held} {EMPTY} - d1 6@1") == (
        "the starting-player marker is taken before the first draft",
    )
    fallen = EMPTY[:-1] + "B"
    assert faults(f"std {FRESH} F {EMPTY} {fallen} - d1 6@1") == ("board 2: tiles on the floor before the first draft",)
    full = "0:-/-/B3/-/-:5/5/5/5/5:-"
    assert faults(f"std {FRESH} F {full} {EMPTY} - d1 6@1") == ("board 1: line 3 is complete before the first draft",)


@pytest.mark.parametrize("turn", ["t1", "r1", "e-"])
def test_tiles_on_the_table_after_the_offer(turn: str) -> None:
    lines = "B/-/-/-/-" if turn == "t1" else "-/-/-/-/-"
    found = faults(f"gray -/-/-/-/- FW 0:{lines}:5/5/5/5/5:- {EMPTY} B9 {turn} 6@1")
    assert "tiles on displays or in the center after the round" in found


@pytest.mark.parametrize("turn", ["r1", "e-"])
def test_floors_and_marker_after_the_round(turn: str) -> None:
    held = EMPTY[:-1] + "F"
    assert faults(f"std -/-/-/-/- - {held} {EMPTY} B9 {turn} 6@1") == (
        "the starting-player marker is not in the center",
    )
    fallen = EMPTY[:-1] + "B"
    assert faults(f"std -/-/-/-/- F {fallen} {EMPTY} B9 {turn} 6@1") == (
        "board 1: tiles on a floor that has been scored",
    )


def test_a_tiling_choice_on_the_colored_wall() -> None:
    found = faults(f"std -/-/-/-/- F 0:B/-/-/-/-:5/5/5/5/5:- {EMPTY} B9 t1 6@1")
    assert found == ("a tiling choice on the colored wall",)


def test_a_tiling_phase_without_a_choice() -> None:
    nothing = ("seat 1 has no complete line with a choice of columns",)
    assert faults(f"gray -/-/-/-/- F {EMPTY} {EMPTY} B9 t1 6@1") == nothing
    forced = "0:B/-/-/-/-:YRKW1/5/5/5/5:-"
    assert faults(f"gray -/-/-/-/- F {forced} {EMPTY} B9 t1 6@1") == nothing


def test_a_deal_by_another_seat_than_the_starter() -> None:
    found = faults(f"std -/-/-/-/- F {EMPTY} {EMPTY} B9 r2 6@1")
    assert found == ("seat 2 to act, but seat 1 will start the round",)


def test_a_deal_in_a_stalled_game() -> None:
    locked = f"0:-/W/W2/W3/W4:{wall_without('WWWWW')}:-"
    found = faults(f"std -/-/-/-/- F {locked} {locked} B10 r1 6@1")
    assert found == ("nothing can change any more, the game is over",)


def test_every_fault_is_listed() -> None:
    found = faults(f"std -/-/-/-/- W 241:-/-/B4/-/-:1B3/5/5/5/5:B8 {EMPTY} B20 d3 6@1")
    assert set(found) == {
        "33 blue tiles, there are 20",
        "no starting-player marker, there is one",
        "seat to act 3 in a game with 2 seats",
        "board 1: score 241, the highest possible is 240",
        "board 1: 8 tiles on the floor, it has 7 spaces",
        "board 1: 4 tiles in line 3",
        "board 1: blue on row 1, column 2 of the colored wall",
    }


@pytest.mark.parametrize(
    "line",
    [
        position("240:-/-/-/-/-:5/5/5/5/5:FK7", center="W"),
        position(displays="B4/Y4/R4/K4/Y2W2", played="1@1"),
        position(players=4, displays="B4/Y2", bag="-"),
        position(turn="r2", played="1@2"),
        position(wall="gray", turn="e-", played="6@2"),
        position("0:B/-/-/-/-:5/5/5/5/5:FB7", wall="gray", turn="t1"),
    ],
)
def test_positions_that_can_be(line: str) -> None:
    assert Game.from_position(line).position == line


def test_a_position_in_the_middle_of_a_real_game_is_possible() -> None:
    game = table(displays="BYRK", center="W")
    game.play("1Bf")
    assert Game.from_position(game.position).legal_moves == game.legal_moves
