"""Azulejos: play, study and simulate the tile-drafting board game Azul."""

from azulejos.errors import IllegalMove, InvalidNotation, InvalidPosition
from azulejos.game import Game, Outcome
from azulejos.moves import Deal, Move

__all__ = ["Deal", "Game", "IllegalMove", "InvalidNotation", "InvalidPosition", "Move", "Outcome"]
