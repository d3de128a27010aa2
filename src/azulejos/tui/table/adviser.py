"""Hints for the people here, at any table: the strongest player thinks in a thread, so that the screen goes on."""

from __future__ import annotations

import asyncio

from azulejos.engine.engine import searching_player
from azulejos.game.game import Game
from azulejos.players.hint import find_hint
from azulejos.players.levels import FULL_STRENGTH
from azulejos.players.player import Choice
from azulejos.players.searching import SearchingPlayer


class Adviser:
    """The strongest player, loaded when it is first asked."""

    def __init__(self) -> None:
        self._player: SearchingPlayer | None = None

    async def advise(self, game: Game) -> Choice:
        """The best move in a game, which nobody else may change meanwhile."""
        return await asyncio.to_thread(self._find, game)

    def _find(self, game: Game) -> Choice:
        if self._player is None:
            self._player = searching_player(FULL_STRENGTH.spec)
        return find_hint(self._player, game)

    def close(self) -> None:
        """Let go of the player."""
        if self._player is not None:
            self._player.close()
