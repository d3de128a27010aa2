"""Who sits where, over which tiles."""

from __future__ import annotations

from itertools import combinations

import pytest

from azulejos.arena.match import MatchPlan
from azulejos.arena.plan import rotations
from azulejos.arena.tournament import TournamentPlan
from azulejos.game.arguments import MAX_SEED


def test_a_pair_is_one_deal_with_the_seats_swapped() -> None:
    tasks = MatchPlan(("a", "b"), games=4, seed=7).tasks()
    assert [(task.pair, task.rotation, task.seats, task.seed) for task in tasks] == [
        (0, 0, (0, 1), 7),
        (0, 1, (1, 0), 7),
        (1, 0, (0, 1), 8),
        (1, 1, (1, 0), 8),
    ]
    assert [task.specs for task in tasks[:2]] == [("a", "b"), ("b", "a")]


@pytest.mark.parametrize(("players", "games", "played"), [(2, 1, 2), (2, 5, 6), (3, 4, 6), (4, 8, 8), (4, 9, 12)])
def test_games_are_rounded_up_to_whole_rotations(players: int, games: int, played: int) -> None:
    assert len(MatchPlan(("a", "b"), games, players).tasks()) == played


def test_three_contestants_rotate() -> None:
    assert MatchPlan(("a", "b", "c"), players=3).seatings() == [(0, 1, 2), (2, 0, 1), (1, 2, 0)]


def test_four_contestants_have_every_seat_once() -> None:
    seatings = rotations(range(4))
    assert [sorted(seating) for seating in zip(*seatings, strict=True)] == [[0, 1, 2, 3]] * 4


def test_one_against_the_field_has_every_seat_in_turn() -> None:
    plan = MatchPlan(("a", "b"), players=4)
    assert plan.seatings() == [(0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)]


def test_a_player_keeps_its_seed_through_the_match_and_copies_of_it_differ() -> None:
    seeds = {
        (seat_of, task.seats[:seat].count(seat_of), task.player_seeds[seat])
        for task in MatchPlan(("a", "b"), games=8, players=4).tasks()
        for seat, seat_of in enumerate(task.seats)
    }
    assert len(seeds) == 4
    assert len({seed for _, _, seed in seeds}) == 4


def test_seeds_go_round_at_the_end() -> None:
    assert [task.seed for task in MatchPlan(("a", "b"), games=4, seed=MAX_SEED).tasks()] == [MAX_SEED, MAX_SEED, 0, 0]


@pytest.mark.parametrize(("contestants", "players"), [(1, 2), (3, 2), (4, 2), (3, 4), (4, 3)])
def test_a_table_that_cannot_be_filled_evenly_is_refused(contestants: int, players: int) -> None:
    with pytest.raises(ValueError, match=f"{contestants} contestants for a table of {players}"):
        MatchPlan(tuple("abcd"[:contestants]), players=players)


def test_in_a_tournament_every_two_meet_equally_often_over_deals_of_their_own() -> None:
    tasks = TournamentPlan(tuple("abcd"), games=4, seed=3).tasks()
    assert len(tasks) == 4 * 6
    for two in combinations(range(4), 2):
        met = [task.seats for task in tasks if set(task.seats) == set(two)]
        assert met == [two, two[::-1]] * 2
    assert [task.seed for task in tasks] == [3 + task.pair for task in tasks]


def test_larger_tables_of_a_tournament_are_drawn_by_lot_and_rotate() -> None:
    plan = TournamentPlan(tuple("abcde"), games=60, players=4, seed=3)
    assert plan.tables() == TournamentPlan(tuple("abcde"), games=60, players=4, seed=3).tables()
    assert len(set(map(frozenset, plan.tables()))) == 5
    first = plan.tasks()[:4]
    assert [task.seats for task in first] == rotations(plan.tables()[0])
    assert {task.seed for task in first} == {3}


def test_a_tournament_needs_enough_contestants_with_different_names() -> None:
    with pytest.raises(ValueError, match="at least 4"):
        TournamentPlan(tuple("abc"), players=4)
    with pytest.raises(ValueError, match="'a' is named twice"):
        TournamentPlan(("a", "b", "a"))
