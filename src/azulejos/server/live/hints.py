"""Hints for the people of a table: asked for beside the queue, so that nobody waits for them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from azulejos.game.game import Game
from azulejos.server.live.computers import Computers
from azulejos.server.protocol.outgoing import HintMove
from azulejos.server.tables.refusal import Refuse

log = logging.getLogger(__name__)
"""The logger of this module."""


class Hints:
    """Asks the computers for the best moves on behalf of people."""

    def __init__(self, computers: Computers) -> None:
        self._computers = computers
        self.tasks: set[asyncio.Task[None]] = set()
        """The questions that are not answered yet."""

    def find(self, game: Game, give: Callable[[list[HintMove] | Refuse], None]) -> None:
        """Have the best moves found, and then given; or why there are none."""
        task = asyncio.create_task(self._find(game.position, give), name="hint")
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _find(self, position: str, give: Callable[[list[HintMove] | Refuse], None]) -> None:
        try:
            give(await self._computers.hint(position))
        except Refuse as refuse:
            give(refuse)
        except Exception:
            log.exception("no hint for %s", position)
            give(Refuse("no_computer"))

    def stop(self) -> None:
        """Ask for nothing any more."""
        for task in self.tasks:
            task.cancel()
