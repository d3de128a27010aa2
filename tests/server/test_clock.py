"""Clocks as logic; `test_live_table` has them with time."""

from __future__ import annotations

import pytest

from azulejos import read_record
from azulejos.game.replay import replay
from azulejos.server.protocol import incoming
from azulejos.server.tables import clock
from azulejos.server.tables import events as e
from azulejos.server.tables.info import ClockTime, Result
from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.setup import Clock
from tests.server.standins import Logic


def test_used_time_goes_and_the_increment_comes() -> None:
    logic = Logic(["here", "here"], clock=Clock(60, 5))
    assert logic.table.clock_time(0) == ClockTime([60000, 60000], [0])
    assert logic.table.clock_time(1500) == ClockTime([58500, 60000], [0])
    logic.happen(e.Decided(seat=0, move=logic.moves(0)[0], used=[10000, 0]))
    assert logic.table.clock_time(0) == ClockTime([55000, 60000], [1])
    logic.undo(0)
    assert logic.table.clock_time(0) == ClockTime([55000, 60000], [0])  # no time back


def test_a_friends_clock_waits_for_the_friend_and_a_computer_has_none() -> None:
    logic = Logic(["friend", "here", "computer"], clock=Clock(60))
    assert logic.table.running == []
    logic.happen(e.Joined(seat=0))
    assert logic.table.running == [0]
    logic.play(0, logic.moves(0)[0])
    assert logic.table.running == [1]
    logic.play(1, logic.moves(1)[0])
    assert logic.table.running == []


def test_no_clock_runs_before_everybody_is_there() -> None:
    logic = Logic(["here", "friend", "friend"], clock=Clock(60))
    assert logic.table.clock_time(9000) == ClockTime([60000, 60000, 60000], [])
    logic.happen(e.Joined(seat=1))
    logic.play(0, logic.moves(0)[0])  # who is there may play, and nobody's time goes meanwhile
    assert logic.table.running == []
    logic.happen(e.Joined(seat=2))
    assert logic.table.running == [1]


def test_a_computer_that_plays_for_a_friend_is_there() -> None:
    logic = Logic(["here", "friend"], clock=Clock(60))
    logic.happen(e.Substituted(seat=1, level=3))
    assert logic.table.running == [0]


def test_at_zero_one_loses() -> None:
    logic = Logic(["here", "here"], clock=Clock(60))
    logic.happen(e.TimedOut(seat=0, used=[60000, 0]))
    assert logic.table.result == Result("time", [1], [0, 0])
    record = read_record(logic.table.record().text())
    assert record.tags["Termination"] == "time"
    replay(record)


def test_at_zero_a_computer_plays_on() -> None:
    logic = Logic(["here", "here"], clock=Clock(60, at_zero="computer"))
    logic.happen(e.TimedOut(seat=0, used=[60000, 0]))
    assert logic.table.result is None
    assert logic.table.computer_of(0) == "level3"
    assert not logic.table.seats[0].resigned
    with pytest.raises(Refuse, match="out_of_time"):
        logic.ask(incoming.ComeBack(seat=0), 0)


@pytest.mark.parametrize("wrong", [Clock(0), Clock(9), Clock(10**9), Clock(60, -1), Clock(60, 601)])
def test_clocks_that_nobody_can_play_by(wrong: Clock) -> None:
    with pytest.raises(Refuse, match="bad_clock"):
        clock.check_clock(wrong)
