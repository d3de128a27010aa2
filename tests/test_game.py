"""`Game`, `Move` and `Deal`: the Python face of the rules."""

from __future__ import annotations

from typing import Any

import pytest

from azulejos import Deal, Game, IllegalMove, InvalidNotation, InvalidPosition, Move, Outcome, drawing
from azulejos.game.happening import Drafted
from azulejos.game.moves import MOVES
from azulejos.game.preview import Preview
from azulejos.game.view import WALLS
from tests.positions import EMPTY, board, end_round, lid, position, table

FULL_DEAL = "=B4/Y4/R4/K4/W4"


def play_randomly(game: Game, moves: int) -> None:
    """Some legal moves, always the same ones."""
    for number in range(moves):
        legal = game.legal_moves
        if not legal:
            return
        game.play(legal[number * 7919 % len(legal)])


def test_seed_1_is_the_same_game_everywhere() -> None:
    assert Game(seed=1, starter=0).position == (
        "std BYKW/YRK2/Y2RK/BRKW/YR2W F 0:-/-/-/-/-:5/5/5/5/5:- 0:-/-/-/-/-:5/5/5/5/5:- B18Y15R15K15W17 d1 1@1"
    )


@pytest.mark.parametrize("wall", WALLS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_same_seed_gives_the_same_game(players: int, wall: Any) -> None:
    one, other = Game(players, wall, seed=99), Game(players, wall, seed=99)
    for game in (one, other):
        play_randomly(game, 60)
    assert one.states.tobytes() == other.states.tobytes()
    assert one.history == other.history
    assert one.round > 1


def test_different_seeds_and_no_seed_give_different_games() -> None:
    assert len({Game(seed=seed).position for seed in range(20)}) == 20
    assert len({Game().position for _ in range(5)}) == 5


def test_the_largest_seed() -> None:
    assert Game(seed=2**64 - 1).position != Game(seed=0).position


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"players": 1}, "players"),
        ({"players": 5}, "players"),
        ({"players": "2"}, "players"),
        ({"players": 2.0}, "players"),
        ({"players": True}, "players"),
        ({"wall": "grey"}, "wall"),
        ({"wall": None}, "wall"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**64}, "seed"),
        ({"seed": 1.5}, "seed"),
        ({"seed": "1"}, "seed"),
        ({"starter": 2}, "starter"),
        ({"starter": -1}, "starter"),
        ({"starter": 0.0}, "starter"),
        ({"max_rounds": 0}, "max_rounds"),
        ({"max_rounds": 32768}, "max_rounds"),
        ({"max_rounds": False}, "max_rounds"),
    ],
)
def test_bad_arguments_name_the_argument(arguments: dict[str, Any], name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must be") as caught:
        Game(**arguments)
    assert repr(arguments[name]) in str(caught.value)


@pytest.mark.parametrize(("arguments", "name"), [({"seed": -1}, "seed"), ({"max_rounds": 0}, "max_rounds")])
def test_bad_arguments_beside_a_position(arguments: dict[str, Any], name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must be"):
        Game.from_position(position(center="W"), **arguments)


def test_the_three_errors_are_value_errors_of_their_own() -> None:
    errors = (InvalidNotation, InvalidPosition, IllegalMove)
    assert all(issubclass(error, ValueError) for error in errors)
    assert not any(issubclass(one, other) for one in errors for other in errors if one is not other)


@pytest.mark.parametrize("move", MOVES, ids=str)
def test_a_move_has_one_number_and_one_spelling(move: Move) -> None:
    text = str(move)
    assert len(text) == 3
    assert Move.parse(text) == Move.from_id(move.id) == move
    assert eval(repr(move)) == move
    if move.is_tiling:
        assert text == f"t{move.row + 1}{move.column + 1}"
        assert move.id == 300 + move.row * 5 + move.column
    else:
        assert text == "c123456789"[move.source] + "BYRKW"[move.color] + "12345f"[move.line]
        assert move.id == move.source * 30 + move.color * 6 + move.line


def test_there_are_325_moves() -> None:
    assert [move.id for move in MOVES] == list(range(325))
    assert len({str(move) for move in MOVES}) == 325


@pytest.mark.parametrize(("players", "below"), [(2, 180), (3, 240), (4, 300)])
def test_draft_numbers_in_use(players: int, below: int) -> None:
    numbers = [move.id for move in Game(players, seed=1).legal_moves]
    assert below - 30 <= max(numbers) < below


@pytest.mark.parametrize("number", [-1, 325, 1000])
def test_no_move_has_this_number(number: int) -> None:
    with pytest.raises(InvalidNotation, match=str(number)):
        Move.from_id(number)


def refused(game: Game, move: Move | Deal) -> bool:
    """Whether a move is refused with one of our errors and leaves the game as it was."""
    before, history = game.states.tobytes(), game.history
    try:
        game.play(move)
    except (InvalidNotation, IllegalMove):
        return (game.states.tobytes(), game.history) == (before, history)
    except Exception:
        return False
    return False


def made(number: int) -> Move | None:
    """The move made with a number, or None if that is refused at once."""
    try:
        return Move(number)
    except InvalidNotation:
        return None


def test_a_move_made_with_a_wrong_number_is_never_played() -> None:
    """However it was made, it is refused with one of the errors, and the game stays as it was."""
    wrong = []
    for number in (*range(-330, 0), 325, 326, 400, 10**9):
        move = made(number)
        if move is not None and not refused(Game(players=4, seed=3, starter=0), move):
            wrong.append(number)
    assert wrong == []


@pytest.mark.parametrize("text", ["", "1B", "1B11", "1b1", "0B1", "tB1", "t06", "B11", " 1B1", "cBF", "CB1"])
def test_text_that_is_no_move(text: str) -> None:
    with pytest.raises(InvalidNotation) as caught:
        Game(seed=1).play(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("thing", [None, 5, b"1B1", ["1B1"]])
def test_a_thing_that_is_no_move(thing: Any) -> None:
    with pytest.raises(TypeError, match="expected a Move"):
        Game(seed=1).play(thing)


def test_moves_are_legal_in_rising_order() -> None:
    numbers = [move.id for move in Game(seed=1).legal_moves]
    assert numbers == sorted(numbers)


def test_play_takes_text_and_moves() -> None:
    one, other = Game(seed=1, starter=0), Game(seed=1, starter=0)
    assert one.play("2K3") == other.play(Move.parse("2K3"))
    assert one.position == other.position


def test_history_tells_the_whole_game() -> None:
    game = Game(seed=1, starter=0)
    assert [str(event) for event in game.history] == ["=BYKW/YRK2/Y2RK/BRKW/YR2W"]
    play_randomly(game, 40)
    again = Game.from_position(position(turn="r1", played="1@1", bag="B20Y20R20K20W20"))
    for event in game.history:
        again.play(event)
    assert again.position == game.position
    assert again.history == game.history
    assert sum(isinstance(event, Deal) for event in game.history) == game.round > 1


def test_undo_takes_back_one_play_with_all_that_followed() -> None:
    game = table(center="W", turn="d2", seed=5)
    before, line = game.states.tobytes(), game.position
    happening = game.play("cWf")
    assert happening.deal is not None
    assert [str(event) for event in game.history] == ["cWf", str(happening.deal)]
    assert game.undo() == Move.parse("cWf")
    assert (game.states.tobytes(), game.position, game.history) == (before, line, ())
    assert game.play("cWf") == happening


def test_undo_of_a_deal() -> None:
    game = table(turn="r1")
    game.play(FULL_DEAL)
    assert game.undo() == Deal.parse(FULL_DEAL)
    assert game.phase == "r"


def test_undo_to_the_first_move_but_not_beyond() -> None:
    game = Game(seed=4)
    start = game.position
    play_randomly(game, 50)
    while len(game.history) > 1:
        game.undo()
    assert game.position == start
    with pytest.raises(IllegalMove, match="nothing to undo"):
        game.undo()


def test_a_copy_is_independent_and_has_the_same_future() -> None:
    game = Game(seed=4)
    play_randomly(game, 5)
    copy = game.copy()
    before = game.states.tobytes()
    play_randomly(copy, 40)
    assert game.states.tobytes() == before
    assert len(game.history) == 6
    play_randomly(game, 40)
    assert game.position == copy.position
    copy.undo()
    assert game.position != copy.position


def test_states_is_a_copy() -> None:
    game = Game(seed=4)
    before = game.position
    game.states["score"] = 99
    assert game.position == before


def test_from_position_without_a_seed_waits_for_deals() -> None:
    game = Game.from_position(position(center="W", turn="d2"))
    happening = game.play("cWf")
    assert happening.deal is None
    assert game.phase == "r"
    assert game.legal_moves == []
    game.play(FULL_DEAL)
    assert (game.phase, game.seat) == ("d", 1)
    assert game.position.split(" ")[1] == "B4/Y4/R4/K4/W4"


def test_from_position_with_a_seed_deals() -> None:
    line = position(turn="r2", played="3@2")
    game = Game.from_position(line, seed=8)
    assert (game.phase, game.seat, len(game.history)) == ("d", 1, 1)
    assert game.position == Game.from_position(line, seed=8).position
    assert game.position != Game.from_position(line, seed=9).position
    with pytest.raises(IllegalMove, match="no deal is due"):
        game.play(FULL_DEAL)


def test_from_position_of_a_finished_game() -> None:
    line = position("2:-/-/-/-/-:BYRKW/5/5/5/5:-", turn="e-", played="6@2")
    for game in (Game.from_position(line), Game.from_position(line, seed=1)):
        assert game.is_over
        assert game.outcome == Outcome("row", (0,), (2, 0))
        assert game.position == line
        assert game.view.seat is None


def test_from_position_with_a_round_limit() -> None:
    game = Game.from_position(position(center="W", turn="d2", played="3@1"), seed=1, max_rounds=3)
    game.play("cWf")
    assert game.outcome is not None
    assert game.outcome.reason == "round_limit"


def test_a_deal_takes_its_tiles_out_of_the_bag() -> None:
    game = table(turn="r1", bag="B9Y9R9K9W9")
    happening = game.play("=BYRK/BYRW/BYKW/BRKW/YRKW")
    assert (happening.seat, happening.drafted, happening.tiling) == (None, None, ())
    assert game.view.bag == (5, 5, 5, 5, 5)
    assert lid(game) == "B11Y11R11K11W11"


@pytest.mark.parametrize(
    "displays",
    [
        ((5, -1, 0, 0, 0), (0, 4, 0, 0, 0), (0, 0, 4, 0, 0), (0, 0, 4, 0, 0), (0, 0, 4, 0, 0)),
        ((4,),) * 5,
        ((0, 0, 0, 0, 0, 4),) * 5,
        ((4, 0, 0, 0, 0), (4,), (4,), (4,), (4,)),
    ],
)
def test_a_deal_made_with_impossible_counts_is_never_dealt(displays: Any) -> None:
    """Made or played, it is refused with one of the errors."""
    game = table(turn="r1")
    with pytest.raises((InvalidNotation, IllegalMove)):
        game.play(Deal(displays))
    assert game.position == position(turn="r1")


def test_deal_text_and_repr() -> None:
    deal = Deal.parse(FULL_DEAL)
    assert str(deal) == FULL_DEAL
    assert eval(repr(deal)) == deal
    with pytest.raises(InvalidNotation, match="deal"):
        Deal.parse("B4/Y4/R4/K4/W4")


def test_preview_of_a_draft() -> None:
    game = table("0:-/-/R2/-/-:5/5/2B2/5/5:K", center="BR3")
    expected = Preview(
        taken=3, placed=1, dropped=2, marker=True, cost=1 + 2 + 2, completes=True, columns=(4,), points=1
    )
    before = game.states.tobytes()
    assert game.preview("cR3") == game.preview(Move.parse("cR3")) == expected
    assert game.preview("cRf").dropped == 3
    assert game.states.tobytes() == before
    assert game.history == ()


def test_preview_counts_the_complete_lines_above() -> None:
    game = table("0:R/-/B2/-/-:5/2Y2/5/5/5:-", displays="BR3")
    assert game.preview("1B3").points == 3


def test_preview_of_a_line_that_would_fall() -> None:
    game = table("0:-/-/-/-/-:4B/YRKW1/5/5/5:-", wall="gray", displays="B2Y2")
    preview = game.preview("1B2")
    assert (preview.completes, preview.columns, preview.points) == (True, (), 0)


def test_preview_of_a_tiling_choice() -> None:
    game = table("0:-/B2/-/-/-:B4/1Y3/2K2/5/5:-", wall="gray", turn="t1")
    assert [(str(move), game.preview(move).points) for move in game.legal_moves] == [("t23", 4), ("t24", 1), ("t25", 1)]


def test_preview_refuses_what_play_refuses() -> None:
    game = table(displays="B4")
    with pytest.raises(IllegalMove, match="there is no red"):
        game.preview("1R1")
    deal: Any = FULL_DEAL
    with pytest.raises(TypeError, match="deal"):
        game.preview(deal)


def test_happening_of_a_draft() -> None:
    game = table("0:-/-/-/-/-:5/5/5/5/5:K5", displays="Y4", center="B4")
    happening = game.play("cB1")
    assert happening.seat == 0
    assert happening.drafted == Drafted(source=0, color=0, line=0, taken=4, placed=1, dropped=3, to_lid=2, marker=True)
    assert (happening.tiling, happening.floors, happening.bonuses, happening.deal) == ((), (), (), None)
    assert board(game, 1) == "0:B/-/-/-/-:5/5/5/5/5:FBK5"


def test_outcome_is_none_while_the_game_goes_on() -> None:
    game, _ = end_round()
    assert game.outcome is None
    assert not game.is_over


def test_facts_of_a_game() -> None:
    game = table("7:-/-/-/-/-:5/5/5/5/5:-", EMPTY, EMPTY, players=3, wall="gray", center="W", turn="d3", played="4@2")
    assert (game.players, game.wall, game.phase, game.seat) == (3, "gray", "d", 2)
    assert (game.round, game.starter, game.scores) == (4, 1, (7, 0, 0))
    assert repr(game) == f"<Game {game.position}>"


def test_is_legal_asks_about_moves_and_deals() -> None:
    game = Game(seed=1, starter=0)
    assert game.is_legal("2K1")
    assert not game.is_legal("2B1")
    assert not game.is_legal(str(game.history[0]))
    assert Game.undealt().is_legal(str(game.history[0]))
    with pytest.raises(InvalidNotation):
        game.is_legal("9Z9")


def test_a_printed_game_is_its_board() -> None:
    game = Game(seed=1, starter=0)
    assert str(game) == drawing.text(game.view)
    assert repr(game) == f"<Game {game.position}>"


def test_moves_have_only_their_own_parts() -> None:
    draft, choice = Move.parse("3B4"), Move.parse("t35")
    for part in ("row", "column"):
        with pytest.raises(AttributeError, match=f"the draft '3B4' has no {part}"):
            getattr(draft, part)
    for part in ("source", "color", "line"):
        with pytest.raises(AttributeError, match=f"the tiling choice 't35' has no {part}"):
            getattr(choice, part)
