"""Computer players: made by name, asked for moves.

>>> from azulejos import Game
>>> from azulejos.players import Limits, make
>>> make("greedy").choose(Game(seed=1, starter=0), Limits()).why
'worth +1.0 points at once'
"""

from azulejos.players.player import Choice, Limits, Player, PlayerFailed
from azulejos.players.registry import make, names
from azulejos.search.report import Report

__all__ = ["Choice", "Limits", "Player", "PlayerFailed", "Report", "make", "names"]
