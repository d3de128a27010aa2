"""Many positions, one after the other: a line of JSON for each question, a line of JSON for each answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Final

import msgspec

from azulejos.engine.engine import check_can_think
from azulejos.engine.fault import CannotObey, explain, quoted
from azulejos.game.game import Game
from azulejos.game.moves import MOVES
from azulejos.players.player import Limits, PlayerFailed
from azulejos.players.searching import SearchingPlayer
from azulejos.rules.state import MOST_LEGAL
from azulejos.search.report import Candidate, Report

DEFAULT_NODES: Final = 800
"""How many positions are looked at if a question names no limit."""
DEFAULT_MOVES: Final = 5
"""How many moves are told if a question does not say."""

Id = str | int | None
"""What a question may be called, so that its answer can be told from others."""


class AnalysisRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position to analyze."""

    position: str
    """The position line."""
    id: Id = None
    """Comes back with the answer."""
    moves: tuple[str, ...] = ()
    """Moves and deals that lead on from the position."""
    nodes: int | None = None
    """How many positions to look at."""
    milliseconds: int | None = None
    """How long to think."""
    multipv: Annotated[int, msgspec.Meta(ge=1, le=MOST_LEGAL)] = DEFAULT_MOVES
    """How many moves to tell."""


class MoveFinding(msgspec.Struct, frozen=True):
    """What a search has found out about one move."""

    move: str
    """The move as it is written."""
    visits: int
    """How often the search looked at it."""
    prior: float
    """How good it looked at first sight."""
    win: tuple[float, ...] | None
    """Each seat's share of the victory; None if it was not looked at."""
    margin: float | None
    """Expected final score of the side to move less that of its best opponent; None if it was not looked at."""
    line: tuple[str, ...]
    """The moves expected to follow, this one first."""


class Findings(msgspec.Struct, frozen=True):
    """What a search has found out about a position."""

    position: str
    """The position line."""
    nodes: int
    """Positions looked at."""
    seconds: float
    """How long it took."""
    depth: int
    """How many moves ahead the longest line looks."""
    solved: bool
    """Whether the rest of the round was solved exactly."""
    moves: tuple[MoveFinding, ...]
    """The best moves, best first."""


def analyze(lines: Iterable[str], player: SearchingPlayer) -> Iterator[str]:
    """An answer for each line that is not blank, in the same order; what cannot be answered is told and passed over."""
    for line in lines:
        if line.strip():
            yield msgspec.json.encode(_answer(line, player)).decode()


def findings(game: Game, report: Report, count: int) -> Findings:
    """The so many best moves of a search with what it found out, rounded to what is worth reading."""
    return Findings(
        position=game.position,
        nodes=report.nodes,
        seconds=round(report.seconds, 3),
        depth=report.depth,
        solved=report.solved,
        moves=tuple(_finding(candidate, game.turn, report.solved) for candidate in report.candidates[:count]),
    )


def _finding(candidate: Candidate, seat: int, solved: bool) -> MoveFinding:
    known = solved or candidate.visits > 0
    return MoveFinding(
        move=str(MOVES[candidate.action]),
        visits=candidate.visits,
        prior=round(candidate.prior, 4),
        win=tuple(round(share, 4) for share in candidate.win) if known else None,
        margin=round(candidate.margin[seat], 2) if known else None,
        line=tuple(str(MOVES[action]) for action in candidate.line),
    )


def _answer(line: str, player: SearchingPlayer) -> dict[str, object]:
    name: Id = None
    try:
        question = _read(line)
        name = msgspec.convert(question.get("id"), Id)
        found = _think(msgspec.convert(question, AnalysisRequest), player)
    except (ValueError, PlayerFailed) as fault:
        code, text = explain(fault)
        return {"id": name, "error": {"code": code, "text": text}}
    return {"id": name, **msgspec.structs.asdict(found)}


def _read(line: str) -> dict[str, object]:
    try:
        question = msgspec.json.decode(line)
    except RecursionError as fault:
        raise CannotObey("bad_json", "the JSON is nested too deeply") from fault
    if not isinstance(question, dict):
        raise CannotObey("bad_json", f"expected a JSON object, not {quoted(line)}")
    return question


def _think(question: AnalysisRequest, player: SearchingPlayer) -> Findings:
    limits = Limits(question.nodes, question.milliseconds)
    if limits == Limits():
        limits = Limits(nodes=DEFAULT_NODES)
    game = Game.from_position(question.position)
    for move in question.moves:
        game.play(move)
    check_can_think(game)
    return findings(game, player.search(game, limits, settled=True), question.multipv)
