"""Computers in real worker processes: killed, stopped, talking nonsense."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import textwrap
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TypeVar

import pytest

from azulejos.game.game import Game
from azulejos.game.moves import Move
from azulejos.players.levels import OPPONENTS
from azulejos.players.player import Choice
from azulejos.server.bots import pool, worker
from azulejos.server.bots.pool import Pool
from azulejos.server.tables.refusal import Refuse

POSITION = Game(seed=1, starter=0).position
FAKE = """
    import sys, time
    def say(*words): print(*words, flush=True)
    for line in sys.stdin:
        words = line.split()
        if words[0] == "azi": say("option name Player type string"), say("aziok")
        if words[0] == "isready": say("readyok")
        if words[0] == "go": GO
"""
"""A worker that is well behaved until it is asked for a move."""
Result = TypeVar("Result")


@asynccontextmanager
async def running(workers: int = 1, patience: float = 10.0, program: str = "") -> AsyncIterator[Pool]:
    """Workers, with more patience than a server has: a busy machine is not what is tested."""
    command = (sys.executable, "-c", textwrap.dedent(program)) if program else worker.COMMAND
    bots = Pool(workers, command=command, patience=patience)
    await bots.start()
    try:
        yield bots
    finally:
        await bots.close()


def run(test: Callable[[], Awaitable[Result]]) -> Result:
    async def limited() -> Result:
        async with asyncio.timeout(600):
            return await test()

    return asyncio.run(limited())


def moves_at(game: Game) -> set[Move]:
    return set(game.legal_moves)


def test_all_levels_answer_with_a_legal_move_for_all_tables() -> None:
    async def test() -> None:
        async with running(workers=2) as bots:
            games = [Game(players, wall, seed=3) for players in (2, 4) for wall in ("std", "gray")]
            asked = [(game, opponent.spec) for game in games for opponent in OPPONENTS]
            answers = await asyncio.gather(*(bots.choose(game.position, spec, 5) for game, spec in asked))
            for (game, spec), answer in zip(asked, answers, strict=True):
                assert answer.move in moves_at(game), spec
                assert sum(answer.win) == pytest.approx(1, abs=0.01)

    run(test)


def test_an_answer_depends_on_position_level_and_seed_only() -> None:
    async def test() -> tuple[Choice, ...]:
        async with running(workers=2) as bots:
            first = await asyncio.gather(*(bots.choose(POSITION, "level2", seed) for seed in range(8)))
            again = await asyncio.gather(*(bots.choose(POSITION, "level2", seed) for seed in reversed(range(8))))
            assert first == list(reversed(again))
            return tuple(first)

    moves = {answer.move for answer in run(test)}
    assert len(moves) > 1, "a weak level draws lots"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_worker_that_dies_or_stalls_is_replaced_and_the_move_asked_again(number: signal.Signals) -> None:
    async def test() -> None:
        async with running(patience=0.6) as bots:
            first = await bots.choose(POSITION, "level1", 1)
            (old,) = bots.processes
            os.kill(old, number)
            assert await bots.choose(POSITION, "level1", 1) == first
            (new,) = bots.processes
            assert new != old
            with pytest.raises(ProcessLookupError):
                os.kill(old, 0)

    run(test)


def test_workers_killed_all_the_time_hold_up_nothing() -> None:
    async def test() -> None:
        async with running(workers=2) as bots:
            await bots.choose(POSITION, "level1", 0)

            async def kill() -> None:
                for _ in range(6):
                    await asyncio.sleep(0.3)
                    for number in bots.processes[:1]:
                        with suppress(ProcessLookupError):  # nobody has noticed yet that it is dead
                            os.kill(number, signal.SIGKILL)

            killer = asyncio.create_task(kill())
            while not killer.done():
                answers = await asyncio.gather(*(bots.choose(POSITION, "level3", seed) for seed in range(20)))
                assert {answer.move for answer in answers} <= moves_at(Game.from_position(POSITION))
            await killer

    run(test)


def test_after_three_failures_a_quick_player_answers(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        async with running(program=FAKE.replace("GO", "sys.exit('no tiles')")) as bots:
            answer = await bots.choose(POSITION, "level4", 1)
            assert answer.move in moves_at(Game.from_position(POSITION))
            assert answer.win == ()

    run(test)
    assert "a quick player answers for level4 after 3 failures" in caplog.text
    assert "a worker is replaced: 'worker' ended with exit code 1; it complained: 'no tiles'" in caplog.text


@pytest.mark.parametrize(
    ("says", "how"),
    [
        ("bestmove 9W1", "answered '9W1'"),
        ("bestmove", "answered '', which is not a move"),
        ("bestmove tiles", "answered 'tiles', which is not a move"),
        ("error internal MemoryError", "refused the position"),
        ("{'move': '1B1'}", "did not say 'bestmove'"),
        ("x" * 100_000, "did not say 'bestmove'"),
    ],
)
def test_nonsense_is_no_answer(says: str, how: str, caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        async with running(program=FAKE.replace("GO", f"say({says!r})"), patience=0.2) as bots:
            assert (await bots.choose(POSITION, "level4", 1)).win == ()

    run(test)
    assert how in caplog.text


def test_any_registered_player_can_be_asked(tmp_path: Path) -> None:
    legal = Game.from_position(POSITION).legal_moves[-1]
    file = tmp_path / "other.py"
    file.write_text(textwrap.dedent(FAKE.replace("GO", f"say('info win 75 25 margin 3'), say('bestmove {legal}')")))

    async def test() -> None:
        async with running() as bots:
            program = f"process:{sys.executable} -S {file}"
            assert await bots.choose(POSITION, program, 1) == Choice(legal, (0.75, 0.25), 3.0)
            for spec in ("greedy", "random", "search:nodes=20"):
                assert (await bots.choose(POSITION, spec, 1)).move in moves_at(Game.from_position(POSITION))
            first, second = [await bots.choose(POSITION, "random", seed) for seed in (3, 3)]
            assert first == second

    run(test)


def test_a_class_of_others_thinks_in_a_process_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bot = "class Last:\n    def choose(self, game): return game.legal_moves[-1]\n"
    (tmp_path / "own_bot.py").write_text(f"{bot}class Wrong:\n    def choose(self, game): return 'zz'\n")
    monkeypatch.chdir(tmp_path)

    async def test() -> None:
        async with running() as bots:
            for spec, move in (("python:own_bot:Last", -1), ("greedy", None), ("python:own_bot:Last", -1)):
                choice = await bots.choose(POSITION, spec, 1)
                assert move is None or choice.move == Game.from_position(POSITION).legal_moves[move]
            for spec in ("python:own_bot:Wrong", "python:own_bot:Missing"):  # a quick player answers for it
                assert (await bots.choose(POSITION, spec, 1)).move in moves_at(Game.from_position(POSITION))

    run(test)
    assert "answered 'zz', which is not a move" in caplog.text
    assert "the module 'own_bot' has no class 'Missing'" in caplog.text


def test_a_worker_that_cannot_start_is_no_reason_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "PAUSE_SECONDS", 0.05)

    async def test() -> None:
        for command in (("/no/such/program",), (sys.executable, "-c", "raise SystemExit(3)")):
            bots = Pool(2, command=command)
            await bots.start()
            assert (await bots.choose(POSITION, "level4", 1)).win == ()
            await bots.close()

    run(test)


@pytest.mark.parametrize(
    ("position", "code"), [("nonsense", "bad_position"), (POSITION.replace("BYKW", "BYKK"), "bad_position")]
)
def test_a_position_in_which_nobody_can_choose_is_refused_at_once(position: str, code: str) -> None:
    async def test() -> None:
        with pytest.raises(Refuse, match=code):
            await Pool(1).choose(position, "level1", 1)

    run(test)


def test_closing_tells_those_who_wait_and_leaves_no_process() -> None:
    async def test() -> None:
        bots = Pool(1)
        await bots.start()
        await bots.choose(POSITION, "level1", 1)
        processes = bots.processes
        os.kill(processes[0], signal.SIGSTOP)  # or it might answer before it is ended
        waiting = [asyncio.create_task(bots.choose(POSITION, "level1", 1)) for _ in range(3)]
        while bots._queue.qsize() != 2:
            await asyncio.sleep(0.01)
        await bots.close()
        for task in waiting:
            with pytest.raises(Refuse, match="no_computer"):
                await task
        for number in processes:
            with pytest.raises(ProcessLookupError):
                os.kill(number, 0)

    run(test)
