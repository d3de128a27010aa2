"""The game at a table: decisions in, happenings out, with committed deals and hidden tiling choices."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from azulejos.game.dealer import Dealer
from azulejos.game.errors import IllegalMove, InvalidNotation
from azulejos.game.game import Game
from azulejos.game.happening import Happening
from azulejos.game.moves import Move
from azulejos.game.view import Phase, Wall
from azulejos.server.tables.choices import Own, own, with_others_done
from azulejos.server.tables.refusal import Refuse


class Decision(NamedTuple):
    """Who decided what, and what came of it."""

    seat: int
    """Who decided."""
    move: Move
    """What was decided."""
    person: bool
    """Whether a person decided, and not a computer."""
    plays: int
    """Moves that were played because of it: none for a hidden choice, all hidden ones with the last of them."""


class TableGame:
    """A game from its first deal or from a given position on, changed only by `decide` and `undo`."""

    __slots__ = ("decisions", "log", "public")

    def __init__(self, players: int, wall: Wall, starter: int, dealer: Dealer, position: str = "") -> None:
        self.public = (
            Game.from_position(position, dealer=dealer)
            if position
            else Game(players, wall, starter=starter, dealer=dealer)
        )
        """The game as far as everybody has seen it."""
        self.decisions: list[Decision] = []
        """All that still stand, in the order in which they were made."""
        self.log: list[Happening] = []
        """What every move did that everybody has seen."""

    def copy(self) -> TableGame:
        """An independent game with the same past and the same deals to come."""
        game = TableGame.__new__(TableGame)
        game.public, game.decisions, game.log = self.public.copy(), self.decisions.copy(), self.log.copy()
        return game

    @property
    def is_choosing(self) -> bool:
        """Whether tiling choices are being made."""
        return self.public.phase is Phase.TILING

    @property
    def waiting(self) -> list[int]:
        """The seats that have to decide: one, or all that still have a tiling choice."""
        if self.is_choosing:
            return [seat for seat in range(self.public.players) if self.own(seat).moves]
        return [] if self.public.seat is None else [self.public.seat]

    def hidden(self, seat: int) -> list[Move]:
        """The tiling choices of a seat that only it knows."""
        unseen = takewhile(lambda decision: not decision.plays, reversed(self.decisions))
        return [decision.move for decision in unseen if decision.seat == seat][::-1]

    def own(self, seat: int) -> Own:
        """What a seat sees while tiling choices are made."""
        return own(self.public, seat, self.hidden(seat))

    def seen_by(self, seat: int) -> Game:
        """The game for a seat that has to decide, without what others chose unseen; not to be changed."""
        return with_others_done(self.public, seat, self.hidden(seat)) if self.is_choosing else self.public

    def decide(self, seat: int, text: str, *, person: bool) -> list[Happening]:
        """Carry out a decision of a seat whose turn it is; nothing happens yet while others still have to choose.

        Raises `Refuse` if that is no legal move.
        """
        try:
            move = Move.parse(text)
            happenings = list(self._choose(seat, move)) if self.is_choosing else [self.public.play(move)]
        except InvalidNotation:
            raise Refuse("bad_move", move=text) from None
        except IllegalMove as fault:
            raise Refuse(fault.code, **fault.arguments) from None
        self.decisions.append(Decision(seat, move, person, len(happenings)))
        self.log += happenings
        return happenings

    def _choose(self, seat: int, move: Move) -> Iterator[Happening]:
        """Make a hidden choice; after the last one all are played at once, in the order of the rules."""
        self.own(seat).check(move)
        chosen = {each: self.hidden(each) for each in range(self.public.players)}
        chosen[seat].append(move)
        if any(own(self.public, each, moves).moves for each, moves in chosen.items()):
            return
        while self.is_choosing and self.public.seat is not None:
            yield self.public.play(chosen[self.public.seat].pop(0))

    def undo(self, part: slice) -> list[Decision]:
        """Take back these decisions, which `undo.decisions_of` has found; returns them."""
        gone = self.decisions[part]
        del self.decisions[part]
        for _ in range(sum(decision.plays for decision in gone)):
            self.public.undo()
            self.log.pop()
        return gone
