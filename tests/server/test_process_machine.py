"""Guests who do anything at two real servers, of which one is killed now and then: nothing is lost, told twice or late.

The servers are processes on one PostgreSQL and one Redis; `AZULEJOS_EXAMPLES` says how many tables are played at.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, cast

import httpx
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.load.tables import UNLIMITED
from tests.patience import PATIENCE
from tests.server.live import Live, live_server
from tests.server.postgres import Cluster
from tests.server.redis_server import RedisServer

EXAMPLES = int(os.environ.get("AZULEJOS_EXAMPLES", "20"))
KILLS = EXAMPLES // 10
STEPS = 20
MOST_GUESTS = 4
PEOPLE, COMPUTER = 2, 2
"""How many people there are, and the seat of the computer behind them."""
SEATS = [{"kind": "here", "name": "Ana"}, {"kind": "friend", "name": "Rui"}, {"kind": "computer", "level": 1}]
NUMBERS = st.integers(0, 1000)
OWN = ("you", "clock", "type")
"""What is not the same for everybody."""
ANSWERS = ("accepted", "refused")
FAULTS = ("internal", "storage_failed", "busy", "unreadable")
"""Refusals that nobody should meet."""
A_WHILE = 5.0
"""Seconds in which a computer usually plays."""
QUIET_SECONDS = 0.002
"""When nothing has come for so long, nothing more is on its way at the moment."""


class Pair:
    """Two servers, each of which can be killed and started again."""

    def __init__(self, folder: Path, **environment: Any) -> None:
        self._folder, self._environment = folder, environment
        self._stacks = [ExitStack(), ExitStack()]
        self.live: list[Live | None] = [None, None]
        self.kills = self.accepted = 0
        """Servers that were killed, and what was accepted, at all tables."""

    def start(self) -> None:
        """Start whichever does not run."""
        for at, live in enumerate(self.live):
            if live is None:
                (folder := self._folder / f"{at}.{self.kills}").mkdir()
                self.live[at] = self._stacks[at].enter_context(live_server(folder, **self._environment))

    def kill(self, at: int) -> None:
        """End one without a word."""
        self._stacks[at].close()  # by SIGKILL
        self.live[at] = None
        self.kills += 1

    def any(self, number: int) -> Live:
        """One that runs."""
        running = [live for live in self.live if live]
        return running[number % len(running)]

    def close(self) -> None:
        """End both."""
        for stack in self._stacks:
            stack.close()


class Visitor:
    """A client that notices whatever is missing, doubled or out of order, also when it comes back elsewhere."""

    def __init__(self, table: str, secrets: list[str]) -> None:
        self._table, self._secrets = table, secrets
        self._left, self._socket = ExitStack(), cast("ClientConnection", None)
        self.server: Live | None = None
        self.version = -1
        self.now: dict[str, Any] = {}
        self.reactions = 0
        self.heard: list[dict[str, Any]] = []
        """Events since somebody last took them."""

    def come(self, server: Live) -> None:
        """Connect, and say what was seen last."""
        self.go()
        self.server = server
        self._socket = self._left.enter_context(connect(server.sockets + self._table, max_size=None))
        hello: dict[str, Any] = {"type": "hello", "secrets": self._secrets}
        self._socket.send(json.dumps(hello if self.version < 0 else hello | {"version": self.version}))
        while self._take(PATIENCE)["type"] not in ("welcome", "resumed"):
            pass

    def go(self) -> None:
        """Leave."""
        self._left.close()
        self.server = None

    def ask(self, **message: Any) -> dict[str, Any] | None:
        """The answer to a message, or None if the server is gone."""
        with suppress(ConnectionClosed):
            self.say(**message)
            return self.answer()
        return None

    def say(self, **message: Any) -> None:
        """Send a message."""
        self._socket.send(json.dumps(message))

    def answer(self) -> dict[str, Any]:
        """Take everything up to an answer."""
        while (said := self._take(PATIENCE))["type"] not in ANSWERS:
            pass
        return said

    def listen(self) -> None:
        """Take what has come."""
        with suppress(TimeoutError, ConnectionClosed):
            while True:
                self._take(QUIET_SECONDS)

    def _take(self, timeout: float) -> dict[str, Any]:
        said: dict[str, Any] = json.loads(self._socket.recv(timeout))
        match said["type"]:
            case "welcome":
                assert said["version"] >= self.version, "what was told has not happened"
                self.version, self.now = said["version"], said
            case "resumed":
                for event in said["events"]:
                    self._follow(event)
                self.now = self.now | {"you": said["you"]}
            case "event":
                self._follow(said)
            case "emoted":
                self.reactions += 1
        return said

    def _follow(self, event: dict[str, Any]) -> None:
        assert event["version"] == self.version + 1, "an event is missing or doubled"
        self.version, self.now = event["version"], event
        self.heard.append(event)


class TwoProcesses(RuleBasedStateMachine):
    """A table of two people and a computer."""

    pair: Pair
    cluster: Cluster
    name: str

    def __init__(self) -> None:
        super().__init__()
        self.visitors: list[Visitor] = []
        self.told: dict[int, dict[str, Any]] = {}
        self.accepted: dict[int, str] = {}
        self.reactions = 0

    @initialize(wall=st.sampled_from(["std", "gray"]))
    def set_up(self, wall: str) -> None:
        self.pair.start()
        new = {"seats": SEATS, "wall": wall, "starter": 0}
        made = httpx.post(f"{self.pair.any(0).url}/api/tables", json=new, timeout=PATIENCE).raise_for_status().json()
        self.id, self.secrets = made["table"]["id"], made["secrets"]
        for seat in range(PEOPLE):
            self.come(seat, frozenset({seat}))

    # ---- people ----

    @rule(number=NUMBERS, seats=st.frozensets(st.integers(0, PEOPLE - 1)))
    def come(self, number: int, seats: frozenset[int]) -> None:
        if len(self.visitors) < MOST_GUESTS:
            visitor = Visitor(self.id, [self.secrets[seat] for seat in sorted(seats)])
            visitor.come(self.pair.any(number))
            self.visitors.append(visitor)

    @rule(visitor=NUMBERS, number=NUMBERS)
    def come_back(self, visitor: int, number: int) -> None:
        self._pick(visitor).come(self.pair.any(number))

    @rule(choice=NUMBERS, times=st.integers(1, 6))
    def play(self, choice: int, times: int) -> None:
        """Whoever can decides upon what he sees, at different servers and at once."""
        for _ in range(times):
            self._wait_for_people()
            sent = []
            for visitor in self.visitors:
                if move := self._move(visitor, choice):
                    visitor.say(**move)
                    sent.append((visitor, move["move"]))
            for visitor, text in sent:
                self._note(visitor.answer(), text)

    def _wait_for_people(self) -> None:
        """Give the computer a while to play, if it has to."""
        ends = time.monotonic() + A_WHILE
        while time.monotonic() < ends:
            for visitor in self.visitors:
                visitor.listen()
            if any(visitor.now["waiting"] != [COMPUTER] for visitor in self.visitors):
                return

    @rule(number=NUMBERS, seat=st.integers(0, PEOPLE - 1))
    def take_back(self, number: int, seat: int) -> None:
        visitor = self._pick(number)
        self._note(visitor.ask(type="undo", seat=seat, version=visitor.version), "")

    @rule(number=NUMBERS, seat=st.integers(0, PEOPLE - 1))
    def react(self, number: int, seat: int) -> None:
        answer = self._pick(number).ask(type="emote", seat=seat, emote="wow")
        self.reactions += answer is None or answer["type"] == "accepted"

    # ---- servers ----

    @precondition(lambda self: self.pair.kills < KILLS and None not in self.pair.live)
    @rule(number=NUMBERS, choice=NUMBERS)
    def kill_while_somebody_plays(self, number: int, choice: int) -> None:
        """Nobody knows whether the move was saved; whoever was told so finds it."""
        visitor = self._pick(number)
        visitor.listen()
        if move := self._move(visitor, choice):
            visitor.say(**move)
        at = self.pair.live.index(visitor.server)
        self.pair.kill(at)
        if move:
            with suppress(ConnectionClosed):
                self._note(visitor.answer(), move["move"])
        for each in self.visitors:
            if each.server not in self.pair.live:
                each.listen()
                each.come(self.pair.any(0))

    @precondition(lambda self: None in self.pair.live)
    @rule()
    def start_again(self) -> None:
        self.pair.start()

    # ---- what always holds ----

    @invariant()
    def all_are_told_the_same(self) -> None:
        for visitor in self.visitors:
            visitor.listen()
            for event in visitor.heard:
                public = {key: value for key, value in event.items() if key not in OWN}
                assert self.told.setdefault(event["version"], public) == public
            visitor.heard.clear()
            assert visitor.reactions <= self.reactions, "a reaction was shown twice"

    def teardown(self) -> None:
        if self.visitors:
            self._settle()
            for visitor in self.visitors:
                visitor.go()

    def _settle(self) -> None:
        """Wait until nobody but a person has to do anything; then everybody has everything that is stored."""
        ends = time.monotonic() + PATIENCE
        while True:
            self.all_are_told_the_same()
            events = self._stored()
            behind = [visitor.version for visitor in self.visitors if visitor.version != len(events) - 1]
            if not behind and self.visitors[0].now["waiting"] != [COMPUTER]:
                break
            assert time.monotonic() < ends, f"{behind} where {len(events)} events are stored"
        assert [version for version, _ in events] == list(range(len(events))), "a version is missing"
        moves = {version: json.loads(payload).get("move", "") for version, payload in events}
        lost = {version: move for version, move in self.accepted.items() if moves.get(version) != move}
        assert lost == {}
        self.pair.accepted += len(self.accepted)

    def _stored(self) -> list[tuple[Any, ...]]:
        question = "SELECT version, payload FROM events WHERE table_id = %s ORDER BY version"
        return self.cluster.ask(question, self.name, self.id)

    def _pick(self, number: int) -> Visitor:
        return self.visitors[number % len(self.visitors)]

    def _move(self, visitor: Visitor, choice: int) -> dict[str, Any] | None:
        now = visitor.now
        mine = sorted(set(now["you"].get("seats", ())) & set(now["waiting"]))
        if not mine:
            return None
        own = [each for each in now["you"].get("choosing", []) if each["seat"] == mine[0]]
        options = own[0]["options"] if own else now["position"].get("options", [])
        if not options:
            return None
        move = options[choice % len(options)]["move"]
        return {"type": "play", "seat": mine[0], "version": visitor.version, "move": move}

    def _note(self, answer: dict[str, Any] | None, move: str) -> None:
        """Remember what was accepted, and under which version."""
        if answer is not None and answer["type"] == "accepted":
            assert answer["version"] not in self.accepted, "two were accepted as one"
            self.accepted[answer["version"]] = move
        assert answer is None or answer.get("code") not in FAULTS, answer


def test_guests_who_do_anything_at_two_processes(
    cluster: Cluster, name: str, redis_server: RedisServer, tmp_path: Path
) -> None:
    environment = UNLIMITED | {"workers": 1, "database": cluster.url(name), "bus": redis_server.url()}
    pair = Pair(tmp_path, **environment)

    class OnThese(TwoProcesses):
        pass

    OnThese.pair, OnThese.cluster, OnThese.name = pair, cluster, name
    try:
        run_state_machine_as_test(
            OnThese,
            settings=settings(
                max_examples=EXAMPLES,
                stateful_step_count=STEPS,
                deadline=None,
                phases=[Phase.generate],  # servers that are killed do not do the same twice: nothing can be shrunk
                suppress_health_check=list(HealthCheck),
            ),
        )
    finally:
        pair.close()
    print(f"{EXAMPLES} tables, {pair.kills} servers killed, {pair.accepted} times something was accepted")
    assert pair.kills == KILLS
    assert pair.accepted > EXAMPLES
    for log in tmp_path.glob("*/server.log"):
        assert "Traceback" not in log.read_text()
