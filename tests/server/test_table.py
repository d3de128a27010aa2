"""A table as pure logic: whole games, resigning, substitutes, coming back, results."""

from __future__ import annotations

import random
from typing import Any

import pytest

from azulejos import read_record
from azulejos.game.replay import replay
from azulejos.game.view import Wall
from azulejos.server.protocol import encoding, incoming
from azulejos.server.protocol import outgoing as out
from azulejos.server.tables import events as e
from azulejos.server.tables.absence import Absence
from azulejos.server.tables.commands import decide
from azulejos.server.tables.info import Result
from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.setup import SeatKind
from tests.server.standins import Logic

EVERY_GAME = pytest.mark.parametrize(("players", "wall"), [(n, w) for n in (2, 3, 4) for w in ("std", "gray")])


def refusal(code: str) -> Any:
    return pytest.raises(Refuse, match=rf"^{code}\b")


def everything(table: Any) -> out.Welcome:
    return encoding.welcome(table, range(table.players), [], 0, 0)


@EVERY_GAME
def test_a_whole_game_with_undos_rebuilds_and_verifies(players: int, wall: Wall) -> None:
    choice = random.Random(players)
    kinds: list[SeatKind] = ["here", "friend", "computer", "here"]
    logic = Logic(kinds[:players], wall)
    chose = undone = 0
    while not logic.table.result:
        if choice.random() < 0.1:
            may = [seat for seat in range(players) if seat in encoding.you(logic.table, range(players)).undo]
            for seat in may[:1]:
                logic.undo(seat)
                undone += 1
        told = logic.decide(choice.choice(logic.table.waiting), choice)
        chose += isinstance(told, out.Chose)
        if len(logic.log) % 25 == 0:
            assert everything(logic.rebuilt()) == everything(logic.table)
    assert undone
    assert bool(chose) == (wall == "gray")
    assert everything(logic.rebuilt()) == everything(logic.table)
    record = read_record(logic.table.record().text())
    assert replay(record).scores == tuple(logic.table.result.scores)
    assert record.tags["DealSecret"] == logic.dealer.secret
    assert logic.table.info.secret == logic.dealer.secret
    with refusal("game_over"):
        logic.undo(0)


def test_the_secret_of_the_deals_is_told_only_at_the_end() -> None:
    logic = Logic(["here", "here"])
    choice = random.Random(1)
    while not logic.table.result:
        told = encoding.encode(everything(logic.table)) + logic.table.record().text().encode()
        assert logic.dealer.secret.encode() not in told
        assert logic.dealer.commitment.encode() in told
        logic.decide(logic.table.waiting[0], choice)
    assert logic.dealer.secret.encode() in encoding.encode(everything(logic.table))


def test_what_happened_besides_moves_is_remembered_among_them() -> None:
    logic = Logic(["here", "friend"])
    logic.happen(e.Joined(seat=1))
    logic.play(0, logic.moves(0)[0])
    logic.undo(0)
    logic.play(0, logic.moves(0)[0])
    logic.ask(incoming.Rename(seat=1, name="Bo"), 1)
    logic.ask(incoming.Resign(seat=1), 1)
    noted = everything(logic.rebuilt()).noted
    assert [(type(each.what), each.moves) for each in noted] == [
        (e.Joined, 0),
        (e.Undone, 0),
        (e.Renamed, 1),
        (e.Resigned, 1),
    ]
    assert [each.version for each in noted] == [1, 3, 5, 6]


def test_only_the_latest_are_remembered() -> None:
    logic = Logic(["here", "here"])
    for number in range(e.MOST_NOTED + 5):
        logic.ask(incoming.Rename(seat=0, name=f"Ana {number}"), 0)
    noted = everything(logic.table).noted
    assert [noted[0].version, noted[-1].version, len(noted)] == [6, e.MOST_NOTED + 5, e.MOST_NOTED]


def test_what_may_not_be_played() -> None:
    logic = Logic(["here", "here"])
    first = logic.moves(0)[0]
    with refusal("not_your_seat"):
        logic.ask(incoming.Play(seat=0, move=first, version=0), 1)
    with refusal("not_your_seat"):
        logic.ask(incoming.Play(seat=3, move=first, version=0))
    with refusal("not_your_turn"):
        logic.play(1, first)
    with refusal("bad_move"):
        logic.play(0, "zzz")
    with refusal("nothing_to_tile"):
        logic.play(0, "t11")
    with refusal("no_such_display"):
        logic.play(0, "9B1")
    with refusal("stale_version"):
        logic.ask(incoming.Play(seat=0, move=first, version=1))
    logic.play(0, first)
    with refusal("stale_version"):
        logic.ask(incoming.Play(seat=1, move=logic.moves(1)[0], version=0))
    assert logic.table.version == 1


def test_a_new_name_makes_no_decision_stale() -> None:
    logic = Logic(["here", "here"])
    seen = logic.table.version
    logic.ask(incoming.Rename(seat=1, name="  Ana \u202e"))
    assert logic.table.seats[1].name == "Ana"
    logic.ask(incoming.Play(seat=0, move=logic.moves(0)[0], version=seen))
    for name in ("", "   ", "\u200b"):
        with refusal("bad_name"):
            logic.ask(incoming.Rename(seat=1, name=name))


def test_of_two_the_other_wins_when_one_resigns() -> None:
    logic = Logic(["here", "computer"])
    logic.play(0, logic.moves(0)[0])
    assert logic.ask(incoming.Resign(seat=0)) == e.Resigned(seat=0)
    assert logic.table.result == Result("resigned", [1], [0, 0])
    assert logic.table.waiting == []
    record = read_record(logic.table.record().text())
    assert record.tags["Termination"] == "resigned"
    replay(record)
    assert everything(logic.rebuilt()) == everything(logic.table)


@pytest.mark.parametrize("wall", ["std", "gray"])
def test_of_three_a_computer_plays_on_for_who_resigned_and_cannot_win(wall: Wall) -> None:
    logic = Logic(["here", "here", "here"], wall)
    logic.ask(incoming.Resign(seat=1))
    assert logic.table.computer_of(1) == "level3"
    for message in (incoming.ComeBack(seat=1), incoming.Resign(seat=1)):
        with refusal("seat_resigned"):
            logic.ask(message)
    choice = random.Random(5)
    while not logic.table.result:
        logic.decide(logic.table.waiting[0], choice)
    assert logic.table.result.winners
    assert 1 not in logic.table.result.winners
    replay(read_record(logic.table.record().text()))


def test_who_remains_alone_has_won() -> None:
    logic = Logic(["here", "here", "here"])
    logic.ask(incoming.Resign(seat=0))
    logic.ask(incoming.Resign(seat=2))
    assert logic.table.result == Result("resigned", [1], [0, 0, 0])


def test_substitute_and_come_back() -> None:
    logic = Logic(["here", "friend", "computer"])
    away = [True, False, True]
    with refusal("seat_not_absent"):
        logic.ask(incoming.Substitute(seat=1), 0)
    with refusal("seat_not_absent"):
        logic.ask(incoming.Substitute(seat=2), 0)
    with refusal("not_your_seat"):
        logic.happen(_judged_for_nobody(logic, incoming.Substitute(seat=1)))
    with refusal("not_substituted"):
        logic.ask(incoming.ComeBack(seat=1), 1)
    assert logic.ask(incoming.Substitute(seat=1, level=5), 0, present=away) == e.Substituted(seat=1, level=5)
    assert logic.table.computer_of(1) == "level5"
    logic.play(0, logic.moves(0)[0])
    with refusal("not_your_turn"):
        logic.play(1, logic.moves(1)[0])
    with refusal("not_your_seat"):
        logic.ask(incoming.ComeBack(seat=1), 0)
    assert logic.ask(incoming.ComeBack(seat=1), 1) == e.CameBack(seat=1)
    logic.play(1, logic.moves(1)[0])
    assert logic.ask(incoming.Substitute(seat=0), 0) == e.Substituted(
        seat=0, level=3
    )  # for oneself, although one is here
    assert everything(logic.rebuilt()) == everything(logic.table)


def _judged_for_nobody(logic: Logic, message: Any) -> e.TableEvent:
    return decide(logic.table, message, (), Absence(0.0, float))


def test_a_hint_marks_the_game() -> None:
    logic = Logic(["here", "here"])
    with refusal("stale_version"):
        logic.ask(incoming.TakeHint(seat=1, version=1))
    assert not logic.table.assisted
    logic.ask(incoming.TakeHint(seat=1, version=0))  # out of turn: who looks a game up does so at any time
    assert logic.table.info.assisted
    assert [seat.assisted for seat in logic.table.info.seats] == [False, True]
