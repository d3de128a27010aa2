"""Azulejos: play, study and simulate the tile-drafting board game Azul."""

from azulejos.game.dealer import Dealer
from azulejos.game.errors import IllegalMove, InvalidNotation, InvalidPosition
from azulejos.game.game import Game, Outcome
from azulejos.game.moves import Deal, Move
from azulejos.game.reader import read_record, read_records
from azulejos.game.record import Record
from azulejos.game.tree import GameTree
from azulejos.game.view import Phase

__version__ = "0.1.0"

__all__ = [
    "Deal",
    "Dealer",
    "Game",
    "GameTree",
    "IllegalMove",
    "InvalidNotation",
    "InvalidPosition",
    "Move",
    "Outcome",
    "Phase",
    "Record",
    "read_record",
    "read_records",
]
