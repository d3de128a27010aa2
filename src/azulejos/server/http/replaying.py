"""Positions that people look at: moves played from a position, and whole records step by step."""

from __future__ import annotations

from typing import Final

from azulejos.game.dealer import Dealer
from azulejos.game.errors import IllegalMove
from azulejos.game.game import Game
from azulejos.game.reader import read_record
from azulejos.game.record import Record
from azulejos.game.replay import start_of
from azulejos.game.view import Phase
from azulejos.server.protocol import answers
from azulejos.server.protocol.incoming import AskPosition
from azulejos.server.protocol.position import HappeningInfo, Position
from azulejos.server.tables.refusal import Refuse

LONGEST_REASON: Final = 200
"""Characters of the text that says what is wrong with a record."""
MOST_STEPS: Final = 1000
"""Steps of a record: the floor is always legal, so that a game may be of any length."""


def game_at(ask: AskPosition) -> tuple[Game, list[HappeningInfo]]:
    """The game after the moves of a question, and what they did."""
    try:
        game = Game.from_position(ask.position.replace("_", " "))
        happenings = [HappeningInfo.of(game.play(move)) for move in ask.moves]
    except IllegalMove as fault:
        raise Refuse(fault.code, **fault.arguments) from fault
    except ValueError as fault:
        raise Refuse("bad_position", reason=_short(fault)) from fault
    if ask.deal and game.phase is Phase.DEAL_DUE:
        happenings.append(HappeningInfo.of(game.play(Dealer().deal(game.states))))
    return game, happenings


def look(ask: AskPosition) -> answers.Looked:
    """A position and what the moves to it did."""
    game, happenings = game_at(ask)
    return answers.Looked(Position.of(game), happenings)


def replay_of_text(text: str) -> answers.Replay:
    """The steps of a record that somebody sends."""
    try:
        return replay_of(read_record(text))
    except ValueError as fault:
        raise Refuse("bad_record", reason=_short(fault)) from fault


def replay_of(record: Record, table: str | None = None) -> answers.Replay:
    """Every step of a game: what happened, and the position after it."""
    if len(record.entries) > MOST_STEPS:
        raise Refuse("bad_record", reason=f"it has more than {MOST_STEPS} steps")
    game = start_of(record)
    steps = []
    for entry in record.entries:
        happening = None if entry.play is None else HappeningInfo.of(game.play(entry.play))
        steps.append(answers.Step(happening, Position.of(game)))
    return answers.Replay(
        wall=record.wall,
        names=list(record.names),
        steps=steps,
        result=None if record.result is None else list(record.result),
        table=table,
    )


def _short(fault: Exception) -> str:
    text = str(fault)
    return text if len(text) <= LONGEST_REASON else text[: LONGEST_REASON - 3] + "..."
