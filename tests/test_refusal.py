"""Every code with which a move is refused occurs, with its arguments and its sentence."""

from __future__ import annotations

import pytest

from azulejos import Game, IllegalMove
from azulejos.game.refusal import REASONS
from tests.positions import EMPTY, table, wall_without

FULL_DEAL = "=B4/Y4/R4/K4/W4"
DEAL_DUE = table(turn="r1", played="2@1")
OVER = table("2:-/-/-/-/-:BYRKW/5/5/5/5:-", turn="e-")
TILING = table("0:-/B2/-/-/-:B4/1Y3/5/5/5:-", wall="gray", turn="t1")
DRAFTING = table("0:Y/B/-/-/-:5/5/2B2/5/5:-", displays="B2Y2", center="K")
LITTLE_BAG = table(turn="r1", bag="B2W", played="2@1")
SHORT = table(
    f"0:-/K/R2/Y3/B4:{wall_without('WKRYB')}:-",
    f"0:-/B/W2/K3/R4:{wall_without('YBWKR')}:-",
    f"0:-/R/K2/Y3/W4:{wall_without('BRKYW')}:-",
    players=3,
    turn="r1",
)

CASES: list[tuple[Game, str, str, dict[str, str | int]]] = [
    (OVER, "cBf", "game_over", {}),
    (OVER, FULL_DEAL, "game_over", {}),
    (DEAL_DUE, "cBf", "deal_due", {}),
    (DEAL_DUE, "t11", "deal_due", {}),
    (DRAFTING, FULL_DEAL, "no_deal_due", {}),
    (TILING, FULL_DEAL, "no_deal_due", {}),
    (TILING, "cBf", "tile_first", {"row": 2}),
    (TILING, "t11", "tile_first", {"row": 2}),
    (DRAFTING, "t11", "nothing_to_tile", {}),
    (DRAFTING, "6Bf", "no_such_display", {"displays": 5}),
    (DRAFTING, "9Bf", "no_such_display", {"displays": 5}),
    (DRAFTING, "2Bf", "color_not_there", {"color": "blue", "source": "2"}),
    (DRAFTING, "cWf", "color_not_there", {"color": "white", "source": "c"}),
    (DRAFTING, "1Y1", "line_full", {"line": 1}),
    (DRAFTING, "1B1", "line_full", {"line": 1}),
    (DRAFTING, "1Y2", "other_color", {"line": 2, "color": "blue"}),
    (DRAFTING, "1B3", "color_on_row", {"color": "blue", "row": 3}),
    (TILING, "t22", "cell_taken", {"row": 2, "column": 2}),
    (TILING, "t21", "color_in_column", {"color": "blue", "column": 1}),
    (DEAL_DUE, "=B4/Y4/R4/K4", "deal_displays", {"given": 4, "displays": 5}),
    (DEAL_DUE, "=B4/Y4/R4/K4/W4/-/-", "deal_displays", {"given": 7, "displays": 5}),
    (DEAL_DUE, "=B4/Y3/R4/K4/W4", "deal_size", {"display": 2, "given": 3, "expected": 4}),
    (DEAL_DUE, "=B4/Y4/R4/K4/W5", "deal_size", {"display": 5, "given": 5, "expected": 4}),
    (DEAL_DUE, "=-/-/-/-/-", "deal_size", {"display": 1, "given": 0, "expected": 4}),
    (SHORT, "=BY2K/KW3/W/-/-/-/-", "deal_size", {"display": 3, "given": 1, "expected": 2}),
    (SHORT, "=BY2K/KW3/W2/B/-/-/-", "deal_size", {"display": 4, "given": 1, "expected": 0}),
    (LITTLE_BAG, "=B4/B4/B4/B4/B4", "deal_leaves_bag", {"color": "white"}),
    (LITTLE_BAG, "=BY3/Y4/R4/K4/W4", "deal_leaves_bag", {"color": "blue"}),
    (
        table(turn="r1", bag="B20Y5"),
        "=Y4/Y4/B4/B4/B4",
        "deal_too_many",
        {"given": 8, "color": "yellow", "available": 5},
    ),
    (table(turn="r1", bag="B20"), "=B4/B4/B4/B4/B3Y", "deal_too_many", {"given": 1, "color": "yellow", "available": 0}),
]


@pytest.mark.parametrize(("game", "move", "code", "arguments"), CASES)
def test_refused_with_code_and_arguments(game: Game, move: str, code: str, arguments: dict[str, str | int]) -> None:
    before = game.states.tobytes()
    refusal = game.why_illegal(move)
    assert refusal is not None
    assert (refusal.code, refusal.arguments) == (code, arguments)
    with pytest.raises(IllegalMove) as caught:
        game.play(move)
    assert (caught.value.code, caught.value.arguments) == (code, arguments)
    assert str(caught.value) == f"illegal move {move!r}: {REASONS[code].format(**arguments)}"
    assert game.states.tobytes() == before
    assert game.history == ()


def test_nothing_to_undo() -> None:
    with pytest.raises(IllegalMove) as caught:
        Game(seed=1).undo()
    assert caught.value.code == "nothing_to_undo"


def test_every_code_occurs_here() -> None:
    assert {code for _, _, code, _ in CASES} | {"nothing_to_undo"} == set(REASONS)


def test_a_legal_move_and_a_legal_deal_are_not_refused() -> None:
    assert DRAFTING.why_illegal("1B2") is None
    assert TILING.why_illegal("t23") is None
    assert DEAL_DUE.why_illegal(FULL_DEAL) is None
    assert SHORT.why_illegal("=B3Y/YRK2/W2/-/-/-/-") is None


def test_illegal_move_is_a_value_error_that_names_the_move() -> None:
    with pytest.raises(ValueError, match="'6Bf'"):
        table(EMPTY, displays="B4").play("6Bf")
