"""Computers in real worker processes: killed, stopped, talking nonsense."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import textwrap
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

import pytest

from azulejos.game.game import Game
from azulejos.server.bots import pool
from azulejos.server.bots.pool import BotMove, Bots
from azulejos.server.tables.refusal import Refuse

POSITION = Game(seed=1, starter=0).position
Result = TypeVar("Result")


@asynccontextmanager
async def running(workers: int = 1, patience: float = 10.0, program: str = "") -> AsyncIterator[Bots]:
    """Workers, with more patience than a server has: a busy machine is not what is tested."""
    command = (sys.executable, "-c", textwrap.dedent(program)) if program else pool.COMMAND
    bots = Bots(workers, command=command, patience=patience)
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


def moves_at(game: Game) -> set[str]:
    return set(map(str, game.legal_moves))


def test_all_levels_answer_with_a_legal_move_for_all_tables() -> None:
    async def test() -> None:
        async with running(workers=2) as bots:
            games = [Game(players, wall, seed=3) for players in (2, 4) for wall in ("std", "gray")]
            asked = [(game, level) for game in games for level in range(1, 10)]
            answers = await asyncio.gather(*(bots.choose(game.position, level, 5) for game, level in asked))
            for (game, level), answer in zip(asked, answers, strict=True):
                assert answer.move in moves_at(game), level
                assert sum(answer.win) == pytest.approx(1, abs=0.01)

    run(test)


def test_an_answer_depends_on_position_level_and_seed_only() -> None:
    async def test() -> tuple[BotMove, ...]:
        async with running(workers=2) as bots:
            first = await asyncio.gather(*(bots.choose(POSITION, 2, seed) for seed in range(8)))
            again = await asyncio.gather(*(bots.choose(POSITION, 2, seed) for seed in reversed(range(8))))
            assert first == list(reversed(again))
            return tuple(first)

    moves = {answer.move for answer in run(test)}
    assert len(moves) > 1, "a weak level draws lots"


def test_a_hint_is_sorted_by_worth_and_says_what_follows() -> None:
    async def test() -> None:
        async with running() as bots:
            found = await bots.hint(POSITION, 3)
            assert len(found) == 3
            assert found[0].line[0] == found[0].move
            assert found[0].margin > -5
            assert {move.move for move in found} <= moves_at(Game.from_position(POSITION))

    run(test)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_worker_that_dies_or_stalls_is_replaced_and_the_move_asked_again(number: signal.Signals) -> None:
    async def test() -> None:
        async with running(patience=0.6) as bots:
            first = await bots.choose(POSITION, 1, 1)
            (old,) = bots.processes
            os.kill(old, number)
            assert await bots.choose(POSITION, 1, 1) == first
            (new,) = bots.processes
            assert new != old
            with pytest.raises(ProcessLookupError):
                os.kill(old, 0)

    run(test)


def test_workers_killed_all_the_time_hold_up_nothing() -> None:
    async def test() -> None:
        async with running(workers=2) as bots:
            await bots.choose(POSITION, 1, 0)

            async def kill() -> None:
                for _ in range(6):
                    await asyncio.sleep(0.3)
                    for number in bots.processes[:1]:
                        with suppress(ProcessLookupError):  # nobody has noticed yet that it is dead
                            os.kill(number, signal.SIGKILL)

            killer = asyncio.create_task(kill())
            while not killer.done():
                answers = await asyncio.gather(*(bots.choose(POSITION, 3, seed) for seed in range(20)))
                assert {answer.move for answer in answers} <= moves_at(Game.from_position(POSITION))
            await killer

    run(test)


def test_after_three_failures_a_quick_player_answers(caplog: pytest.LogCaptureFixture) -> None:
    program = """
        import sys
        print('{"ready": true}', flush=True)
        for line in sys.stdin:
            sys.exit(1)
    """

    async def test() -> None:
        async with running(program=program) as bots:
            answer = await bots.choose(POSITION, 4, 1)
            assert answer.move in moves_at(Game.from_position(POSITION))
            assert answer.win == ()
            with pytest.raises(Refuse, match="no_computer"):
                await bots.hint(POSITION)

    run(test)
    assert "a quick player answers for level 4 after 3 failures" in caplog.text


@pytest.mark.parametrize(
    "says", ["not json", "[]", '{"id": 0, "move": "9W1"}', '{"id": 77, "move": "1B1"}', '{"id": 0}', "x" * 100_000]
)
def test_nonsense_is_no_answer(says: str) -> None:
    program = f"""
        import sys
        print('{{"ready": true}}', flush=True)
        for line in sys.stdin:
            print({says!r}, flush=True)
    """

    async def test() -> None:
        async with running(program=program) as bots:
            assert (await bots.choose(POSITION, 4, 1)).win == ()

    run(test)


def test_a_worker_that_cannot_start_is_no_reason_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "PAUSE_SECONDS", 0.05)

    async def test() -> None:
        for command in (("/no/such/program",), (sys.executable, "-c", "raise SystemExit(3)")):
            bots = Bots(2, command=command)
            await bots.start()
            assert (await bots.choose(POSITION, 4, 1)).win == ()
            await bots.close()

    run(test)


@pytest.mark.parametrize(
    ("position", "code"), [("nonsense", "bad_position"), (POSITION.replace("BYKW", "BYKK"), "bad_position")]
)
def test_a_position_in_which_nobody_can_choose_is_refused_at_once(position: str, code: str) -> None:
    async def test() -> None:
        with pytest.raises(Refuse, match=code):
            await Bots(1).choose(position, 1, 1)

    run(test)


def test_closing_tells_those_who_wait_and_leaves_no_process() -> None:
    async def test() -> None:
        bots = Bots(1)
        await bots.start()
        await bots.choose(POSITION, 1, 1)
        processes = bots.processes
        os.kill(processes[0], signal.SIGSTOP)  # or it might answer before it is ended
        waiting = [asyncio.create_task(bots.hint(POSITION)) for _ in range(3)]
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


def test_too_many_hints_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "MOST_HINTS", 2)

    async def test() -> None:
        bots = Bots(1)  # not started: hints only wait
        waiting = [asyncio.create_task(bots.hint(POSITION)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Refuse, match="busy"):
            await bots.hint(POSITION)
        await bots.close()
        await asyncio.gather(*waiting, return_exceptions=True)

    run(test)
