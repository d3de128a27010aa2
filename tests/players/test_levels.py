"""The levels and full strength: they answer soon everywhere, and what is said of their strength was measured."""

from __future__ import annotations

import json
import time
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from azulejos import Game
from azulejos.game.view import Wall
from azulejos.net import choice
from azulejos.players import levels
from azulejos.players.levels import ELSEWHERE, FULL_STRENGTH, LEVELS, OPPONENTS, RATINGS, Level, measured_ratings
from azulejos.players.player import Limits
from azulejos.players.registry import make

PAGE = Path(__file__).parents[2] / "docs" / "levels.md"


def stored() -> list[dict[str, Any]]:
    text = resources.files("azulejos.players").joinpath(RATINGS).read_text("utf-8")
    matches: list[dict[str, Any]] = json.loads(text)["matches"]
    return matches


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.spec)
def test_a_level_answers_soon_at_every_table(level: Level) -> None:
    player, worst = make(level.spec), 0.5 if level.number <= 4 else 5.0
    tables: list[tuple[int, Wall]] = [(2, "std"), (3, "gray"), (4, "std")]
    for players, wall in tables:
        game = Game(players, wall, seed=players)
        player.choose(game, Limits())  # the first makes room for such games
        times = []
        for _ in range(8):
            started = time.perf_counter()
            game.play(player.choose(game, Limits()).move)
            times.append(time.perf_counter() - started)
        assert min(times) < worst  # other programs run here too


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.spec)
def test_a_level_is_the_player_it_is_said_to_be(level: Level) -> None:
    one, other, game = make(level.spec, seed=4), make(level.same_as, seed=4), Game(seed=4)
    for _ in range(4):
        move = one.choose(game, Limits()).move
        assert other.choose(game, Limits()).move == move
        game.play(move)


def test_without_weights_the_top_levels_look_at_more_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "WEIGHTS", {})
    for level in LEVELS[6:]:
        assert int(make(level.spec).choose(Game(seed=5), Limits()).why.split()[0]) > LEVELS[5].nodes


@pytest.mark.parametrize(("players", "wall"), [(2, "gray"), (3, "std"), (3, "gray"), (4, "std"), (4, "gray")])
def test_the_top_levels_look_at_more_positions_where_the_network_knows_less(players: int, wall: Wall) -> None:
    for level in LEVELS[6:]:
        player = make(level.spec)
        there = player.choose(Game(players, wall, seed=5), Limits())
        nodes = ELSEWHERE[level.number].nodes
        assert nodes > level.nodes
        assert there.why.startswith(f"{nodes} positions")
        assert player.choose(Game(seed=5), Limits()).why.startswith(f"{level.nodes} positions")
        same = f"net:nodes={nodes},temperature={ELSEWHERE[level.number].temperature}"
        assert make(same).choose(Game(players, wall, seed=5), Limits()).win == there.win


def test_each_level_was_measured_as_it_is_now_and_the_step_is_right() -> None:
    matches = {tuple(match["specs"]): match for match in stored()}
    for below, above in pairwise(LEVELS):
        match = matches[above.spec, below.spec]
        assert [way.partition(" with ")[0] for way in match["how"]] == [above.same_as, below.same_as]
        pairs = match["pairs"]
        assert sum(pairs) >= 100
        assert 0.60 <= sum(at * count for at, count in enumerate(pairs)) / (4 * sum(pairs)) <= 0.75


def test_ratings_rise_and_the_page_has_them() -> None:
    ratings = [level.rating for level in LEVELS]
    assert ratings[0] == 1000
    assert ratings == sorted(ratings)
    page = PAGE.read_text("utf-8")
    for level in LEVELS:
        assert f"| {level.spec} | `{level.same_as}` | {measured_ratings()[level.spec]} |" in page


# --- full strength


def test_full_strength_comes_after_the_levels_and_is_none_of_them() -> None:
    assert [opponent.number for opponent in OPPONENTS] == [*range(1, len(LEVELS) + 1), 100]
    assert len({opponent.spec for opponent in OPPONENTS}) == len(OPPONENTS)
    assert OPPONENTS[-1] is FULL_STRENGTH


@pytest.mark.parametrize("wall", ["std", "gray"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_full_strength_takes_its_second(players: int, wall: Wall) -> None:
    player, limits = make(FULL_STRENGTH.spec), Limits(milliseconds=FULL_STRENGTH.milliseconds)
    game = Game(players, wall, seed=players)
    started = time.perf_counter()
    game.play(player.choose(game, limits).move)
    assert time.perf_counter() - started > 0.9


def test_full_strength_has_the_rating_that_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    rating = measured_ratings()[FULL_STRENGTH.spec]
    assert FULL_STRENGTH.rating == rating > LEVELS[-1].rating
    assert f"| {FULL_STRENGTH.spec} |  | {rating} |" in PAGE.read_text("utf-8")
    monkeypatch.setattr(levels, "measured_ratings", dict)
    assert FULL_STRENGTH.rating is None
