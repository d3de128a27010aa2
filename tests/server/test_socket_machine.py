"""Several clients that do anything at all, in any order: the table stays whole, and every message has its answer."""

from __future__ import annotations

import json
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any, get_args

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from litestar.testing import TestClient, WebSocketTestSession

from azulejos import read_record
from azulejos.game.replay import replay
from azulejos.players.levels import OPPONENTS
from azulejos.server.protocol.incoming import Incoming, NewTable
from azulejos.server.tables.setup import NewSeat
from azulejos.server.tables.table import Table
from tests.patience import PATIENCE
from tests.server.standins import Quick, small_app

MOST_CLIENTS = 4
ANSWERS = ("accepted", "refused", "pong", "welcome", "resumed")

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)
TYPES = [message.__struct_config__.tag for message in get_args(Incoming)]
LIKE_A_MESSAGE = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES)},
    optional={
        "seat": st.integers(-1, 5) | anything,
        "version": st.integers(-1, 50) | anything,
        "move": st.sampled_from(["1B1", "cWf", "t11", "zzz", ""]) | anything,
        "name": st.text(max_size=30),
        "level": st.integers(0, len(OPPONENTS)),
        "emote": st.sampled_from(["wow", "nonsense"]),
        "secrets": st.lists(st.text(max_size=40), max_size=5),
        "same_tiles": anything,
        "more": anything,
    },
)


class Somebody:
    """A client with the seats it has secrets for, and what it has been told."""

    def __init__(self, session: WebSocketTestSession, seats: frozenset[int]) -> None:
        self.session, self.seats = session, seats
        self.version: int | None = None
        self.last: dict[str, Any] = {}
        self.sent: str | None = None

    def ask(self, message: str) -> dict[str, Any]:
        """Send something; everything up to its answer is noted."""
        self.session.send_text(message)
        while True:
            told = self.note(json.loads(self.session.receive_text(timeout=PATIENCE)))
            if told["type"] in ANSWERS:
                return told

    def note(self, told: dict[str, Any]) -> dict[str, Any]:
        if told["type"] == "event":
            assert self.version is None or told["version"] == self.version + 1, "an event is missing or doubled"
        if told["type"] in ("event", "welcome"):
            self.version, self.last = told["version"], told
            assert set(told["you"].get("seats", [])) == self.seats
            assert {own["seat"] for own in told["you"].get("choosing", [])} <= self.seats
        if told["type"] == "resumed":
            for event in told["events"]:
                self.note(event)
        return told


class Clients(RuleBasedStateMachine):
    """A table with two people and a computer, and clients that come and go."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        folder = self.stack.enter_context(tempfile.TemporaryDirectory())
        limits = dict.fromkeys(("messages_per_second", "tables_per_minute"), 0)
        app = small_app(Path(folder) / "t.db", Quick(), **limits)
        self.http = self.stack.enter_context(TestClient(app))
        self.state = app.state
        self.clients: list[Somebody] = []
        self.log: list[Any] = []

    @initialize(wall=st.sampled_from(["std", "gray"]))
    def set_up(self, wall: Any) -> None:
        seats = [NewSeat("here", "Ana"), NewSeat("friend", "Rui"), NewSeat("computer", level=1)]
        made = self.call(self.state.lobby.create, NewTable(seats, wall, 0))
        self.secrets, self.id = made.secrets, made.table.id
        self.commitment = made.table.commitment
        self.come(frozenset({0, 1}), None)

    def call(self, function: Any, *args: Any) -> Any:
        with self.http.portal() as portal:
            return portal.call(function, *args)

    def table(self) -> Table:
        found: Table = self.call(self.state.lobby.table, self.id).table
        return found

    def pick(self, number: int) -> Somebody:
        return self.clients[number % len(self.clients)]

    @rule(seats=st.frozensets(st.integers(0, 1)), version=st.none() | st.integers(0, 80))
    def come(self, seats: frozenset[int], version: int | None) -> None:
        if len(self.clients) >= MOST_CLIENTS:
            return
        session = self.http.websocket_connect(f"/ws/tables/{self.id}")
        session.__enter__()
        client = Somebody(session, seats)
        hello: dict[str, Any] = {"type": "hello", "secrets": [self.secrets[seat] for seat in sorted(seats)]}
        if version is not None:
            hello["version"] = client.version = version
        answer = client.ask(json.dumps(hello))
        if answer["type"] == "resumed" and not answer["events"]:
            assert self.catch_up(client) == client.version  # a computer may have played since
        self.clients.append(client)

    @rule(number=st.integers(0, 10))
    def go(self, number: int) -> None:
        if len(self.clients) > 1:
            client = self.clients.pop(number % len(self.clients))
            client.session.close()

    @rule(number=st.integers(0, 10), at=st.integers(0, 300), times=st.integers(1, 3))
    def play_what_is_allowed(self, number: int, at: int, times: int) -> None:
        """Perhaps more than once: a page whose network stutters sends again."""
        client = self.pick(number)
        version = self.catch_up(client)
        table = self.table()
        mine = [seat for seat in table.waiting if table.is_person(seat) and seat in client.seats]
        if not mine:
            return
        seat = mine[at % len(mine)]
        moves = table.game.own(seat).moves if table.game.is_choosing else table.game.public.legal_moves
        move = str(moves[at % len(moves)])
        client.sent = json.dumps({"type": "play", "seat": seat, "move": move, "version": version, "id": "m"})
        answers = [client.ask(client.sent) for _ in range(times)]
        assert answers[0]["type"] == "accepted"
        assert answers[0]["id"] == "m"
        assert all(answer["code"] in ("stale_version", "game_over") for answer in answers[1:])

    @rule(number=st.integers(0, 10), seat=st.integers(0, 3), move=st.sampled_from(["1B1", "2W3", "cKf", "t11", "c"]))
    def play_for_somebody_else(self, number: int, seat: int, move: str) -> None:
        client = self.pick(number)
        if seat not in client.seats:
            answer = client.ask(
                json.dumps({"type": "play", "seat": seat, "move": move, "version": client.version or 0})
            )
            assert answer["code"] == "not_your_seat"

    @rule(number=st.integers(0, 10))
    def say_it_again(self, number: int) -> None:
        client = self.pick(number)
        if client.sent:
            assert client.ask(client.sent)["type"] == "refused"

    @rule(number=st.integers(0, 10), seat=st.integers(0, 1))
    def take_back(self, number: int, seat: int) -> None:
        client = self.pick(number)
        version = self.catch_up(client)
        may = seat in client.last.get("you", {}).get("undo", []) and client.last["version"] == version
        answer = client.ask(json.dumps({"type": "undo", "seat": seat, "version": version}))
        if may and self.table().game.waiting:
            assert answer.get("code") in (None, "stale_version")

    @rule(number=st.integers(0, 10), message=LIKE_A_MESSAGE.filter(lambda m: m["type"] not in ("hello", "resign")))
    def say_something_like_a_message(self, number: int, message: dict[str, Any]) -> None:
        client = self.pick(number)
        answer = client.ask(json.dumps(message))
        if not client.seats:
            assert answer["type"] in ("refused", "pong")

    @rule(number=st.integers(0, 10), text=st.text(max_size=60) | anything.map(json.dumps))
    def say_anything(self, number: int, text: str) -> None:
        answer = self.pick(number).ask(text)
        assert answer["type"] == "refused"
        assert answer["code"] == "bad_message"

    def catch_up(self, client: Somebody) -> int:
        """Wait until no computer has to decide; the version then."""
        table = self.table()
        while any(table.computer_of(seat) is not None for seat in table.waiting):
            client.ask('{"type":"ping"}')
            table = self.table()
        client.ask('{"type":"ping"}')
        return table.version

    @invariant()
    def nothing_secret_was_told(self) -> None:
        if self.clients:
            table = self.table()
            for client in self.clients:
                told = json.dumps(client.last)
                assert not any(secret and secret in told for secret in self.secrets)
                assert table.result or table.dealer.secret not in told
            assert table.info.commitment == self.commitment

    def teardown(self) -> None:
        if self.clients:
            table = self.table()
            replay(read_record(table.record().text()))
            stored = self.call(self.state.store.load, self.id)
            again = Table.rebuilt(self.id, stored.created, stored.setup, table.dealer, stored.events)
            assert again.info == table.info or again.version > table.version
            for client in self.clients:
                client.session.close()
        self.stack.close()


def test_clients_that_do_anything_at_all() -> None:
    run_state_machine_as_test(Clients, settings=settings(max_examples=12, stateful_step_count=40))
