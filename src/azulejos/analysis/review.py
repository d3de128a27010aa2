"""The review of a game: every decision and every deal valued, marks with reasons, and a receipt that adds up."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Literal, TypeVar

import numpy as np

from azulejos.analysis.analyst import DEFAULT_NODES, Analyst, RatedLine, Reason, Value, game_value, lines_of
from azulejos.analysis.marks import MARKS, mark
from azulejos.analysis.receipt import DEALT, DECIDED, PARTS, STEP, effect, loss, write_receipt
from azulejos.game.errors import IllegalMove, InvalidNotation
from azulejos.game.game import Game
from azulejos.game.moves import Deal, Move
from azulejos.game.record import Record
from azulejos.game.replay import place, start_of, steps
from azulejos.game.view import Phase
from azulejos.rules.state import MAX_PLAYERS, States
from azulejos.search.driver import FEWEST_HALVED

MOST_LINES: Final = 5
"""How many of the best moves of a decision are told."""
FEWEST_NODES: Final = FEWEST_HALVED
"""With fewer positions for each decision the move that was played might not be looked at."""
MOST_NODES: Final = 200_000
"""More positions than this have no room in memory."""
MOST_STEPS: Final = 1000
"""The most moves and deals that are looked at; real games have some 60 to 200."""
MOST_WORKERS: Final = 256
"""More threads than this are a mistake."""
LOOK_SECONDS: Final = 0.2
"""How often somebody looks whether to stop."""
Mark = Literal["", "inaccuracy", "mistake", "blunder"]
"""What a move is called that cost much of the chance to win."""
Answer = TypeVar("Answer")
"""What is worked out by one of the threads."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A gain or a loss."""

    win: float
    """The change of the share of the victory, from -1 to 1."""
    margin: float
    """The change in points of the final score less the best of the others."""


@dataclass(frozen=True, slots=True)
class DealReview:
    """A deal, and the luck it brought to each seat."""

    ply: int
    """How many moves and deals came before it."""
    round: int
    """The round of the game, from 1."""
    deal: Deal
    """The tiles that were dealt."""
    expected: Value
    """What each seat could expect before it."""
    error: Value
    """How far that may be off: one standard error."""
    after: Value
    """What the position was worth after it, by a search as deep as those that told what to expect."""
    luck: tuple[Amount, ...]
    """What the deal changed for each seat."""


@dataclass(frozen=True, slots=True)
class DecisionReview:
    """A decision, and what it cost."""

    ply: int
    """How many moves and deals came before it."""
    round: int
    """The round of the game, from 1."""
    seat: int
    """Who decided, from 0."""
    played: RatedLine
    """The move that was played and what it was worth."""
    best: RatedLine
    """The best move; the one that was played if none was better."""
    lines: tuple[RatedLine, ...]
    """Some of the best moves, the best first."""
    loss: Amount
    """What the move cost its player: never negative."""
    exact: bool
    """Whether the rest of the round was solved."""
    forced: bool
    """Whether there was nothing to decide."""
    mark: Mark
    """What such a move is called; empty if it was good enough."""
    reasons: tuple[Reason, ...] = ()
    """What speaks against a move that has a mark."""


@dataclass(frozen=True, slots=True)
class Review:
    """What a game, or the part of it that was reviewed, was made of."""

    players: int
    """How many played."""
    deals: tuple[DealReview, ...]
    """Every deal, in order."""
    decisions: tuple[DecisionReview, ...]
    """Every decision, in order."""
    receipts: tuple[dict[str, Amount], ...]
    """For each seat the lines of its receipt, by the names in `receipt.PARTS`; the result is the sum of the others."""
    finished: bool
    """Whether the game was over; if not the result is what the last position was worth."""
    nodes: int
    """Positions looked at for each decision."""
    fault: str | None = None
    """Why the record could not be followed any further."""
    stopped: bool = False
    """Whether somebody stopped it before everything was looked at; then it is of the first moves and deals alone."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A deal or a decision of the game, before it was looked at."""

    ply: int
    round: int
    before: States
    play: Deal | Move
    choices: int
    """How many legal moves there were."""
    after: States


def review(
    record: Record,
    *,
    nodes: int = DEFAULT_NODES,
    workers: int | None = None,
    tell: Callable[[int, int], None] = lambda _done, _total: None,
    stop: Callable[[], bool] = lambda: False,
) -> Review:
    """Review a game, finished or not; the same record and nodes always give the same answer.

    `tell` hears how many of how many things are done. After `stop` says so, what was done so far from the start of the
    game is told. A record that breaks the rules is reviewed up to there, and `fault` says why.

    >>> from azulejos import Game
    >>> game = Game(seed=3, starter=0)
    >>> for _ in range(3):
    ...     _ = game.play(game.legal_moves[-1])
    >>> found = review(game.record(), nodes=200)
    >>> all(decision.mark for decision in found.decisions)
    True
    >>> own = found.receipts[0]
    >>> parts = [own[part].margin for part in PARTS]
    >>> abs(sum(parts[:-1]) - parts[-1]) < 1e-9
    True
    """
    if not FEWEST_NODES <= nodes <= MOST_NODES:
        raise ValueError(f"nodes must be a whole number from {FEWEST_NODES} to {MOST_NODES}, not {nodes}")
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise ValueError(f"workers must be a whole number from 1 to {MOST_WORKERS}, not {workers}")
    told, game, fault = _follow(record)
    with _Crew(game, nodes, workers or os.cpu_count() or 1) as crew:
        looks: list[Callable[[Analyst], _Look]] = [partial(_look, each) for each in told]
        looks.append(partial(_look_at_end, game))
        found = crew.work(looks, tell, stop)
        whole = len(found) > len(told)
        table = _table_of(told[: len(found)], found)
        result = found[-1].best if whole else Value.of(table[-1]["got"], game.players) if len(table) else None
        parts = [_part_of(*each) for each in zip(told, table, found, strict=False)]
        marked = [at for at, part in enumerate(parts) if isinstance(part, DecisionReview) and part.mark]
        reasons = crew.work([partial(_explain, told[at], parts[at]) for at in marked])
    for at, why in zip(marked, reasons, strict=True):
        parts[at] = replace(parts[at], reasons=why)
    return Review(
        players=game.players,
        deals=tuple(part for part in parts if isinstance(part, DealReview)),
        decisions=tuple(part for part in parts if isinstance(part, DecisionReview)),
        receipts=_receipts_of(table, result, game.players),
        finished=whole and game.is_over,
        nodes=nodes,
        fault=fault,
        stopped=not whole,
    )


def _follow(record: Record) -> tuple[list[_Step], Game, str | None]:
    """Everything that was dealt and decided, the game after it, and why it goes no further."""
    record = replace(record, entries=tuple(replace(entry, variations=()) for entry in record.entries))
    told: list[_Step] = []
    game = start_of(record).copy()
    fault = None
    following = steps(record)
    plays = [entry.play for entry in record.entries]
    for play in plays:
        if len(told) == MOST_STEPS:
            fault = f"{place(game)}: only {MOST_STEPS} moves and deals of a game are looked at"
            break
        before, number, choices = game.states.copy(), game.round, len(game.legal_moves)
        try:
            _, now = next(following)
        except (IllegalMove, InvalidNotation) as error:
            fault = str(error)
            break
        if play is not None:
            told.append(_Step(len(told), number, before, play, choices, now.states.copy()))
        game = now.copy()
    return told, game, fault


@dataclass(frozen=True, slots=True)
class _Look:
    """What was found out about a step, or about the position at the end."""

    best: Value
    """What the position is worth; before a deal, what is expected."""
    error: Value | None = None
    """How far that may be off, before a deal."""
    played: RatedLine | None = None
    """The move that was played, at a decision."""
    lines: tuple[RatedLine, ...] = ()
    """The moves that something is known about, the best first."""
    exact: bool = False
    """Whether the rest of the round was solved."""
    dealt: Value | None = None
    """What the position after a deal is worth, found out as what was expected before it."""


def _look(each: _Step, analyst: Analyst) -> _Look:
    if isinstance(each.play, Deal):
        return _Look(*analyst.expect(each.before), dealt=analyst.value_dealt(each.after))
    report = analyst.search(each.before, [each.play.id])
    lines = lines_of(report)
    played = next(line for line in lines if line.move == each.play)
    seat = int(each.before[0]["seat"])
    best = lines[0] if lines[0].worth(seat) > played.worth(seat) else played
    return _Look(best.value, None, played, (best, *(line for line in lines if line is not best)), report.solved)


def _look_at_end(game: Game, analyst: Analyst) -> _Look:
    if game.is_over:
        return _Look(game_value(game))
    if game.phase is Phase.DEAL_DUE:
        return _Look(*analyst.expect(game.states))
    return _Look(lines_of(analyst.search(game.states))[0].value)


def _table_of(told: list[_Step], found: list[_Look]) -> Any:
    """The rows that a receipt is added up from."""
    table = np.zeros(len(told), STEP)
    for row, each, look in zip(table, told, found, strict=False):
        got = look.played.value if look.played else look.dealt
        assert got is not None
        row["kind"], row["seat"] = (DECIDED, each.before[0]["seat"]) if look.played else (DEALT, 0)
        for name, value in (("expected", look.best), ("got", got)):
            row[name][:, : len(value.win)] = value.win, value.margin
    return table


def _part_of(each: _Step, row: Any, look: _Look) -> Any:
    """A step with everything that was found out about it."""
    players = len(look.best.win)
    if isinstance(each.play, Deal):
        assert look.error is not None
        luck = tuple(Amount(*(effect(row, what, seat) for what in range(2))) for seat in range(players))
        after = Value.of(row["got"], players)
        return DealReview(each.ply, each.round, each.play, look.best, look.error, after, luck)
    assert look.played is not None
    lost = Amount(loss(row, 0), loss(row, 1))
    forced = each.choices == 1
    return DecisionReview(
        each.ply, each.round, int(row["seat"]), look.played, look.lines[0], look.lines[:MOST_LINES], lost, look.exact,
        forced, "" if forced else MARKS[mark(lost.win)],
    )  # fmt: skip


def _explain(each: _Step, part: DecisionReview, analyst: Analyst) -> tuple[Reason, ...]:
    return analyst.explain(each.before, part.played, part.best)


def _receipts_of(table: Any, result: Value | None, players: int) -> tuple[dict[str, Amount], ...]:
    if result is None:  # stopped before anything was known
        return ()
    end, parts = np.zeros((2, MAX_PLAYERS)), np.zeros((len(PARTS), 2, MAX_PLAYERS))
    end[:, :players] = result.win, result.margin
    write_receipt(table, end, parts)
    return tuple(
        {name: Amount(*parts[at, :, seat].tolist()) for at, name in enumerate(PARTS)} for seat in range(players)
    )


class _Crew:
    """Threads with an analyst each."""

    def __init__(self, game: Game, nodes: int, workers: int) -> None:
        self._pool = ThreadPoolExecutor(workers)
        self._make = partial(Analyst, game.players, game.wall, nodes)
        self._own = threading.local()

    def __enter__(self) -> _Crew:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def work(
        self,
        tasks: list[Callable[[Analyst], Answer]],
        tell: Callable[[int, int], None] = lambda _done, _total: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> list[Answer]:
        """The answers to all tasks, or those from the first one on that were there when `stop` said so."""
        under_way = [self._pool.submit(self._do, task) for task in tasks]
        left = set(under_way)
        tell(0, len(tasks))
        while left and not stop():
            done, left = wait(left, LOOK_SECONDS, FIRST_COMPLETED)
            if done:
                tell(len(tasks) - len(left), len(tasks))
        for each in left:
            each.cancel()
        answers = []
        for each in under_way:
            if not each.done() or each.cancelled():
                break
            answers.append(each.result())
        return answers

    def _do(self, task: Callable[[Analyst], Answer]) -> Answer:
        if not hasattr(self._own, "analyst"):
            self._own.analyst = self._make()
        return task(self._own.analyst)
