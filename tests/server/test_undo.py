"""Taking back: until the next person has decided, and computers' moves go back with it."""

from __future__ import annotations

import random

import pytest

from azulejos.server.protocol import encoding, incoming
from azulejos.server.protocol import outgoing as out
from azulejos.server.tables import events as e
from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.setup import SeatKind
from tests.server.standins import Logic
from tests.server.test_choices import choosing_table


def test_nothing_to_take_back() -> None:
    logic = Logic(["here", "here"])
    with pytest.raises(Refuse, match="nothing_to_undo"):
        logic.undo(0)


def test_until_the_next_person_has_decided() -> None:
    logic = Logic(["here", "here"])
    start = logic.table.game.public.position
    logic.play(0, logic.moves(0)[0])
    after_first = logic.table.game.public.position
    assert encoding.you(logic.table, [0, 1]).undo == [0]
    logic.play(1, logic.moves(1)[0])
    with pytest.raises(Refuse, match="undo_too_late"):
        logic.undo(0)
    assert logic.undo(1) == e.Undone(seat=1, moves=1)
    assert logic.table.game.public.position == after_first
    assert logic.undo(0) == e.Undone(seat=0, moves=1)  # the other's decision does not stand any more
    assert logic.table.game.public.position == start
    assert not logic.table.assisted


def test_computers_go_back_with_it_and_the_game_is_assisted() -> None:
    logic = Logic(["here", "computer", "computer"])
    start = logic.table.game.public.position
    choice = random.Random(0)
    logic.decide(0, choice)
    logic.decide(1, choice)
    logic.decide(2, choice)
    with pytest.raises(Refuse, match="nothing_to_undo"):
        logic.happen(e.Undone(seat=1))
    assert logic.undo(0) == e.Undone(seat=0, moves=3)
    assert logic.table.game.public.position == start
    assert logic.table.assisted
    assert logic.rebuilt().game.public.position == start


def round_played(*kinds: SeatKind) -> tuple[Logic, int]:
    """A table at which the second round has just been dealt, and the person who ended the first."""
    logic, choice = Logic(list(kinds)), random.Random(3)
    while logic.table.game.public.round == 1:
        last = logic.table.waiting[0]
        logic.play(last, choice.choice(logic.moves(last)))
    return logic, last


def test_nobody_looks_at_the_next_tiles_and_chooses_again_while_others_play() -> None:
    logic, last = round_played("here", "here")
    with pytest.raises(Refuse, match="undo_past_deal"):
        logic.undo(last)
    assert encoding.you(logic.table, [last]).undo == []
    stored = e.Undone(seat=last, moves=1)  # as older versions allowed it
    assert logic.table.after(stored)[0].game.public.round == 1
    logic.ask(incoming.Substitute(seat=1 - last))
    logic.undo(last)  # now there is nobody else
    assert logic.table.assisted


def test_the_same_tiles_come_again_and_having_seen_them_is_assisted() -> None:
    logic, choice = Logic(["here", "here"]), random.Random(3)
    while logic.table.game.public.round == 1:
        last = logic.table.waiting[0]
        before = logic.table.game.public.position
        move = choice.choice(logic.moves(last))
        told = logic.play(last, move)
    assert isinstance(told, out.Played)
    assert told.happenings[-1].deal
    logic.ask(incoming.Substitute(seat=1 - last))
    logic.undo(last)
    assert logic.table.game.public.position == before
    assert logic.table.assisted
    again = logic.play(last, move)
    assert isinstance(again, out.Played)
    assert again.happenings[-1].deal == told.happenings[-1].deal


def test_an_unseen_choice_can_be_taken_back_whatever_the_others_chose() -> None:
    logic = choosing_table()
    first, second = logic.table.waiting[:2]
    options = logic.moves(first)
    logic.play(first, options[0])
    logic.play(second, logic.moves(second)[0])
    assert logic.table.game.is_choosing
    assert logic.undo(first) == e.Undone(seat=first, moves=0)  # nobody had seen one
    assert logic.moves(first) == options
    assert not logic.table.game.hidden(first)
    assert len(logic.table.game.hidden(second)) == 1
    assert not logic.table.assisted
    logic.play(first, options[-1])


def test_choices_that_all_have_seen_stand() -> None:
    logic, choice = choosing_table(), random.Random(1)
    while logic.table.game.is_choosing:
        logic.decide(logic.table.waiting[0], choice)
    for seat in range(3):
        with pytest.raises(Refuse, match=r"undo_too_late|game_over"):
            logic.undo(seat)


def test_a_seat_that_a_computer_plays_takes_nothing_back() -> None:
    from azulejos.server.protocol import incoming

    logic = Logic(["here", "here"])
    logic.play(0, logic.moves(0)[0])
    logic.ask(incoming.Substitute(seat=0), 0)
    with pytest.raises(Refuse, match="not_your_turn"):
        logic.undo(0)
