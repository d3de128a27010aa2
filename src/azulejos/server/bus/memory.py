"""The bus of a server that is alone; several in one process, on one list, tell each other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from azulejos.server.bus.messages import Hear, Message


class Memory:
    """A bus inside a process."""

    def __init__(self, others: list[Memory] | None = None) -> None:
        self._all = [] if others is None else others
        self._all.append(self)
        self._followed: set[str] = set()
        self._hear: Hear | None = None
        self.is_well = True
        """Whether messages arrive."""

    def start(self, hear: Hear, back: Callable[[], None]) -> None:  # noqa: ARG002 - nothing is ever lost
        """Begin to hear."""
        self._hear = hear

    def follow(self, table: str) -> None:
        """Hear from now on what is told about this table."""
        self._followed.add(table)

    def leave(self, table: str) -> None:
        """Hear nothing of it any more."""
        self._followed.discard(table)

    def publish(self, table: str, message: Message) -> None:
        """Tell the others that follow this table, in a moment."""
        if self.is_well:
            for other in self._all:
                if other is not self and other.is_well and other._hear and table in other._followed:
                    asyncio.get_running_loop().call_soon(other._hear, table, message)

    async def close(self) -> None:
        """Tell and hear nothing any more."""
        self._all.remove(self)
        self._hear = None
