"""The server as a process: how many files it may open, how it collects garbage, what its loop complains of."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import os
import sys
import time
from collections.abc import Callable
from typing import Any, Final

FILES: Final = 65_536
"""So many files, connections among them, a server wants to have open; it takes what the system grants."""
YOUNG: Final = 20_000
"""Objects that are made before the youngest are looked at: tables make many that live for long."""
OLDER: Final = (20, 100)
"""Collections of the younger before the older are looked at."""
SWITCH_SECONDS: Final = 0.001
"""A thread that works on something long lets the others go on after so long; Python's 5 ms add up over a move's way."""
NO_ROOM: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
"""Why a connection could not be accepted: too many files, or no memory."""
QUIET_SECONDS: Final = 1.0
"""Between two lines about connections that could not be accepted."""

log = logging.getLogger(__name__)
"""The logger of this module."""


def raise_file_limit() -> int | None:
    """Let this process open as many files as it may; how many these are, or None where nobody can say."""
    if os.name != "posix":
        return None
    import resource  # noqa: PLC0415 - there is none elsewhere

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return soft


def settle() -> None:
    """When everything is loaded: have short pauses, which are what people feel.

    What is there for good is left out of every collection of garbage, and threads take turns more often.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, *OLDER)
    sys.setswitchinterval(SWITCH_SECONDS)


class LoopComplaints:
    """What an event loop cannot hand to anybody: logged, but a flood of the same only once a second."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._next, self._unsaid = clock, 0.0, 0

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log it."""
        fault = context.get("exception")
        if not (isinstance(fault, OSError) and fault.errno in NO_ROOM):
            loop.default_exception_handler(context)
            return
        if self._clock() < self._next:
            self._unsaid += 1
            return
        again = f" ({self._unsaid} times more)" if self._unsaid else ""
        log.error("a connection cannot be accepted: %s%s", fault.strerror, again)
        self._next, self._unsaid = self._clock() + QUIET_SECONDS, 0
