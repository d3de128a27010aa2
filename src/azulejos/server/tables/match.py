"""The game at a table: decisions in, happenings out, with committed deals and hidden tiling choices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from azulejos.game import happening as h
from azulejos.game.dealer import Dealer
from azulejos.game.game import Game
from azulejos.game.moves import Move
from azulejos.game.view import Wall
from azulejos.server.tables.choices import Own, own, with_others_done


class Decision(NamedTuple):
    """Who decided what."""

    seat: int
    """Who."""
    move: Move
    """What."""
    person: bool
    """And not a computer."""


class Match:
    """A game from its first deal on; changed only by `decide`."""

    __slots__ = ("_dealer", "_starter", "decisions", "game", "hidden", "played")

    def __init__(self, players: int, wall: Wall, starter: int, dealer: Dealer) -> None:
        self._dealer, self._starter = dealer, starter
        self.game = Game(players, wall, seed=0, starter=starter).from_start()
        """The game as far as everybody has seen it."""
        self.game.play(dealer.deal(self.game.states))
        self.decisions: list[Decision] = []
        """All that still stand, in the order in which they were made."""
        self.hidden: dict[int, list[Move]] = {}
        """Tiling choices that only their own seat knows."""
        self.played: list[h.Happening] = []
        """All that everybody has seen."""

    def copy(self) -> Match:
        """An independent match with the same past and the same deals to come."""
        match = Match.__new__(Match)
        match._dealer, match._starter = self._dealer, self._starter
        match.game = self.game.copy()
        match.decisions = self.decisions.copy()
        match.hidden = {seat: moves.copy() for seat, moves in self.hidden.items()}
        match.played = self.played.copy()
        return match

    def replayed(self, decisions: Iterable[Decision]) -> Match:
        """The match with the same deals and these decisions instead."""
        match = Match(self.game.players, self.game.wall, self._starter, self._dealer)
        for decision in decisions:
            match.decide(decision)
        return match

    @property
    def is_choosing(self) -> bool:
        """Whether tiling choices are being made."""
        return self.game.phase == "t"

    @property
    def waiting(self) -> list[int]:
        """The seats that have to decide: one, or all that still have a tiling choice."""
        if self.game.is_over:
            return []
        if not self.is_choosing:
            return [self.game.seat]
        return [seat for seat in range(self.game.players) if self.own(seat).moves]

    def own(self, seat: int) -> Own:
        """What a seat sees while tiling choices are made."""
        return own(self.game, seat, self.hidden.get(seat, ()))

    def position_for(self, seat: int) -> str:
        """The position line for a seat that has to decide, without what others chose unseen."""
        if not self.is_choosing:
            return self.game.position
        return with_others_done(self.game, seat, self.hidden.get(seat, ())).position

    def decide(self, decision: Decision) -> list[h.Happening]:
        """Carry out a legal decision; nothing happens yet while others still have to choose."""
        self.decisions.append(decision)
        if not decision.move.is_tiling:
            return [self._play(decision.move)]
        self.hidden.setdefault(decision.seat, []).append(decision.move)
        if self.waiting:
            return []
        return list(self._reveal())

    def _reveal(self) -> Iterable[h.Happening]:
        """All choices at once, in the order of the engine."""
        choices = {seat: iter(moves) for seat, moves in self.hidden.items()}
        self.hidden = {}
        while self.is_choosing:
            yield self._play(next(choices[self.game.seat]))

    def _play(self, move: Move) -> h.Happening:
        happening = self.game.play(move)
        if self.game.phase == "r":
            deal = self._dealer.deal(self.game.states)
            self.game.play(deal)
            happening = replace(happening, deal=deal)
        self.played.append(happening)
        return happening
