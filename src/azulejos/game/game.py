"""A game in Python: the one face of the compiled rules. It validates, raises the errors and keeps the history."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal, Protocol, TypeAlias

import numpy as np

from azulejos.game.arguments import check_seed, check_whole, round_limit
from azulejos.game.errors import IllegalMove
from azulejos.game.happening import Happening, happening_of
from azulejos.game.moves import MOVES, Deal, Move
from azulejos.game.notation import read_position, write_position
from azulejos.game.preview import Preview, preview_of, previews_of
from azulejos.game.record import Record
from azulejos.game.refusal import Refusal, refusal_of_deal, refusal_of_move, refusals_of_lines, refuse
from azulejos.game.view import PHASES, WALLS, Phase, View, Wall, state_of, view_of
from azulejos.rules import batch, ending
from azulejos.rules import state as s
from azulejos.rules.happenings import MOST_HAPPENINGS, NUMBERS
from azulejos.rules.supply import deal_given, seed_stream, set_up

Reason: TypeAlias = Literal["row", "stalled", "round_limit"]
"""Why a game ended: a row was complete, nobody could do anything more, or the limit of rounds was reached."""

END_REASONS: Final[dict[int, Reason]] = {
    s.ENDED_BY_ROW: "row",
    s.ENDED_STALLED: "stalled",
    s.ENDED_BY_LIMIT: "round_limit",
}
"""The name of each reason that the state has a number for."""


class DealSource(Protocol):
    """Whoever deals for a game: a `Dealer`, or anything that knows which tiles come next."""

    def deal(self, states: s.States) -> Deal:
        """The deal that is due in a state."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    reason: Reason
    """Why the game ended."""
    winners: tuple[int, ...]
    """The seats that won; several share the victory."""
    scores: tuple[int, ...]
    """The final scores by seat, bonuses included."""


class Game:
    """A game for 2-4 players on the colored ("std") or the gray wall.

    >>> game = Game(players=2, seed=1, starter=0)
    >>> game.position
    'std BYKW/YRK2/Y2RK/BRKW/YR2W F 0:-/-/-/-/-:5/5/5/5/5:- 0:-/-/-/-/-:5/5/5/5/5:- B18Y15R15K15W17 d1 1@1'
    >>> game.play("2K3").drafted
    Drafted(source=2, color=3, line=2, taken=2, placed=2, dropped=0, to_lid=0, marker=False)
    >>> game.seat, len(game.legal_moves)
    (1, 96)
    """

    __slots__ = ("_dealer", "_fresh", "_history", "_noted", "_seeded", "_start", "_states", "_undo")

    def __init__(
        self,
        players: int = 2,
        wall: Wall = "std",
        seed: int | None = None,
        starter: int | None = None,
        max_rounds: int | None = None,
        *,
        dealer: DealSource | None = None,
    ) -> None:
        """Start a game with the first deal done; the same seed gives the same deals on every machine.

        A dealer is asked for every deal instead, the first included.
        """
        _check_table(players, wall, starter)
        states = np.zeros(1, s.STATE)
        first = -1 if starter is None else starter
        stream = check_seed(seed)
        batch.start_game_one(states, 0, players, WALLS.index(wall), stream, 0, first, round_limit(max_rounds))
        self._begin(states, seed, dealer, fresh=True)

    @classmethod
    def undealt(cls, players: int = 2, wall: Wall = "std", starter: int = 0, max_rounds: int | None = None) -> Game:
        """A game before its first deal, which waits for deals that are given as moves.

        >>> Game.undealt().position
        'std -/-/-/-/- F 0:-/-/-/-/-:5/5/5/5/5:- 0:-/-/-/-/-:5/5/5/5/5:- B20Y20R20K20W20 r1 1@1'
        """
        _check_table(players, wall, starter)
        states = np.zeros(1, s.STATE)
        set_up(states[0], players, WALLS.index(wall), starter, round_limit(max_rounds))
        game = cls.__new__(cls)
        game._begin(states, None, None, fresh=True, waits=True)
        return game

    @classmethod
    def from_position(
        cls,
        line: str,
        seed: int | None = None,
        max_rounds: int | None = None,
        *,
        dealer: DealSource | None = None,
    ) -> Game:
        """Go on from a position line; without a seed or a dealer the game waits for deals given as moves.

        >>> game = Game.from_position(Game(seed=1).position)
        >>> game.phase, game.round
        (<Phase.DRAFTING: 'd'>, 1)
        """
        states = state_of(read_position(line), round_limit(max_rounds))
        if seed is not None:
            seed_stream(states[0], check_seed(seed), 0)
        game = cls.__new__(cls)
        game._begin(states, seed, dealer, fresh=False, waits=seed is None and dealer is None)
        return game

    def _begin(
        self, states: s.States, seed: int | None, dealer: DealSource | None, *, fresh: bool, waits: bool = False
    ) -> None:
        if seed is not None and dealer is not None:
            raise ValueError("a game is dealt by a seed or by a dealer, not by both")
        self._states = states
        self._start, self._fresh = states.tobytes(), fresh
        self._dealer, self._seeded = dealer, dealer is None and not waits
        self._history: list[Move | Deal] = []
        self._undo: list[tuple[bytes, int]] = []
        self._noted = np.empty((MOST_HAPPENINGS, NUMBERS), np.int16)
        self._deal_if_due()

    def _deal_if_due(self) -> Deal | None:
        """Deal where a deal is due and this game does not wait for one to be given."""
        if self._states[0]["phase"] != s.DEAL_DUE or not (self._seeded or self._dealer):
            return None
        if self._dealer is None:
            batch.deal_one(self._states, 0)
            deal = Deal(self.view.displays)
        else:
            deal = self._dealer.deal(self._states)
            refusal = self.why_illegal(deal)
            if refusal:
                raise refusal.error(deal)
            deal_given(self._states[0], deal.tiles())
        self._history.append(deal)
        return deal

    @property
    def position(self) -> str:
        """The position line."""
        return write_position(self.view)

    @property
    def view(self) -> View:
        """The position as plain data."""
        return view_of(self._states)

    @property
    def states(self) -> s.States:
        """A copy of the compiled record, as an array of one, for `azulejos.rules`."""
        return self._states.copy()

    @property
    def players(self) -> int:
        """How many play."""
        return int(self._states[0]["players"])

    @property
    def wall(self) -> Wall:
        """Which side of the boards is used."""
        return WALLS[self._states[0]["gray"]]

    @property
    def phase(self) -> Phase:
        """What is due: a draft, a tiling choice, a deal, or nothing any more."""
        return PHASES[int(self._states[0]["phase"])]

    @property
    def seat(self) -> int | None:
        """Who acts, from 0; while a deal is due who will start; None when the game is over."""
        return None if self.is_over else int(self._states[0]["seat"])

    @property
    def turn(self) -> int:
        """The seat that has to decide now, from 0; raises `IllegalMove` where nobody has to."""
        if not self.phase.is_decision:
            raise refuse("game_over" if self.is_over else "deal_due").error("a decision")
        return int(self._states[0]["seat"])

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return int(self._states[0]["round_number"])

    @property
    def starter(self) -> int:
        """Who starts, or started, this round."""
        return int(self._states[0]["starter"])

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each seat."""
        return tuple(self._states[0]["score"][: self.players].tolist())

    @property
    def history(self) -> tuple[Move | Deal, ...]:
        """Every move and deal since the game (or the given position) began."""
        return tuple(self._history)

    @property
    def start(self) -> str | None:
        """The position line that the game was started from, or None if it began as a fresh game."""
        return None if self._fresh else self._began[0]

    def from_start(self) -> Game:
        """A game at the point where this one began, before its first deal, that waits for deals."""
        game = Game.__new__(Game)
        game._begin(np.frombuffer(bytearray(self._start), s.STATE), None, None, fresh=self._fresh, waits=True)
        return game

    def record(self, names: Iterable[str] = (), **tags: str) -> Record:
        """The game as a record, with the players' names and tags such as `Event="Casual"`."""
        return Record.of(self, names, **tags)

    def to_record(self, names: Iterable[str] = (), **tags: str) -> str:
        """The text of the game's record."""
        return self.record(names, **tags).text()

    @property
    def legal_moves(self) -> list[Move]:
        """The moves that may be played now, by rising number; none while a deal is due or when the game is over."""
        actions = np.empty(s.MOST_LEGAL, np.int16)
        count = batch.legal_one(self._states, 0, actions)
        return [MOVES[action] for action in actions[:count].tolist()]

    def is_legal(self, move: Move | Deal | str) -> bool:
        """Whether a move, or a deal, may be played now."""
        move = _parse(move)
        if isinstance(move, Deal):
            return refusal_of_deal(self._states, move) is None
        return bool(batch.is_legal_one(self._states, 0, move.id))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._states[0]["phase"] == s.OVER)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        if not self.is_over:
            return None
        state = self._states[0]
        bits = ending.winners(state)
        winners = tuple(seat for seat in range(self.players) if bits >> seat & 1)
        return Outcome(END_REASONS[ending.end_reason(state)], winners, self.scores)

    def why_illegal(self, move: Move | Deal | str) -> Refusal | None:
        """Why a move may not be played now, as a code with arguments; None if it may.

        >>> game = Game.from_position("std B4/-/-/-/- F 0:-/-/-/-/-:5/5/5/5/5:- 0:-/-/-/-/-:5/5/5/5/5:- B16Y20 d1 1@1")
        >>> game.why_illegal("2B1")
        Refusal(code='color_not_there', arguments={'color': 'blue', 'source': '2'})
        """
        move = _parse(move)
        if isinstance(move, Deal):
            return refusal_of_deal(self._states, move)
        return refusal_of_move(self._states, move)

    def closed_lines(self) -> dict[tuple[int, int], Refusal]:
        """For the seat that drafts, why each color on offer may not go to each line, by color and line."""
        return refusals_of_lines(self._states)

    def play(self, move: Move | Deal | str) -> Happening:
        """Play a move, or deal the tiles of a given deal, and say what happened."""
        move = _parse(move)
        if not self.is_legal(move):
            raise self._refusal(move)
        self._undo.append((self._states.tobytes(), len(self._history)))
        self._history.append(move)
        if isinstance(move, Deal):
            deal_given(self._states[0], move.tiles())
            return Happening(move, None)
        count = batch.step_noted_one(self._states, 0, move.id, self._noted)
        happening = happening_of(move, self._noted[:count].tolist())
        deal = self._deal_if_due()
        return happening if deal is None else replace(happening, deal=deal)

    def _refusal(self, move: Move | Deal) -> IllegalMove:
        refusal = self.why_illegal(move)
        assert refusal is not None
        return refusal.error(move)

    def preview(self, move: Move | str) -> Preview:
        """What a move would do, without playing it.

        >>> game = Game(seed=1, starter=0)
        >>> game.preview("2K1")
        Preview(taken=2, placed=1, dropped=1, marker=False, cost=1, completes=True, columns=(3,), points=1)
        """
        parsed = _parse(move)
        if isinstance(parsed, Deal):
            raise TypeError(f"a deal has no preview: {str(parsed)!r}")
        if not self.is_legal(parsed):
            raise self._refusal(parsed)
        return preview_of(batch.preview_one(self._states, 0, parsed.id))

    def previews(self) -> dict[Move, Preview]:
        """Every legal move with what it would do, by rising number.

        >>> len(Game(seed=1, starter=0).previews())
        102
        """
        return previews_of(self._states)

    def undo(self) -> Move | Deal:
        """Take back the last call of `play`, with all that followed from it; returns what was played."""
        if not self._undo:
            raise refuse("nothing_to_undo").error("undo")
        before, length = self._undo.pop()
        undone = self._history[length]
        self._states = np.frombuffer(bytearray(before), s.STATE)
        del self._history[length:]
        return undone

    def copy(self) -> Game:
        """An independent game with the same position, history and future deals."""
        game = Game.__new__(Game)
        game._states, game._noted = self._states.copy(), np.empty_like(self._noted)
        game._start, game._fresh = self._start, self._fresh
        game._dealer, game._seeded = self._dealer, self._seeded
        game._history, game._undo = self._history.copy(), self._undo.copy()
        return game

    def public_copy(self) -> Game:
        """An independent game that knows no more than everybody at the table, and waits for deals."""
        game = self.copy()
        game._dealer, game._seeded = None, False
        game._states[0]["rng"] = 0
        game._undo = []
        return game

    def __eq__(self, other: object) -> bool:
        """Whether both began in the same position and everything since was the same."""
        if not isinstance(other, Game):
            return NotImplemented
        return self._began == other._began and self._history == other._history

    __hash__ = None  # type: ignore[assignment]  # a game changes

    @property
    def _began(self) -> tuple[str, int]:
        states = np.frombuffer(self._start, s.STATE)
        return write_position(view_of(states)), int(states[0]["max_rounds"])

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows."""
        return self.view._repr_svg_()

    def __str__(self) -> str:
        """The board as text."""
        return str(self.view)

    def __repr__(self) -> str:
        return f"<Game {self.position}>"


def _check_table(players: int, wall: Wall, starter: int | None) -> None:
    check_whole("players", players, 2, s.MAX_PLAYERS)
    if wall not in WALLS:
        raise ValueError(f"wall must be 'std' or 'gray', not {wall!r}")
    if starter is not None:
        check_whole("starter", starter, 0, players - 1)


def _parse(move: Move | Deal | str) -> Move | Deal:
    if isinstance(move, str):
        return Deal.parse(move) if move.startswith("=") else Move.parse(move)
    if isinstance(move, (Move, Deal)):
        return move
    raise TypeError(f"expected a Move, a Deal or text, not {move!r}")
