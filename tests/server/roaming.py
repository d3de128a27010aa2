"""Clients that go on at any server when theirs is gone, and notice whatever is lost, told twice or out of order."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

PAUSE_SECONDS = 0.05
"""Before a lost socket is opened again."""
AGAIN_SECONDS = 0.2
"""Before something is played again that could not be saved."""
LATER = ("storage_failed", "busy")
"""Refusals after which a move is played once more."""
QUICKER = ("stale_version", "game_over", "not_your_turn")
"""Refusals of a move that was saved after all, or came after something else."""


@dataclass
class Tally:
    """What all clients have seen."""

    accepted: dict[tuple[str, int], str] = field(default_factory=dict)
    """The moves that were accepted, by table and version."""
    faults: list[str] = field(default_factory=list)
    """What must not be."""
    lost_sockets: int = 0
    """How often a socket was lost."""
    games: int = 0
    """Games that were played to the end."""


class Roamer:
    """A client of one table that comes back wherever it can."""

    def __init__(self, where: Callable[[], str], table: str, secrets: list[str], tally: Tally, seed: int) -> None:
        self._where, self._table, self._secrets, self._tally = where, table, secrets, tally
        self._choice = random.Random(seed)
        self._version = -1
        self._sent: dict[str, str] = {}
        self._now: dict[str, Any] = {}
        self._playing: asyncio.Task[None] | None = None
        self.is_over = asyncio.Event()
        self.last = ""
        """The last message, for whoever looks for what is wrong."""

    def __repr__(self) -> str:
        now = {key: self._now.get(key) for key in ("version", "waiting", "you")}
        return (
            f"over: {self.is_over.is_set()}, sees {str(now)[:200]}, has sent {list(self._sent)[-2:]}, heard {self.last}"
        )

    async def run(self) -> None:
        """Play until the game is over."""
        while not self.is_over.is_set():
            with suppress(OSError, WebSocketException, TimeoutError):
                async with connect(self._where() + self._table, open_timeout=10) as socket:
                    await self._visit(socket)
            self._tally.lost_sockets += not self.is_over.is_set()
            await asyncio.sleep(PAUSE_SECONDS)

    async def _visit(self, socket: ClientConnection) -> None:
        hello: dict[str, Any] = {"type": "hello", "secrets": self._secrets}
        await socket.send(json.dumps(hello if self._version < 0 else hello | {"version": self._version}))
        is_welcome = False
        async for text in socket:
            message = json.loads(text)
            self.last = text[:200] if isinstance(text, str) else ""
            self._hear(message)
            is_welcome = is_welcome or message["type"] in ("welcome", "resumed")
            if self.is_over.is_set() or (message["type"] == "refused" and not is_welcome):
                return  # whoever cannot be let in comes again
            if message["type"] in ("welcome", "resumed", "event") or message.get("code") in LATER:
                await self._play(socket, slowly=message.get("code") in LATER)

    def _hear(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "welcome":
                if message["version"] < self._version:
                    self._fault(f"{self._version} was told, and then {message['version']}")
                self._at(message)
            case "resumed":
                for event in message["events"]:
                    self._follow(event)
                self._now = self._now | {"you": message["you"]}
            case "event":
                self._follow(message)
            case "accepted":
                move = self._sent.get(message["id"], "")
                if move:
                    self._tally.accepted[self._table, message["version"]] = move
            case "refused" if message["code"] not in LATER + QUICKER:
                self._fault(f"{message}")

    def _follow(self, event: dict[str, Any]) -> None:
        if event["version"] != self._version + 1:
            self._fault(f"event {event['version']} came after {self._version}")
        self._at(event)

    def _at(self, situation: dict[str, Any]) -> None:
        self._now, self._version = situation, situation["version"]
        if situation["table"].get("result"):
            self.is_over.set()

    async def _play(self, socket: ClientConnection, *, slowly: bool) -> None:
        mine = set(self._now["you"].get("seats", ())) & set(self._now["waiting"])
        if not mine:
            return
        if slowly:
            await asyncio.sleep(AGAIN_SECONDS)
        seat, version = min(mine), self._version
        choosing = [own for own in self._now["you"].get("choosing", []) if own["seat"] == seat]
        options = choosing[0]["options"] if choosing else self._now["position"].get("options", [])
        if options:
            move = self._choice.choice(options)["move"]
            identity = f"{version}.{len(self._sent)}"
            self._sent[identity] = move
            play = {"type": "play", "seat": seat, "move": move, "version": version, "id": identity}
            await socket.send(json.dumps(play))

    def _fault(self, what: str) -> None:
        self._tally.faults.append(f"table {self._table}: {what}")


async def play_tables(
    http: Callable[[], str],
    sockets: Callable[[], str],
    new: dict[str, Any],
    tally: Tally,
    over: asyncio.Event,
    seed: int,
) -> None:
    """Play one table after the other, each with a client for every person and one that watches, until all is over."""
    while not over.is_set():
        try:
            async with httpx.AsyncClient(base_url=http(), timeout=30) as client:
                made = (await client.post("/api/tables", json=new)).raise_for_status().json()
        except httpx.HTTPError:
            await asyncio.sleep(AGAIN_SECONDS)
            continue
        people = [[secret] for secret in made["secrets"] if secret is not None]
        roamers = [
            Roamer(sockets, made["table"]["id"], secrets, tally, seed * 10 + at)
            for at, secrets in enumerate([*people, []])
        ]
        try:
            await asyncio.gather(*(roamer.run() for roamer in roamers))
        except asyncio.CancelledError:
            print(*(f"{made['table']['id']} {roamer}" for roamer in roamers), sep="\n")
            raise
        tally.games += 1
        seed += 1
