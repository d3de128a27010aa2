"""D7: the tiling choices of the gray wall, which all seats make at the same time and unseen by the others.

Boards do not interact while they are tiled, so what a seat may choose follows from the position before and from its
own choices alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from azulejos.game.game import Game
from azulejos.game.moves import MOVES, Move
from azulejos.game.refusal import refusal_of_move, refuse
from azulejos.game.view import Board, view_of
from azulejos.rules import batch, turn
from azulejos.rules import state as s


@dataclass(frozen=True, slots=True)
class Own:
    """A tiling phase as one seat sees it: with its own choices made and nobody else's."""

    seat: int
    """The seat whose view it is."""
    states: s.States
    """The state with this seat's choices made, as an array of one record."""
    moves: tuple[Move, ...]
    """What it may choose next; nothing when it is done."""

    @property
    def board(self) -> Board:
        """The seat's board after its choices; the floor is still to be scored."""
        return view_of(self.states).boards[self.seat]

    def check(self, move: Move) -> None:
        """Raise `IllegalMove` unless the seat may choose this next."""
        if move not in self.moves:
            raise (refusal_of_move(self.states, move) or refuse("nothing_to_tile")).error(move)


def own(game: Game, seat: int, chosen: Sequence[Move]) -> Own:
    """What a seat sees after it has chosen these."""
    states = game.states
    states[0]["seat"] = seat
    done = _settle(states)
    for move in chosen:
        batch.act_one(states, 0, move.id)
        done = _settle(states)
    if done:
        states[0]["phase"], states[0]["seat"] = s.TILING, seat
        return Own(seat, states, ())
    actions = np.zeros(s.MOST_LEGAL, np.int16)
    count = batch.legal_one(states, 0, actions)
    return Own(seat, states, tuple(MOVES[action] for action in actions[:count].tolist()))


def _settle(states: s.States) -> bool:
    """Tile what the acting seat need not choose; returns whether nothing is left to it."""
    while True:
        kind = batch.advance_one(states, 0)[0]
        if kind in (turn.NOTHING, turn.PASSED_ON):
            return bool(kind == turn.PASSED_ON)


def with_others_done(game: Game, seat: int, chosen: Sequence[Move]) -> Game:
    """A copy in which it is this seat's turn to choose, for a computer to look at: the seats before it chose anything.

    Nothing of what the others really chose is in it.
    """
    copy = game.copy()
    while copy.seat != seat:
        copy.play(copy.legal_moves[0])
    for move in chosen:
        copy.play(move)
    return copy
