"""The hint for a person: one way to look for it, whoever asks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from azulejos.game.game import Game
from azulejos.game.moves import MOVES
from azulejos.players.player import Choice, Limits
from azulejos.players.searching import SearchingPlayer
from azulejos.search.report import Report

FIRST_LOOK: Final = Limits(milliseconds=400)
"""How long a hint is thought about."""
FEWEST_NODES: Final = 3000
"""A hint that has looked at fewer positions looks again."""
SECOND_LOOK: Final = Limits(nodes=FEWEST_NODES, milliseconds=3000)
"""For a machine so busy that too little was seen: a bad hint is worse than a late one."""


def find_hint(
    player: SearchingPlayer,
    game: Game,
    tell: Callable[[Report], None] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Choice:
    """The best move that a player finds in a time that people like to wait; `tell` hears all that it finds out."""
    look = partial(player.search, game, settled=True, tell=tell, stop=stop)
    report = look(FIRST_LOOK)
    enough = report.solved or report.nodes >= FEWEST_NODES or len(report.candidates) == 1
    best = (report if enough or stop() else look(SECOND_LOOK)).best
    return Choice(MOVES[best.action], best.win, best.margin[game.turn])
