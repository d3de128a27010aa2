"""R38, R42, R43, D6, D9, D11, D13: the end of the game, its bonuses and its winners."""

from __future__ import annotations

import pytest

from azulejos import Game
from azulejos.game.view import Wall
from azulejos.players import greedy
from azulejos.rules import ending
from tests.positions import EMPTY, board, empty_states, end_round, set_wall, table, wall_without

ALMOST = "0:W/-/-/-/-:BYRK1/5/5/5/5:-"
"""A board that completes its first row at the end of the round."""


def test_r38_a_complete_row_ends_the_game() -> None:
    game, _ = end_round(ALMOST)
    assert game.is_over
    assert game.outcome is not None
    assert game.outcome.reason == "row"
    assert game.legal_moves == []


def test_r38_a_complete_column_or_color_does_not() -> None:
    game, _ = end_round("0:-/-/-/-/Y5:B4/W4/K4/R4/5:-", "0:-/-/-/-/B5:B4/1B3/2B2/3B1/5:-")
    assert game.phase == "r"
    assert board(game, 1).split(":")[2] == "B4/W4/K4/R4/Y4"
    assert board(game, 2).split(":")[2] == "B4/1B3/2B2/3B1/4B"
    assert game.scores == (5, 0)  # no bonus before the end; the second seat loses its point on the floor


def test_r38_the_others_finish_the_same_tiling() -> None:
    game, happening = end_round(ALMOST, "0:B/W2/-/-/R5:5/5/5/5/5:-")
    assert [tiled.seat for tiled in happening.tiling] == [0, 1, 1, 1]
    assert board(game, 2).split(":")[1:3] == ["-/-/-/-/-", "B4/W4/5/5/1R3"]


def test_r38_the_seat_that_completes_a_row_finishes_its_own_tiling() -> None:
    _, happening = end_round("0:W/K2/-/-/-:BYRK1/5/5/5/5:-")
    assert [(tiled.row, type(tiled).__name__) for tiled in happening.tiling] == [(0, "Tiled"), (1, "Tiled")]


def test_r38_never_in_the_middle_of_tiling_on_the_gray_wall() -> None:
    game, _ = end_round(ALMOST, "0:B/-/-/-/-:5/5/5/5/5:-", wall="gray")
    assert None not in game.view.boards[0].wall[0]
    assert (game.phase, game.seat) == ("t", 1)
    game.play("t11")
    assert game.is_over


def test_r38_floors_are_scored_before_the_end() -> None:
    game, _ = end_round("10:W/-/-/-/-:BYRK1/5/5/5/5:K3")
    assert game.scores[0] == 10 + 5 - 4 + 2


def test_r38_last_position_names_no_seat_and_the_round_that_was_played() -> None:
    game, _ = end_round(ALMOST, played="6@2")
    assert game.position.endswith(" e- 6@2")
    assert game.view.marker


@pytest.mark.parametrize(
    ("rows", "bonus"),
    [
        (("BYRKW",), 2),
        (("BYRKW", ".....", "KWBYR"), 4),
        (("B....", "W....", "K....", "R....", "Y...."), 7),
        (("BY...", "WB...", "KW...", "RK...", "YR..."), 14),
        (("B....", ".B...", "..B..", "...B.", "....B"), 10),
        (("B..K.", ".B..K", "K.B..", ".K.B.", "..K.B"), 20),
        (("BYRK.", "WBYR.", "KWB..", "RK...", "Y...."), 7),
        ((), 0),
    ],
)
def test_r42_bonuses_for_rows_columns_and_colors(rows: tuple[str, ...], bonus: int) -> None:
    states = empty_states()
    set_wall(states, 0, *rows)
    assert ending.bonus(states[0], 0) == bonus
    assert ending.bonus(states[0], 1) == 0


def test_r42_lines_and_floor_give_nothing() -> None:
    plain, _ = end_round("10:W/-/-/-/-:BYRK1/5/5/5/5:-")
    rich, _ = end_round("10:W/B/Y2/R3/K4:BYRK1/5/5/5/5:-")
    assert plain.scores[0] == rich.scores[0] == 10 + 5 + 2


def test_r42_every_player_gets_bonuses_not_only_the_one_who_ended_it() -> None:
    game, happening = end_round(ALMOST, "50:-/-/-/-/Y5:B4/W4/K4/R4/5:-")
    assert [bonus.points for bonus in happening.bonuses] == [2, 7]
    assert game.scores == (5 + 2, 50 + 5 - 2 + 7)


def test_d6_bonuses_come_after_the_clipping() -> None:
    game, _ = end_round("0:W/-/-/-/-:BYRK1/5/5/5/5:K7")
    assert game.scores[0] == 0 + 2


def ranked(*players: tuple[int, int], still_in: tuple[int, ...] | None = None) -> tuple[int, ...]:
    """The winning seats, from 1, by score and number of complete rows; among all, or those who are still in."""
    states = empty_states(len(players))
    for seat, (score, rows) in enumerate(players):
        states["score"][0, seat] = score
        set_wall(states, seat, *["BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB"][:rows])
    among = sum(1 << seat - 1 for seat in still_in or ())
    bits = ending.winners_among(states[0], among) if still_in else ending.winners(states[0])
    return tuple(seat + 1 for seat in range(4) if bits >> seat & 1)


def test_r43_most_points_win_whatever_the_rows() -> None:
    assert ranked((50, 0), (49, 5)) == (1,)
    assert ranked((49, 5), (50, 0), (3, 5)) == (2,)


def test_r43_rows_break_a_tie_among_the_tied_only() -> None:
    assert ranked((50, 1), (50, 2)) == (2,)
    assert ranked((50, 1), (50, 2), (49, 5)) == (2,)


@pytest.mark.parametrize(
    ("players", "winners"),
    [
        (((50, 1), (50, 1)), (1, 2)),
        (((50, 1), (40, 1), (50, 1)), (1, 3)),
        (((0, 0), (0, 0), (0, 0), (0, 0)), (1, 2, 3, 4)),
        (((9, 2), (9, 1), (9, 2), (9, 2)), (1, 3, 4)),
    ],
)
def test_r43_d13_still_tied_they_share_the_victory(
    players: tuple[tuple[int, int], ...], winners: tuple[int, ...]
) -> None:
    assert ranked(*players) == winners


def test_r43_d13_who_has_given_up_wins_nothing() -> None:
    assert ranked((50, 1), (49, 1), (49, 1), still_in=(2, 3)) == (2, 3)
    assert ranked((50, 1), (50, 2), (50, 1), still_in=(1, 3)) == (1, 3)
    assert ranked((0, 0), (50, 2), still_in=(1,)) == (1,)


def test_d13_a_shared_victory_of_a_real_game() -> None:
    """Both complete row 1; the second seat's two more points go to marker and tile on its floor."""
    game, _ = end_round("10:W/-/-/-/-:BYRK1/5/5/5/5:-", "12:W/-/-/-/-:BYRK1/5/5/5/5:-")
    assert game.outcome is not None
    assert game.outcome.scores == (17, 17)
    assert game.outcome.winners == (0, 1)


LOCKED = f"0:-/W/W2/W3/W4:{wall_without('WWWWW')}:-"
"""Only white is missing, and ten white tiles lie in unfinished lines."""


def test_d9_all_tiles_of_the_missing_color_are_locked_in_lines() -> None:
    game = table(LOCKED, LOCKED.replace("W4", "W3"), center="W", turn="d2")
    game.play("cW5")
    assert game.outcome is not None
    assert game.outcome.reason == "stalled"
    assert game.view.bag == (10, 10, 10, 10, 0)


def test_d9_one_tile_that_comes_back_keeps_the_game_going() -> None:
    """The last white tile falls to the floor and from there to the lid."""
    game = table(LOCKED, LOCKED.replace("W4", "W3"), center="W", turn="d2")
    game.play("cWf")
    assert game.phase == "r"


def test_d9_bonuses_and_winners_as_usual_when_stalled() -> None:
    game = table(LOCKED, LOCKED.replace("W4", "W3"), center="W", turn="d2")
    happening = game.play("cW5")
    assert [(bonus.rows, bonus.columns, bonus.colors, bonus.points) for bonus in happening.bonuses] == [
        (0, 0, 4, 40),
        (0, 0, 4, 40),
    ]
    assert game.scores == (40, 40)
    assert game.outcome is not None
    assert game.outcome.winners == (0, 1)


def test_d9_no_tile_left_to_deal() -> None:
    """Four players hold all hundred tiles."""
    game = table(
        f"0:-/-/-/W3/B4:{wall_without('YRKWB')}:-",
        f"0:-/-/-/-/Y4:{wall_without('BWRKY')}:-",
        f"0:-/-/-/-/R4:{wall_without('BYWKR')}:-",
        f"0:-/-/-/-/K4:{wall_without('BYRWK')}:F",
        players=4,
        center="W",
        turn="d2",
        bag="-",
    )
    game.play("cW2")
    assert game.view.bag == game.view.lid == (0, 0, 0, 0, 0)
    assert game.outcome is not None
    assert game.outcome.reason == "stalled"


STUCK = "9:-/-/-/-/Y2:RBY1K/W1KRY/KR1YW/Y1BWR/1KR1B:-"
"""A gray wall on which no color fits any more."""


def test_d9_gray_walls_on_which_nothing_fits() -> None:
    game, _ = end_round(STUCK, STUCK, wall="gray")
    assert game.outcome is not None
    assert game.outcome.reason == "stalled"


def test_d9_one_row_that_can_grow_keeps_the_game_going() -> None:
    """Without the blue tile of row 5 its last column takes a color again."""
    game, _ = end_round(STUCK, STUCK.replace("1KR1B", "1KR2"), wall="gray")
    assert game.phase == "r"


def test_d9_the_same_walls_go_on_beside_a_player_who_can_build() -> None:
    game, _ = end_round(STUCK, EMPTY, wall="gray")
    assert game.phase == "r"


def test_d9_a_line_that_waits_for_a_lost_color_blocks_its_row() -> None:
    """Row 2 of both lacks black too, which could come, but the white tile there never gets company."""
    walls = wall_without("WWWWW").replace("1BYRK", "1BYR1")
    waiting = f"0:-/W/W2/W3/W4:{walls}:-"
    game = table(waiting, waiting.replace("W4", "W3"), center="W", turn="d2")
    game.play("cW5")
    assert game.outcome is not None
    assert game.outcome.reason == "stalled"


def test_d9_an_empty_line_whose_row_lacks_a_color_that_can_come_is_alive() -> None:
    game = table(LOCKED.replace("BYRK1", "BYR2"), LOCKED.replace("W4", "W3"), center="W", turn="d2")
    game.play("cW5")
    assert game.phase == "r"


def test_d9_a_complete_row_is_the_reason_even_when_nothing_else_can_change() -> None:
    """The last white tile completes a row, and no other is left."""
    game = table(LOCKED, LOCKED.replace("/W/", "/-/"), center="W", turn="d1")
    assert game.view.lid[4] + game.view.bag[4] == 0
    game.play("cW1")
    assert game.outcome is not None
    assert game.outcome.reason == "row"


def test_d11_no_round_limit_by_default() -> None:
    """Nobody ever builds: the floor is always legal."""
    game = Game(seed=1)
    while game.round < 60:
        game.play(next(move for move in game.legal_moves if move.line == 5))
    assert not game.is_over


@pytest.mark.parametrize("limit", [1, 3])
def test_d11_round_limit(limit: int) -> None:
    game = Game(seed=1, max_rounds=limit)
    while not game.is_over:
        game.play(next(move for move in game.legal_moves if move.line == 5))
    assert game.round == limit
    assert game.outcome is not None
    assert game.outcome.reason == "round_limit"
    assert game.outcome.winners == (0, 1)


def test_d11_bonuses_are_counted_at_the_round_limit() -> None:
    game, _ = end_round("50:-/-/-/-/Y5:B4/W4/K4/R4/5:-", max_rounds=6)
    assert game.scores[0] == 50 + 5 + 7


def test_d11_a_complete_row_in_the_last_round_is_the_reason() -> None:
    game, _ = end_round(ALMOST, max_rounds=6)
    assert game.outcome is not None
    assert game.outcome.reason == "row"


@pytest.mark.parametrize("wall", ["std", "gray"])
@pytest.mark.parametrize("players", [2, 4])
def test_r38_only_a_round_that_could_be_the_last_ends_the_game(players: int, wall: Wall) -> None:
    early = 0
    for seed in range(6):
        game = Game(players, wall, seed=seed)
        could: dict[int, list[bool]] = {}
        while not game.is_over:
            could.setdefault(game.round, []).append(ending.can_be_last_round(game.states[0]))
            game.play(greedy.choose(game))
        assert all(could[max(could)])
        early += sum(not any(each) for each in could.values())
    assert early >= 6  # four rounds at least are too early for a row


def test_d11_the_last_round_allowed_could_be_the_last() -> None:
    states = Game(seed=1, max_rounds=1).states
    assert ending.can_be_last_round(states[0])
    assert not ending.can_be_last_round(Game(seed=1, max_rounds=2).states[0])
