"""Whole games, played by hypothesis: what must hold after every action holds."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from azulejos import Deal, Game, IllegalMove, Move
from azulejos.game.happening import Happening, Tiled
from azulejos.game.moves import MOVES
from azulejos.game.preview import Preview
from azulejos.game.refusal import REASONS
from azulejos.game.view import WALLS, Wall
from azulejos.rules import state as s
from azulejos.rules.turn import is_legal, legal_actions, legal_mask
from tests.positions import position
from tests.reference import Reference


def drawn_deal(game: Game, seed: int) -> str:
    """A deal drawn tile by tile as the rules say it: the bag to its end, then the lid."""
    rng = random.Random(seed)
    bag, lid = (list("".join(c * n for c, n in zip("BYRKW", counts, strict=True))) for counts in bag_and_lid(game))
    displays = []
    for _ in range(2 * game.players + 1):
        display = ""
        while len(display) < 4 and (bag or lid):
            if not bag:
                bag, lid = lid, bag
            display += bag.pop(rng.randrange(len(bag)))
        displays.append("".join(f"{c}{display.count(c)}" for c in "BYRKW" if c in display).replace("1", "") or "-")
    return "=" + "/".join(displays)


def bag_and_lid(game: Game) -> tuple[list[int], list[int]]:
    state = game.states[0]
    return state["bag"].tolist(), state["lid"].tolist()


def bytes_of(game: Game) -> bytes:
    return game.states.tobytes()


def without_stream(states: s.States) -> bytes:
    """The record apart from what a position line does not say."""
    states["rng"] = 0
    states["max_rounds"] = 0
    return states.tobytes()


def check_points(before: Game, happening: Happening, after: Game) -> None:
    """Score after = max(0, before + tile points - penalty) + bonus; without the floor yet, before + tile points."""
    for seat in range(before.players):
        score = before.scores[seat]
        score += sum(event.points for event in happening.tiling if isinstance(event, Tiled) and event.seat == seat)
        for floor in happening.floors:
            if floor.seat == seat:
                assert floor.lost == min(score, floor.penalty)
                score = max(0, score - floor.penalty)
        score += sum(bonus.points for bonus in happening.bonuses if bonus.seat == seat)
        assert score == after.scores[seat]


def check_preview(preview: Preview, before: Game, happening: Happening) -> None:
    """The preview is what then happens."""
    first = happening.tiling[0] if happening.tiling else None
    drafted = happening.drafted
    if drafted is None:
        assert isinstance(first, Tiled)
        assert preview.points == first.points
        assert preview.columns == (first.column,)
        return
    assert (preview.taken, preview.placed, preview.dropped, preview.marker) == (
        drafted.taken,
        drafted.placed,
        drafted.dropped,
        drafted.marker,
    )
    mine = [event for event in happening.tiling if event.seat == before.seat and event.row == drafted.line]
    if before.wall == "std" and mine:
        (tiled,) = mine
        assert isinstance(tiled, Tiled)
        assert preview.completes
        assert preview.columns == (tiled.column,)
        assert preview.points == tiled.points


class WholeGame(RuleBasedStateMachine):
    """One game and the reference beside it."""

    @initialize(
        players=st.integers(2, 4),
        wall=st.sampled_from(WALLS),
        seed=st.integers(0, 2**64 - 1),
        limit=st.sampled_from([None, None, 1, 3, 8]),
        deals_itself=st.booleans(),
    )
    def start(self, players: int, wall: Wall, seed: int, limit: int | None, deals_itself: bool) -> None:
        self.limit = limit
        if deals_itself:
            self.game = Game(players, wall, seed=seed, max_rounds=limit)
        else:
            line = position(players=players, wall=wall, turn="r1", played="1@1", bag="B20Y20R20K20W20")
            self.game = Game.from_position(line, max_rounds=limit)

    @precondition(lambda self: self.game.legal_moves)
    @rule(pick=st.integers(0, 2**16))
    def play_one(self, pick: int) -> None:
        legal = self.game.legal_moves
        self.check_play(legal[pick % len(legal)])

    @precondition(lambda self: self.game.legal_moves)
    @rule(picks=st.lists(st.integers(0, 2**16), min_size=5, max_size=30))
    def play_on(self, picks: list[int]) -> None:
        """Some moves that waste little, so that games get far."""
        for pick in picks:
            legal = self.game.legal_moves
            if not legal:
                return
            tidy = [move for move in legal if move.is_tiling or not self.game.preview(move).dropped]
            self.check_play((tidy or legal)[pick % len(tidy or legal)])
            self.tiles_are_conserved()
            self.cached_fields_are_right()

    @precondition(lambda self: self.game.phase == "r")
    @rule(seed=st.integers(0, 2**32))
    def deal(self, seed: int) -> None:
        before = bytes_of(self.game)
        deal = drawn_deal(self.game, seed)
        happening = self.game.play(deal)
        assert happening == Happening(Deal.parse(deal), None)
        after = bytes_of(self.game)
        self.game.undo()
        assert bytes_of(self.game) == before
        self.game.play(deal)
        assert bytes_of(self.game) == after

    @rule(number=st.integers(0, 324))
    def play_illegal(self, number: int) -> None:
        move = Move.from_id(number)
        refusal = self.game.why_illegal(move)
        if refusal is None:
            return
        before, history = bytes_of(self.game), self.game.history
        with pytest.raises(IllegalMove) as caught:
            self.game.play(move)
        assert caught.value.code in REASONS
        assert caught.value.code == refusal.code
        assert str(refusal) in str(caught.value)
        assert (bytes_of(self.game), self.game.history) == (before, history)

    def check_play(self, move: Move) -> None:
        """Play a move, with the reference beside it; take it back and play it again."""
        before, preview = self.game.copy(), self.game.preview(move)
        reference = Reference(before.view, self.limit)
        happening = self.game.play(move)
        reference.play(str(move))
        check_points(before, happening, self.game)
        check_preview(preview, before, happening)
        self.check_reference(reference, happening)
        after = bytes_of(self.game)
        assert self.game.undo() == move
        assert bytes_of(self.game) == bytes_of(before)
        assert self.game.history == before.history
        assert self.game.play(move) == happening
        assert bytes_of(self.game) == after

    def check_reference(self, reference: Reference, happening: Happening) -> None:
        if happening.deal is None:
            assert self.game.view == reference.view()
            assert bag_and_lid(self.game)[1] == [reference.lid.count(color) for color in "BYRKW"]
        else:
            assert reference.phase == "r"
            assert self.game.view.boards == reference.view().boards
            assert (self.game.round, self.game.starter) == (reference.round, reference.starter)

    @invariant()
    def tiles_are_conserved(self) -> None:
        state = self.game.states[0]
        total = state["bag"] + state["lid"] + state["displays"].sum(axis=0) + state["floor"].sum(axis=0)
        for seat in range(4):
            for row in range(5):
                total[state["line_color"][seat, row]] += state["line_count"][seat, row]
            for color in range(5):
                total[color] += int(state["wall"][seat, color]).bit_count()
        assert total.tolist() == [20] * 5
        assert all((state[field] >= 0).all() for field in ("bag", "lid", "displays", "floor", "line_count", "score"))

    @invariant()
    def the_marker_is_in_one_place(self) -> None:
        view = self.game.view
        assert view.marker + sum(board.marker for board in view.boards) == 1

    @invariant()
    def cached_fields_are_right(self) -> None:
        state: Any = self.game.states[0]
        for color in range(5):
            held = sum(1 << source for source in range(10) if state["displays"][source, color])
            assert state["holds"][color] == held
            for seat, player in enumerate(Reference(self.game.view).seats):
                accepted = sum(1 << row for row in range(5) if player.accepts(row, "BYRKW"[color]))
                assert state["open"][seat, color] == accepted | 1 << 5

    @invariant()
    def the_position_line_reads_back(self) -> None:
        again = Game.from_position(self.game.position)
        assert again.position == self.game.position
        assert without_stream(again.states) == without_stream(self.game.states)

    @invariant()
    def all_ways_to_ask_for_legal_moves_agree(self) -> None:
        states = self.game.states
        mask, actions = np.zeros(s.ACTIONS, np.uint8), np.zeros(256, np.int16)
        legal_mask(states[0], mask)
        listed = [move.id for move in self.game.legal_moves]
        assert actions[: legal_actions(states[0], actions)].tolist() == listed
        assert np.flatnonzero(mask).tolist() == listed
        assert [move.id for move in MOVES if self.game.why_illegal(move) is None] == listed
        assert [number for number in range(-3, s.ACTIONS + 3) if is_legal(states[0], number)] == listed
        assert {str(MOVES[number]) for number in listed} == Reference(self.game.view).legal()
        assert bool(listed) == (self.game.phase in "dt")
        assert len(listed) <= {2: 120, 3: 168, 4: 216}[self.game.players]

    @invariant()
    def no_row_is_complete_while_drafting(self) -> None:
        if self.game.phase in "dr":
            assert all(None in row for board in self.game.view.boards for row in board.wall)

    @invariant()
    def the_outcome_is_there_when_the_game_is_over(self) -> None:
        outcome = self.game.outcome
        assert (outcome is not None) == self.game.is_over == (self.game.phase == "e")
        if outcome is not None:
            rows = [sum(None not in row for row in board.wall) for board in self.game.view.boards]
            keys = list(zip(self.game.scores, rows, strict=True))
            assert outcome.winners == tuple(seat for seat, key in enumerate(keys) if key == max(keys))
            assert (outcome.reason == "row") == any(rows)
            assert outcome.reason != "round_limit" or self.game.round == self.limit


TestWholeGame = WholeGame.TestCase
TestWholeGame.settings = settings(max_examples=120, stateful_step_count=25)


@pytest.mark.parametrize("wall", WALLS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_to_the_end_agree_with_the_reference(players: int, wall: Wall) -> None:
    """Complete games of players who waste little, every position beside the rules in plain words."""
    rng = random.Random(players)
    for seed in range(12):
        game = Game(players, wall, seed=seed)
        while not game.is_over:
            legal = game.legal_moves
            tidy = [move for move in legal if move.is_tiling or not game.preview(move).dropped]
            move = rng.choice(tidy or legal)
            reference = Reference(game.view)
            assert {str(move) for move in legal} == reference.legal()
            reference.play(str(move))
            happening = game.play(move)
            after = reference.view()
            assert game.view.boards == after.boards
            if happening.deal is None:
                assert game.view == after
                assert bag_and_lid(game)[1] == [reference.lid.count(color) for color in "BYRKW"]
        assert game.outcome is not None
        assert game.outcome.reason == "row"
        assert game.round >= 5
