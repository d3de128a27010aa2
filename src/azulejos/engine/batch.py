"""Many positions, one after the other: a line of JSON for each question, a line of JSON for each answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Final

import msgspec

from azulejos.engine.engine import check_can_think
from azulejos.engine.fault import CannotObey, explain, quoted
from azulejos.engine.findings import Findings, find_out
from azulejos.game.game import Game
from azulejos.game.moves import Move
from azulejos.players.player import Limits, Player, PlayerFailed
from azulejos.rules.state import MOST_LEGAL

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
    searchmoves: tuple[str, ...] = ()
    """Moves to look at and to tell of whatever the player thinks of them."""


def analyze(lines: Iterable[str], player: Player) -> Iterator[str]:
    """An answer for each line that is not blank, in the same order; what cannot be answered is told and passed over."""
    for line in lines:
        if line.strip():
            yield msgspec.json.encode(_answer(line, player)).decode()


def _answer(line: str, player: Player) -> dict[str, object]:
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


def _think(question: AnalysisRequest, player: Player) -> Findings:
    limits = Limits(question.nodes, question.milliseconds)
    if limits == Limits():
        limits = Limits(nodes=DEFAULT_NODES)
    game = Game.from_position(question.position)
    for move in question.moves:
        game.play(move)
    check_can_think(game)
    return find_out(player, game, limits, question.multipv, tuple(map(Move.parse, question.searchmoves)))
