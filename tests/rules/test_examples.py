"""T1-T30: the worked examples of the rulebooks and a few more. (T22 and T23 do not exist.)"""

from __future__ import annotations

import pytest

from azulejos import Game, IllegalMove
from azulejos.game.happening import Tiled
from azulejos.rules import ending, state, tiling, turn
from tests.positions import (
    COLORED_ROWS,
    EMPTY,
    board,
    center,
    empty_states,
    end_round,
    lid,
    lines_open_to,
    set_wall,
    table,
)


def three_players() -> Game:
    """Peter, Martin and Andrea at the start of their first round."""
    return table(players=3, displays="BK2W/YR3/B4/Y4/K4/W4/BYKW", played="1@1")


def test_t1_peter_takes_black_from_a_display() -> None:
    game = three_players()
    game.play("1K2")
    assert board(game, 1) == "0:-/K2/-/-/-:5/5/5/5/5:-"
    assert center(game) == "FBW"


def test_t2_martin_takes_yellow() -> None:
    game = three_players()
    game.play("1K2")
    game.play("2Y1")
    assert board(game, 2) == "0:Y/-/-/-/-:5/5/5/5/5:-"
    assert center(game) == "FBR3W"


def test_t3_andrea_takes_red_from_the_center_and_the_marker() -> None:
    game = three_players()
    game.play("1K2")
    game.play("2Y1")
    assert game.preview("cR3").cost == 1
    game.play("cR3")
    assert board(game, 3) == "0:-/-/R3/-/-:5/5/5/5/5:F"
    assert center(game) == "BW"
    while game.phase == "d":
        game.play(next(move for move in game.legal_moves if move.line == 5))
    assert game.starter == 2


def andrea() -> Game:
    return table("0:-/-/-/B/-:5/2Y2/3Y1/5/5:-", displays="BY2R/W4")


def test_t4_andreas_choices() -> None:
    game = andrea()
    assert lines_open_to(game, "1Y") == "15f"
    for line, code in (("2", "color_on_row"), ("3", "color_on_row"), ("4", "other_color")):
        with pytest.raises(IllegalMove) as caught:
            game.play(f"1Y{line}")
        assert caught.value.code == code


@pytest.mark.parametrize(
    ("move", "after"),
    [
        pytest.param("1Y1", "0:Y/-/-/B/-:5/2Y2/3Y1/5/5:Y", id="t5_line_1"),
        pytest.param("1Y5", "0:-/-/-/B/Y2:5/2Y2/3Y1/5/5:-", id="t6_line_5"),
        pytest.param("1Yf", "0:-/-/-/B/-:5/2Y2/3Y1/5/5:Y2", id="t7_floor"),
    ],
)
def test_t5_t6_t7_what_andrea_may_do(move: str, after: str) -> None:
    game = andrea()
    game.play(move)
    assert board(game, 1) == after


def test_t8_peter_tiles_two_lines() -> None:
    game, happening = end_round("0:-/R2/K2/B4/W3:5/5/5/5/5:-")
    assert happening.tiling == (
        Tiled(seat=0, row=1, column=3, color=2, horizontal=1, vertical=0),
        Tiled(seat=0, row=3, column=3, color=0, horizontal=1, vertical=0),
    )
    assert board(game, 1) == "2:-/-/K2/-/W3:5/3R1/5/3B1/5:-"
    assert lid(game) == "B3RW"  # the white tile is the other player's


@pytest.mark.parametrize(
    ("lines", "rows", "points"),
    [
        pytest.param("-/R2/-/-/-", "B4/5/5/5/4B", 1, id="t9_no_neighbour"),
        pytest.param("Y/-/-/-/-", "B1R2/5/5/5/5", 3, id="t10_horizontal"),
        pytest.param("-/-/B3/-/-", "5/2Y2/5/2W2/5", 3, id="t11_vertical_not_4"),
        pytest.param("-/-/Y3/-/-", "5/3R1/KWB2/3B1/5", 7, id="t12_both"),
    ],
)
def test_t9_to_t12_one_tile_scores(lines: str, rows: str, points: int) -> None:
    game, happening = end_round(f"0:{lines}:{rows}:-")
    (tiled,) = happening.tiling
    assert isinstance(tiled, Tiled)
    assert tiled.points == points
    assert game.scores[0] == points


def test_t13_four_tiles_and_the_marker_cost_8() -> None:
    game, happening = end_round("20:-/-/-/-/-:5/5/5/5/5:FB2KW", played="6@2")
    assert happening.floors[0].penalty == 8
    assert game.scores[0] == 12
    assert lid(game) == "B2KW2"  # with the last tile of the other player
    assert game.starter == 0


@pytest.mark.parametrize(
    ("floor", "move", "after", "spilled", "penalty"),
    [
        pytest.param("K6", "cR2", "-/R2/-/-/-:5/5/5/5/5:FK6", "R2", 14, id="t14"),
        pytest.param("K7", "cR2", "-/R2/-/-/-:5/5/5/5/5:FK7", "R2", 14, id="t15"),
        pytest.param("K", "cRf", "-/-/-/-/-:5/5/5/5/5:FR4K", "-", 11, id="t16"),
    ],
)
def test_t14_t15_t16_the_marker_and_a_filling_floor(
    floor: str, move: str, after: str, spilled: str, penalty: int
) -> None:
    game = table(f"30:-/-/-/-/-:5/5/5/5/5:{floor}", center="YR4", played="6@2")
    game.play(move)
    assert board(game, 1) == f"30:{after}"
    assert lid(game) == spilled
    happening = game.play("cYf")
    assert happening.floors[0].penalty == penalty
    assert game.starter == 0


def test_t17_three_lines_from_top_to_bottom() -> None:
    game, happening = end_round("0:R/Y2/B3/-/-:5/5/5/5/5:-")
    assert [(tiled.row, tiled.column, tiled.points) for tiled in happening.tiling if isinstance(tiled, Tiled)] == [
        (0, 2, 1),
        (1, 2, 2),
        (2, 2, 3),
    ]
    assert game.scores[0] == 6
    assert lid(game) == "B2YW"  # the white tile is the other player's


def test_t18_the_score_stops_at_0() -> None:
    game, _ = end_round("3:-/W2/-/-/-:B4/5/5/5/5:FB2KW")
    assert game.scores[0] == 0  # 3 + 2 - 8


def test_t19_plus_7_minus_8() -> None:
    game, _ = end_round("20:-/-/Y3/-/-:5/3R1/KWB2/3B1/5:FB2KW")
    assert game.scores[0] == 19


def test_t20_the_bonus_comes_after_the_clipping() -> None:
    """A complete row without a point in this round cannot be reached, so the state is made by hand."""
    states = table("5:-/-/-/-/-:5/5/5/5/5:K7", center="W", turn="d2").states
    set_wall(states, 0, "BYRKW")
    turn.step(states[0], 4 * 6 + 5)  # center, white, floor
    assert states[0]["phase"] == state.OVER
    assert states[0]["score"][0] == 2


def test_t21_one_tile_scores_at_most_10() -> None:
    states = empty_states()
    set_wall(states, 0, "BYRKW", "WBYRK", "KW.YR", "RKWBY", "YRKWB")
    states["line_count"][0, 0, 2] = 3
    assert tiling.tile_line(states[0], 0, 2, 2) == (5, 5)
    assert states[0]["score"][0] == 10


def test_t24_only_displays_of_one_color() -> None:
    game = table(displays="B4/Y4/R4/K4/W4", played="1@1")
    for move in ("1B4", "2Y5", "3R5", "4K4", "5W3"):
        assert center(game) == "F"
        game.play(move)
    assert game.phase == "r"
    assert game.starter == 0


def winners(scores: tuple[int, ...], rows: tuple[int, ...]) -> list[int]:
    states = empty_states(players=len(scores))
    for seat, (score, complete) in enumerate(zip(scores, rows, strict=True)):
        states["score"][0, seat] = score
        set_wall(states, seat, *COLORED_ROWS[:complete])
    bits = ending.winners(states[0])
    return [seat + 1 for seat in range(len(scores)) if bits >> seat & 1]


def test_t27_tied_on_points_and_rows() -> None:
    assert winners((50, 50, 50), (2, 1, 2)) == [1, 3]


def test_t28_rows_of_a_player_with_fewer_points_do_not_matter() -> None:
    assert winners((50, 50, 49), (1, 1, 3)) == [1, 2]


@pytest.mark.parametrize(
    ("rows", "points"),
    [
        pytest.param(("BYRKW",), 2, id="row_1"),
        pytest.param(("BYRKW", "W....", "K....", "R....", "Y...."), 9, id="row_1_and_column_1"),
        pytest.param(("B....", ".B...", "..B..", "...B.", "....B"), 10, id="diagonal"),
        pytest.param(COLORED_ROWS, 95, id="full_wall"),
    ],
)
def test_t29_bonuses(rows: tuple[str, ...], points: int) -> None:
    states = empty_states()
    set_wall(states, 0, *rows)
    assert ending.bonus(states[0], 0) == points


def test_t30_a_full_line_is_not_offered() -> None:
    game = table("0:-/-/R3/-/-:5/5/5/5/5:-", EMPTY, displays="BR3/W4")
    assert lines_open_to(game, "1R") == "1245f"
