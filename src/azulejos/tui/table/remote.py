"""A table on a server: what it says is shown, what the people here decide is sent to it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from urllib.request import ProxyHandler, build_opener

from azulejos.game.game import Game
from azulejos.game.happening import Happening
from azulejos.game.moves import Deal, Move
from azulejos.game.preview import previews_of
from azulejos.game.view import Phase, View
from azulejos.locale import _
from azulejos.players.player import Choice
from azulejos.server.protocol import outgoing as said
from azulejos.server.protocol.incoming import Play, Rematch, Rename, TakeHint, Undo
from azulejos.server.protocol.position import HappeningInfo
from azulejos.server.tables import events
from azulejos.server.tables.choices import Own, own, with_others_done
from azulejos.server.tables.info import Result
from azulejos.tui import words
from azulejos.tui.table.adviser import Adviser
from azulejos.tui.table.connection import FATAL, PATIENCE_SECONDS, Connection, why_lost, why_refused
from azulejos.tui.table.link import Link
from azulejos.tui.table.people import People
from azulejos.tui.table.table import Action, Change, Changes, NotAllowed, PendingDecision

OPENING_SECONDS: Final = 30.0
"""How long the connection and the first position may take."""


class RemoteTable:
    """A table on a server, reached by a link; `open` waits until it is there, and before that it knows nothing."""

    is_local = False
    """The server keeps the game."""
    forgets = False
    """A remote table forgets nothing: one can leave and come back."""

    def __init__(self, link: Link) -> None:
        self._connection = Connection(link, self._hear, self._lost)
        self._changes = Changes()
        self._adviser = Adviser()
        self._arrived = asyncio.Event()
        self._said: said.Situation
        self._game: Game | None = None  # the position that everybody sees
        self._people: People
        self._is_lost = False
        self._farewell = ""  # why the server wants nothing more to do with us

    async def open(self) -> None:
        """Connect, and wait for the first position; a `ValueError` says why none comes."""
        self._connection.start()
        try:
            async with asyncio.timeout(OPENING_SECONDS):
                await self._arrived.wait()
        except TimeoutError as fault:
            if self._game is None:  # or it has come while the rules were compiled
                self._farewell = why_lost(self._connection.link, fault)
        if self._farewell:
            raise ValueError(self._farewell)

    @property
    def game(self) -> Game:
        """The position that everybody sees, as a game that goes on from it."""
        assert self._game is not None
        return self._game

    @property
    def names(self) -> Sequence[str]:
        """The name of each seat."""
        return self._people.names

    @property
    def view(self) -> View:
        """The position, with the choices here that nobody else sees yet."""
        public = self.game.view
        boards = list(public.boards)
        for choosing in self._people.you.choosing:
            boards[choosing.seat] = self._own(choosing).board
        return replace(public, boards=tuple(boards))

    def _own(self, choosing: said.Choosing) -> Own:
        return own(self.game, choosing.seat, [Move.parse(move) for move in choosing.chosen])

    @property
    def turn(self) -> PendingDecision | None:
        """The decision of a person here; none while something is still to be shown, or there is no connection."""
        return self._decision

    @property
    def _decision(self) -> PendingDecision | None:
        """The decision for a seat of the link."""
        if self._is_lost or self.ending or self._changes.move_something:
            return None
        mine = [
            seat for seat in self._people.you.seats if seat in self.waiting and not self._people.has_substitute(seat)
        ]
        if mine and self.game.phase is Phase.DRAFTING:
            return PendingDecision(mine[0], self.game.previews())
        for choosing in self._people.you.choosing:
            if choosing.seat in mine and choosing.options:
                return PendingDecision(choosing.seat, previews_of(self._own(choosing).states))
        return None

    @property
    def ending(self) -> Result | None:
        """How the game ended."""
        return self._said.table.result

    @property
    def own_seats(self) -> Sequence[int]:
        """The seats that the link opens."""
        return self._people.you.seats

    @property
    def remarks(self) -> Sequence[str]:
        """Who is away, who has a substitute, the clocks and the reactions."""
        return self._people.remarks

    @property
    def notice(self) -> str:
        """That there is no connection, or what the people do."""
        if self._farewell:
            return self._farewell
        return _("Connection lost. Reconnecting ...") if self._is_lost else self._people.notice

    @property
    def waiting(self) -> Sequence[int]:
        """The seats that have to decide; on the gray wall there can be several."""
        return self._said.waiting

    @property
    def actions(self) -> Sequence[Action]:
        """A computer for somebody, and giving up."""
        return [] if self._is_lost else self._people.actions(self._connection.ask)

    @property
    def reactions(self) -> Sequence[Action]:
        """The reactions to send to the others."""
        return [] if self._is_lost else self._people.reactions(self._connection.ask)

    async def next(self) -> Change:
        """The next thing that the server says; `NotAllowed` where it wants nothing more to do with us."""
        if self._farewell and not self._changes:
            raise NotAllowed(self._farewell)
        return await self._changes.next()

    async def play(self, move: Move) -> None:
        """Send a move."""
        turn = self.turn
        if turn is None or move not in turn.options:
            raise NotAllowed(self.why_not(move))
        await self._connection.ask(Play(seat=turn.seat, move=str(move), version=self._version))

    @property
    def _version(self) -> int:
        return self._said.version

    async def undo(self) -> None:
        """Ask to take back the last decision of a seat here."""
        seats = [*self._people.you.undo, *self.own_seats]  # where none may, the server says why
        if not seats:
            raise NotAllowed(words.refusal("not_your_seat"))
        await self._connection.ask(Undo(seat=seats[0], version=self._version))

    async def hint(self) -> Choice:
        """What the strongest player here would do; everybody at the table is told that somebody took a hint."""
        turn = self.turn
        if turn is None:
            raise NotAllowed(words.refusal("not_your_turn"))
        version = self._version
        best = await self._adviser.advise(self._seen_by(turn.seat))
        await self._connection.ask(TakeHint(seat=turn.seat, version=version))  # refused if it comes too late
        return best

    def _seen_by(self, seat: int) -> Game:
        """A copy of the game in which this seat has to decide."""
        chosen = [Move.parse(move) for own in self._people.you.choosing if own.seat == seat for move in own.chosen]
        return with_others_done(self.game, seat, chosen)

    async def rename(self, name: str) -> None:
        """Put another name on the first seat of the link, unless it stands there already."""
        if not self._people.you.seats:
            raise NotAllowed(words.refusal("not_your_seat"))
        seat = self._people.you.seats[0]
        if self.names[seat] != name:
            await self._connection.ask(Rename(seat=seat, name=name))

    async def again(self) -> None:
        """Ask for a rematch; the event of it brings us to the new table."""
        await self._connection.ask(Rematch())

    async def record(self) -> str:
        """The game so far, from the server."""
        link = self._connection.link
        address = f"{link.origin}/api/tables/{link.table}/record.azul"
        try:
            return await asyncio.to_thread(_fetch, address)
        except (OSError, ValueError) as fault:
            raise NotAllowed(str(fault)) from fault

    def why_not(self, move: Move) -> str:
        """Why a move may not be played."""
        turn = self.turn
        if turn is None:
            return words.refusal("connection_lost" if self._is_lost else "not_your_turn")
        if turn.tiling_row is not None:
            return words.refusal("tile_first", {"row": turn.tiling_row + 1})
        refusal = self.game.why_illegal(move)
        return words.refusal(refusal.code, refusal.arguments) if refusal else ""

    def close(self) -> None:
        """Leave the table; the server keeps it."""
        self._adviser.close()
        self._connection.close()

    # ---- what the server says ----

    def _hear(self, message: said.Outgoing) -> None:
        if isinstance(message, said.Welcome):
            self._welcomed(message)
        elif isinstance(message, said.Event):
            self._happened(message)
        elif isinstance(message, said.Resumed):
            self._people.you, self._people.present = message.you, message.present
            self._note(self._back())
        elif isinstance(message, said.Present):
            self._people.present = message.present
            self._note(self._back())
        elif isinstance(message, said.Emoted):
            self._note(self._people.show_reaction(message))
        elif isinstance(message, said.Refused) and message.code in FATAL and not self._connection.is_open:
            self._sent_away(message)

    def _sent_away(self, message: said.Refused) -> None:
        """There is no way back in, or none in at all."""
        if self._game is None:
            self._turned_away(why_refused(self._connection.link, message))
        else:
            self._farewell = words.sentence(words.refusal(message.code, message.arguments))
            self._note(self._farewell)

    def _welcomed(self, message: said.Welcome) -> None:
        before = self.view if self._game else None
        self._said, self._people = message, People(message)
        self._game = Game.from_position(message.position.line)
        if before is not None:
            self._changes.put(Change(before, self.view, (), self._back()))
        self._arrived.set()

    def _happened(self, event: said.Event) -> None:
        game, names, what = self.game, self.names, event.what
        before = game.view if isinstance(what, said.Played) else self.view  # own choices stay where nothing is played
        self._said = event
        self._people.hear(event)
        self._game = Game.from_position(event.position.line)
        happenings = _replayed(game, what.happenings) if isinstance(what, said.Played) else ()
        self._changes.put(Change(before, self.view, happenings, _note_of(what, names)))
        if isinstance(what, events.Rematched):
            self._connection.move_to(replace(self._connection.link, table=what.table))

    def _back(self) -> str:
        """There is a connection; what to say of it."""
        was_lost, self._is_lost = self._is_lost, False
        return _("Back at the table.") if was_lost else ""

    def _lost(self, fault: Exception) -> None:
        if self._game is None:
            self._turned_away(why_lost(self._connection.link, fault))
        elif not self._is_lost:
            self._is_lost = True
            self._note(self.notice)

    def _turned_away(self, why: str) -> None:
        """There was no first position."""
        self._farewell = why
        self._arrived.set()

    def _note(self, note: str) -> None:
        self._changes.put(Change(self.view, self.view, (), note))


def _replayed(game: Game, told: Sequence[HappeningInfo]) -> tuple[Happening, ...]:
    """What moves did: they are played here, too, and what was dealt after them is dealt."""
    happenings = []
    for one in told:
        happening = game.play(one.move)
        if one.deal is not None:
            deal = Deal(tuple(map(tuple, one.deal)))
            game.play(deal)
            happening = replace(happening, deal=deal)
        happenings.append(happening)
    return tuple(happenings)


def _fetch(address: str) -> str:
    with build_opener(ProxyHandler({})).open(address, timeout=PATIENCE_SECONDS) as answer:
        return str(answer.read().decode())


def _note_of(what: said.Happened, names: Sequence[str]) -> str:
    """What happened besides moves, in a sentence."""
    told = {
        events.Joined: _("{name} has come."),
        events.Undone: _("{name} took back a move."),
        events.Resigned: _("{name} resigned."),
        events.TimedOut: _("The time of {name} is up."),
        events.Substituted: _("A computer plays for {name}."),
        events.CameBack: _("{name} is back."),
        events.Renamed: _("{name} has another name now."),
        events.Assisted: _("{name} was given a hint."),
        events.Rematched: _("The next game begins."),
    }.get(type(what), "")
    if isinstance(what, events.Listed):
        told = _("Anybody may come from the lobby.") if what.open else _("Nobody comes from the lobby any more.")
    return told.format(name=names[getattr(what, "seat", 0)])
