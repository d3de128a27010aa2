"""A table on a server at which a computer player has the seats of the link: it thinks here and sends its moves."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Final

from azulejos.locale import _
from azulejos.players.player import Limits, Player, PlayerFailed
from azulejos.server.protocol.incoming import ComeBack, Play, Rename
from azulejos.tui.table.link import Link
from azulejos.tui.table.local import THINKING
from azulejos.tui.table.remote import RemoteTable
from azulejos.tui.table.table import Action, Change, NotAllowed, PendingDecision

ATTEMPTS: Final = 3
"""How often a player is asked for the same move before it counts as failed."""
PASSING: Final = ("stale_version", "not_your_turn", "too_fast", "busy", "connection_lost")
"""Refusals that say only that something has happened meanwhile, or to come again in a moment."""
PAUSE_SECONDS: Final = 0.5
"""How long to wait after such a refusal."""
CLOCK_SHARE: Final = 20
"""A move takes at most this part of what is left on the clock."""


class BotTable(RemoteTable):
    """A table on a server where a player of ours plays to the end; whoever sits here watches it."""

    actions: Sequence[Action] = ()
    """The player has the seats, and nobody else decides for them."""
    reactions: Sequence[Action] = ()
    """A computer shows no reactions."""
    own_seats: Sequence[int] = ()
    """Nobody here plays."""
    turn: PendingDecision | None = None
    """Nobody here has to decide."""

    def __init__(self, link: Link, player: Player, name: str, limits: Limits = THINKING) -> None:
        """The seats of the link get this name, so that the others know who plays."""
        super().__init__(link)
        self._player, self._limits, self._name = player, limits, name
        self._settled: set[Rename | ComeBack] = set()  # what was asked of the server and is not asked again

    @property
    def seats(self) -> Sequence[int]:
        """The seats that the player has."""
        return self._people.you.seats

    async def next(self) -> Change:
        """The next thing that happens; the player thinks and moves meanwhile."""
        while not self._changes and await self._act():
            pass
        return await super().next()

    async def _act(self) -> bool:
        """Do what is due for a seat here; whether anything was."""
        if self._is_lost or self.ending:
            return False
        request = next((request for request in self._requests() if request not in self._settled), None)
        if request is not None:
            await self._ask(request)
            return True
        decision = self._decision
        if decision is not None:
            await self._decide(decision)
        return decision is not None

    def _requests(self) -> Iterator[Rename | ComeBack]:
        """What is wanted before a move: the name on the seats, and a seat back that the server's computer has."""
        for seat in self.seats:
            if self.names[seat] != self._name:
                yield Rename(seat=seat, name=self._name)
            if self._people.has_substitute(seat):
                yield ComeBack(seat=seat)

    async def _ask(self, request: Rename | ComeBack) -> None:
        try:
            await self._connection.ask(request)
        except NotAllowed as refusal:
            if refusal.code in PASSING:
                await asyncio.sleep(PAUSE_SECONDS)
            else:  # such as a seat that has no time left
                self._settled.add(request)
        else:
            if isinstance(request, Rename):
                self._settled.add(request)

    async def _decide(self, decision: PendingDecision) -> None:
        position = self.game.position
        move = await self._think(decision.seat)
        if (position, decision) != (self.game.position, self._decision):
            return  # something was taken back, or is still to be shown
        try:
            await self._connection.ask(Play(seat=decision.seat, move=move, version=self._version))
        except NotAllowed as refusal:
            if refusal.code not in PASSING:
                raise
            await asyncio.sleep(PAUSE_SECONDS)

    async def _think(self, seat: int) -> str:
        """The player's move as the seat sees the table: on the gray wall without what others have chosen."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                game = self._seen_by(seat)
                return str((await asyncio.to_thread(self._player.choose, game, self._limits_of(seat))).move)
            except PlayerFailed as fault:
                if attempt == ATTEMPTS:
                    told = _("{name} cannot play: {fault}")
                    raise NotAllowed(told.format(name=self.names[seat], fault=fault)) from fault
        raise AssertionError

    def _limits_of(self, seat: int) -> Limits:
        """The limits for a move; what is left on a clock limits it, too."""
        left = self._people.time_left(seat)
        if left is None:
            return self._limits
        most = max(1, left // CLOCK_SHARE)
        wanted = self._limits.milliseconds
        return Limits(self._limits.nodes, most if wanted is None else min(wanted, most))
