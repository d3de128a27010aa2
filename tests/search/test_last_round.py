"""Where the search by hand is better at last rounds, `net` leaves them to it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from azulejos import Game
from azulejos.game.view import Wall
from azulejos.players import greedy, searching
from azulejos.players.player import Limits
from azulejos.search.evaluators import ByHand
from azulejos.search.searcher import Searcher
from azulejos.search.solver import MOST_GROUPS, groups_on_offer

TABLES = sorted(searching.LAST_ROUNDS_BY_HAND)


def rounds(players: int, wall: Wall) -> list[Game]:
    """A game at the beginning of each of its rounds."""
    game = Game(players, wall, seed=3)
    starts: list[Game] = []
    while not game.is_over:
        if len(starts) < game.view.round:
            starts.append(game.copy())
        game.play(greedy.choose(game))
    return starts


@pytest.mark.parametrize("wall", ["std", "gray"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_end_is_seen_coming(players: int, wall: Wall) -> None:
    starts = rounds(players, wall)
    assert len(starts) >= 5
    seen = [ByHand().expects_the_end(start.states) for start in starts]
    assert not any(seen[:3])
    assert seen[-1]
    assert all(later or not earlier for earlier, later in pairwise(seen))


@pytest.mark.parametrize(("players", "wall"), TABLES)
def test_last_rounds_are_searched_by_hand_and_others_are_not(
    players: int, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *_, last = rounds(players, wall)
    assert groups_on_offer(last.states[0]) > MOST_GROUPS, "not solved at once"
    used: list[Searcher] = []
    search = Searcher.search

    def noted(self: Searcher, *args: Any, **more: Any) -> Any:
        used.append(self)
        return search(self, *args, **more)

    monkeypatch.setattr(Searcher, "search", noted)
    for rest, by_hand in (("", True), ("handover=no", False)):
        player = searching.make_net(rest, 1)
        for game, expected in ((first, False), (last, by_hand)):
            assert player.search(game, Limits(milliseconds=30)).candidates
            assert used[-1] is player._searchers[players, wall, expected]


def test_a_limit_of_positions_is_kept_with_the_network() -> None:
    """By hand they would be worth less."""
    last = rounds(3, "gray")[-1]
    one, other = (searching.make_net(rest, 1).search(last, Limits(nodes=60)) for rest in ("", "handover=no"))
    assert one.candidates == other.candidates


def test_a_spec_says_yes_or_no() -> None:
    with pytest.raises(ValueError, match="handover"):
        searching.make_net("handover=perhaps", 1)
