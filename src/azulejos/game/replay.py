"""Replaying records: every head, deal, move and result checked; and the deals against the dealer's secret."""

from __future__ import annotations

from collections.abc import Iterator

from azulejos.game.dealer import Dealer
from azulejos.game.errors import IllegalMove, InvalidNotation
from azulejos.game.game import Game
from azulejos.game.moves import Deal
from azulejos.game.record import Entry, Record
from azulejos.game.view import Phase
from azulejos.rules.state import NO_ROUND_LIMIT

GAVE_UP = ("resigned", "time")
"""Terminations with which a game may end before it is over."""


def start_of(record: Record) -> Game:
    """The game before the first entry of a record; it waits for deals."""
    limit = None
    if record.tags.get("Termination") == "round_limit":
        limit = max((entry.head[0] for entry in record.entries if entry.head), default=1)
        if not 1 <= limit <= NO_ROUND_LIMIT:
            raise InvalidNotation(f"there is no round R{limit}@{_first_starter(record) + 1}")
    if record.position is not None:
        game = Game.from_position(record.position, max_rounds=limit)
        if (game.players, game.wall) != (record.players, record.wall):
            raise InvalidNotation(f"the tag Position has {game.players} players and wall {game.wall!r}, the record not")
        return game
    starter = _first_starter(record)
    if not 0 <= starter < record.players:
        raise InvalidNotation(f"seat {starter + 1} starts a game with {record.players} players")
    return Game.undealt(record.players, record.wall, starter, limit)


def _first_starter(record: Record) -> int:
    return next((entry.head[1] for entry in record.entries if entry.head), 0)


def steps(record: Record) -> Iterator[tuple[Entry, Game]]:
    """Each entry of a record with the game after it; the game is always the same object."""
    game = start_of(record)
    for number, entry in enumerate(record.entries):
        _step(game, entry, first=number == 0)
        yield entry, game


def replay(record: Record) -> Game:
    """The game at the end of a record; raises one of our errors where something does not fit."""
    game, deals = start_of(record), _Deals(record)
    for number, entry in enumerate(record.entries):
        deals.look_at(game, entry)
        _step(game, entry, first=number == 0)
    _check_result(record, game)
    if deals.fault:
        raise deals.fault
    return game


def _step(game: Game, entry: Entry, *, first: bool) -> None:
    for variation in entry.variations:
        _try_variation(game, variation)
    _apply(game, entry, first=first)


def _try_variation(game: Game, variation: tuple[Entry, ...]) -> None:
    """Play a variation and take it back, which costs nothing for the moves before it, as a copy would."""
    plays = 0
    try:
        for entry in variation:
            for inner in entry.variations:
                _try_variation(game, inner)
            _apply(game, entry, first=False)
            plays += 1
    finally:
        for _ in range(plays):
            game.undo()


def _apply(game: Game, entry: Entry, *, first: bool) -> None:
    if entry.head is not None and entry.head != (game.round, game.starter):
        number, starter = entry.head
        raise InvalidNotation(
            f"{place(game)}: the head says R{number}@{starter + 1}, but it is R{game.round}@{game.starter + 1}"
        )
    if entry.play is None:
        if not first or not game.phase.is_decision:
            raise InvalidNotation(f"{place(game)}: the head of the round has no deal behind it")
        return
    if isinstance(entry.play, Deal) and entry.head is None:
        raise InvalidNotation(f"{place(game)}: the deal {str(entry.play)!r} has no head of a round before it")
    try:
        game.play(entry.play)
    except IllegalMove as fault:
        raise IllegalMove(f"{place(game)}: {fault}", fault.code, fault.arguments) from fault


def place(game: Game) -> str:
    """Where in a record the next move or deal of a game stands, in words."""
    return f"round {game.round}, move {_move_number(game)}"


def _move_number(game: Game) -> int:
    """The number in its round of the move to come; the deal of a round counts as its first move."""
    number = 1
    if game.phase is Phase.DEAL_DUE:
        return number
    for play in reversed(game.history):
        if isinstance(play, Deal):
            break
        number += 1
    return number


def _check_result(record: Record, game: Game) -> None:
    termination = record.tags.get("Termination")
    if record.result is None:
        if game.is_over:
            raise InvalidNotation("the game is over but the record ends in *")
        return
    if record.result != game.scores:
        scores = "-".join(map(str, game.scores))
        raise InvalidNotation(f"the result is {record.result_text!r}, but the scores are {scores!r}")
    if game.outcome is None and termination not in GAVE_UP:
        raise InvalidNotation(f"the record has the result {record.result_text!r}, but the game is not over")
    if game.outcome is not None and termination not in (None, *GAVE_UP, game.outcome.reason):
        raise InvalidNotation(f"the tag Termination is {termination!r}, but the game ended by {game.outcome.reason!r}")


class _Deals:
    """Compares the deals of a record with those that follow from the dealer's secret, if that is known."""

    def __init__(self, record: Record) -> None:
        self.fault: InvalidNotation | None = None
        """What is wrong with the secret or the first deal that does not follow from it."""
        self._dealer: Dealer | None = None
        commitment, secret = record.tags.get("DealCommitment"), record.tags.get("DealSecret")
        if secret is None:
            return
        try:
            self._dealer = Dealer.from_text(secret)
        except InvalidNotation as fault:
            self.fault = fault
            return
        given = self._dealer.commitment
        if commitment is not None and commitment != given:
            self.fault = InvalidNotation(f"the secret does not fit the commitment {commitment!r}: it gives {given!r}")

    def look_at(self, game: Game, entry: Entry) -> None:
        """Compare the deal that is to come."""
        if self._dealer is None or self.fault or not isinstance(entry.play, Deal) or game.phase is not Phase.DEAL_DUE:
            return
        expected = self._dealer.deal(game.states)
        if entry.play != expected:
            self.fault = InvalidNotation(
                f"round {game.round}: the deal {str(entry.play)!r} does not follow from the secret, "
                f"which gives {str(expected)!r}"
            )
