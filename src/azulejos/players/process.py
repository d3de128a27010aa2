"""Another program as a player: `process:COMMAND`, any program that speaks the engine protocol.

Nothing that the program does can block or crash its caller: whatever it says or does not say is a `PlayerFailed` in
time. After one that leaves the program in an unknown state it is ended, and started anew for the next move.
"""

from __future__ import annotations

import math
import os
import shlex
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import IO, Final

from azulejos.game.errors import InvalidNotation
from azulejos.game.game import Game
from azulejos.game.moves import Move
from azulejos.players.player import Choice, Limits, PlayerFailed, check_can_choose

START_SECONDS: Final = 60.0
"""A program may compile itself at its first start."""
GRACE_SECONDS: Final = 5.0
"""How much longer than twice its limit a program may take."""
SECONDS_PER_NODE: Final = 0.01
"""The time that is given for each position where only these are limited."""
DEFAULT_MILLISECONDS: Final = 1000
"""How long it thinks if nobody sets a limit."""
LEAVING_SECONDS: Final = 1.0
"""How long a program may take to leave before it is ended."""
LONGEST_LINE: Final = 65536
"""Characters of a line that is read."""
MOST_LINES: Final = 1000
"""Lines said and not yet read; a program that says more has to wait."""


class ProcessPlayer:
    """A program started once and asked for every move."""

    def __init__(
        self, command: str, seed: int = 0, *, start_seconds: float = START_SECONDS, grace_seconds: float = GRACE_SECONDS
    ) -> None:
        self.name = f"process:{command}"
        """How tables and records call it."""
        self._words = _split(command)
        self._seed = seed
        self._start_seconds = start_seconds
        self._grace_seconds = grace_seconds
        self._program: _Program | None = None
        self._start()

    def choose(self, game: Game, limits: Limits) -> Choice:
        """What the program answers, if it is a legal move in time."""
        check_can_choose(game)
        program = self._program or self._start()
        limits = limits if limits != Limits() else Limits(milliseconds=DEFAULT_MILLISECONDS)
        try:
            program.tell("isready")  # whatever is left of an earlier answer comes before this one
            self._await(program, "readyok", self._patience(limits))
            program.tell(f"position pos {game.position}")
            program.tell("go" + _words(limits))
            return self._answer(program, game, limits)
        except _Silence as fault:
            self.close()
            raise PlayerFailed(f"{self.name!r} {fault}") from fault

    def close(self) -> None:
        """End the program: ask it to quit, then make it."""
        program, self._program = self._program, None
        if program:
            program.end()

    def _start(self) -> _Program:
        try:
            program = self._program = _Program(self._words)
        except OSError as fault:
            raise PlayerFailed(f"{self.name!r} cannot be started: {fault.strerror}") from fault
        try:
            program.tell("azi")
            said = self._await(program, "aziok", self._start_seconds)
            if any(line.startswith("option name Seed ") for line in said):
                program.tell(f"setoption name Seed value {self._seed}")
            program.tell("isready")
            self._await(program, "readyok", self._start_seconds)
        except _Silence as fault:
            self.close()
            raise PlayerFailed(f"{self.name!r} {fault}") from fault
        return program

    @staticmethod
    def _await(program: _Program, word: str, seconds: float) -> list[str]:
        """The last lines before the one that is awaited."""
        said: list[str] = []
        for line in program.lines(seconds, word):
            if line == word:
                break
            said = [*said[-MOST_LINES:], line]
        return said

    def _answer(self, program: _Program, game: Game, limits: Limits) -> Choice:
        info: list[str] = []
        for line in program.lines(self._patience(limits), "bestmove"):
            words = line.split()
            if words[:1] == ["error"]:
                raise PlayerFailed(f"{self.name!r} refused the position {game.position!r}: {_short(line)}")
            if words[:1] == ["bestmove"]:
                break
            if words[:1] == ["info"] and _after(words, "multipv") in ([], ["1"]):
                info = words
        move = self._read_move(words[1:2], game)
        margin = _numbers(_after(info, "margin"))
        return Choice(move, _shares(info, game.players), margin[0] if margin else None, f"said by {self.name}")

    def _patience(self, limits: Limits) -> float:
        if limits.milliseconds is not None:
            return self._grace_seconds + 2 * limits.milliseconds / 1000
        return self._start_seconds + SECONDS_PER_NODE * (limits.nodes or 0)

    def _read_move(self, words: list[str], game: Game) -> Move:
        text = words[0] if words else ""
        try:
            move = Move.parse(text)
        except InvalidNotation as fault:
            raise PlayerFailed(f"{self.name!r} answered {_short(text)}, which is not a move") from fault
        refusal = game.why_illegal(move)
        if refusal:
            raise PlayerFailed(f"{self.name!r} answered {text!r} in {game.position!r}: {refusal}")
        return move


def make(rest: str, seed: int) -> ProcessPlayer:
    """The player `process`; behind the colon stands the command that starts the program."""
    return ProcessPlayer(rest, seed)


class _Silence(Exception):
    """The program did not say what was awaited, and it is not known what it will say next."""


class _Program:
    """A running program, its lines, and the last word of its complaints."""

    def __init__(self, words: list[str]) -> None:
        self._process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # so that it can be ended together with what it has started itself
        )
        self._queue: Queue[str | None] = Queue(MOST_LINES)
        self._ended = Event()
        self._last = self._complaint = ""
        self._listeners = [
            Thread(target=self._listen, args=(self._process.stdout,), daemon=True),
            Thread(target=self._hear_complaints, args=(self._process.stderr,), daemon=True),
        ]
        for listener in self._listeners:
            listener.start()

    def tell(self, line: str) -> None:
        """Send a line."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as fault:
            raise _Silence(self._obituary()) from fault

    def lines(self, seconds: float, awaited: str) -> Iterator[str]:
        """What the program says, for so long."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            try:
                line = self._queue.get(timeout=left)
            except Empty:
                break
            if line is None:
                raise _Silence(self._obituary())
            if line:
                self._last = line
                yield line
        last = f"; its last line was {_short(self._last)}" if self._last else ""
        raise _Silence(f"did not say {awaited!r} within {seconds:g} s{last}{self._quote()}")

    def end(self) -> None:
        """Ask the program to quit, then make it, with all that it has started."""
        self._ended.set()
        stdin = self._process.stdin
        if self._process.poll() is None and stdin is not None:
            with suppress(OSError, ValueError):
                os.set_blocking(stdin.fileno(), False)  # one that does not read cannot keep us
                stdin.write(b"quit\n")
                stdin.flush()
        with suppress(OSError, ValueError):
            if stdin is not None:
                stdin.close()
        for number in (signal.SIGTERM, signal.SIGKILL):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(LEAVING_SECONDS)
                break
            with suppress(OSError):
                os.killpg(self._process.pid, number)
        self._process.wait()
        for listener in self._listeners:
            listener.join(LEAVING_SECONDS)
            if listener.is_alive():  # something that the program started outlives it
                with suppress(OSError):
                    os.killpg(self._process.pid, signal.SIGKILL)

    def _listen(self, stream: IO[bytes]) -> None:
        with stream:
            while chunk := stream.readline(LONGEST_LINE):
                self._put(" ".join(chunk.decode(errors="backslashreplace").split()))
        self._put(None)

    def _put(self, line: str | None) -> None:
        while not self._ended.is_set():
            with suppress(Full):
                self._queue.put(line, timeout=0.1)
                return

    def _hear_complaints(self, stream: IO[bytes]) -> None:
        with stream:
            while chunk := stream.readline(LONGEST_LINE):
                self._complaint = chunk.decode(errors="backslashreplace").strip() or self._complaint

    def _obituary(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(LEAVING_SECONDS)
        self._listeners[1].join(LEAVING_SECONDS)  # its last words may still be on their way
        code = self._process.returncode
        how = "closed its output" if code is None else f"ended with exit code {code}"
        return how + self._quote()

    def _quote(self) -> str:
        return f"; it complained: {_short(self._complaint)}" if self._complaint else ""


def _split(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as fault:
        raise ValueError(f"cannot read the command {command!r} of the player 'process': {fault}") from fault
    if not words:
        raise ValueError("the player 'process' needs a command, as in 'process:python engine.py'")
    return words


def _words(limits: Limits) -> str:
    nodes = "" if limits.nodes is None else f" nodes {limits.nodes}"
    return nodes + ("" if limits.milliseconds is None else f" movetime {limits.milliseconds}")


def _short(text: str) -> str:
    return repr(text) if len(text) <= 200 else f"{text[:200]!r}..."


def _after(words: list[str], name: str, count: int = 1) -> list[str]:
    """The words that follow a name, none if it is not there."""
    return words[words.index(name) + 1 :][:count] if name in words else []


def _numbers(words: list[str]) -> list[float]:
    """The words as numbers; none at all if one is not a number."""
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        return []
    return numbers if all(map(math.isfinite, numbers)) else []


def _shares(info: list[str], players: int) -> tuple[float, ...]:
    percentages = _numbers(_after(info, "win", players))
    return tuple(number / 100 for number in percentages) if len(percentages) == players else ()
