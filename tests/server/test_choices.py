"""D7: tiling choices on the gray wall, made at the same time and unseen."""

from __future__ import annotations

import random

import msgspec
import pytest

from azulejos import Game
from azulejos.server.protocol import encoding, incoming
from azulejos.server.protocol import outgoing as out
from azulejos.server.tables import events as e
from azulejos.server.tables.refusal import Refuse
from tests.server.standins import Logic


def choosing_table(players: int = 3, least: int = 2) -> Logic:
    """A table at which at least so many seats have a tiling choice."""
    for seed in range(200):
        logic, choice = Logic(["here"] * players, "gray"), random.Random(seed)
        while not logic.table.result:
            if logic.table.game.is_choosing and len(logic.table.waiting) >= least:
                return logic
            logic.decide(logic.table.waiting[0], choice)
    raise AssertionError("no such table")


def test_all_choose_at_once_in_any_order_and_it_comes_out_as_the_engine_would() -> None:
    for seed in range(5):
        logic = choosing_table()
        choice = random.Random(seed)
        before = logic.table.game.public.copy()
        chosen: dict[int, list[str]] = {}
        told: out.Happened = e.Started()
        while logic.table.waiting and logic.table.game.is_choosing:
            seat = choice.choice(logic.table.waiting)
            move = choice.choice(logic.moves(seat))
            chosen.setdefault(seat, []).append(move)
            public = logic.table.game.public.position
            told = logic.play(seat, move)
            if isinstance(told, out.Chose):
                assert logic.table.game.public.position == public  # nothing is seen yet
        assert isinstance(told, out.Played)
        while before.phase == "t":
            before.play(chosen[before.turn].pop(0))
        assert before.scores == logic.table.game.public.scores
        assert sum(len(left) for left in chosen.values()) == 0
        assert [happening.seat for happening in told.happenings] == sorted(
            happening.seat or 0 for happening in told.happenings
        )


def test_others_are_not_told_what_was_chosen() -> None:
    logic = choosing_table()
    seat, other = logic.table.waiting[:2]
    before = encoding.encode(encoding.welcome(logic.table, [other], [], 0, 0))
    move = logic.moves(seat)[-1]
    told = logic.play(seat, move)
    assert told == out.Chose(seat=seat)
    after = encoding.encode(encoding.welcome(logic.table, [other], [], 0, 0))
    ignored = {"version", "waiting"}
    a, b = (msgspec.json.decode(text) for text in (before, after))
    del a["you"]["undo"]  # the last draft was this other seat's; now somebody has decided since
    assert {key: a[key] for key in a if key not in ignored} == {key: b[key] for key in b if key not in ignored}
    mine = encoding.you(logic.table, [seat]).choosing[0]
    assert mine.chosen == [move]
    row, column = int(move[1]) - 1, int(move[2]) - 1
    assert mine.board.wall[row][column] != "."
    assert all(option.move[1] != move[1] for option in mine.options)


def test_a_choice_of_another_makes_mine_not_stale_but_my_own_does() -> None:
    logic = choosing_table()
    seen = logic.table.version
    first, second = logic.table.waiting[:2]
    move = logic.moves(first)[0]
    logic.ask(incoming.Play(seat=first, move=move, version=seen))
    with pytest.raises(Refuse, match="stale_version"):
        logic.ask(incoming.Play(seat=first, move=move, version=seen))
    logic.ask(incoming.Play(seat=second, move=logic.moves(second)[0], version=seen))


def test_a_wrong_choice_says_why() -> None:
    logic = choosing_table()
    seat = logic.table.waiting[-1]
    row = logic.moves(seat)[0][1]
    wrong = [f"t{row}{column}" for column in range(1, 6) if f"t{row}{column}" not in logic.moves(seat)]
    for move in wrong:
        with pytest.raises(Refuse, match=r"cell_taken|color_in_column"):
            logic.play(seat, move)
    with pytest.raises(Refuse, match="tile_first"):
        logic.play(seat, "1B1")


def test_a_computer_is_shown_a_possible_position_that_depends_on_no_hidden_choice() -> None:
    logic = choosing_table()
    first, second = logic.table.waiting[:2]
    before = logic.table.game.seen_by(second).position
    game = Game.from_position(before)
    assert (game.phase, game.seat) == ("t", second)
    assert [str(move) for move in game.legal_moves] == logic.moves(second)
    logic.play(first, logic.moves(first)[-1])
    assert logic.table.game.seen_by(second).position == before


def test_resigning_while_choices_are_hidden() -> None:
    logic = choosing_table(players=2)
    logic.play(logic.table.waiting[0], logic.moves(logic.table.waiting[0])[0])
    logic.ask(incoming.Resign(seat=0))
    assert logic.table.result is not None
    assert logic.rebuilt().result == logic.table.result
