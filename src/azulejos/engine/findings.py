"""What a player has found out about a position: its best moves with their values, whoever it is.

A player that searches tells all that it looked at, a program of others what it says in `info` lines, and any other
player the one move that it would play.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from azulejos.engine.fault import CannotObey, quoted
from azulejos.game.errors import InvalidNotation
from azulejos.game.game import Game
from azulejos.game.moves import MOVES, Move
from azulejos.players.engine_process import Answer
from azulejos.players.info import Info
from azulejos.players.player import Choice, Limits, Player
from azulejos.players.process import ProcessPlayer
from azulejos.players.searching import SearchingPlayer
from azulejos.search.report import Candidate, Report


class MoveFinding(msgspec.Struct, frozen=True):
    """What is known about one move."""

    move: str
    """The move as it is written."""
    visits: int | None
    """How often the search looked at it; None from players that do not say."""
    prior: float | None
    """How good it looked at first sight; None from players that do not say."""
    win: tuple[float, ...] | None
    """Each seat's share of the victory; None if it is not known."""
    margin: float | None
    """Expected final score of the side to move less that of its best opponent; None if it is not known."""
    line: tuple[str, ...]
    """The moves expected to follow, this one first."""


class Findings(msgspec.Struct, frozen=True):
    """What a player has found out about a position."""

    position: str
    """The position line."""
    player: str
    """Who has found it out."""
    nodes: int | None
    """Positions looked at; None from players that do not say."""
    seconds: float
    """How long it took."""
    depth: int | None
    """How many moves ahead the longest line looks; None from players that do not say."""
    solved: bool
    """Whether the rest of the round was solved exactly."""
    moves: tuple[MoveFinding, ...]
    """The best moves, best first, and those that were asked about."""


def find_out(player: Player, game: Game, limits: Limits, count: int, required: Sequence[Move] = ()) -> Findings:
    """The so many best moves in a position as a player sees them, and those required, as far as it can say."""
    check_required(player, game, required)
    started = time.perf_counter()
    if isinstance(player, SearchingPlayer):
        report = player.search(game, limits, settled=True, required=[move.id for move in required])
        return _of_report(player.name, game, report, count, required)
    if isinstance(player, ProcessPlayer):
        answer = player.ask(game, limits, count, required)
        moves, nodes, depth = _of_answer(answer, game), answer.nodes, answer.depth
    else:
        moves, nodes, depth = (_of_choice(player.choose(game, limits)),), None, None
    return Findings(
        position=game.position,
        player=player.name,
        nodes=nodes,
        seconds=round(time.perf_counter() - started, 3),
        depth=depth,
        solved=False,
        moves=moves,
    )


def check_required(player: Player, game: Game, required: Sequence[Move]) -> None:
    """Raise an error unless a player can be asked about these moves in a game."""
    if required and not isinstance(player, (SearchingPlayer, ProcessPlayer)):
        raise CannotObey("bad_value", f"the player {quoted(player.name)} does not search")
    for move in required:
        refusal = game.why_illegal(move)
        if refusal:
            raise refusal.error(move)


def _of_report(name: str, game: Game, report: Report, count: int, required: Sequence[Move]) -> Findings:
    """What a search has found, rounded to what is worth reading."""
    asked = {move.id for move in required}
    told = [one for rank, one in enumerate(report.candidates) if rank < count or one.action in asked]
    return Findings(
        position=game.position,
        player=name,
        nodes=report.nodes,
        seconds=round(report.seconds, 3),
        depth=report.depth,
        solved=report.solved,
        moves=tuple(_of_candidate(candidate, game.turn, report.solved) for candidate in told),
    )


def _of_candidate(candidate: Candidate, seat: int, solved: bool) -> MoveFinding:
    known = solved or candidate.visits > 0
    return MoveFinding(
        move=str(MOVES[candidate.action]),
        visits=candidate.visits,
        prior=round(candidate.prior, 4),
        win=_shares(candidate.win) if known else None,
        margin=round(candidate.margin[seat], 2) if known else None,
        line=tuple(str(MOVES[action]) for action in candidate.line),
    )


def readable_infos(answer: Answer, game: Game) -> tuple[Info, ...]:
    """What a program said about legal moves, in its order; a line goes up to the first word that is no move."""
    infos: dict[str, Info] = {}
    for info in answer.infos:
        # Of the best move it may tell nothing but the value.
        line = _readable(info.line or (str(answer.move),) * (info.rank == 1))
        if line and game.is_legal(line[0]):
            infos.setdefault(line[0], replace(info, line=line))
    return tuple(infos.values())


def _of_answer(answer: Answer, game: Game) -> tuple[MoveFinding, ...]:
    """The moves that a program told of, in its order; the one that it plays is among them."""
    found = {info.line[0]: _of_info(info) for info in readable_infos(answer, game)}
    return tuple(found.values()) if str(answer.move) in found else (_of_choice(Choice(answer.move)), *found.values())


def _of_info(info: Info) -> MoveFinding:
    return MoveFinding(info.line[0], None, None, _shares(info.win) or None, info.margin, info.line)


def _of_choice(choice: Choice) -> MoveFinding:
    margin = None if choice.margin is None else round(choice.margin, 2)
    return MoveFinding(str(choice.move), None, None, _shares(choice.win) or None, margin, (str(choice.move),))


def _shares(win: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(share, 4) for share in win)


def _readable(line: Sequence[str]) -> tuple[str, ...]:
    """The moves of a line, up to the first word that is none."""
    moves: list[str] = []
    for word in line:
        try:
            moves.append(str(Move.parse(word)))
        except InvalidNotation:
            break
    return tuple(moves)
