"""The computers: a few engine processes that think, so that a long thought or a crash never holds up a table.

Questions wait in one queue and are answered in the order in which they came; a move with a time of its own lets quick
ones pass. Those with a time share the workers: each thinks less when there are more of them. A worker that dies, stalls
or answers nonsense is replaced and the question asked again. After three failures a quick player in this process
answers, so that a game always goes on.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, TypeVar

from azulejos.game.game import Game
from azulejos.game.view import Phase
from azulejos.players import greedy
from azulejos.players.engine_process import Answer, EngineFailed
from azulejos.players.levels import FULL_STRENGTH, LEVELS, PLACING
from azulejos.players.player import Choice
from azulejos.server import metrics
from azulejos.server.bots.worker import COMMAND, Question, Worker
from azulejos.server.settings import DEFAULT_WORKERS
from azulejos.server.tables.refusal import Refuse

LEVEL_SECONDS: Final = dict.fromkeys((level.spec for level in LEVELS), 5.0) | {LEVELS[-1].spec: 10.0}
"""How long a level may think about a move before its worker is taken for stalled."""
TIMED_SECONDS: Final = 10.0
"""How much longer than it was told to any other player may think."""
TIMED_YIELDS_SECONDS: Final = 1.0
"""A move with a time lets quick ones of so many seconds pass."""
TIMED_APART_SECONDS: Final = 0.2
"""So much longer for each that waits already: however many there are, they hold up no quick one."""
LEAST_MILLISECONDS: Final = 100
"""However many there are, each thinks for so long."""
ATTEMPTS: Final = 3
"""How often a question is asked before it fails."""
PAUSE_SECONDS: Final = 0.5
"""Before a worker that could not even start is started again."""

log = logging.getLogger(__name__)
"""The logger of this module."""

Result = TypeVar("Result")
"""What a function returns that runs in a thread."""


@dataclass(order=True, slots=True)
class _Job:
    """A question that waits for its answer, which is None after too many failures."""

    due: float
    number: int
    question: Question = field(compare=False)
    answer: asyncio.Future[Answer | None] = field(compare=False)
    failures: int = field(default=0, compare=False)


class Pool:
    """The workers and the questions that wait for them."""

    def __init__(
        self,
        workers: int = DEFAULT_WORKERS,
        *,
        thinking_ms: int | None = None,
        players: Mapping[str, str] | None = None,
        command: Sequence[str] = COMMAND,
        patience: float = 1.0,
    ) -> None:
        """So many workers, each started by `command`; `patience` stretches all limits of time.

        `thinking_ms` is for a move of a player that is no level, if it is not to have the usual time; `players` are
        specs by other names.
        """
        self._workers = [Worker(command, patience) for _ in range(workers)]
        self._players = players or {}
        self._threads = ThreadPoolExecutor(max(1, workers), "computers")
        self._queue: asyncio.PriorityQueue[_Job] = asyncio.PriorityQueue()
        self._numbers = itertools.count()
        self._tasks: list[asyncio.Task[None]] = []
        self._first_start = asyncio.Event()
        self._thinking_ms = FULL_STRENGTH.milliseconds if thinking_ms is None else thinking_ms
        self._timed = 0  # questions with a time that are not answered yet

    @property
    def processes(self) -> list[int]:
        """The process numbers of the workers that run."""
        return [worker.own.pid for worker in self._workers if worker.own.pid is not None]

    @property
    def workers(self) -> int:
        """How many workers there are."""
        return len(self._workers)

    @property
    def ready(self) -> bool:
        """Whether some worker has everything loaded."""
        return any(worker.ready for worker in self._workers)

    async def start(self) -> None:
        """Have the workers started in the background."""
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._run(at)) for at in range(len(self._workers))]

    async def choose(self, position: str, player: str, seed: int) -> Choice:
        """The move of a player in a position; that of a level depends on nothing but these three.

        It may be any player of the registry, a program of somebody else included.
        """
        return await self.answer(self.question(position, player, seed))

    def question(self, position: str, player: str, seed: int) -> Question:
        """The question for the move of a player in a position."""
        spec, game = self._players.get(player, player), game_at(position)
        if spec in LEVEL_SECONDS:
            return question_of(game, spec, seed)
        placing = game.phase is not Phase.DRAFTING
        return question_of(game, spec, seed, max(1, self._thinking_ms // PLACING) if placing else self._thinking_ms)

    async def answer(self, question: Question) -> Choice:
        """The answer to a question, in the end that of a quick player."""
        answer = await self.ask(question)
        if answer is None:
            failures = f"{ATTEMPTS} failures" if self._workers else "nobody else did"
            log.error("a quick player answers for %s after %s", question.spec, failures)
            return Choice(greedy.choose(question.game))
        return answer.choice

    async def ask(self, question: Question) -> Answer | None:
        """What a worker answers; None after too many failures, and where there are no workers."""
        if not self._workers:
            return None
        is_timed = question.milliseconds is not None
        self._timed += is_timed
        started = time.monotonic()
        answer: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        self._put(_Job(started + self._yields(question), next(self._numbers), question, answer))
        try:
            return await answer
        finally:
            self._timed -= is_timed
            metrics.BOT_SECONDS.labels(who=question.who).observe(time.monotonic() - started)

    async def close(self) -> None:
        """End all workers; whoever still waits is told that there is no computer."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        leaving = asyncio.create_task(asyncio.to_thread(self._threads.shutdown, cancel_futures=True))
        while not leaving.done():  # a thread that is just starting a process would outlive a single blow
            await asyncio.gather(*(asyncio.to_thread(worker.kill) for worker in self._workers))
            await asyncio.wait([leaving], timeout=0.05)
        while not self._queue.empty():
            _fail(self._queue.get_nowait(), Refuse("no_computer"))

    def _yields(self, question: Question) -> float:
        """For how many seconds others may pass a question."""
        if question.milliseconds is not None:
            return TIMED_YIELDS_SECONDS + TIMED_APART_SECONDS * max(0, self._timed - 1)
        return 0.0

    def _as_asked(self, question: Question) -> Question:
        """The question when its turn has come: time is shared with all that have one."""
        wanted, workers = question.milliseconds, len(self._workers)
        if wanted is None:
            return question
        share = wanted * workers // max(workers, self._timed)
        return replace(question, milliseconds=max(share, min(LEAST_MILLISECONDS, wanted)))

    def _put(self, job: _Job) -> None:
        self._queue.put_nowait(job)
        metrics.BOT_QUEUE.set(self._queue.qsize())

    async def _run(self, at: int) -> None:
        """Keep one worker at work."""
        worker = self._workers[at]
        if at:  # what the first one compiles, the others load
            await self._first_start.wait()
        while True:
            try:
                await self._in_thread(worker.start)
            except EngineFailed as fault:
                self._count_failure(fault)
                await self._give_up_waiting()
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            finally:
                self._first_start.set()
            job = await self._queue.get()
            metrics.BOT_QUEUE.set(self._queue.qsize())
            try:
                await self._serve(worker, job)
            except asyncio.CancelledError:
                _fail(job, Refuse("no_computer"))
                raise

    async def _serve(self, worker: Worker, job: _Job) -> None:
        if job.answer.done():  # nobody waits any more
            return
        try:
            answer = await self._in_thread(partial(worker.ask, self._as_asked(job.question)))
        except EngineFailed as fault:
            self._count_failure(fault)
            await self._in_thread(worker.engine_for(job.question.spec).kill)
            self._retry(job)
        else:
            if not job.answer.done():
                job.answer.set_result(answer)

    async def _in_thread(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def _give_up_waiting(self) -> None:
        """No worker can be started: let each question count that as a failure, so that none waits for ever."""
        if self.ready:
            return
        for job in [self._queue.get_nowait() for _ in range(self._queue.qsize())]:
            self._retry(job)

    def _retry(self, job: _Job) -> None:
        job.failures += 1
        if job.failures < ATTEMPTS:
            self._put(job)
        elif not job.answer.done():
            job.answer.set_result(None)

    @staticmethod
    def _count_failure(fault: EngineFailed) -> None:
        metrics.BOT_FAILURES.labels(how=fault.how).inc()
        log.warning("a worker is replaced: %s", fault)


def question_of(game: Game, spec: str, seed: int, milliseconds: int | None = None) -> Question:
    """The question for the move of a player, with a time if it is no level."""
    seconds = LEVEL_SECONDS.get(spec, TIMED_SECONDS) + (milliseconds or 0) / 1000
    return Question(game, spec, seconds, seed, milliseconds)


def game_at(position: str) -> Game:
    """The game in a position in which somebody can choose."""
    try:
        game = Game.from_position(position)
    except ValueError as fault:
        raise Refuse("bad_position", reason=str(fault)) from fault
    if not game.legal_moves:
        raise Refuse("game_over" if game.is_over else "deal_due")
    return game


def _fail(job: _Job, fault: Exception) -> None:
    if not job.answer.done():
        job.answer.set_exception(fault)
