"""The game at this keyboard as a table: computers think in a thread, so that the screen never waits for them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from datetime import date

import msgspec

from azulejos.drawing.words import plural
from azulejos.game.game import Game
from azulejos.game.moves import Move
from azulejos.game.record import EVENT
from azulejos.game.view import View, Wall
from azulejos.locale import _
from azulejos.players.levels import FULL_STRENGTH
from azulejos.players.player import Choice, Limits, Player, PlayerFailed
from azulejos.players.registry import is_of_others, make
from azulejos.server.tables.info import Result
from azulejos.server.tables.setup import LONGEST_NAME
from azulejos.tui import words
from azulejos.tui.table.adviser import Adviser
from azulejos.tui.table.table import Action, Change, Changes, NotAllowed, PendingDecision

THINKING = Limits(milliseconds=FULL_STRENGTH.milliseconds)
"""How long a computer may think about a move."""
PERSON = "person"
"""The spec of a seat that somebody here plays."""


class LocalTable:
    """A game with people at this keyboard and computers on its seats."""

    is_local = True
    """The game ends with the program."""
    notice = ""
    """Nothing keeps the people here from playing."""
    actions: Sequence[Action] = ()
    """Nobody is away, and whoever has had enough leaves."""
    reactions: Sequence[Action] = ()
    """Everybody is here and can speak."""

    def __init__(self, game: Game, players: Sequence[Player | None], names: Sequence[str]) -> None:
        """`players` has a computer for each seat, or None for a person here."""
        self.game = game
        """The game that is played."""
        self.names = tuple(names)
        """What each seat is called."""
        self.own_seats = [seat for seat, player in enumerate(players) if player is None]
        """The seats of people."""
        self.remarks = [""] * len(names)
        """There is nothing to remark about anybody."""
        self._players = tuple(players)
        self._adviser = Adviser()
        self._deciders: list[int] = []  # who decided, move by move
        self._decision: PendingDecision | None = None  # known until something happens
        self._changes = Changes()
        self._day = date.today()
        self._epoch = 0  # rises with every change, so that a thought that comes too late is dropped

    @property
    def view(self) -> View:
        """The position that the table shows."""
        return self.game.view

    @property
    def turn(self) -> PendingDecision | None:
        """The decision of a person here; none while something is still to be shown."""
        if self._changes or not self._is_persons_turn:
            return None
        if self._decision is None:
            self._decision = PendingDecision(self.game.turn, self.game.previews())
        return self._decision

    @property
    def _is_persons_turn(self) -> bool:
        return self.game.seat in self.own_seats

    @property
    def ending(self) -> Result | None:
        """How the game ended."""
        outcome = self.game.outcome
        return None if outcome is None else msgspec.convert(outcome, Result, from_attributes=True)

    @property
    def waiting(self) -> Sequence[int]:
        """Whoever is to move."""
        return [] if self.game.seat is None else [self.game.seat]

    @property
    def forgets(self) -> bool:
        """Whether there is something to lose: a move of a person in a game that is not over."""
        return not self.game.is_over and any(seat in self.own_seats for seat in self._deciders)

    async def next(self) -> Change:
        """The next move: of a person when it is played, of a computer as soon as it has thought."""
        while not (self._changes or self.game.is_over or self._is_persons_turn):
            await self._think()
        return await self._changes.next()

    async def _think(self) -> None:
        epoch, game = self._epoch, self.game.copy()
        player = self._players[game.turn]
        assert player is not None
        try:
            choice = await asyncio.to_thread(player.choose, game, THINKING)
        except PlayerFailed as fault:
            told = _("{name} cannot play: {fault}")
            raise NotAllowed(told.format(name=self.names[game.turn], fault=fault)) from fault
        if epoch == self._epoch:
            self._play(choice.move)

    def _play(self, move: Move) -> None:
        before = self.view
        self._deciders.append(self.game.turn)
        happening = self.game.play(move)
        self._note(Change(before, self.view, (happening,)))

    def _note(self, change: Change) -> None:
        self._epoch += 1
        self._decision = None
        self._changes.put(change)

    async def play(self, move: Move) -> None:
        """Play a person's move."""
        turn = self.turn
        if turn is None or move not in turn.options:
            raise NotAllowed(self.why_not(move))
        self._play(move)

    async def undo(self) -> None:
        """Back to a person's last decision, with all that the computers did since."""
        mine = [at for at, seat in enumerate(self._deciders) if seat in self.own_seats]
        if not mine:
            raise NotAllowed(words.refusal("nothing_to_undo"))
        before = self.view
        for _decider in self._deciders[mine[-1] :]:
            self.game.undo()
        del self._deciders[mine[-1] :]
        self._note(Change(before, self.view, (), _("A move was taken back.")))

    async def hint(self) -> Choice:
        """What the strongest player would do."""
        if self.turn is None:
            raise NotAllowed(words.refusal("not_your_turn"))
        return await self._adviser.advise(self.game.copy())

    async def again(self) -> None:
        """Begin another game of the same kind; the next seat starts it."""
        before = self.view
        starter = (self.game.from_start().starter + 1) % self.game.players
        self.game = Game(self.game.players, self.game.wall, starter=starter)
        self._deciders.clear()
        self._day = date.today()
        self._note(Change(before, self.view, (), _("A new game.")))

    async def record(self) -> str:
        """The game so far, with the day on which it began."""
        return self.game.to_record(names=self.names, Event=EVENT, Date=f"{self._day:%Y.%m.%d}")

    def why_not(self, move: Move) -> str:
        """Why a move may not be played."""
        if not (self.game.is_over or self._is_persons_turn):
            return words.refusal("not_your_turn")
        refusal = self.game.why_illegal(move)
        return words.refusal(refusal.code, refusal.arguments) if refusal else ""

    def close(self) -> None:
        """Let go of the computers."""
        self._adviser.close()
        for player in {id(one): one for one in self._players if one is not None}.values():
            player.close()


def sit_down(players: int, wall: Wall, seed: int | None, me: str, against: Sequence[str]) -> LocalTable:
    """The table that the options of the command line ask for."""
    game = Game(players, wall, seed)
    if len(against) not in (1, players - 1):
        raise ValueError(
            f"--against was given {len(against)} times for {plural(players - 1, 'other player')}: "
            "give it once for all of them, or once for each"
        )
    specs = [me, *(list(against) * (players - 1) if len(against) == 1 else against)]
    base = secrets.randbits(32) if seed is None else seed
    made: dict[str, Player] = {}
    for seat, spec in enumerate(specs):
        if not is_person(spec) and spec not in made:
            made[spec] = make(spec, base + seat)
    return LocalTable(game, [made.get(spec) for spec in specs], names_of(specs, made))


def is_person(spec: str) -> bool:
    """Whether somebody at this keyboard plays a seat.

    >>> is_person("person:Ana"), is_person("level3")
    (True, False)
    """
    return spec.partition(":")[0] == PERSON


def own_name(spec: str) -> str:
    """The name that a person has given, cut where it gets long; empty if there is none."""
    return words.printable(spec.partition(":")[2])[:LONGEST_NAME]


def names_of(specs: Sequence[str], made: Mapping[str, Player] | None = None) -> list[str]:
    """A name for each seat: the person's own, You for somebody alone, or what a computer is called.

    Programs and classes of others call themselves as they like.
    """
    is_alone = sum(map(is_person, specs)) == 1
    own = {spec: player.name for spec, player in (made or {}).items() if is_of_others(spec)}
    names = [_name(seat, spec, is_alone, own.get(spec, "")) for seat, spec in enumerate(specs)]
    for name in set(names):
        same = [seat for seat, other in enumerate(names) if other == name]
        for number, seat in enumerate(same, 1):
            names[seat] = f"{name} {number}" if len(same) > 1 else name
    return names


def _name(seat: int, spec: str, is_alone: bool, title: str) -> str:
    if not is_person(spec):
        return words.printable(title)[:LONGEST_NAME] or words.level_name(spec)
    return own_name(spec) or (_("You") if is_alone else _("Player {number}").format(number=seat + 1))
