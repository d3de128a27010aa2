"""The game at this keyboard as a table: computers think in a thread, so that the screen never waits for them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

from azulejos.game.view import View
from azulejos.locale import _
from azulejos.players.player import PlayerFailed
from azulejos.tui import words
from azulejos.tui.table.sitting import Sitting
from azulejos.tui.table.table import Advice, Change, Deed, Ending, Refused, Turn


class LocalTable:
    """A `Sitting` that a screen can wait for."""

    def __init__(self, sitting: Sitting) -> None:
        self._sitting = sitting
        self._changes: deque[Change] = deque()
        self._stirred = asyncio.Event()
        self._epoch = 0  # rises with every change, so that a thought that comes too late is dropped

    @property
    def names(self) -> Sequence[str]:
        """The name of each seat."""
        return self._sitting.names

    @property
    def view(self) -> View:
        """The position."""
        return self._sitting.game.view

    @property
    def turn(self) -> Turn | None:
        """The decision of a person here; none while something is still to be shown."""
        return None if self._changes else self._sitting.turn

    @property
    def ending(self) -> Ending | None:
        """How the game ended."""
        return self._sitting.ending

    @property
    def own_seats(self) -> Sequence[int]:
        """The seats of people."""
        return self._sitting.own_seats

    @property
    def is_here_alone(self) -> bool:
        """Whether one person plays."""
        return len(self._sitting.own_seats) == 1

    @property
    def remarks(self) -> Sequence[str]:
        """Nothing to remark."""
        return [""] * len(self.names)

    @property
    def notice(self) -> str:
        """Nothing stands in the way."""
        return ""

    @property
    def waiting(self) -> Sequence[int]:
        """Whoever is to move."""
        return [] if self.ending else [self._sitting.game.turn]

    @property
    def deeds(self) -> Sequence[Deed]:
        """Nobody is away."""
        return ()

    @property
    def signs(self) -> Sequence[Deed]:
        """Everybody is here and can speak."""
        return ()

    @property
    def forgets(self) -> bool:
        """Whether there is something to lose: a move of a person in a game that is not over."""
        return self.ending is None and self._sitting.has_decided

    async def next(self) -> Change:
        """The next move: of a person when it is played, of a computer as soon as it has thought."""
        while not self._changes:
            self._stirred.clear()
            if self.ending is None and not self._sitting.is_persons_turn:
                await self._think()
            else:
                await self._stirred.wait()
        return self._changes.popleft()

    async def _think(self) -> None:
        epoch, game = self._epoch, self._sitting.game.copy()
        try:
            move = await asyncio.to_thread(self._sitting.think, game)
        except PlayerFailed as fault:
            raise Refused(_("{name} cannot play: {fault}").format(name=self.names[game.turn], fault=fault)) from fault
        if epoch == self._epoch:
            self._note(self._sitting.play(move))

    def _note(self, change: Change) -> None:
        self._epoch += 1
        self._changes.append(change)
        self._stirred.set()

    async def play(self, move: str) -> None:
        """Play a person's move."""
        turn = self.turn
        if turn is None or move not in turn.options:
            raise Refused(self.why_not(move))
        self._note(self._sitting.play(move))

    async def undo(self) -> None:
        """Back to a person's last decision."""
        self._note(self._sitting.undo())

    async def hint(self) -> Advice:
        """What the strongest player would do, thought about in a thread."""
        if self.turn is None:
            raise Refused(words.refusal("not_your_turn", {}))
        return await asyncio.to_thread(self._sitting.advise, self._sitting.game.copy())

    async def again(self) -> None:
        """Another game."""
        self._note(self._sitting.again())

    async def record(self) -> str:
        """The game so far."""
        return self._sitting.record

    def why_not(self, move: str) -> str:
        """Why a move may not be played."""
        if self.ending is None and not self._sitting.is_persons_turn:
            return words.refusal("not_your_turn", {})
        refusal = self._sitting.game.why_illegal(move)
        return words.refusal(refusal.code, refusal.arguments) if refusal else ""

    def close(self) -> None:
        """Let go of the computers."""
        self._sitting.close()
