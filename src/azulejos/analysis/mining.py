"""Finds puzzles: positions of games in which one move, or a few that come to the same, is clearly the best.

Games of levels and of full strength are gone through with small searches. Where one move stands out a large search has
to say so, too, then one that looks at all moves and has other seeds, the solver where it reaches, and full strength
itself. What is left gets a theme, and is played by all levels.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from random import Random
from typing import Any, Final

from azulejos.analysis.analyst import Analyst, lines_of
from azulejos.analysis.grading import PLAYS, Examiners, fit_rating, level_ratings
from azulejos.analysis.puzzles import id_of
from azulejos.analysis.themes import may_have, theme_of
from azulejos.game.game import Game
from azulejos.game.moves import MOVES
from azulejos.game.view import Phase, Wall
from azulejos.players.levels import LEVELS
from azulejos.players.levels import make as make_level
from azulejos.players.player import Limits
from azulejos.players.searching import LAST_ROUNDS_BY_HAND, NET_AT_TABLES, SearchingPlayer, by_network, make_net
from azulejos.players.searching import make as make_search
from azulejos.rules.state import CENTER, States
from azulejos.rules.turn import step
from azulejos.search.evaluators import ByHand
from azulejos.search.report import Candidate, Report
from azulejos.search.searcher import Searcher
from azulejos.search.solver import MOST_GROUPS, Solver, groups_on_offer

KINDS: Final[tuple[tuple[int, Wall], ...]] = (
    (2, "std"), (3, "std"), (2, "gray"), (2, "std"), (4, "std"), (3, "gray"), (2, "std"), (4, "gray"),
)  # fmt: skip
"""What is played, one game after the other."""
GAP: Final = 0.08
"""A puzzle's solutions are better than all other moves by at least so much of the share of the victory."""
DOUBTED_GAP: Final = 0.06
"""The gap that the searches before and after the one that decides have to find."""
SAME: Final = 0.015
"""Moves that win as often as the best one but for this, and by as much but for a point, are solutions as well."""
MOST_SOLUTIONS: Final = 3
"""A position in which more moves are good is no puzzle."""
FEWEST_MOVES: Final = 6
"""A position with fewer moves than this to choose from is no puzzle."""
EASIEST: Final = 0.7
"""A position that the first level solves more often than this is no puzzle."""
SEEN: Final = 8
"""Moves that a search looked at less often than this it has dismissed: what it says of them is not trusted."""
TRIED: Final = 4
"""How many positions of a round are tried."""
PER_ROUND: Final = 2
"""How many positions of a round become puzzles, at most: they are much alike."""
COMPARED: Final = 4
"""How many moves of a first look are compared to the end of the search that decides."""
LAST_ROUND: Final = 12
"""Games that take longer are broken off."""
SOLVER_POSITIONS: Final = 100_000
"""The solver that confirms has room for so many positions."""
SOLVER_ENDS: Final = 8_000
"""The solver that confirms may ask about so many ends of a round."""
DOUBTED_EXPLORATION: Final = 1.6
"""The second search looks further around."""
DOUBTED_FLOOR: Final = 0.1
"""The second search looks at moves that seem bad at first sight, too."""
DOUBTED_PLAYOUTS: Final = 0.1
"""A playout by hand has this share in its values, at least, which makes them depend on its seed."""


@dataclass(frozen=True, slots=True)
class Depth:
    """How many positions everybody looks at."""

    game: int = 200
    """Full strength when it plays in the games."""
    filter: int = 400
    """The small searches for every decision of a game."""
    glance: int = 3_000
    """The search that says at first sight what a position is about, where one theme is looked for."""
    decide: int = 20_000
    """The search that decides, and the second one."""
    full: int = 100_000
    """Full strength when it has to find the solution."""


DEEP: Final = Depth()
"""As deep as the puzzles that ship were looked at."""


@dataclass(frozen=True, slots=True)
class Mined:
    """A puzzle and what was found out about it."""

    id: str
    """What it is called, which follows from the position."""
    position: str
    """The position line."""
    solutions: list[str]
    """The best moves, the very best first."""
    theme: str
    """What it is about; see `themes`."""
    rating: int
    """How hard it is, on the scale of the levels."""
    hits: list[int]
    """How often each level found it, of `grading.PLAYS` times."""
    gap: float
    """By how much the solutions are better, of the share of the victory."""
    exact: bool
    """Whether the rest of the round was solved."""
    game: int
    """The number of the game it is from."""


def mine(seed: int, number: int, theme: str | None = None, depth: Depth = DEEP) -> list[dict[str, Any]]:
    """The puzzles of one game, of one theme or of all, as plain data; always the same for the same numbers."""
    return [asdict(found) for found in _pit(*KINDS[number % len(KINDS)], depth).dig(seed, number, theme)]


def warm_up() -> None:
    """Have everything compiled once, instead of in every process."""
    pit = _pit(2, "std", Depth(2, 2, 2, 100, 100))
    game = Game(seed=0)
    while len(game.legal_moves) > FEWEST_MOVES:
        game.play(game.legal_moves[0])
    for position in (Game(seed=0).position, game.position):
        pit.try_out(Game.from_position(position))


@functools.cache
def _pit(players: int, wall: Wall, depth: Depth) -> Pit:
    return Pit(players, wall, depth)


@functools.cache
def _examiners() -> Examiners:
    return Examiners()


@functools.cache
def _players(nodes: int) -> list[SearchingPlayer]:
    """Everybody who plays in the games."""
    return [*(make_level(level, "", 0) for level in LEVELS), make_net(f"nodes={nodes}", 0)]


class Pit:
    """Everything that looks at positions of one kind of game; for one thread."""

    def __init__(self, players: int, wall: Wall, depth: Depth = DEEP) -> None:
        self._table, self._depth = (players, wall), depth
        self._analyst = Analyst(players, wall, depth.decide)
        playouts = max(DOUBTED_PLAYOUTS, NET_AT_TABLES[players, wall].get("playouts", 0.0))
        self._doubter = by_network(
            players, wall, 1, playouts=playouts, exploration=DOUBTED_EXPLORATION, prior_floor=DOUBTED_FLOOR
        )
        self._second = Searcher([self._doubter], depth.decide + 1, halving=0)
        self._solver = Solver(SOLVER_POSITIONS, SOLVER_ENDS)
        self._full = make_net(f"nodes={depth.full}", 2)
        self._hand, self._full_by_hand = ByHand(), make_search(f"nodes={depth.full}", 3)

    def dig(self, seed: int, number: int, theme: str | None = None) -> Iterator[Mined]:
        """Play a game and find its puzzles, those of one theme or all."""
        for positions in self._rounds(Random(f"{seed} {number}"), theme):
            found = (self.examine(game, number) for game in positions[:TRIED])
            yield from islice((each for each in found if each and theme in (None, each.theme)), PER_ROUND)

    def _rounds(self, random: Random, theme: str | None) -> Iterator[list[Game]]:
        """The positions of each round in which one move stands out at first sight, and for one theme's sake if one is
        asked for, in an order by lot.
        """
        game = Game(*self._table, seed=random.getrandbits(32))
        seats = [random.choice(_players(self._depth.game)) for _ in range(game.players)]
        for player in seats:
            player.begin(random.getrandbits(32))
        promising: list[Game] = []
        while not game.is_over and game.round <= LAST_ROUND:
            now = game.round
            if (
                game.phase is Phase.DRAFTING
                and len(game.legal_moves) >= FEWEST_MOVES
                and may_have(theme, game.states[0])
            ):
                report = self._analyst.search(game.states, nodes=self._depth.filter)
                if _standing_out(game.states, report, DOUBTED_GAP) and self._may_be_about(theme, game.states):
                    promising.append(Game.from_position(game.position))
            game.play(seats[game.turn].choose(game, Limits()).move)
            if game.is_over or game.round != now:
                random.shuffle(promising)
                yield promising
                promising = []

    def _may_be_about(self, theme: str | None, states: States) -> bool:
        """Whether a position seems to have this theme; all have some, as long as nobody looks."""
        if theme is None:
            return True
        report = self._analyst.search(states, nodes=self._depth.glance)
        solutions = _standing_out(states, report, DOUBTED_GAP)
        return bool(solutions) and self._theme(states, report, solutions) == theme

    def examine(self, game: Game, number: int) -> Mined | None:
        """The puzzle that a position is, if all agree; what takes long comes last."""
        states, seat = game.states, game.turn
        glance = self._analyst.search(states, nodes=self._depth.decide // 20)
        report = self._analyst.search(states, [each.action for each in _seen(glance)[:COMPARED]])
        solutions = _standing_out(states, report, GAP)
        if not solutions or _examiners().hits(game, solutions, LEVELS[:1])[0] > EASIEST * PLAYS:
            return None
        theme = self._theme(states, report, solutions)
        if theme is None or not self._all_agree(game, solutions):
            return None
        hits = _examiners().hits(game, solutions)
        return Mined(
            id_of(game.position), game.position, [str(MOVES[action]) for action in solutions], theme,
            fit_rating(hits, PLAYS, level_ratings()), hits, round(_gap(report, solutions, seat), 3), report.solved,
            number,
        )  # fmt: skip

    def try_out(self, game: Game) -> None:
        """Do everything once that is done with a position."""
        states, first = game.states, [game.legal_moves[0].id]
        report = self._analyst.search(states, first)
        _standing_out(states, report, GAP)
        self._theme(states, report, [report.best.action])
        self._hand.expects_the_end(states)
        self._all_agree(game, first)
        _examiners().hits(game, first)
        _players(self._depth.game)

    def _theme(self, states: States, report: Report, solutions: list[int]) -> str | None:
        """What the best move is about."""
        seat, lines = int(states[0]["seat"]), lines_of(report)
        best = next(line for line in lines if line.move.id in solutions)
        other = max((line for line in lines if line.move.id not in solutions), key=lambda line: line.worth(seat))
        sheets = self._analyst.sheets(states, other, best)
        return theme_of(states[0], best.move, sheets, self._analyst.reasons(states, sheets))

    def _all_agree(self, game: Game, solutions: list[int]) -> bool:
        """Whether everybody else finds the solutions, too: a second search, the solver, full strength."""
        states, seat = game.states, game.turn
        solved = self._solver.solve(states, self._doubter.value_ends) if _may_be_solved(states) else None
        for report in (solved, self._second.search(states, nodes=self._depth.decide, settled=True)):
            if report and _gap(report, solutions, seat) < DOUBTED_GAP:
                return False
        if self._full.choose(game, Limits()).move.id not in solutions:
            return False
        by_hand = self._table in LAST_ROUNDS_BY_HAND and self._hand.expects_the_end(states)
        return not by_hand or self._full_by_hand.choose(game, Limits()).move.id in solutions


def _may_be_solved(states: States) -> bool:
    """Whether the rest of the round may be small enough to be solved."""
    return bool(groups_on_offer(states[0]) <= MOST_GROUPS + 2)


def _seen(report: Report) -> list[Candidate]:
    """The moves that were looked at often enough to say something about them, the best first."""
    return [each for each in report.candidates if report.solved or each.visits >= SEEN]


def _gap(report: Report, solutions: list[int], seat: int) -> float:
    """By how much of the share of the victory the worst solution is better than the best of the others."""
    good = [each.win[seat] for each in _seen(report) if each.action in solutions]
    others = [each.win[seat] for each in _seen(report) if each.action not in solutions]
    return min(good, default=0.0) - max(others, default=0.0)


def _standing_out(states: States, report: Report, gap: float) -> list[int]:
    """The best move and those as good, if they are few and all others are worse by so much; otherwise none."""
    seat, best, seen = int(states[0]["seat"]), report.best, _seen(report)
    after = _outcome(states, best.action)
    solutions = [best.action]
    for each in report.candidates[1:]:
        near = abs(each.win[seat] - best.win[seat]) <= SAME and abs(each.margin[seat] - best.margin[seat]) <= 1
        if (near and each in seen) or _outcome(states, each.action) == after:
            solutions.append(each.action)
    few = len(solutions) <= MOST_SOLUTIONS and len(solutions) < len(report.candidates)
    return solutions if few and _gap(report, solutions, seat) >= gap else []


def _outcome(states: States, action: int) -> bytes:
    """What a move leads to, whatever the number of the display that it takes from."""
    now = states.copy()
    step(now[0], action)
    displays = now[0]["displays"]
    displays[CENTER + 1 :] = sorted(displays[CENTER + 1 :].tolist())
    now["holds"] = 0
    return now.tobytes()
