"""A running program that is talked with in lines; nothing that it does can block its caller."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import IO, Final

LEAVING_SECONDS: Final = 1.0
"""How long a program may take to leave before it is ended."""
LONGEST_LINE: Final = 65536
"""Bytes of a line of the protocol; what a program says beyond is another line, what an engine is told is refused."""
MOST_LINES: Final = 1000
"""Lines said and not yet read; a program that says more has to wait."""


class Silence(Exception):
    """The program did not say what was awaited, and it is not known what it will say next."""

    def __init__(self, reason: str, how: str) -> None:
        super().__init__(reason)
        self.how = how
        """How it failed: `died` or `stalled`."""


class Deadline:
    """A moment so many seconds from now."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        """How far away it was at first."""
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds until then, negative when it has passed."""
        return self._end - time.monotonic()


class Program:
    """A running program, its lines, and the last word of its complaints."""

    def __init__(self, command: list[str], environment: Mapping[str, str] | None, hear: Callable[[str], None]) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,  # so that it is ended by us, with what it has started itself, and by no Ctrl-C
        )
        self._queue: Queue[str | None] = Queue(MOST_LINES)
        self._ended = Event()
        self._last = self._complaint = ""
        self._hear = hear
        self._listeners = [
            Thread(target=self._listen, args=(self._process.stdout,), daemon=True),
            Thread(target=self._hear_complaints, args=(self._process.stderr,), daemon=True),
        ]
        for listener in self._listeners:
            listener.start()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def tell(self, line: str) -> None:
        """Send a line."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as fault:
            raise Silence(self._obituary(), "died") from fault

    def lines(self, deadline: Deadline, awaited: str) -> Iterator[str]:
        """What the program says, until the deadline."""
        while (left := deadline.left) > 0:
            try:
                line = self._queue.get(timeout=left)
            except Empty:
                break
            if line is None or self._ended.is_set():
                raise Silence(self._obituary(), "died")
            if line:
                self._last = line
                yield line
        last = f"; its last line was {shortened(self._last)}" if self._last else ""
        raise Silence(f"did not say {awaited!r} within {deadline.seconds:g} s{last}{self._quote()}", "stalled")

    def lines_until(self, word: str, deadline: Deadline) -> list[str]:
        """The last lines before the one that is awaited."""
        said: list[str] = []
        for line in self.lines(deadline, word):
            if line == word:
                break
            said = [*said[-MOST_LINES:], line]
        return said

    def end(self) -> None:
        """Ask the program to quit, then make it, with all that it has started."""
        self._hang_up(b"quit\n")
        for number in (signal.SIGTERM, signal.SIGKILL):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(LEAVING_SECONDS)
                break
            self._signal(number)
        self._clean_up()

    def kill(self) -> None:
        """End the program at once, with all that it has started."""
        if self.is_running:
            self._signal(signal.SIGKILL)
        self._hang_up()
        self._clean_up()

    def _hang_up(self, word: bytes = b"") -> None:
        """Say a last word to a program that may not listen, and nothing ever after."""
        self._ended.set()
        with suppress(Full):
            self._queue.put_nowait(None)  # whoever waits for a line need not wait any longer
        stdin = self._process.stdin
        assert stdin is not None
        with suppress(OSError, ValueError):
            os.set_blocking(stdin.fileno(), False)  # one that does not read cannot keep us
            stdin.write(word)
            stdin.flush()
        with suppress(OSError, ValueError):
            stdin.close()

    def _clean_up(self) -> None:
        self._process.wait()
        for listener in self._listeners:
            listener.join(LEAVING_SECONDS)
            if listener.is_alive():  # something that the program started outlives it
                self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        with suppress(OSError):
            os.killpg(self._process.pid, number)

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
                if line := chunk.decode(errors="backslashreplace").strip():
                    self._complaint = line
                    self._hear(line)

    def _obituary(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(LEAVING_SECONDS)
        self._listeners[1].join(LEAVING_SECONDS)  # its last words may still be on their way
        code = self._process.returncode
        how = "closed its output" if code is None else f"ended with exit code {code}"
        return how + self._quote()

    def _quote(self) -> str:
        return f"; it complained: {shortened(self._complaint)}" if self._complaint else ""


def shortened(text: str) -> str:
    """A text for an error message, cut where it gets long."""
    return repr(text) if len(text) <= 200 else f"{text[:200]!r}..."
