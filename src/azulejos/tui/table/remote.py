"""A table on a server: what it says is shown, what the people here decide is sent to it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from urllib.request import ProxyHandler, build_opener

from azulejos.game.game import Game
from azulejos.game.moves import Move
from azulejos.game.notation import read_position
from azulejos.game.view import View
from azulejos.locale import _
from azulejos.players.levels import OPPONENTS
from azulejos.tui import words
from azulejos.tui.table import reading
from azulejos.tui.table.connection import FATAL, PATIENCE_SECONDS, Connection, why_refused
from azulejos.tui.table.link import Link
from azulejos.tui.table.reading import Data
from azulejos.tui.table.room import Room
from azulejos.tui.table.table import Advice, Change, Deed, Ending, Refused, Turn

OPENING_SECONDS: Final = 30.0
"""How long the first position may take; a server that is just started anew is there again by then."""
HINT_SECONDS: Final = 30.0
"""How long the server may think about a hint, after the others who ask for one."""


class RemoteTable:
    """A table on a server, reached by a link; `open` waits until it is there."""

    def __init__(self, link: Link) -> None:
        self._connection = Connection(link, self._hear, self._lost)
        self._changes: deque[Change] = deque()
        self._stirred = asyncio.Event()
        self._here = asyncio.Event()
        self._said: Data = {}
        self._public: View | None = None
        self._room = Room(lambda: self.names)
        self._is_lost = False
        self._farewell = ""  # why the server wants nothing more to do with us

    async def open(self) -> None:
        """Connect, and wait for the first position; a `ValueError` says why none comes."""
        self._connection.start()
        try:
            async with asyncio.timeout(OPENING_SECONDS):
                await self._here.wait()
        except TimeoutError:
            raise ValueError(f"the server at {self._connection.link.origin!r} does not answer anymore") from None
        if self._farewell:
            raise ValueError(self._farewell)

    @property
    def names(self) -> Sequence[str]:
        """The name of each seat."""
        return [self._name(seat, info) for seat, info in enumerate(self._said["table"]["seats"])]

    def _name(self, seat: int, info: Data) -> str:
        name = "".join(filter(str.isprintable, info.get("name", ""))).strip()
        if name:
            return name
        level = info.get("level")
        return words.level_name(_spec(level)) if level else _("Player {number}").format(number=seat + 1)

    @property
    def view(self) -> View:
        """The position, with the choices here that nobody else sees yet."""
        assert self._public is not None
        boards = list(self._public.boards)
        for choosing in self._said["you"].get("choosing", ()):
            boards[choosing["seat"]] = reading.board(choosing["board"])
        return replace(self._public, boards=tuple(boards))

    @property
    def turn(self) -> Turn | None:
        """The decision of a person here; none while something is still to be shown, or there is no connection."""
        if self._is_lost or self.ending or any(map(_moves_something, self._changes)):
            return None
        you, position = self._said["you"], self._said["position"]
        own = [seat for seat in you.get("seats", ()) if not self._room.has_substitute(seat)]
        mine = [seat for seat in self._said["waiting"] if seat in own]
        if not mine:
            return None
        if position["phase"] != "t":
            return Turn(mine[0], reading.options(position["options"]))
        for choosing in you.get("choosing", ()):
            if choosing["seat"] in mine and choosing["options"]:
                options = reading.options(choosing["options"])
                return Turn(choosing["seat"], options, Move.parse(next(iter(options))).row)
        return None

    @property
    def ending(self) -> Ending | None:
        """How the game ended."""
        result = self._said["table"].get("result")
        return result and Ending(result["reason"], result["winners"], result["scores"])

    @property
    def own_seats(self) -> Sequence[int]:
        """The seats that the link opens."""
        return list(self._said["you"].get("seats", ()))

    @property
    def is_here_alone(self) -> bool:
        """Whether the link opens one seat."""
        return len(self.own_seats) == 1

    @property
    def remarks(self) -> Sequence[str]:
        """Who is away, who has a substitute, the clocks and the signs."""
        return self._room.remarks()

    @property
    def notice(self) -> str:
        """That there is no connection, or what the people do."""
        if self._farewell:
            return self._farewell
        return _("Connection lost. Reconnecting ...") if self._is_lost else self._room.notice

    @property
    def waiting(self) -> Sequence[int]:
        """The seats that have to decide; on the gray wall there can be several."""
        return list(self._said["waiting"])

    @property
    def deeds(self) -> Sequence[Deed]:
        """A computer for somebody, and giving up."""
        return [] if self._is_lost else self._room.deeds(self._connection.ask)

    @property
    def signs(self) -> Sequence[Deed]:
        """The signs to show the others."""
        return [] if self._is_lost else self._room.signs(self._connection.ask)

    @property
    def forgets(self) -> bool:
        """The server keeps everything: one can leave and come back."""
        return False

    async def next(self) -> Change:
        """The next thing that the server says; `Refused` where it wants nothing more to do with us."""
        while not self._changes:
            if self._farewell:
                raise Refused(self._farewell)
            self._stirred.clear()
            await self._stirred.wait()
        return self._changes.popleft()

    async def play(self, move: str) -> None:
        """Send a move."""
        turn = self.turn
        if turn is None or move not in turn.options:
            raise Refused(self.why_not(move))
        await self._connection.ask(type="play", seat=turn.seat, move=move, version=self._connection.version)

    async def undo(self) -> None:
        """Ask to take back the last decision of a seat here."""
        seats = [*self._said["you"].get("undo", ()), *self.own_seats]  # where none may, the server says why
        if not seats:
            raise Refused(words.refusal("not_your_seat", {}))
        await self._connection.ask(type="undo", seat=seats[0], version=self._connection.version)

    async def hint(self) -> Advice:
        """Ask the server for the best move."""
        turn = self.turn
        if turn is None:
            raise Refused(words.refusal("not_your_turn", {}))
        version = self._connection.version
        answer = await self._connection.ask(thinking_seconds=HINT_SECONDS, type="hint", seat=turn.seat, version=version)
        best = answer["moves"][0]
        return Advice(best["move"], best["margin"], best["win"][turn.seat])

    async def again(self) -> None:
        """Ask for a rematch; the event of it brings us to the new table."""
        await self._connection.ask(type="rematch")

    async def record(self) -> str:
        """The game so far, from the server."""
        link = self._connection.link
        address = f"{link.origin}/api/tables/{link.table}/record.azul"
        try:
            return await asyncio.to_thread(_fetch, address)
        except (OSError, ValueError) as fault:
            raise Refused(str(fault)) from fault

    def why_not(self, move: str) -> str:
        """Why a move may not be played."""
        turn = self.turn
        if turn is None:
            return words.refusal("connection_lost" if self._is_lost else "not_your_turn", {})
        if turn.tiling_row is not None:
            return words.refusal("tile_first", {"row": turn.tiling_row + 1})
        refusal = Game.from_position(self._said["position"]["line"]).why_illegal(move)
        return words.refusal(refusal.code, refusal.arguments) if refusal else ""

    def close(self) -> None:
        """Leave."""
        self._connection.close()

    # ---- what the server says ----

    def _hear(self, message: Data) -> None:
        kind = message["type"]
        if kind == "welcome":
            self._welcomed(message)
        elif kind == "event":
            self._happened(message)
        elif kind in ("present", "resumed"):
            you: Data = message.get("you") or self._said["you"]
            self._said = {**self._said, "you": you}
            self._room.see(message["present"], you)
            self._note(self._back())
        elif kind == "emoted":
            self._note(self._room.show_sign(message["seat"], message["emote"]))
        elif kind == "refused" and message["code"] in FATAL and not self._connection.is_open:
            self._sent_away(message)

    def _sent_away(self, message: Data) -> None:
        """There is no way back in, or none in at all."""
        if self._public is None:
            self._farewell = why_refused(self._connection.link, message)
            self._here.set()
        else:
            self._farewell = words.sentence(words.refusal(message["code"], message.get("arguments", {})))
            self._note(self._farewell)

    def _welcomed(self, message: Data) -> None:
        before = self.view if self._public else None
        self._said = message
        self._room.hear(message)
        self._public = read_position(message["position"]["line"])
        if before is not None:
            self._put(Change(before, self.view, (), self._back()))
        self._here.set()

    def _happened(self, event: Data) -> None:
        before = self._public
        assert before is not None
        names = self.names
        self._said = {**event, "log": ()}
        self._room.hear(event)
        self._public = read_position(event["position"]["line"])
        what = event["what"]
        happenings = tuple(map(reading.happening, what.get("happenings", ())))
        note = _note_of(what, names)
        self._put(Change(before, self.view, happenings, note))
        if what["type"] == "rematched":
            link = self._connection.link
            self._connection.move_to(Link(link.origin, what["table"], link.secrets))

    def _back(self) -> str:
        """There is a connection; what to say of it."""
        was_lost, self._is_lost = self._is_lost, False
        return _("Back at the table.") if was_lost else ""

    def _lost(self) -> None:
        if self._public is not None and not self._is_lost:
            self._is_lost = True
            self._note(self.notice)

    def _note(self, note: str) -> None:
        self._put(Change(self.view, self.view, (), note))

    def _put(self, change: Change) -> None:
        self._changes.append(change)
        self._stirred.set()


def _spec(level: object) -> str:
    """The computer that a table calls by a number; a newer server may know more of them."""
    return next((one.spec for one in OPPONENTS if one.number == level), f"level{level}")


def _moves_something(change: Change) -> bool:
    """Whether the table is another one after a change; somebody who comes, or a sign, takes nobody's turn."""
    return bool(change.happenings) or change.before != change.after


def _fetch(address: str) -> str:
    with build_opener(ProxyHandler({})).open(address, timeout=PATIENCE_SECONDS) as answer:
        return str(answer.read().decode())


def _note_of(what: Data, names: Sequence[str]) -> str:
    """What happened besides moves, in a sentence."""
    name = names[what["seat"]] if "seat" in what else ""
    return {
        "joined": _("{name} has come."),
        "undone": _("{name} took back a move."),
        "resigned": _("{name} resigned."),
        "timed_out": _("The time of {name} is up."),
        "substituted": _("A computer plays for {name}."),
        "came_back": _("{name} is back."),
        "renamed": _("{name} has another name now."),
        "assisted": _("{name} was given a hint."),
        "rematched": _("The next game begins."),
    }.get(what["type"], "").format(name=name)
