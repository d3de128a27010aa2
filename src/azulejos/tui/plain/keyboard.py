"""Lines from standard input, without holding up what happens meanwhile."""

from __future__ import annotations

import asyncio
import sys
import threading


class Keyboard:
    """Reads lines in a thread that dies with the program: nobody has to press a key after the game is over."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str] | None = None

    async def read(self) -> str:
        """The next line; `EOFError` where no more will come."""
        if self._lines is None:
            self._lines = asyncio.Queue()
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._listen, args=(loop, self._lines), daemon=True).start()
        line = await self._lines.get()
        if not line:
            self._lines.put_nowait("")
            raise EOFError
        return line

    @staticmethod
    def _listen(loop: asyncio.AbstractEventLoop, lines: asyncio.Queue[str]) -> None:
        while not loop.is_closed():
            line = sys.stdin.readline()
            loop.call_soon_threadsafe(lines.put_nowait, line)
            if not line:
                return
