"""Who deals: a seed, a dealer from outside, or whoever gives deals as moves; which games are the same; and who acts."""

from __future__ import annotations

import random
from typing import Any

import pytest

from azulejos import Deal, Dealer, Game, IllegalMove, Move
from azulejos.game.view import Phase


def test_an_undealt_game_waits_for_its_first_deal() -> None:
    game = Game.undealt(3, "gray", starter=2, max_rounds=4)
    assert (game.players, game.wall, game.seat, game.phase, game.history) == (3, "gray", 2, Phase.DEAL_DUE, ())
    with pytest.raises(IllegalMove, match="a deal is due"):
        _ = game.turn
    with pytest.raises(ValueError, match="starter must be"):
        Game.undealt(3, starter=3)


class Cards:
    """Deals the same game again."""

    def __init__(self, deals: list[Deal]) -> None:
        self.left = deals

    def deal(self, _states: Any) -> Deal:
        return self.left.pop(0)


def test_a_dealer_is_asked_for_every_deal() -> None:
    model, rng = Game(seed=5, starter=1), random.Random(5)
    while not model.is_over:
        model.play(rng.choice(model.legal_moves))
    deals = [play for play in model.history if isinstance(play, Deal)]
    moves = [play for play in model.history if isinstance(play, Move)]
    game = Game(starter=1, dealer=Cards(deals.copy()))
    dealt = [happening.deal for happening in map(game.play, moves) if happening.deal]
    assert dealt == deals[1:]
    assert game == model
    assert game.scores == model.scores


def test_a_dealer_cannot_deal_what_is_not_there() -> None:
    with pytest.raises(IllegalMove, match="displays instead of 5"):
        Game(dealer=Cards([Deal.parse("=B4")]))
    with pytest.raises(ValueError, match="by a seed or by a dealer"):
        Game(seed=1, dealer=Dealer())


def test_a_dealer_deals_an_undone_round_again() -> None:
    game = Game(dealer=Dealer(bytes(32)), starter=0)
    while game.round == 1:
        last = game.legal_moves[0]
        game.play(last)
    after = game.copy()
    game.undo()
    game.play(last)
    assert game == after


def test_equal_games_had_the_same_start_and_the_same_history() -> None:
    one, other = Game(seed=3, starter=0), Game(seed=3, starter=0)
    assert one == other
    one.play(one.legal_moves[0])
    assert one != other
    one.undo()
    assert one == other
    assert one != Game(seed=3, starter=0, max_rounds=5)
    assert one != Game.from_position(one.position)
    assert one != "a game"


def test_what_players_may_see_has_no_deals_to_come() -> None:
    game = Game(seed=3)
    seen = game.public_copy()
    assert seen == game
    while seen.phase is Phase.DRAFTING:
        seen.play(seen.legal_moves[0])
    assert seen.phase is Phase.DEAL_DUE
    assert int(seen.states[0]["rng"]) == 0


def test_nobody_acts_when_the_game_is_over() -> None:
    game = Game(seed=2, max_rounds=1)
    while not game.is_over:
        assert game.seat == game.turn
        game.play(game.legal_moves[0])
    assert game.seat is None
    assert game.view.seat is None
    with pytest.raises(IllegalMove, match="the game is over"):
        _ = game.turn
