"""Messages of all kinds that nobody should send, over many sockets at once, and what the server makes of them.

    python -m tests.load.fuzz --messages 1000000 --notes fuzz.json

They are real messages with something changed, values of wrong types and sizes, bytes by chance, and right messages in
the wrong order; among them people play on. Internal errors are counted in the answers and in the server's log, and at
the end every table has to be whole. It ends after `--seconds` in any case; with `--notes` the next run goes on from
there, with other messages, until all are sent.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import httpx
import msgspec
from rich.console import Console
from rich.table import Table
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from azulejos import read_record
from azulejos.game.replay import replay
from azulejos.server.protocol.incoming import MOST_BYTES, Incoming
from azulejos.server.protocol.shared import Emote
from tests.load.tables import UNLIMITED
from tests.server.live import Live, live_server

TABLES, SOCKETS = 12, 48
BURST = 25
"""Messages that are sent before an answer is waited for."""
LAST = {"type": "undo", "seat": 0, "version": 0, "id": "last"}
"""Ends a burst: the table answers it after all the others, with a refusal."""
ANSWER_SECONDS = 60.0
"""A server that has not answered by then does not answer."""
TYPES = [str(message.__struct_config__.tag) for message in get_args(Incoming)]
ENDING = ("resign", "substitute", "rematch")
LASTING = [*({*TYPES} - {*ENDING}), *6 * ["play"]]
EMOTES = get_args(Emote)
NUMBERS = (-1, 0, 1, 3, 4, 255, 2**31, 2**63, 2**64, 10**30, -(10**300), 1.5, 1e308, -0.0)
TEXTS = ("", "1B1", "cWf", "t11", "\0", "é" * 30, "\U0001f600" * 11, "x" * 500, "\u202e", "\ud800", "%s", "' OR 1=1 --")
LITERALS = ("NaN", "Infinity", "1e999", "-", "01", '"\\ud800"', '"\\u0000"', "[" * 3000, '{"a":' * 700, "null", "")
"""What stands where a value should, also if it is none."""
LOGGED_ERRORS = re.compile(r"Traceback|an unexpected fault|\binternal\b|\[ERROR\]|\bERROR\b|CRITICAL")

Payload = str | bytes
"""What is sent; bytes go out as they are."""


@dataclass
class Notes:
    """What was sent and answered so far, in all runs."""

    sent: int = 0
    runs: int = 0
    tables: int = 0
    seconds: float = 0.0
    answers: Counter[str] = field(default_factory=Counter)
    closings: Counter[str] = field(default_factory=Counter)
    logged: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    @staticmethod
    def read(path: Path | None) -> Notes:
        """Those of earlier runs."""
        if path is None or not path.exists():
            return Notes()
        kept = json.loads(path.read_text())
        return Notes(**{**kept, "answers": Counter(kept["answers"]), "closings": Counter(kept["closings"])})

    def write(self, path: Path | None) -> None:
        """Keep them for the next run."""
        if path is not None:
            path.write_text(json.dumps(self.__dict__))

    @property
    def internal(self) -> int:
        """Internal errors that clients were told of, or the server logged."""
        return self.answers["refused internal"] + len(self.logged)


class Fuzzer:
    """Makes messages, each from what was seen last at a table."""

    def __init__(self, seed: int) -> None:
        self._choice = random.Random(seed)
        kinds: list[tuple[Callable[[dict[str, Any]], Payload], int]] = [
            (self._real, 20),
            (self._changed, 25),
            (self._mistyped, 25),
            (self._literal, 10),
            (self._cut, 8),
            (self._by_chance, 7),
            (self._large, 2),
            (self._not_text, 1),
        ]
        self._kinds, self._weights = zip(*kinds, strict=True)

    def message(self, now: dict[str, Any]) -> Payload:
        """One message."""
        make: Callable[[dict[str, Any]], Payload] = self._choice.choices(self._kinds, self._weights)[0]
        return make(now)

    def _dict(self, now: dict[str, Any]) -> dict[str, Any]:
        """A message as the page would send it, of any kind, whether or not it is the time for it."""
        pick, position = self._choice.choice, now.get("position", {})
        options = [option["move"] for option in position.get("options", [])] or ["1B1"]
        seat = pick(now.get("waiting") or [0, 1])
        rare = self._choice.random() < 0.02  # or no game would last
        message: dict[str, Any] = {"type": pick(ENDING if rare else LASTING), "id": str(self._choice.random())[:8]}
        match message["type"]:
            case "play":
                message |= {"seat": seat, "move": pick(options), "version": now.get("version", 0)}
            case "undo" | "hint":
                message |= {"seat": seat, "version": now.get("version", 0)}
            case "hello":
                message |= {"secrets": [], "version": now.get("version", 0)}
            case "substitute":
                message |= {"seat": seat, "level": pick(range(1, 9))}
            case "rename":
                message |= {"seat": seat, "name": pick(["Ana", "Rui", "Zé"])}
            case "emote":
                message |= {"seat": seat, "emote": pick(EMOTES)}
            case "open":
                message |= {"open": pick([True, False])}
            case "resign" | "come_back":
                message |= {"seat": seat}
        return message

    def _real(self, now: dict[str, Any]) -> Payload:
        return json.dumps(self._dict(now))

    def _changed(self, now: dict[str, Any]) -> Payload:
        """A real message in which a few letters are others, gone or doubled."""
        letters = list(json.dumps(self._dict(now)))
        for _ in range(self._choice.randint(1, 4)):
            at = self._choice.randrange(len(letters))
            letters[at] = self._choice.choice(["", letters[at] * 2, chr(self._choice.randrange(1, 0x250)), '"', "}"])
        return "".join(letters)

    def _mistyped(self, now: dict[str, Any]) -> Payload:
        """A real message in which a value is something else, a field too much or gone."""
        message = self._dict(now)
        key = self._choice.choice([*message, "more"])
        message[key] = self._anything(3)
        if self._choice.random() < 0.2:
            del message[key]
        return json.dumps(message)

    def _anything(self, depth: int) -> Any:
        kind = self._choice.randrange(6 if depth else 4)
        if kind < 2:
            return self._choice.choice(NUMBERS)
        if kind == 2:
            return self._choice.choice(TEXTS)
        if kind == 3:
            return self._choice.choice([None, True, False])
        inner = [self._anything(depth - 1) for _ in range(self._choice.randrange(5))]
        return inner if kind == 4 else {str(self._choice.choice(TEXTS)): value for value in inner}

    def _literal(self, now: dict[str, Any]) -> Payload:
        """A real message in which one value is none of JSON, or very deep."""
        message = self._dict(now)
        key = self._choice.choice(list(message))
        rest = json.dumps({other: value for other, value in message.items() if other != key})
        return f"{rest[:-1]},{json.dumps(key)}:{self._choice.choice(LITERALS)}}}"

    def _cut(self, now: dict[str, Any]) -> Payload:
        """The beginning of a real message, or the same field twice."""
        text = json.dumps(self._dict(now))
        if self._choice.random() < 0.5:
            return text[: self._choice.randrange(len(text))]
        return text[:-1] + "," + text[1:]

    def _by_chance(self, _now: dict[str, Any]) -> Payload:
        return self._choice.randbytes(self._choice.randrange(200)).decode("latin-1")

    def _large(self, now: dict[str, Any]) -> Payload:
        return json.dumps(self._dict(now) | {"name": "x" * self._choice.choice([MOST_BYTES - 60, MOST_BYTES, 70_000])})

    def _not_text(self, _now: dict[str, Any]) -> Payload:
        return self._choice.randbytes(self._choice.randrange(1, 100))


class Place:
    """A table, and the next one when its game is over."""

    def __init__(self, http: httpx.AsyncClient, number: int) -> None:
        self._http, self._number = http, number
        self.made: list[dict[str, Any]] = []
        """All tables, the last one being played at."""

    async def renew(self, over: str = "") -> None:
        """Make a table, unless the one that is over has been followed already."""
        if self.made and self.name != over:
            return
        seats = [{"kind": kind} for kind in ("here", "friend", "here", "computer")[: 2 + self._number % 3]]
        clock = {"seconds": 3600} if self._number % 5 == 0 else None
        new = {"seats": seats, "wall": ("std", "gray")[self._number % 2], "clock": clock}
        made = (await self._http.post("/api/tables", json=new)).raise_for_status().json()
        if not self.made or self.name == over:
            self.made.append(made)

    @property
    def name(self) -> str:
        """The id of the table."""
        return str(self.made[-1]["table"]["id"])

    async def faults(self) -> list[str]:
        """What is wrong with its tables."""
        found = []
        for made in self.made:
            name = made["table"]["id"]
            answer = await self._http.get(f"/api/tables/{name}/record.azul")
            try:
                replay(read_record(answer.raise_for_status().text))
            except (httpx.HTTPError, ValueError) as fault:
                found.append(f"table {name}: {fault}")
        return found


class Stranger:
    """Somebody who sends such messages to one table, and comes back when he is sent away."""

    def __init__(self, live: Live, place: Place, seed: int, notes: Notes) -> None:
        self._live, self._place, self._notes = live, place, notes
        self._fuzzer, self._choice = Fuzzer(seed), random.Random(seed)
        self._now: dict[str, Any] = {}

    async def run(self, is_over: Callable[[], bool]) -> None:
        """Send until it is over."""
        while not is_over():
            table, self._now = self._place.name, {}
            try:
                async with connect(self._live.sockets + table, max_size=None) as socket:
                    await self._visit(socket, is_over)
                self._notes.closings["by us"] += 1
                if not is_over():
                    await self._place.renew(over=table)
            except ConnectionClosed as closed:
                self._notes.closings[f"{closed.rcvd.code if closed.rcvd else 'without a word'}"] += 1
            except (OSError, WebSocketException, TimeoutError) as fault:
                self._notes.closings[type(fault).__name__] += 1

    async def _visit(self, socket: ClientConnection, is_over: Callable[[], bool]) -> None:
        if self._choice.random() < 0.9:  # some begin with anything else
            known = [secret for secret in self._place.made[-1]["secrets"] if secret]
            secrets = self._choice.choice([known, known, known[:1], []])
            await socket.send(json.dumps({"type": "hello", "secrets": secrets}))
        while not is_over() and not self._now.get("table", {}).get("result"):
            for _ in range(BURST):
                await self._send(socket, self._fuzzer.message(self._now))
            await socket.send(json.dumps(LAST))
            async with asyncio.timeout(ANSWER_SECONDS):
                while not self._hear(await socket.recv()):
                    pass

    async def _send(self, socket: ClientConnection, message: Payload) -> None:
        self._notes.sent += 1
        if isinstance(message, bytes):
            await socket.send(message, text=self._choice.random() < 0.5)  # as text it may be none
        else:
            await socket.send(message.encode("utf-8", "surrogatepass"), text=True)

    def _hear(self, text: str | bytes) -> bool:
        """Note an answer; whether it is the last of a burst."""
        said: dict[str, Any] = msgspec.json.decode(text)
        self._notes.answers[" ".join(filter(None, (said["type"], said.get("code"))))] += 1
        if said["type"] in ("welcome", "event"):
            self._now = said
        return bool(said.get("id") == LAST["id"])


async def send_all(live: Live, notes: Notes, until: int, seconds: float) -> None:
    """Send messages until so many are sent in all, or time is up; then see that every table is whole."""
    ends = time.monotonic() + seconds
    async with httpx.AsyncClient(base_url=live.url, timeout=60) as http:
        places = [Place(http, number) for number in range(TABLES)]
        for place in places:
            await place.renew()
        strangers = [Stranger(live, places[at % TABLES], notes.sent + at, notes) for at in range(SOCKETS)]

        def is_over() -> bool:
            return notes.sent >= until or time.monotonic() >= ends

        await asyncio.gather(*(stranger.run(is_over) for stranger in strangers))
        for place in places:
            notes.broken += await place.faults()
        notes.tables += sum(len(place.made) for place in places)
        health = (await http.get("/health")).json()
        if health["status"] != "ok":
            notes.broken.append(f"health: {health}")


def print_notes(notes: Notes, wanted: int) -> None:
    """What all runs have seen."""
    rows = Table("what", "how many", title=f"{notes.sent} of {wanted} messages in {notes.runs} runs")
    rows.columns[1].justify = "right"
    rows.add_row("messages/s", f"{notes.sent / notes.seconds:.0f}")
    rows.add_row("tables", str(notes.tables))
    for name, counts in (("answer", notes.answers), ("socket closed", notes.closings)):
        for key, count in counts.most_common():
            rows.add_row(f"{name}: {key}", str(count))
    rows.add_row("internal errors", str(notes.internal))
    rows.add_row("tables that are not whole", str(len(notes.broken)))
    console = Console(width=100)
    console.print(rows)
    for line in notes.logged[:20] + notes.broken[:20]:
        console.print(line, markup=False)


def main() -> int:
    """Send, and print a table."""
    parser = argparse.ArgumentParser(description="Send a server what it should refuse")
    parser.add_argument("--messages", type=int, default=100_000, help="in all, those of earlier runs included")
    parser.add_argument("--seconds", type=float, default=500.0, help="this run ends after so long in any case")
    parser.add_argument("--notes", type=Path, default=None, help="a file that holds what earlier runs have seen")
    options = parser.parse_args()
    notes = Notes.read(options.notes)
    if notes.sent < options.messages:
        started = time.monotonic()
        unlimited = UNLIMITED | {"workers": 1, "unknown_per_minute": 0}
        with tempfile.TemporaryDirectory() as folder, live_server(Path(folder), **unlimited) as live:
            asyncio.run(send_all(live, notes, options.messages, options.seconds))
            if live.process.poll() is not None:
                notes.broken.append(f"the server ended with {live.process.returncode}")
            notes.logged += [line for line in live.logged().splitlines() if LOGGED_ERRORS.search(line)]
        notes.runs += 1
        notes.seconds += time.monotonic() - started
        notes.write(options.notes)
    print_notes(notes, options.messages)
    return int(bool(notes.internal or notes.broken))


if __name__ == "__main__":
    raise SystemExit(main())
