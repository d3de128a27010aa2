"""Asks the strongest player about one position after the other, as a review wants to know them; for one thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from azulejos.analysis.luck import DEAL_NODES, SAMPLED_DEALS, SEARCHED_DEALS, expect, sample_deals
from azulejos.analysis.reasons import CODES, REASON, ROOM, SHEET, empty_notes, find_reasons, note_round
from azulejos.analysis.starts import expect_start, starts
from azulejos.game.game import Game
from azulejos.game.moves import MOVES, Move
from azulejos.game.view import Wall
from azulejos.net.inference import WeightsError
from azulejos.players.searching import by_network
from azulejos.rules.state import DRAFTING, MAX_PLAYERS, TILING, States
from azulejos.rules.turn import step
from azulejos.search.batches import deal_number
from azulejos.search.evaluators import ByNetwork
from azulejos.search.report import Report
from azulejos.search.searcher import Searcher
from azulejos.search.utility import final_margin, utility, win_share

DEFAULT_NODES: Final = 8000
"""Positions looked at for each decision."""
EXTENDING_NODES: Final = 400
"""Positions looked at for each move that is added to a line until the round is over."""


@dataclass(frozen=True, slots=True)
class Value:
    """What a position is worth to each seat."""

    win: tuple[float, ...]
    """Share of the victory."""
    margin: tuple[float, ...]
    """Final score less the best of the others."""

    @staticmethod
    def of(values: NDArray[Any], players: int) -> Value:
        """From `values[0 or 1, seat]`."""
        win, margin = values[:, :players].tolist()
        return Value(tuple(win), tuple(margin))


@dataclass(frozen=True, slots=True)
class RatedLine:
    """A move and what follows if everybody plays as well as they can."""

    move: Move
    """The move that is rated."""
    value: Value
    """What the move is worth to each seat."""
    visits: int
    """How often the search looked at it; 0 where the round was solved."""
    moves: tuple[Move, ...]
    """The moves expected to follow, this one first."""

    def worth(self, seat: int) -> float:
        """What a seat thinks of it, all in all: from 0 to 1."""
        return utility(self.value.win[seat], self.value.margin[seat])


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that speaks against a move; see `reasons.CODES`."""

    code: str
    """The code of the reason, one of `reasons.CODES`."""
    seat: int
    """Whom it concerns, from 0."""
    row: int
    """The line it concerns, from 0; 0 where it concerns none."""
    points: int
    """How many points fewer that seat has for it this round; negative if more."""


class Analyst:
    """Searches positions of one kind of game, each anew: what it says of one does not depend on the others."""

    def __init__(self, players: int, wall: Wall, nodes: int = DEFAULT_NODES) -> None:
        evaluator = by_network(players, wall, seed=0)
        if not isinstance(evaluator, ByNetwork):
            raise WeightsError(f"there is no network for {players} players on the {wall} wall, and reviews need one")
        self.players, self.nodes = players, nodes
        """How many play, and how many positions are looked at for each decision."""
        self._asking = evaluator.asking
        self._searcher = Searcher([evaluator], max(nodes, DEAL_NODES) + 1)
        self._notes = empty_notes()

    def search(
        self,
        states: States,
        required: Sequence[int] = (),
        nodes: int | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Report:
        """The moves of `states[0]`, the best first; those required are looked at in any case."""
        return self._searcher.search(states, nodes=nodes or self.nodes, required=required, settled=True, stop=stop)

    def expect(self, states: States) -> tuple[Value, Value]:
        """What is expected before the deal that is due in `states[0]`, and how far that may be off: at the start of a
        game what was measured beforehand, later what is found out over some deals.
        """
        expected = np.zeros((2, 2, MAX_PLAYERS))
        if not expect_start(starts(), states[0], expected):
            self._sample(states, expected)
        return Value.of(expected[0], self.players), Value.of(expected[1], self.players)

    def _sample(self, states: States, expected: NDArray[Any]) -> None:
        """Find out what is expected over the deals that are the same for the same bag."""
        sampled = np.zeros((SAMPLED_DEALS, 2, MAX_PLAYERS))
        searched = np.zeros((SEARCHED_DEALS, 2, MAX_PLAYERS))
        sample_deals(self._asking, states[0], 0, SAMPLED_DEALS, sampled)
        for number, row in enumerate(searched):
            dealt = states.copy()
            deal_number(dealt[0], number)
            value = self.value_dealt(dealt)
            row[:, : self.players] = value.win, value.margin
        expect(sampled, searched, expected)

    def value_dealt(self, states: States) -> Value:
        """What `states[0]` is worth right after a deal, by a search as deep for the deal that came as for those that
        might have come: a deeper one sees more of what the others can do, and luck would not be even on average.
        """
        best = self.search(states, nodes=DEAL_NODES).best
        return Value(best.win, best.margin)

    def explain(self, states: States, played: RatedLine, best: RatedLine) -> tuple[Reason, ...]:
        """What speaks against the move that was played: one to three reasons."""
        return self.reasons(states, self.sheets(states, played, best))

    def reasons(self, states: States, sheets: NDArray[Any]) -> tuple[Reason, ...]:
        """What speaks against the first of two rounds, from their sheets."""
        found = np.zeros(ROOM, REASON)
        count = find_reasons(sheets[0], sheets[1], int(states[0]["seat"]), self.players, found)
        return tuple(Reason(CODES[code], seat, row, points) for code, seat, row, points in found[:count].tolist())

    def sheets(self, states: States, *lines: RatedLine) -> NDArray[Any]:
        """What the rest of the round brings after each of these lines, if everybody goes on well: `SHEET` records."""
        sheets = np.zeros(len(lines), SHEET)
        for line, sheet in zip(lines, sheets, strict=True):
            actions = self._to_the_end(states, [move.id for move in line.moves])
            note_round(states.copy()[0], np.array(actions, np.int16), len(actions), self._notes, sheet)
        return sheets

    def _to_the_end(self, states: States, line: list[int]) -> list[int]:
        """A line, with good moves added until the round is over."""
        line, now = list(line), states.copy()
        for action in line:
            step(now[0], action)
        while now[0]["phase"] in (DRAFTING, TILING):
            line.append(self.search(now, nodes=EXTENDING_NODES).best.action)
            step(now[0], line[-1])
        return line


def lines_of(report: Report) -> tuple[RatedLine, ...]:
    """The moves of a report that something is known about, the best first."""
    return tuple(
        RatedLine(
            MOVES[each.action], Value(each.win, each.margin), each.visits, tuple(MOVES[action] for action in each.line)
        )
        for each in report.candidates
        if each.visits or report.solved
    )


def game_value(game: Game) -> Value:
    """What a finished game was worth."""
    state = game.states[0]
    seats = range(game.players)
    return Value(tuple(win_share(state, seat) for seat in seats), tuple(final_margin(state, seat) for seat in seats))
