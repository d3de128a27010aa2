"""Any number of guests who do anything at two servers that share a table: all are told the same, in order, once."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from typing import Any, ClassVar

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from azulejos.server.protocol import incoming
from azulejos.server.tables.refusal import Refuse
from tests.patience import PATIENCE
from tests.server.postgres import Cluster
from tests.server.several import Server, servers
from tests.server.standins import Guest, new_table

MOST_GUESTS = 5
NUMBERS = st.integers(0, 1000)
OWN = ("you", "clock", "type")
"""What is not the same for everybody."""


class Somewhere(Guest):
    """A guest of one of the servers."""

    at_server: int
    secrets: list[str]
    version: int = -1

    def take_all(self) -> None:
        """Take everything that was sent."""
        while self.client.unsent.qsize():
            data = self.client.unsent.get_nowait()
            assert data is not None
            self.seen.append(msgspec.json.decode(data))


class TwoServers(RuleBasedStateMachine):
    """A table of two people and a computer."""

    url: ClassVar[str]

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.stack = AsyncExitStack()
        self.guests: list[Somewhere] = []
        self.told: dict[int, dict[str, Any]] = {}
        self.accepted: set[int] = set()

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.loop.run_until_complete(asyncio.wait_for(work, PATIENCE))

    @initialize(wall=st.sampled_from(["std", "gray"]))
    def set_up(self, wall: Any) -> None:
        self.servers: list[Server] = self.run(self.stack.enter_async_context(servers(self.url)))
        made = self.run(self.servers[0].lobby.create(new_table("here", "here", "computer", wall=wall)))
        self.id, self.secrets = made.table.id, made.secrets
        self.come(0, frozenset({0}))
        self.come(1, frozenset({1}))

    async def _come(self, at: int, secrets: list[str], version: int | None) -> Somewhere:
        live = await self.servers[at].lobby.table(self.id)
        guest = Somewhere(live)
        guest.at_server, guest.secrets = at, secrets
        live.join(guest.client, incoming.Hello(secrets=secrets, version=version))
        await guest.until("welcome", "resumed")
        return guest

    @rule(number=NUMBERS, seats=st.frozensets(st.integers(0, 1)))
    def come(self, number: int, seats: frozenset[int]) -> None:
        if len(self.guests) < MOST_GUESTS:
            secrets = [self.secrets[seat] for seat in sorted(seats)]
            self.guests.append(self.run(self._come(number % 2, secrets, None)))
            self.hear(self.guests[-1])

    @rule(number=NUMBERS)
    def change_servers(self, number: int) -> None:
        """A guest comes back at the other server and says what it has seen."""
        at = number % len(self.guests)
        old = self.guests[at]
        self.hear(old)
        old.queue.leave(old.client)
        new = self.run(self._come(1 - old.at_server, old.secrets, old.version))
        new.version = old.version
        self.guests[at] = new
        self.hear(new)

    @rule(one=NUMBERS, other=NUMBERS, at=NUMBERS)
    def play_at_once(self, one: int, other: int, at: int) -> None:
        """Two guests, often at different servers, decide upon what each of them sees."""
        guests = {number % len(self.guests): self.guests[number % len(self.guests)] for number in (one, other)}
        self.run(self._all(*(self._play(guest, at) for guest in guests.values())))

    @rule(one=NUMBERS, other=NUMBERS)
    def take_back_and_rename(self, one: int, other: int) -> None:
        first, second = (self.guests[number % len(self.guests)] for number in (one, other))
        undo = incoming.Undo(seat=one % 2, version=first.queue.table.version)
        rename = incoming.Rename(seat=other % 2, name=f"n{other}")
        if first is not second:
            self.run(self._all(self._ask(first, undo), self._ask(second, rename)))

    @rule(number=st.integers(0, 1), well=st.booleans())
    def bus(self, number: int, well: bool) -> None:
        self.servers[number].bus.is_well = well

    @rule(hundredths=st.integers(0, 5))
    def wait(self, hundredths: int) -> None:
        self.run(asyncio.sleep(hundredths / 100))

    async def _all(self, *work: Coroutine[Any, Any, None]) -> None:
        await asyncio.gather(*work)

    async def _play(self, guest: Somewhere, at: int) -> None:
        table = guest.queue.table
        mine = [seat for seat in table.waiting if seat in guest.client.seats]
        if mine:
            game = table.game
            moves = game.own(mine[0]).moves if game.is_choosing else game.public.legal_moves
            move = str(moves[at % len(moves)])
            await self._ask(guest, incoming.Play(seat=mine[0], move=move, version=table.version))

    async def _ask(self, guest: Somewhere, message: Any) -> None:
        try:
            answer = await guest.ask(message)
        except Refuse:
            return
        if answer["type"] == "accepted":
            assert answer["version"] not in self.accepted
            self.accepted.add(answer["version"])
        else:
            assert answer["code"] not in ("internal", "storage_failed", "busy"), answer

    def hear(self, guest: Somewhere) -> None:
        """Look at everything that a guest was told since: versions without gaps, and the same for all."""
        guest.take_all()
        for message in guest.seen:
            if message["type"] == "welcome":
                assert message["version"] >= guest.version
                guest.version = message["version"]
            for event in message.get("events", [message] if message["type"] == "event" else []):
                assert event["version"] == guest.version + 1
                guest.version = event["version"]
                public = {key: value for key, value in event.items() if key not in OWN}
                assert self.told.setdefault(guest.version, public) == public
        guest.seen.clear()

    def teardown(self) -> None:
        try:
            if self.guests:
                self.run(self._settle())
        finally:
            self.run(self.stack.aclose())
            self.loop.close()

    async def _settle(self) -> None:
        tables = [await server.lobby.table(self.id) for server in self.servers]
        for table in tables:
            while not table.table.result and table.table.waiting == [2]:  # the computer
                await asyncio.sleep(0.01)
            await table.refresh()
        while tables[0].table.version != tables[1].table.version:
            await asyncio.sleep(0.01)
        stored = await self.servers[0].store.load(self.id)
        assert stored is not None
        last = stored.table()
        for table in tables:
            assert table.table.info == last.info
            assert table.table.game.public.position == last.game.public.position
        assert max(self.accepted, default=0) <= last.version
        for guest in self.guests:
            self.hear(guest)
            assert guest.version == last.version


def test_guests_who_do_anything_at_two_servers(cluster: Cluster, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("azulejos.server.live.peers.LOOK_SECONDS", 0.05)
    monkeypatch.setattr(TwoServers, "url", cluster.url(name), raising=False)
    run_state_machine_as_test(TwoServers, settings=settings(max_examples=12, stateful_step_count=25))
