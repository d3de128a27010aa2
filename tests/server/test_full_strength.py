"""Full strength: it shares the workers with others like it, holds up nobody who is quick, and plays whole games."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import httpx
import msgspec
import pytest
from websockets.sync.client import connect

from azulejos import Game, read_record
from azulejos.game.view import Wall
from azulejos.players.levels import FULL_STRENGTH, LEVELS, PLACING
from azulejos.players.player import Choice
from azulejos.server.bots.pool import LEAST_MILLISECONDS, Pool
from azulejos.server.protocol import incoming
from azulejos.server.tables.setup import NewSeat
from tests.patience import PATIENCE
from tests.server.live import Live, live_server, wait_for_computers
from tests.server.test_bots import FAKE, POSITION, moves_at, run, running

FULL, STRONGEST = FULL_STRENGTH.number, FULL_STRENGTH.spec
MOVE = str(Game.from_position(POSITION).legal_moves[0])
TELLING = FAKE.replace(
    "GO",
    f"""
            given = int(words[words.index("movetime") + 1]) if "movetime" in words else 0
            time.sleep(0.15 if given else 0)
            say("info win", given, 0, "pv {MOVE}"), say("bestmove {MOVE}")""",
)
"""A worker that says how long it was told to think."""
THINKING_MS = 30
"""Of the server that plays whole games here: they would take minutes."""


# --- in the pool of workers


def told(answer: Choice) -> int:
    """The milliseconds that a worker of `TELLING` was told to think."""
    return round(100 * answer.win[0])


async def full(bots: Pool, count: int) -> list[asyncio.Task[Choice]]:
    """So many questions at once, all of them waiting or being thought about."""
    tasks = [asyncio.create_task(bots.choose(POSITION, STRONGEST, seed)) for seed in range(count)]
    await asyncio.sleep(0.05)
    return tasks


def test_alone_it_has_its_time_and_levels_have_none() -> None:
    async def test() -> None:
        async with running(program=TELLING) as bots:
            assert told(await bots.choose(POSITION, STRONGEST, 1)) == FULL_STRENGTH.milliseconds
            for level in LEVELS:
                assert told(await bots.choose(POSITION, level.spec, 1)) == 0
            assert told(await bots.choose(POSITION, STRONGEST, 1)) == FULL_STRENGTH.milliseconds

    run(test)


def test_a_place_on_the_gray_wall_takes_less() -> None:
    game = Game(2, "gray", seed=1)
    while game.phase == "d":
        game.play(game.legal_moves[0])
    program = TELLING.replace(MOVE, str(game.legal_moves[0]))

    async def test() -> None:
        async with running(program=program) as bots:
            assert told(await bots.choose(game.position, STRONGEST, 1)) == FULL_STRENGTH.milliseconds / PLACING

    run(test)


@pytest.mark.parametrize("workers", [1, 2])
def test_those_who_ask_at_once_share_the_workers(workers: int) -> None:
    async def test() -> None:
        async with running(workers, program=TELLING) as bots:
            await asyncio.gather(
                *(bots.choose(POSITION, "level1", seed) for seed in range(20))
            )  # all workers are there
            answers = await asyncio.gather(*await full(bots, 6))
            times = list(map(told, answers))
            assert times[0] == FULL_STRENGTH.milliseconds * workers // 6
            assert times == sorted(times)
            assert times[-1] > times[0], "fewer wait then"
            crowd = await asyncio.gather(*await full(bots, 40))
            assert min(map(told, crowd)) == LEAST_MILLISECONDS

    run(test)


def test_those_who_ask_first_are_answered_first() -> None:
    async def test() -> None:
        async with running(program=TELLING) as bots:
            order: list[int] = []
            tasks = await full(bots, 6)
            for at, task in enumerate(tasks):
                task.add_done_callback(lambda _, at=at: order.append(at))  # type: ignore[misc]
            await asyncio.gather(*tasks)
            assert order == list(range(6))

    run(test)


def test_a_quick_move_passes_all_that_wait_however_long_they_did(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("azulejos.server.bots.pool.time", SimpleNamespace(monotonic=lambda: now))

    async def test() -> None:
        nonlocal now
        async with running(program=TELLING) as bots:
            await bots.choose(POSITION, "level1", 1)
            waiting = await full(bots, 20)
            while sum(task.done() for task in waiting) < 8:
                await asyncio.sleep(0.01)
            now += 1.5
            left = sum(not task.done() for task in waiting)
            assert left > 3, "they should wait still"
            await bots.choose(POSITION, "level1", 1)
            assert left - sum(not task.done() for task in waiting) <= 2  # the one that was thought about
            await asyncio.gather(*waiting)

    run(test)


def test_whoever_no_longer_waits_takes_no_time() -> None:
    async def test() -> None:
        async with running(program=TELLING) as bots:
            for task in await full(bots, 12):
                task.cancel()
            assert told(await bots.choose(POSITION, STRONGEST, 1)) == FULL_STRENGTH.milliseconds

    run(test)


def test_real_ones_answer_at_every_kind_of_table() -> None:
    async def test() -> None:
        async with running(workers=2) as bots:
            await bots.choose(POSITION, "level1", 1)
            games = [Game(players, wall, seed=3) for players in (2, 3, 4) for wall in ("std", "gray")]
            answers = await asyncio.gather(*(bots.choose(game.position, STRONGEST, 5) for game in games))
            for game, answer in zip(games, answers, strict=True):
                assert answer.move in moves_at(game)
                assert sum(answer.win) == pytest.approx(1, abs=0.01)  # not the quick player

    run(test)


# --- what is understood


@pytest.mark.parametrize(
    ("level", "reason"),
    [
        (0, "Expected `int` >= 1"),
        (101, "Expected `int` <= 100"),
        (99, "there is no level 99"),
        ("9", "Expected `int | null`, got `str`"),
    ],
)
def test_a_number_that_is_no_opponent_is_refused(level: object, reason: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=reason.replace("|", r"\|")):
        msgspec.json.decode(json.dumps({"kind": "computer", "level": level}), type=NewSeat)
    seat = msgspec.json.decode(f'{{"kind": "computer", "level": {FULL}}}', type=NewSeat)
    assert seat.level == FULL


def test_who_plays_for_others_is_a_level() -> None:
    highest = LEVELS[-1].number
    message = '{"type": "substitute", "seat": 1, "level": %d}'
    assert msgspec.json.decode(message % highest, type=incoming.Incoming) == incoming.Substitute(seat=1, level=highest)
    with pytest.raises(msgspec.ValidationError, match=f"Expected `int` <= {highest}"):
        msgspec.json.decode(message % FULL, type=incoming.Incoming)


# --- whole games on a real server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    settings = {"thinking_ms": THINKING_MS, "pace_ms": 0, "tables_per_minute": 0, "messages_per_second": 0}
    offered = (
        "--player",
        "greedy",
        "--player",
        f"Rosa=process:{shlex.quote(sys.executable)} -m azulejos.engine random",
    )
    with live_server(tmp_path_factory.mktemp("server"), *offered, **settings) as live:
        wait_for_computers(live)
        yield live


def play(live: Live, created: dict[str, Any], seat: int = 0) -> dict[str, Any]:
    """One seat plays the first move it may until the game is over; the last thing that was said."""
    decided: tuple[Any, ...] = ()
    with connect(live.sockets + created["table"]["id"]) as line:
        line.send(json.dumps({"type": "hello", "secrets": [each for each in created["secrets"] if each]}))
        while True:
            said: dict[str, Any] = json.loads(line.recv(PATIENCE))
            assert said["type"] != "refused", said
            if said["type"] not in ("welcome", "event"):
                continue
            if said["table"].get("result"):
                return said
            choosing = said["you"].get("choosing", [])
            basis = (said["position"]["line"], len(choosing and choosing[0]["chosen"]))
            if seat in said["waiting"] and basis != decided:
                decided = basis
                options = choosing[0]["options"] if choosing else said["position"]["options"]
                move = {"type": "play", "seat": seat, "move": options[0]["move"], "version": said["version"]}
                line.send(json.dumps(move))


@pytest.mark.parametrize("wall", ["std", "gray"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_game_against_full_strength(server: Live, players: int, wall: Wall) -> None:
    seats = [{"kind": "here", "name": "Ana"}, *[{"kind": "computer", "level": FULL}] * (players - 1)]
    made = httpx.post(f"{server.url}/api/tables", json={"seats": seats, "wall": wall}, timeout=PATIENCE)
    assert made.status_code == 201, made.text
    end = play(server, made.json())
    assert 0 not in end["table"]["result"]["winners"]
    address = f"{server.url}/api/tables/{made.json()['table']['id']}"
    record = read_record(httpx.get(f"{address}/record.azul", timeout=PATIENCE).text)
    assert record.names == ("Ana", *["net"] * (players - 1))
    assert record.result == tuple(end["table"]["result"]["scores"])
    assert "quick player" not in server.logged()


def test_a_whole_game_with_a_program_and_a_rematch(server: Live) -> None:
    computers = [{"kind": "computer", "player": "Rosa"}, {"kind": "computer", "player": "greedy", "level": 3}]
    seats = [{"kind": "here", "name": "Ana"}, *computers]
    made = httpx.post(f"{server.url}/api/tables", json={"seats": seats}, timeout=PATIENCE)
    assert made.status_code == 201, made.text
    end = play(server, made.json())
    assert [seat["name"] for seat in end["table"]["seats"]] == ["Ana", "Rosa", "greedy"]
    assert not any("level" in seat for seat in end["table"]["seats"])
    with connect(server.sockets + made.json()["table"]["id"]) as line:
        line.send(json.dumps({"type": "hello", "secrets": made.json()["secrets"][:1]}))
        line.send(json.dumps({"type": "rematch"}))
        while not (following := json.loads(line.recv(PATIENCE)).get("table", {}).get("next")):
            pass
    end = play(server, made.json() | {"table": {"id": following}}, seat=2)
    assert [seat["name"] for seat in end["table"]["seats"]] == ["Rosa", "greedy", "Ana"]
    assert "quick player" not in server.logged()


def test_players_that_are_not_offered_are_refused(server: Live) -> None:
    for player in ("random", "process:sh -c date", "Rosa "):
        seats = [{"kind": "here"}, {"kind": "computer", "player": player}]
        made = httpx.post(f"{server.url}/api/tables", json={"seats": seats}, timeout=PATIENCE)
        assert (made.status_code, made.json()["code"]) == (400, "bad_seats")
