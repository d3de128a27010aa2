"""A game in Python: the one face of the compiled rules. It validates, raises the errors and keeps the history."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from azulejos.game.happening import Bonus, Drafted, Fell, FloorScored, Happening, Preview, Tiled
from azulejos.game.moves import MOVES, Deal, Move
from azulejos.game.notation import read_position, write_position
from azulejos.game.record import Record
from azulejos.game.refusal import Refusal, refusal_of_deal, refusal_of_move, refuse
from azulejos.game.view import PHASES, WALLS, Phase, View, Wall, state_of, view_of
from azulejos.rules import batch, ending, turn
from azulejos.rules import state as s
from azulejos.rules.offer import floor_penalty
from azulejos.rules.supply import deal_given, seed_stream, set_up
from azulejos.rules.tiling import legal_columns, line_worth

Reason: TypeAlias = Literal["row", "stalled", "round_limit"]
"""Why a game ended: a row was complete, nobody could do anything more, or the limit of rounds was reached."""

END_REASONS: Final[dict[int, Reason]] = {
    s.ENDED_BY_ROW: "row",
    s.ENDED_STALLED: "stalled",
    s.ENDED_BY_LIMIT: "round_limit",
}
"""The name of each reason that the state has a number for."""
MAX_SEED: Final = 2**64 - 1
"""The highest seed."""
MOST_MOVES: Final = 256
"""Room for the legal moves of any position: at most 216."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    reason: Reason
    """Why it ended."""
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

    __slots__ = ("_actions", "_deals_itself", "_fresh", "_history", "_start", "_states", "_undo")

    def __init__(
        self,
        players: int = 2,
        wall: Wall = "std",
        seed: int | None = None,
        starter: int | None = None,
        max_rounds: int | None = None,
    ) -> None:
        """Start a game with the first deal done; the same seed gives the same deals on every machine."""
        check_whole("players", players, 2, s.MAX_PLAYERS)
        if wall not in WALLS:
            raise ValueError(f"wall must be 'std' or 'gray', not {wall!r}")
        if starter is not None:
            check_whole("starter", starter, 0, players - 1)
        self._states = np.zeros(1, s.STATE)
        self._actions = np.zeros(MOST_MOVES, np.int16)
        self._deals_itself = True
        self._history: list[Move | Deal] = []
        self._undo: list[tuple[bytes, int]] = []
        first = -1 if starter is None else starter
        limit = _round_limit(max_rounds)
        batch.new_game_one(self._states, 0, players, WALLS.index(wall), check_seed(seed), 0, first, limit)
        self._fresh = True
        self._start = self._states.tobytes()
        self._history.append(self._current_deal())

    @classmethod
    def from_position(cls, line: str, seed: int | None = None, max_rounds: int | None = None) -> Game:
        """Go on from a position line; without a seed the game waits for deals given as moves.

        >>> game = Game.from_position(Game(seed=1).position)
        >>> game.phase, game.round
        ('d', 1)
        """
        limit = _round_limit(max_rounds)
        game = cls.__new__(cls)
        game._states = state_of(read_position(line), limit)
        game._actions = np.zeros(MOST_MOVES, np.int16)
        game._deals_itself = seed is not None
        game._fresh = False
        game._start = game._states.tobytes()
        game._history = []
        game._undo = []
        if seed is not None:
            seed_stream(game._states[0], check_seed(seed), 0)
            if game.phase == "r":
                batch.deal_one(game._states, 0)
                game._history.append(game._current_deal())
        return game

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
        """`"d"` drafting, `"t"` a tiling choice, `"r"` a deal is due, `"e"` over."""
        return PHASES[int(self._states[0]["phase"])]

    @property
    def seat(self) -> int:
        """Who acts, from 0; while a deal is due who will start; 0 when the game is over."""
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
        return None if self._fresh else write_position(view_of(np.frombuffer(self._start, s.STATE)))

    def from_start(self) -> Game:
        """A game at the point where this one began, before its first deal, that waits for deals."""
        game = self.copy()
        game._states = np.frombuffer(bytearray(self._start), s.STATE)
        game._deals_itself = False
        game._history, game._undo = [], []
        if self._fresh:
            state = game._states[0]
            set_up(state, state["players"], state["gray"], state["starter"], state["max_rounds"])
        return game

    def to_record(self, names: Iterable[str] = (), **tags: str) -> str:
        """The game as the text of a record, with the players' names and tags such as `Event="Casual"`."""
        return Record.of(self, names, **tags).text()

    @property
    def legal_moves(self) -> list[Move]:
        """The moves that may be played now, by rising number; none while a deal is due or when the game is over."""
        count = batch.legal_one(self._states, 0, self._actions)
        return [MOVES[action] for action in self._actions[:count].tolist()]

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

    def play(self, move: Move | Deal | str) -> Happening:
        """Play a move, or deal the tiles of a given deal, and say what happened."""
        move = _parse(move)
        if isinstance(move, Deal) or not batch.is_legal_one(self._states, 0, move.id):
            refusal = self.why_illegal(move)
            if refusal:
                raise refusal.error(move)
        self._undo.append((self._states.tobytes(), len(self._history)))
        self._history.append(move)
        if isinstance(move, Deal):
            deal_given(self._states[0], _tiles_of(move))
            return Happening(move, None)
        return self._play(move)

    def _play(self, move: Move) -> Happening:
        state = self._states[0]
        seat = int(state["seat"])
        marker_was_free = state["marker"] == s.NOBODY
        row_color = int(state["line_color"][seat, move.row]) if move.is_tiling else 0
        first, second, third = batch.act_one(self._states, 0, move.id)
        drafted = None
        tiling: list[Tiled | Fell] = []
        if move.is_tiling:
            tiling.append(Tiled(seat, move.row, move.column, row_color, first, second))
        else:
            marker = move.source == s.CENTER and bool(marker_was_free)
            dropped = first - second
            drafted = Drafted(move.source, move.color, move.line, first, second, dropped, dropped - third, marker)
        if state["phase"] == s.DRAFTING:
            return Happening(move, seat, drafted)
        return self._finish_round(move, seat, drafted, tiling)

    def _finish_round(self, move: Move, seat: int, drafted: Drafted | None, tiling: list[Tiled | Fell]) -> Happening:
        """Let everything happen that needs no decision, and note it."""
        floors: list[FloorScored] = []
        colors = self._states[0]["line_color"].tolist()
        while True:
            kind, who, a, b, c, d = batch.advance_one(self._states, 0)
            if kind == turn.NOTHING:
                break
            if kind == turn.TILED:
                tiling.append(Tiled(who, a, b, colors[who][a], c, d))
            elif kind == turn.FELL:
                tiling.append(Fell(who, a, colors[who][a], a + 1, a + 1 - b))
            elif kind == turn.FLOOR_SCORED:
                floors.append(FloorScored(who, a, b))
        bonuses = self._bonuses() if self.is_over else ()
        deal = None
        if self._deals_itself and self.phase == "r":
            batch.deal_one(self._states, 0)
            deal = self._current_deal()
            self._history.append(deal)
        return Happening(move, seat, drafted, tuple(tiling), tuple(floors), bonuses, deal)

    def _bonuses(self) -> tuple[Bonus, ...]:
        state = self._states[0]
        return tuple(
            Bonus(
                seat,
                ending.complete_rows(state, seat),
                ending.complete_columns(state, seat),
                ending.complete_colors(state, seat),
                ending.bonus(state, seat),
            )
            for seat in range(self.players)
        )

    def preview(self, move: Move | str) -> Preview:
        """What a move would do, without playing it.

        >>> game = Game(seed=1, starter=0)
        >>> game.preview("2K1")
        Preview(taken=2, placed=1, dropped=1, marker=False, cost=1, completes=True, columns=(3,), points=1)
        """
        parsed = _parse(move)
        if isinstance(parsed, Deal):
            raise TypeError(f"a deal has no preview: {str(parsed)!r}")
        refusal = self.why_illegal(parsed)
        if refusal:
            raise refusal.error(parsed)
        after = self._states.copy()
        seat = self.seat
        first, second, _ = batch.act_one(after, 0, parsed.id)
        if parsed.is_tiling:
            return Preview(0, 0, 0, False, 0, True, (parsed.column,), first + second)
        marker = parsed.source == s.CENTER and bool(self._states[0]["marker"] == s.NOBODY)
        cost = floor_penalty(after[0], seat) - floor_penalty(self._states[0], seat)
        row = parsed.line
        if row == s.FLOOR or after[0]["line_count"][seat, row] <= row:
            return Preview(first, second, first - second, marker, cost, False, (), 0)
        bits = legal_columns(after[0], seat, row, parsed.color)
        columns = tuple(column for column in range(s.COLUMNS) if bits >> column & 1)
        points = line_worth(after[0], seat, row)
        return Preview(first, second, first - second, marker, cost, True, columns, points)

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
        game._states = self._states.copy()
        game._actions = np.zeros_like(self._actions)
        game._deals_itself = self._deals_itself
        game._fresh, game._start = self._fresh, self._start
        game._history = self._history.copy()
        game._undo = self._undo.copy()
        return game

    def _current_deal(self) -> Deal:
        return Deal(view_of(self._states).displays)

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows."""
        return self.view._repr_svg_()

    def __repr__(self) -> str:
        return f"<Game {self.position}>"


def _parse(move: Move | Deal | str) -> Move | Deal:
    if isinstance(move, str):
        return Deal.parse(move) if move.startswith("=") else Move.parse(move)
    if isinstance(move, (Move, Deal)):
        return move
    raise TypeError(f"expected a Move, a Deal or text, not {move!r}")


def _tiles_of(deal: Deal) -> np.ndarray[tuple[int, int], np.dtype[np.int8]]:
    tiles = np.zeros((s.SOURCES, s.COLORS), np.int8)
    tiles[1 : len(deal.displays) + 1] = deal.displays
    return tiles


def check_whole(name: str, value: int, low: int, high: int) -> None:
    """Raise a `ValueError` that names the argument unless it is a whole number in this range."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or not low <= value <= high:
        raise ValueError(f"{name} must be a whole number from {low} to {high}, not {value!r}")


def check_seed(seed: int | None) -> Any:
    """A seed for the compiled code; a random one if none is given."""
    if seed is not None:
        check_whole("seed", seed, 0, MAX_SEED)
    return np.uint64(secrets.randbits(64) if seed is None else seed)  # one type, so that it compiles once


def _round_limit(max_rounds: int | None) -> int:
    if max_rounds is None:
        return s.NO_ROUND_LIMIT
    check_whole("max_rounds", max_rounds, 1, s.NO_ROUND_LIMIT)
    return max_rounds
