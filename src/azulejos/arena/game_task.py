"""One game between computer players: plain data in, plain data and the text of a record out."""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from azulejos.game.game import Game
from azulejos.game.moves import Move
from azulejos.game.record import Record
from azulejos.game.view import Wall
from azulejos.players.player import Limits, Player, PlayerFailed, begin
from azulejos.players.python_player import Chooser, as_player
from azulejos.players.registry import make

MAX_ROUNDS: Final = 50
"""Players that never finish a row must not stop a match."""
MOST_PLAYERS: Final = 8
"""How many players a process keeps alive: a searching one may hold hundreds of megabytes."""

Key = tuple[int, int]
"""Which game of a match: its pair (or group of rotations) and its rotation."""


@dataclass(frozen=True, slots=True)
class GameTask:
    """All that decides a game; everything by seat stands in the order of the seats."""

    pair: int
    """The number of its pair, or of its group of rotations."""
    rotation: int
    """Which game of the pair it is."""
    seats: tuple[int, ...]
    """Which contestant has each seat."""
    specs: tuple[str, ...]
    """Who has each seat: a spec, or the name of an object."""
    player_seeds: tuple[int, ...]
    """The seed of each player."""
    seed: int
    """The seed of the deals."""
    wall: Wall
    """The colored wall or the gray one."""
    limits: Limits
    """How long each move may be thought about."""
    event: str
    """What the record calls the occasion."""
    objects: tuple[Chooser | None, ...] = ()
    """The object that plays each seat; None where the registry makes the player. Left out if that is everywhere."""

    @property
    def key(self) -> Key:
        """Which game of the match it is."""
        return self.pair, self.rotation


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A player that failed, and how."""

    seat: int
    """Whose player failed."""
    why: str
    """What the player did wrong, in words."""


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """How a game went; everything by seat stands in the order of the seats."""

    pair: int
    """The number of its pair, or of its group of rotations."""
    rotation: int
    """Which game of the pair it is."""
    seats: tuple[int, ...]
    """Which contestant had each seat."""
    specs: tuple[str, ...]
    """Who had each seat."""
    seed: int
    """The seed of the deals."""
    result: tuple[int, ...]
    """The scores; after a forfeit those of the moment."""
    shares: tuple[float, ...]
    """Shares of the victory: 1 for the winner, 0.5 each for two who share it."""
    reason: str
    """`row`, `stalled`, `round_limit` or `forfeit`."""
    milliseconds: tuple[tuple[float, ...], ...]
    """How long each move took."""
    forfeit: Forfeit | None = None
    """The player that failed, if one did."""

    @property
    def key(self) -> Key:
        """Which game of the match it is."""
        return self.pair, self.rotation

    def margin(self, seat: int) -> int:
        """Own score less the best of the others."""
        return self.result[seat] - max(score for other, score in enumerate(self.result) if other != seat)

    def place(self, seat: int) -> tuple[bool, float, int]:
        """What orders the seats from first to last: who failed, the share of the victory, the score."""
        failed = self.forfeit is not None and self.forfeit.seat == seat
        return failed, -self.shares[seat], -self.result[seat]

    def json(self) -> dict[str, Any]:
        """The game as plain data for JSON; what follows from the times of the moves is there for people."""
        return asdict(self) | {
            "seconds": [round(sum(times) / 1000, 4) for times in self.milliseconds],
            "longest": [round(max(times, default=0.0) / 1000, 4) for times in self.milliseconds],
        }


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A finished game and its record."""

    game: FinishedGame
    """How the game went."""
    record: str
    """The whole game as text."""


def derived_seed(*parts: object) -> int:
    """A seed that follows from these parts and from nothing else, on every machine."""
    return int.from_bytes(hashlib.sha256(repr(parts).encode()).digest()[:8], "big") >> 1


def play_game(task: GameTask) -> RecordedGame:
    """Play one game; a player that fails or breaks the rules loses it."""
    players = len(task.seats)
    game = Game(players, task.wall, seed=task.seed, starter=0, max_rounds=MAX_ROUNDS)
    times: tuple[list[float], ...] = tuple([] for _ in task.seats)
    seated: dict[int, Player] = {}
    forfeit = None
    while not game.is_over:
        seat = game.turn
        try:
            if seat not in seated:
                seated[seat] = _seat_down(task, seat)
            move = _ask(seated[seat], game.public_copy(), task.limits, times[seat])
        except PlayerFailed as fault:
            _drop(task, seat)
            forfeit = Forfeit(seat, _plain(str(fault)))
            break
        game.play(move)
    finished = _finished(task, game, forfeit, times)
    return RecordedGame(finished, _record(task, game, forfeit).text())


def _ask(player: Player, game: Game, limits: Limits, times: list[float]) -> Move:
    """A legal move, or `PlayerFailed`."""
    started = time.perf_counter()
    try:
        move: object = player.choose(game.copy(), limits).move
    except Exception as fault:  # whatever goes wrong in a player, also in one of another package, is its own loss
        said = str(fault) if isinstance(fault, PlayerFailed) else f"{type(fault).__name__}: {fault}"
        raise PlayerFailed(said) from fault
    finally:
        times.append(round(1000 * (time.perf_counter() - started), 2))
    if not isinstance(move, Move):
        raise PlayerFailed(f"answered {move!r}, which is no move")
    refusal = game.why_illegal(move)
    if refusal:
        raise PlayerFailed(str(refusal.error(move)))
    return move


_players: OrderedDict[tuple[str, int], Player] = OrderedDict()
"""The players of this process, kept for its next games; the one used last stands last."""


def _seat_down(task: GameTask, seat: int) -> Player:
    """The player of a seat, which is told of the new game so that its lots repeat."""
    given = task.objects[seat] if task.objects else None
    player = _made(task.specs[seat], task.player_seeds[seat]) if given is None else as_player(given)
    begin(player, derived_seed(task.player_seeds[seat], task.seed, task.rotation))
    return player


def _made(*key: Any) -> Player:
    """The player with this spec and seed, made if this process does not have it; an object is its owner's to close."""
    if key not in _players:
        try:
            _players[key] = make(*key)
        except Exception as fault:  # the spec was checked before the match, so that this is the player's failure too
            raise PlayerFailed(f"cannot be made: {fault}") from fault
        while len(_players) > MOST_PLAYERS:
            _close(_players.popitem(last=False)[1])
    _players.move_to_end(key)
    return _players[key]


def _drop(task: GameTask, seat: int) -> None:
    """Let go of a player that failed; the next game gets a fresh one."""
    player = _players.pop((task.specs[seat], task.player_seeds[seat]), None)
    if player:
        _close(player)


def close_players() -> None:
    """Let go of all players of this process."""
    while _players:
        _close(_players.popitem()[1])


def _close(player: Player) -> None:
    with contextlib.suppress(Exception):  # its game is over, and its faults no longer matter
        player.close()


def _finished(task: GameTask, game: Game, forfeit: Forfeit | None, times: Iterable[list[float]]) -> FinishedGame:
    outcome = game.outcome
    seats = range(game.players)
    winners = outcome.winners if outcome else [seat for seat in seats if forfeit and seat != forfeit.seat]
    return FinishedGame(
        pair=task.pair,
        rotation=task.rotation,
        seats=task.seats,
        specs=task.specs,
        seed=task.seed,
        result=game.scores,
        shares=tuple(1 / len(winners) if seat in winners else 0.0 for seat in seats),
        reason=outcome.reason if outcome else "forfeit",
        milliseconds=tuple(map(tuple, times)),
        forfeit=forfeit,
    )


def _record(task: GameTask, game: Game, forfeit: Forfeit | None) -> Record:
    tags = {"Event": task.event, "Round": f"{task.pair + 1}.{task.rotation + 1}", "Seed": str(task.seed)}
    record = Record.of(game, task.specs, **tags)
    if forfeit is None:
        return record
    comment = f"Player {forfeit.seat + 1} forfeits: {forfeit.why}"
    last = record.entries[-1]
    last = replace(last, comments=(*last.comments, comment))
    # "resigned" is what readers of records know of games that end before they are over
    tags = {**record.tags, "Termination": "resigned"}
    return replace(record, entries=(*record.entries[:-1], last), result=game.scores, tags=tags)


def _plain(text: str) -> str:
    """A text as a comment of a record can hold it."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.replace("{", "(").replace("}", ")").split()) or "no reason given"
