"""All players: whole legal games everywhere, limits kept, clear refusals."""

from __future__ import annotations

import time

import pytest

from azulejos import Game, IllegalMove
from azulejos.game.view import Wall
from azulejos.players.player import ImpossibleLimit, Limits, Player
from azulejos.players.registry import make, names

SPECS = ["random", "greedy", "search:nodes=30", "search:nodes=30,temperature=0.7", "net:nodes=20"]
SPECS += ["search:nodes=40,threads=2", "net:nodes=30,threads=3"]


@pytest.fixture(scope="module", params=SPECS)
def player(request: pytest.FixtureRequest) -> Player:
    return make(request.param, seed=1)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("wall", ["std", "gray"])
def test_whole_games_are_played(player: Player, players: int, wall: Wall) -> None:
    game = Game(players, wall, seed=players, max_rounds=12)
    moves = 0
    while not game.is_over:
        choice = player.choose(game, Limits())
        assert choice.move in game.legal_moves
        assert not choice.win or sum(choice.win) == pytest.approx(1, abs=1e-3)
        game.play(choice.move)
        moves += 1
    assert moves > 20


def test_the_players_there_are() -> None:
    assert {"greedy", "net", "random", "search"} <= set(names())


def test_the_same_seed_is_the_same_player() -> None:
    game = Game(seed=2)
    for spec in SPECS[:5]:
        one, two = (make(spec, seed=9).choose(game, Limits()).move for _ in range(2))
        assert one == two


def test_limits_of_the_spec_and_of_the_move_both_hold() -> None:
    player, game = make("search:nodes=100"), Game(seed=3)
    assert player.choose(game, Limits()).why.startswith("100 positions")
    assert player.choose(game, Limits(nodes=40)).why.startswith("40 positions")
    assert player.choose(game, Limits(nodes=400)).why.startswith("100 positions")


@pytest.mark.parametrize("spec", ["search", "net", "search:threads=4", "net:threads=4"])
def test_time_is_kept(spec: str) -> None:
    player, game, times = make(spec), Game(seed=3), []
    for _ in range(12):
        started = time.perf_counter()
        game.play(player.choose(game, Limits(milliseconds=60)).move)
        times.append(time.perf_counter() - started)
    assert min(times) < 0.6  # the bench measures closely; other programs run here too


@pytest.mark.parametrize("spec", SPECS[:3])
def test_nobody_chooses_in_a_finished_game_or_before_a_deal(spec: str) -> None:
    player = make(spec)
    game = Game(seed=1, max_rounds=1)
    before_deal = game.from_start()
    while not game.is_over:
        game.play(game.legal_moves[0])
    with pytest.raises(IllegalMove) as over:
        player.choose(game, Limits())
    assert over.value.code == "game_over"
    with pytest.raises(IllegalMove) as due:
        player.choose(before_deal, Limits())
    assert due.value.code == "deal_due"


@pytest.mark.parametrize(("nodes", "milliseconds"), [(0, None), (-1, None), (None, 0), (True, None), (1.5, None)])
def test_impossible_limits_are_refused(nodes: int | None, milliseconds: int | None) -> None:
    with pytest.raises(ImpossibleLimit, match=r"at least 1, not (0|-1|True|1\.5)"):
        Limits(nodes, milliseconds)


@pytest.mark.parametrize(
    ("spec", "named"),
    [
        ("nobody", "'nobody'.*greedy"),
        ("random:x=1", "'x=1'"),
        ("search:nodes", "'nodes'"),
        ("search:nodes=many", "'many'"),
        ("search:threads=0", "'0' as 'threads'.*from 1 to"),
        ("net:threads=100000", "'100000' as 'threads'.*from 1 to"),
        ("search:nodes=0", "'0' as 'nodes'.*from 1 to"),
        ("search:nodes=1000000000", "'1000000000' as 'nodes'.*from 1 to"),
        ("search:temperature=-1", "'-1' as 'temperature'.*from 0 to"),
        ("net:playouts=nan", "'nan' as 'playouts'.*from 0 to 1"),
        ("net:playouts=7", "'7' as 'playouts'.*from 0 to 1"),
        ("search:trusted=inf", "'inf' as 'trusted'.*from 0 to 1"),
        ("search:halving=-1", "'-1' as 'halving'.*from 0 to"),
        ("search:depth=3", "'depth=3'.*nodes="),
    ],
)
def test_a_spec_that_cannot_be_read_is_named(spec: str, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        make(spec)


def test_search_wins_against_greedy() -> None:
    search, greedy = make("search:nodes=400"), make("greedy")
    won = 0.0
    for number in range(12):
        game = Game(seed=number // 2, starter=0)
        while not game.is_over:
            player = search if game.seat == number % 2 else greedy
            game.play(player.choose(game, Limits()).move)
        outcome = game.outcome
        assert outcome is not None
        won += (number % 2 in outcome.winners) / len(outcome.winners)
    assert won >= 10
