"""Many positions, one after the other: a line of JSON for each question, a line of JSON for each answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from azulejos.engine.engine import check_can_think
from azulejos.engine.fault import CannotObey, explain, quoted
from azulejos.game.game import Game
from azulejos.game.moves import MOVES
from azulejos.players.player import Limits, PlayerFailed
from azulejos.players.searching import SearchingPlayer
from azulejos.rules.state import MOST_LEGAL
from azulejos.search.searcher import Candidate, Report

KEYS: Final = ("id", "position", "moves", "nodes", "milliseconds", "multipv")
"""What a question may hold."""
DEFAULT_NODES: Final = 800
"""How many positions are looked at if a question names no limit."""
DEFAULT_MOVES: Final = 5
"""How many moves are told if a question does not say."""


def analyze(lines: Iterable[str], player: SearchingPlayer) -> Iterator[str]:
    """An answer for each line that is not blank, in the same order; what cannot be answered is told and passed over."""
    for line in lines:
        if line.strip():
            yield json.dumps(_answer(line, player))


def findings(game: Game, report: Report, count: int) -> dict[str, Any]:
    """What a search has found out about a position, as plain data."""
    return {
        "position": game.position,
        "nodes": report.nodes,
        "seconds": round(report.seconds, 3),
        "depth": report.depth,
        "solved": report.solved,
        "moves": [_finding(candidate, game.turn, report.solved) for candidate in report.candidates[:count]],
    }


def _finding(candidate: Candidate, seat: int, solved: bool) -> dict[str, Any]:
    known = solved or candidate.visits > 0
    return {
        "move": str(MOVES[candidate.action]),
        "visits": candidate.visits,
        "prior": round(candidate.prior, 4),
        "win": [round(share, 4) for share in candidate.win] if known else None,
        "margin": round(candidate.margin[seat], 2) if known else None,
        "line": [str(MOVES[action]) for action in candidate.line],
    }


def _answer(line: str, player: SearchingPlayer) -> dict[str, Any]:
    name = None
    try:
        question = _read(line)
        name = _id(question)
        return {"id": name, **_think(question, player)}
    except (ValueError, PlayerFailed) as fault:
        code, text = explain(fault)
        return {"id": name, "error": {"code": code, "text": text}}


def _read(line: str) -> dict[str, Any]:
    try:
        question = json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise CannotObey("bad_json", f"cannot read the line as JSON: {fault}") from fault
    if not isinstance(question, dict):
        raise CannotObey("bad_json", f"expected a JSON object, not {quoted(json.dumps(question))}")
    return question


def _id(question: dict[str, Any]) -> str | int | None:
    name = question.get("id")
    if name is None or isinstance(name, (str, int)):
        return name
    raise CannotObey("bad_arguments", "the id must be a text or a whole number")


def _think(question: dict[str, Any], player: SearchingPlayer) -> dict[str, Any]:
    strange = next((key for key in question if key not in KEYS), None)
    if strange is not None:
        raise CannotObey("bad_arguments", f"there is no {quoted(strange)}: expected {', '.join(KEYS)}")
    game = _read_game(question)
    count = question.get("multipv", DEFAULT_MOVES)
    if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MOST_LEGAL:
        text = f"multipv must be a whole number from 1 to {MOST_LEGAL}, not {quoted(json.dumps(count))}"
        raise CannotObey("bad_arguments", text)
    limits = Limits(question.get("nodes"), question.get("milliseconds"))
    if limits == Limits():
        limits = Limits(nodes=DEFAULT_NODES)
    check_can_think(game)
    return findings(game, player.search(game, limits), count)


def _read_game(question: dict[str, Any]) -> Game:
    position, moves = question.get("position"), question.get("moves", [])
    if not isinstance(position, str):
        raise CannotObey("bad_arguments", "expected a position line as the position")
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise CannotObey("bad_arguments", "expected a list of texts as the moves")
    game = Game.from_position(position)
    for move in moves:
        game.play(move)
    return game
