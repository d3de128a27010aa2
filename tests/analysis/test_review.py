"""Reviews: receipts that add up, marks where they belong, the same answer every time, whatever the game."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from azulejos import Game, Record, read_record
from azulejos.analysis.receipt import PARTS
from azulejos.analysis.review import DecisionReview, Review, review
from azulejos.game.view import Wall
from azulejos.players.player import Limits
from azulejos.players.registry import make
from azulejos.server.protocol import encoding
from tests.server.standins import Logic

NODES = 100
NAMES = {0.2: "blunder", 0.1: "mistake", 0.05: "inaccuracy", 0.0: ""}
"""What a move is called by the share of the victory that it lost at least."""
TABLES: list[tuple[int, Wall]] = [(2, "std"), (2, "gray"), (3, "std"), (3, "gray"), (4, "std"), (4, "gray")]


def played(players: int = 2, wall: Wall = "std", moves: int = 1000, seed: int = 5) -> Game:
    """A game of greedy players, or its first moves."""
    game, player = Game(players, wall, seed=seed, starter=0), make("greedy", 0)
    for _ in range(moves):
        if game.is_over:
            break
        game.play(player.choose(game, Limits()).move)
    return game


def check_receipts(found: Review) -> None:
    for receipt in found.receipts:
        assert tuple(receipt) == PARTS
        for what in ("win", "margin"):
            *parts, result = (getattr(receipt[part], what) for part in PARTS)
            assert sum(parts) == pytest.approx(result, abs=1e-6)
    for what in ("win", "margin"):
        for seat, receipt in enumerate(found.receipts):
            own = sum(getattr(each.loss, what) for each in found.decisions if each.seat == seat)
            luck = sum(getattr(each.luck[seat], what) for each in found.deals)
            assert getattr(receipt["own"], what) == pytest.approx(-own, abs=1e-9)
            assert getattr(receipt["luck"], what) == pytest.approx(luck, abs=1e-9)


@pytest.mark.parametrize(("players", "wall"), TABLES)
def test_the_receipt_of_every_kind_of_game_adds_up(players: int, wall: Wall) -> None:
    game = played(players, wall, moves=16)
    found = review(game.record(), nodes=NODES)
    check_receipts(found)
    assert not found.finished
    assert found.fault is None
    assert len(found.decisions) + len(found.deals) == len(game.history)
    plies = [deal.ply for deal in found.deals] + [decision.ply for decision in found.decisions]
    assert sorted(plies) == list(range(len(game.history)))
    assert sum(receipt["result"].win for receipt in found.receipts) == pytest.approx(1, abs=0.01)


def test_a_finished_game_ends_with_its_result() -> None:
    game = played()
    found = review(game.record(), nodes=NODES)
    check_receipts(found)
    assert found.finished
    first, second = game.scores
    assert [receipt["result"].margin for receipt in found.receipts] == [first - second, second - first]
    assert {receipt["result"].win for receipt in found.receipts} <= {0.0, 0.5, 1.0}
    last = found.decisions[-1]
    assert last.exact
    assert last.played.value.margin[0] == pytest.approx(first - second)


def test_no_loss_is_negative_and_marks_follow_from_losses() -> None:
    found = review(played().record(), nodes=NODES)
    marks = {each.mark for each in found.decisions}
    assert marks == set(NAMES.values())
    for each in found.decisions:
        assert each.loss.win >= 0
        assert each.loss.margin >= 0
        assert each.best.worth(each.seat) >= each.played.worth(each.seat)
        assert bool(each.reasons) == bool(each.mark)
        assert len(each.reasons) <= 3
        if each.mark:
            assert each.played.move != each.best.move
        deserved = next(name for least, name in NAMES.items() if each.loss.win >= least)
        assert each.mark == ("" if each.forced else deserved)


def test_throwing_tiles_away_is_a_blunder_and_said_to_be_one() -> None:
    game = played(moves=2)
    worst = max((move for move in game.legal_moves if move.line == 5), key=lambda move: game.preview(move).cost)
    game.play(worst)
    found: DecisionReview = review(game.record(), nodes=2000).decisions[-1]
    assert found.played.move == worst
    assert found.mark in {"mistake", "blunder"}
    assert found.seat in {reason.seat for reason in found.reasons}


def test_the_same_record_gives_the_same_review_with_any_number_of_threads() -> None:
    record = played(moves=6).record()
    assert review(record, nodes=NODES, workers=1) == review(record, nodes=NODES, workers=3)


def test_a_record_that_breaks_the_rules_is_reviewed_up_to_there() -> None:
    game = played(moves=6)
    record = game.record()
    broken = replace(record, entries=(*record.entries, record.entries[-1]))
    found = review(broken, nodes=NODES)
    assert found.fault is not None
    assert "round 1" in found.fault
    assert len(found.decisions) == 6
    check_receipts(found)


def test_a_record_from_the_middle_of_a_round_needs_no_deal() -> None:
    middle = Game.from_position(played(moves=3).position)
    middle.play(middle.legal_moves[0])
    found = review(middle.record(), nodes=NODES)
    assert not found.deals
    check_receipts(found)


def test_a_game_with_undo_is_reviewed_as_if_only_what_stands_had_been_played() -> None:
    straight = played(moves=14)
    game, player = Game(seed=5, starter=0), make("greedy", 0)
    for number in range(14):
        if number in {0, 3, 11}:  # the last time a round is over, and the next one dealt
            for _ in range(2):
                game.play(game.legal_moves[-1])
            for _ in range(2):
                game.undo()
        game.play(player.choose(game, Limits()).move)
    found = review(game.record(), nodes=NODES)
    assert len(found.deals) == 2
    assert found == review(straight.record(), nodes=NODES)
    check_receipts(found)


@pytest.mark.parametrize("wall", ["std", "gray"])
def test_the_record_of_a_table_with_undo_is_reviewed(wall: Wall) -> None:
    logic, choice = Logic(["here", "computer"], wall), random.Random(1)
    undone = 0
    while logic.table.game.public.round < 3:
        if undone < 4 and 0 in encoding.you(logic.table, range(2)).undo:
            logic.undo(0)
            undone += 1
        logic.decide(logic.table.waiting[0], choice)
    record = read_record(logic.table.record().text())
    found = review(record, nodes=NODES)
    assert undone == 4
    assert found.fault is None
    assert len(found.deals) == 3
    assert len(found.decisions) + len(found.deals) == len(record.entries)
    check_receipts(found)


def test_a_game_without_a_move_has_an_empty_receipt() -> None:
    found = review(Game(seed=1).record(), nodes=NODES)
    assert len(found.deals) == 1
    check_receipts(found)
    none: Record = Game.undealt().record()
    assert not review(none, nodes=NODES).deals


def test_a_review_that_is_stopped_tells_what_it_knows() -> None:
    told: list[tuple[int, int]] = []
    record = played(moves=30).record()
    found = review(
        record, nodes=2000, workers=1, tell=lambda *now: told.append(now), stop=lambda: bool(told) and told[-1][0] >= 5
    )
    assert 0 < len(found.decisions) < 30
    check_receipts(found)
    assert told[0][0] == 0
    assert {total for _, total in told} == {len(record.entries) + 1}
