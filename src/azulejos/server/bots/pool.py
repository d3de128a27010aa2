"""The computers: a few worker processes that think, so that a long thought or a crash never holds up a table.

Questions wait in one queue and are answered in the order in which they came; what takes longer, a hint or a move at
full strength, lets quick moves pass. Those at full strength share the workers: each thinks less when there are more of
them. A worker that dies, stalls or answers nonsense is replaced and the question asked again. After three failures a
quick player in this process answers, so that a game always goes on.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from azulejos.game.game import Game
from azulejos.players import greedy
from azulejos.players.levels import FULL_STRENGTH, OPPONENTS
from azulejos.server import metrics
from azulejos.server.protocol.outgoing import HintMove
from azulejos.server.settings import DEFAULT_WORKERS
from azulejos.server.tables.refusal import Refuse

COMMAND: Final = (sys.executable, "-m", "azulejos.server.bots.worker")
"""What starts a worker."""
ONE_THREAD: Final = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)
"""Variables that keep the linear algebra of a worker to one thread."""
START_SECONDS: Final = 300.0
"""At its very first start a worker compiles the search."""
MOVE_SECONDS: Final = 5.0
"""How long a worker may think about a move before it is taken for stalled."""
LEVEL_SECONDS: Final = {8: 10.0, FULL_STRENGTH.number: 10.0}
"""For levels that may take longer than `MOVE_SECONDS`."""
HINT_SECONDS: Final = 6.0
"""How long a worker may think about a hint."""
HINT_YIELDS_SECONDS: Final = 0.5
"""A hint waits so long for moves that are asked for at the same time."""
HINT_APART_SECONDS: Final = 1.0
"""So much longer for each hint that waits already: nobody's hints hold up a game."""
FULL_YIELDS_SECONDS: Final = 1.0
"""A move at full strength lets quick ones of so many seconds pass."""
FULL_APART_SECONDS: Final = 0.2
"""So much longer for each that waits already: however many there are, they hold up no quick one."""
PLACING: Final = 4
"""A place on the gray wall, of the few there are, gets the fourth part of the time."""
LEAST_MILLISECONDS: Final = 100
"""However many there are, each thinks for so long."""
MOST_HINTS: Final = 50
"""With more waiting, a further one is refused."""
ATTEMPTS: Final = 3
"""How often a question is asked before it fails."""
PAUSE_SECONDS: Final = 0.5
"""Before a worker that could not even start is started again."""

log = logging.getLogger(__name__)
"""The logger of this module."""


@dataclass(frozen=True, slots=True)
class BotMove:
    """What a computer plays."""

    move: str
    """As it is written."""
    win: tuple[float, ...] = ()
    """Expected share of the victory of each seat; empty where not known."""
    margin: float | None = None
    """Expected final score less that of the best opponent."""


@dataclass(order=True, slots=True)
class _Job:
    due: float
    number: int
    question: dict[str, Any] = field(compare=False)
    moves: frozenset[str] = field(compare=False)
    """What may be answered."""
    seconds: float = field(compare=False)
    answer: asyncio.Future[dict[str, Any]] = field(compare=False)
    failures: int = field(default=0, compare=False)


class WorkerFailed(Exception):
    """A worker died, kept silent or answered nonsense; `how` is the word under which it is counted."""

    def __init__(self, how: str, reason: str) -> None:
        super().__init__(reason)
        self.how = how
        """The word under which it is counted."""


class Bots:
    """The pool of workers."""

    def __init__(
        self,
        workers: int = DEFAULT_WORKERS,
        *,
        thinking_ms: int | None = None,
        command: Sequence[str] = COMMAND,
        patience: float = 1.0,
    ) -> None:
        """So many workers, each started by `command`; `patience` stretches all limits of time.

        `thinking_ms` is for a move at full strength, if it is not to have its usual time.
        """
        self._workers = [_Worker(command, patience) for _ in range(workers)]
        self._patience = patience
        self._queue: asyncio.PriorityQueue[_Job] = asyncio.PriorityQueue()
        self._numbers = itertools.count()
        self._tasks: list[asyncio.Task[None]] = []
        self._thinking_ms = FULL_STRENGTH.milliseconds if thinking_ms is None else thinking_ms
        self._hints = self._full = 0  # questions of these kinds that are not answered yet

    @property
    def processes(self) -> list[int]:
        """The process numbers of the workers that run."""
        return [worker.pid for worker in self._workers if worker.pid is not None]

    @property
    def ready(self) -> bool:
        """Whether some worker has everything loaded."""
        return any(worker.ready for worker in self._workers)

    async def start(self) -> None:
        """Have the workers started in the background."""
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._run(at)) for at in range(len(self._workers))]

    async def choose(self, position: str, level: int, seed: int) -> BotMove:
        """The move of a level in a position; the same for the same three, but for full strength, which has a time."""
        game = _game(position)
        question = {"position": position, "level": level, "seed": seed}
        seconds = LEVEL_SECONDS.get(level, MOVE_SECONDS)
        is_full = level == FULL_STRENGTH.number
        if is_full:
            question["milliseconds"] = self._thinking_ms if game.phase == "d" else max(1, self._thinking_ms // PLACING)
            seconds += self._thinking_ms / 1000
        self._full += is_full
        try:
            answer = await self._ask(question, game, seconds, OPPONENTS[level - 1].spec)
        finally:
            self._full -= is_full
        if "move" not in answer:
            log.error("a quick player answers for level %d after %d failures", level, ATTEMPTS)
            return BotMove(str(greedy.choose(game)))
        return BotMove(answer["move"], tuple(answer["win"]), answer["margin"])

    async def hint(self, position: str, count: int = 3) -> list[HintMove]:
        """The best moves in a position, best first."""
        game = _game(position)
        if self._hints >= MOST_HINTS:
            raise Refuse("busy")
        self._hints += 1
        try:
            answer = await self._ask({"position": position, "hint": count}, game, HINT_SECONDS, "hint")
        finally:
            self._hints -= 1
        if "moves" not in answer:
            raise Refuse("no_computer")
        return [HintMove(found["move"], found["margin"], found["win"], found["line"]) for found in answer["moves"]]

    async def close(self) -> None:
        """End all workers; whoever still waits is told that there is no computer."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        await asyncio.gather(*(worker.end() for worker in self._workers))
        while not self._queue.empty():
            _fail(self._queue.get_nowait(), Refuse("no_computer"))

    async def _ask(self, question: dict[str, Any], game: Game, seconds: float, who: str) -> dict[str, Any]:
        started = time.monotonic()
        number = next(self._numbers)
        job = _Job(
            due=started + self._yields(question),
            number=number,
            question={"id": number, **question},
            moves=frozenset(map(str, game.legal_moves)),
            seconds=seconds * self._patience,
            answer=asyncio.get_running_loop().create_future(),
        )
        self._put(job)
        try:
            return await job.answer
        finally:
            metrics.BOT_SECONDS.labels(who=who).observe(time.monotonic() - started)

    def _yields(self, question: dict[str, Any]) -> float:
        """For how many seconds others may pass it."""
        if "hint" in question:
            return HINT_YIELDS_SECONDS + HINT_APART_SECONDS * max(0, self._hints - 1)
        if "milliseconds" in question:
            return FULL_YIELDS_SECONDS + FULL_APART_SECONDS * max(0, self._full - 1)
        return 0.0

    def _timed(self, question: dict[str, Any]) -> dict[str, Any]:
        """The question as a worker gets it: at full strength with the time that there is when its turn has come."""
        if "milliseconds" not in question:
            return question
        wanted, workers = question["milliseconds"], len(self._workers)
        share = wanted * workers // max(workers, self._full)
        return {**question, "milliseconds": max(share, min(LEAST_MILLISECONDS, wanted))}

    def _put(self, job: _Job) -> None:
        self._queue.put_nowait(job)
        metrics.BOT_QUEUE.set(self._queue.qsize())

    async def _run(self, at: int) -> None:
        """Keep one worker at work."""
        worker = self._workers[at]
        if at:  # what the first one compiles, the others load
            await self._workers[0].first_start.wait()
        while True:
            try:
                await worker.start()
            except WorkerFailed as fault:
                self._count_failure(fault)
                await self._give_up_waiting()
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            job = await self._queue.get()
            metrics.BOT_QUEUE.set(self._queue.qsize())
            try:
                await self._serve(worker, job)
            except asyncio.CancelledError:
                _fail(job, Refuse("no_computer"))
                raise

    async def _serve(self, worker: _Worker, job: _Job) -> None:
        if job.answer.done():  # nobody waits any more
            return
        try:
            answer = await worker.ask(self._timed(job.question), job.seconds)
            _check(answer, job)
        except WorkerFailed as fault:
            self._count_failure(fault)
            await worker.end()
            self._retry(job)
        else:
            if not job.answer.done():
                job.answer.set_result(answer)

    async def _give_up_waiting(self) -> None:
        """No worker can be started: let each question count that as a failure, so that none waits for ever."""
        if any(worker.ready for worker in self._workers):
            return
        for job in [self._queue.get_nowait() for _ in range(self._queue.qsize())]:
            self._retry(job)

    def _retry(self, job: _Job) -> None:
        job.failures += 1
        if job.failures < ATTEMPTS:
            self._put(job)
        elif not job.answer.done():
            job.answer.set_result({})

    @staticmethod
    def _count_failure(fault: WorkerFailed) -> None:
        metrics.BOT_FAILURES.labels(how=fault.how).inc()
        log.warning("a worker is replaced: %s", fault)


class _Worker:
    """One process, started when needed."""

    def __init__(self, command: Sequence[str], patience: float) -> None:
        self._command = command
        self._patience = patience
        self._process: asyncio.subprocess.Process | None = None
        self.ready = False
        self.first_start = asyncio.Event()
        """Set when the first attempt to start has succeeded or failed."""

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Start the process if it does not run, and wait until it is ready."""
        if self._process is not None and self._process.returncode is None:
            return
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=os.environ | ONE_THREAD,
                start_new_session=True,  # the terminal's Ctrl-C is for the server, which ends its workers itself
            )
            answer = await self._read(START_SECONDS * self._patience)
            if answer != {"ready": True}:
                raise WorkerFailed("nonsense", f"it should have said that it is ready, but said {str(answer)[:80]!r}")
            self.ready = True
        except OSError as fault:
            raise WorkerFailed("start", f"it cannot be started: {fault.strerror}") from fault
        except WorkerFailed:
            await self.end()
            raise
        finally:
            self.first_start.set()

    async def ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer to a question, within so many seconds."""
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(question).encode() + b"\n")
            await self._process.stdin.drain()
        except (OSError, RuntimeError) as fault:
            raise WorkerFailed("died", "it has died") from fault
        return await self._read(seconds)

    async def end(self) -> None:
        """Kill the process: it keeps nothing that could be lost, and a stopped one would hear nothing milder."""
        self.ready = False
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _read(self, seconds: float) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        try:
            line = await asyncio.wait_for(self._process.stdout.readline(), seconds)
        except TimeoutError:
            raise WorkerFailed("stalled", f"it has not answered within {seconds:g} s") from None
        except ValueError as fault:
            raise WorkerFailed("nonsense", "its answer has no end") from fault
        if not line.endswith(b"\n"):
            raise WorkerFailed("died", "it has died")
        try:
            answer = json.loads(line)
        except ValueError as fault:
            raise WorkerFailed("nonsense", f"it answered {line[:80]!r}, which is not JSON") from fault
        if not isinstance(answer, dict):
            raise WorkerFailed("nonsense", f"it answered {line[:80]!r}, which is no object")
        return answer


def _game(position: str) -> Game:
    """The game in a position in which somebody can choose."""
    try:
        game = Game.from_position(position)
    except ValueError as fault:
        raise Refuse("bad_position", reason=str(fault)) from fault
    if not game.legal_moves:
        raise Refuse("game_over" if game.is_over else "deal_due")
    return game


def _check(answer: dict[str, Any], job: _Job) -> None:
    """Raise unless it is an answer to this question with legal moves."""
    if "error" in answer:
        raise WorkerFailed("error", f"it could not answer: {answer['error']}")
    moves = [found.get("move") for found in answer["moves"]] if "moves" in answer else [answer.get("move")]
    if answer.get("id") != job.number or not moves or not job.moves.issuperset(moves):
        raise WorkerFailed("nonsense", f"it answered {str(answer)[:80]!r} to {str(job.question)[:200]!r}")


def _fail(job: _Job, fault: Exception) -> None:
    if not job.answer.done():
        job.answer.set_exception(fault)
