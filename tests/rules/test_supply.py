"""R39-R41, D5: the holder of the marker fills the displays."""

from __future__ import annotations

import numpy as np
import pytest

from azulejos import Game, IllegalMove
from azulejos.game.arguments import check_seed
from azulejos.rules import state as s
from azulejos.rules.batch import new_game_one
from azulejos.rules.supply import deal, draw, seed_stream
from tests.positions import bag, end_round, lid, position, table, wall_without

HOLDS_30 = f"0:-/K/R2/Y3/B4:{wall_without('WKRYB')}:-"
"""The most tiles that a player can hold at the start of a round."""


def test_r39_the_holder_of_the_marker_starts_and_every_display_gets_four() -> None:
    game, _ = end_round("0:-/-/-/-/-:5/5/5/5/5:F", players=3, played="6@3")
    assert game.position.endswith(" r1 7@1")
    line = game.position
    dealt = Game.from_position(line, seed=1)
    assert [sum(display) for display in dealt.view.displays] == [4] * 7
    assert dealt.position.endswith(" d1 7@1")


def test_r39_tiles_leave_the_bag() -> None:
    game = table(turn="r1", bag="B20Y20R20K20W20", seed=4)
    dealt = [sum(colors) for colors in zip(*game.view.displays, strict=True)]
    assert [a + b for a, b in zip(dealt, game.view.bag, strict=True)] == [20] * 5
    assert sum(dealt) == 20


def test_r40_an_empty_bag_takes_the_lid() -> None:
    game = table(turn="r1", bag="-", seed=4)
    assert sum(game.view.bag) == 80
    assert lid(game) == "-"


def test_r41_the_round_starts_with_what_there_is() -> None:
    game = table(
        HOLDS_30,
        HOLDS_30.replace("Y3/B4", "Y3/-"),
        HOLDS_30.replace("Y3/B4", "-/-"),
        players=3,
        turn="r1",
        bag="W2",
        seed=4,
    )
    assert [sum(display) for display in game.view.displays] == [4, 4, 4, 4, 4, 1, 0]
    assert (bag(game), lid(game)) == ("-", "-")
    assert game.phase == "d"
    assert game.legal_moves


def test_t25_d5_the_bag_is_drawn_to_its_last_tile_first() -> None:
    """Bag 3, lid 40, two players: whatever the stream, the three come first; then the lid is poured."""
    for seed in range(50):
        game = table(HOLDS_30, HOLDS_30.replace("Y3", "-"), turn="r1", bag="B2W", seed=seed)
        first = game.view.displays[0]
        assert first[0] >= 2
        assert first[4] >= 1
        assert sum(map(sum, game.view.displays)) == 20
        assert sum(game.view.bag) == 23
        assert lid(game) == "-"


def test_t25_before_the_deal() -> None:
    game = table(HOLDS_30, HOLDS_30.replace("Y3", "-"), turn="r1", bag="B2W")
    assert (sum(game.view.bag), sum(game.view.lid)) == (3, 40)


def test_d5_the_lid_is_not_poured_after_the_last_tile_needed() -> None:
    game = table(turn="r1", bag="B4Y4R4K4W4", seed=9)
    assert bag(game) == "-"
    assert lid(game) == "B16Y16R16K16W16"


def test_d5_a_given_deal_that_takes_exactly_the_bag_leaves_the_lid() -> None:
    game = table(turn="r1", bag="B4Y4R4K4W4")
    game.play("=B4/Y4/R4/K4/W4")
    assert bag(game) == "-"
    assert lid(game) == "B16Y16R16K16W16"


def test_d5_the_lid_is_not_poured_early() -> None:
    game = table(turn="r1", bag="B20Y", seed=9)
    assert sum(game.view.bag) == 1
    assert sum(game.view.lid) == 79


def test_t26_four_players_and_six_tiles() -> None:
    boards = ("-/K/R2/Y3/B4", "-/K/R2/-/-", "-/K/-/-/-", "-/-/-/-/-")
    walls = wall_without("WKRYB")
    line = position(*[f"0:{lines}:{walls}:-" for lines in boards], players=4, turn="r1", bag="YKW4")
    before = Game.from_position(line)
    assert (sum(before.view.bag), lid(before)) == (6, "-")
    game = Game.from_position(line, seed=3)
    assert [sum(display) for display in game.view.displays] == [4, 2, 0, 0, 0, 0, 0, 0, 0]
    while game.round == 6 and not game.is_over:
        game.play(next(move for move in game.legal_moves if move.line == 5))
    assert game.round == 7


def test_d5_a_given_deal_may_take_the_whole_bag_and_the_rest_from_the_lid() -> None:
    game = table(HOLDS_30, HOLDS_30.replace("Y3", "-"), turn="r1", bag="B2W")
    game.play("=B2YW/BY3/R4/K4/W4")
    assert lid(game) == "-"
    assert sum(game.view.bag) == 23


@pytest.mark.parametrize("text", ["=Y4/Y4/R4/K4/B2W2", "=BYW2/BY3/R4/K4/W4"])
def test_d5_which_display_got_the_tiles_of_the_bag_is_not_asked_of_a_given_deal(text: str) -> None:
    """People who enter a deal number the displays as they please; all tiles of the bag have to be among them."""
    game = table(HOLDS_30, HOLDS_30.replace("Y3", "-"), turn="r1", bag="B2W")
    game.play(text)
    assert lid(game) == "-"
    assert sum(game.view.bag) == 23


def test_d5_a_deal_of_exactly_the_bag_leaves_the_lid_alone() -> None:
    game = table(turn="r1", bag="B4Y4R4K4W4")
    before = lid(game)
    game.play("=B4/Y4/R4/K4/W4")
    assert (sum(game.view.bag), lid(game)) == (0, before)
    assert before != "-"


@pytest.mark.parametrize(
    ("text", "code"), [("=R4/R4/Y4/Y4/K4", "deal_leaves_bag"), ("=B4/BR3/R4/K4/W4", "deal_too_many")]
)
def test_d5_a_given_deal_may_not_leave_tiles_in_the_bag_and_use_the_lid(text: str, code: str) -> None:
    game = table(HOLDS_30, HOLDS_30.replace("Y3", "-"), turn="r1", bag="B2W")
    with pytest.raises(IllegalMove) as caught:
        game.play(text)
    assert caught.value.code == code


def chi_square(observed: list[float], expected: list[float]) -> float:
    return sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))


def test_the_draw_is_uniform() -> None:
    """7 values, 70,000 draws: 6 degrees of freedom, 22.46 is exceeded once in a thousand streams."""
    states = np.zeros(1, s.STATE)
    seed_stream(states[0], check_seed(20), 0)
    counts = [0.0] * 7
    for _ in range(70_000):
        counts[draw(states[0], 7)] += 1
    assert chi_square(counts, [10_000.0] * 7) < 22.46


def test_every_tile_of_the_bag_is_equally_likely() -> None:
    """A lopsided bag: the color of the first tile follows the counts (4 degrees of freedom: 18.47)."""
    states = np.zeros(1, s.STATE)
    held = (1, 2, 3, 6, 12)
    counts = [0.0] * 5
    for seed in range(4_800):
        new_game_one(states, 0, 2, 0, check_seed(seed), 0, 0, 50)
        state = states[0]
        state["displays"] = 0
        state["bag"] = held
        state["lid"] = 0
        state["phase"] = s.DEAL_DUE
        deal(state)
        # 24 tiles, 20 dealt: what stays in the bag is as random as what is dealt
        for color in range(5):
            counts[color] += int(state["bag"][color])
    expected = [4_800 * 4 * count / 24 for count in held]
    assert chi_square(counts, expected) < 18.47


def test_places_in_a_deal_are_alike() -> None:
    """Each display of a first deal gets a fifth of all blue tiles (4 degrees of freedom: 18.47)."""
    counts = [0.0] * 5
    for seed in range(3_000):
        for number, display in enumerate(Game(seed=seed).view.displays):
            counts[number] += display[0]
    assert chi_square(counts, [sum(counts) / 5] * 5) < 18.47


def test_games_of_a_series_differ() -> None:
    states = np.zeros(200, s.STATE)
    for number in range(200):
        new_game_one(states, number, 2, 0, check_seed(1), number, 0, 50)
    assert len({state.tobytes() for state in states["displays"]}) == 200
