"""A game at this keyboard: who sits where, whose turn it is, and the way back."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from azulejos.drawing.words import plural
from azulejos.game.game import Game
from azulejos.game.preview import Preview
from azulejos.game.view import Wall
from azulejos.locale import _
from azulejos.players.levels import FULL_STRENGTH
from azulejos.players.player import Limits, Player
from azulejos.players.registry import make
from azulejos.tui import words
from azulejos.tui.table.table import Advice, Change, Ending, Refused, Turn

THINKING = Limits(milliseconds=FULL_STRENGTH.milliseconds)
"""How long a computer may think about a move."""
HINT = Limits(milliseconds=1500)
"""How long a hint is thought about."""
ADVISER = FULL_STRENGTH.spec
"""The strongest player there is."""
PERSON = "person"
"""The spec of a seat that somebody here plays."""


class Sitting:
    """A game with people and computers on its seats; all of it at once, without waiting for anything."""

    def __init__(self, game: Game, players: Sequence[Player | None], names: Sequence[str]) -> None:
        """`players` has a computer for each seat, or None for a person here."""
        self.game = game
        """The game."""
        self.players = tuple(players)
        """Who plays each seat; None for a person."""
        self.names = tuple(names)
        """What each seat is called."""
        self._seats: list[int] = []  # who decided, move by move
        self._turn: Turn | None = None  # known until something happens
        self._adviser: Player | None = None

    @property
    def turn(self) -> Turn | None:
        """The decision of a person, if it is one's turn."""
        if not self.is_persons_turn:
            return None
        if self._turn is None:
            self._turn = turn_of(self.game)
        return self._turn

    @property
    def is_persons_turn(self) -> bool:
        """Whether a person has to decide."""
        return not self.game.is_over and self.players[self.game.turn] is None

    @property
    def own_seats(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, player in enumerate(self.players) if player is None]

    @property
    def has_decided(self) -> bool:
        """Whether a person has made a move."""
        return any(self.players[seat] is None for seat in self._seats)

    @property
    def ending(self) -> Ending | None:
        """How the game ended, once it has."""
        outcome = self.game.outcome
        return None if outcome is None else Ending(outcome.reason, outcome.winners, outcome.scores)

    @property
    def record(self) -> str:
        """The game so far."""
        return self.game.to_record(names=self.names)

    def play(self, move: str) -> Change:
        """Play a move of whoever is to move."""
        before, seat = self.game.view, self.game.turn
        happening = self.game.play(move)
        self._seats.append(seat)
        self._turn = None
        return Change(before, self.game.view, (happening,))

    def think(self, game: Game | None = None) -> str:
        """The move that the computer to move chooses."""
        game = game or self.game
        player = self.players[game.turn]
        if player is None:
            raise ValueError(f"seat {game.turn + 1} is a person's")
        return str(player.choose(game, THINKING).move)

    def advise(self, game: Game | None = None) -> Advice:
        """What the strongest player would do."""
        game = game or self.game
        if self._adviser is None:
            self._adviser = make(ADVISER)
        choice = self._adviser.choose(game, HINT)
        return Advice(str(choice.move), choice.margin, choice.win[game.turn] if choice.win else None)

    def undo(self) -> Change:
        """Back to a person's last decision, with all that the computers did since."""
        own = set(self.own_seats)
        mine = [at for at, seat in enumerate(self._seats) if seat in own]
        if not mine:
            raise Refused(words.refusal("nothing_to_undo", {}))
        before = self.game.view
        while len(self._seats) > mine[-1]:
            self.game.undo()
            self._seats.pop()
        self._turn = None
        return Change(before, self.game.view, (), _("A move was taken back."))

    def again(self) -> Change:
        """Begin another game of the same kind; the next seat starts it."""
        before = self.game.view
        starter = (self.game.from_start().starter + 1) % self.game.players
        self.game = Game(self.game.players, self.game.wall, starter=starter)
        self._seats.clear()
        self._turn = None
        return Change(before, self.game.view, (), _("A new game."))

    def close(self) -> None:
        """Let go of the computers."""
        for player in {id(one): one for one in (*self.players, self._adviser) if one is not None}.values():
            player.close()


def turn_of(game: Game) -> Turn:
    """The decision that is due in a game, with everything that may be chosen."""
    moves = game.legal_moves
    options: dict[str, Preview] = {str(move): game.preview(move) for move in moves}
    return Turn(game.turn, options, moves[0].row if moves[0].is_tiling else None)


def sit_down(
    players: int, wall: Wall, seed: int | None, me: str, against: Sequence[str]
) -> tuple[Game, list[Player | None], list[str]]:
    """The game, players and names that the options of the command line ask for."""
    game = Game(players, wall, seed)
    if len(against) not in (1, players - 1):
        raise ValueError(
            f"--against was given {len(against)} times for {plural(players - 1, 'other player')}: "
            "give it once for all of them, or once for each"
        )
    specs = [me, *(list(against) * (players - 1) if len(against) == 1 else against)]
    base = secrets.randbits(32) if seed is None else seed
    made: dict[str, Player] = {}
    seats: list[Player | None] = []
    for seat, spec in enumerate(specs):
        if spec.partition(":")[0] == PERSON:
            seats.append(None)
            continue
        if spec not in made:
            made[spec] = make(spec, base + seat)
        seats.append(made[spec])
    return game, seats, names_of(specs)


def names_of(specs: Sequence[str]) -> list[str]:
    """A name for each seat: the person's own, You for somebody alone, or what a computer is called."""
    people = [spec for spec in specs if spec.partition(":")[0] == PERSON]
    names = []
    for seat, spec in enumerate(specs):
        kind, _colon, name = spec.partition(":")
        name = "".join(filter(str.isprintable, name)).strip()
        if kind != PERSON:
            names.append(words.level_name(spec))
        elif name:
            names.append(name[:24])
        else:
            names.append(_("You") if len(people) == 1 else _("Player {number}").format(number=seat + 1))
    for name in set(names):
        same = [seat for seat, other in enumerate(names) if other == name]
        for number, seat in enumerate(same, 1):
            names[seat] = f"{name} {number}" if len(same) > 1 else name
    return names
