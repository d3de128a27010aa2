"""A table on a server: what it says is shown, what the people here decide is sent to it."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from urllib.request import ProxyHandler, build_opener

from azulejos.game import Game
from azulejos.locale import _
from azulejos.moves import Move
from azulejos.notation import read_position
from azulejos.tui import reading, words
from azulejos.tui.connection import FATAL, PATIENCE_SECONDS, Connection, Data
from azulejos.tui.link import Link
from azulejos.tui.table import Advice, Change, Ending, Refused, Turn
from azulejos.view import View


class RemoteTable:
    """A table on a server, reached by a link; `open` waits until it is there."""

    def __init__(self, link: Link) -> None:
        self._connection = Connection(link, self._hear, self._lost)
        self._changes: deque[Change] = deque()
        self._stirred = asyncio.Event()
        self._here = asyncio.Event()
        self._said: Data = {}
        self._public: View | None = None
        self._present: Sequence[bool] = ()
        self._heard_at = 0.0
        self._is_lost = False

    async def open(self) -> None:
        """Connect, and wait for the first position."""
        self._connection.start()
        await self._here.wait()

    @property
    def names(self) -> Sequence[str]:
        """The name of each seat."""
        return [self._name(seat, info) for seat, info in enumerate(self._said["table"]["seats"])]

    def _name(self, seat: int, info: Data) -> str:
        name = "".join(filter(str.isprintable, info.get("name", ""))).strip()
        if name:
            return name
        level = info.get("level")
        return words.level_name(f"level{level}") if level else _("Player {number}").format(number=seat + 1)

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
        if self._changes or self._is_lost or self.ending:
            return None
        you, position = self._said["you"], self._said["position"]
        mine = [seat for seat in self._said["waiting"] if seat in you.get("seats", ())]
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
        """Who is away, who has a substitute, and the clocks."""
        return [self._remark(seat, info) for seat, info in enumerate(self._said["table"]["seats"])]

    def _remark(self, seat: int, info: Data) -> str:
        parts = []
        clock = self._said.get("clock")
        if clock:
            left = clock["left"][seat]
            if seat in clock["running"] and not self.ending:
                left = max(0, left - int(1000 * (time.monotonic() - self._heard_at)))
            parts.append(f"{left // 60000}:{left // 1000 % 60:02}")
        if info.get("resigned"):
            parts.append(_("resigned"))
        elif info.get("substitute"):
            parts.append(_("a computer plays"))
        elif len(self._present) > seat and not self._present[seat]:
            parts.append(_("away"))
        return ", ".join(parts)

    async def next(self) -> Change:
        """The next thing that the server says."""
        while not self._changes:
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
        seats = self._said["you"].get("undo", ())
        if not seats:
            raise Refused(words.refusal("nothing_to_undo", {}))
        await self._connection.ask(type="undo", seat=seats[0], version=self._connection.version)

    async def hint(self) -> Advice:
        """Ask the server for the best move."""
        turn = self.turn
        if turn is None:
            raise Refused(words.refusal("not_your_turn", {}))
        answer = await self._connection.ask(type="hint", seat=turn.seat, version=self._connection.version)
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
            self._present = message["present"]
            self._said = {**self._said, "you": message.get("you", self._said["you"])}
            self._come_back("")
        elif kind == "refused" and message["code"] in FATAL:
            self._note(words.refusal(message["code"], message.get("arguments", {})))

    def _welcomed(self, message: Data) -> None:
        self._said, self._present, self._heard_at = message, message["present"], time.monotonic()
        before = self._public
        self._public = read_position(message["position"]["line"])
        if before is not None:
            self._come_back(_("Back at the table."))
        self._here.set()

    def _happened(self, event: Data) -> None:
        before = self._public
        assert before is not None
        names = self.names
        self._said = {**event, "log": ()}
        self._heard_at = time.monotonic()
        self._public = read_position(event["position"]["line"])
        what = event["what"]
        happenings = tuple(map(reading.happening, what.get("happenings", ())))
        note = _note_of(what, names)
        self._put(Change(before, self.view, happenings, note))
        if what["type"] == "rematched":
            link = self._connection.link
            self._connection.move_to(Link(link.origin, what["table"], link.secrets))

    def _come_back(self, note: str) -> None:
        self._is_lost = False
        self._note(note)

    def _lost(self) -> None:
        if self._public is not None and not self._is_lost:
            self._is_lost = True
            self._note(_("Connection lost. Reconnecting ..."))

    def _note(self, note: str) -> None:
        self._put(Change(self.view, self.view, (), note))

    def _put(self, change: Change) -> None:
        self._changes.append(change)
        self._stirred.set()


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
