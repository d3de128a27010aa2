"""Azulejos: play, study and simulate the tile-drafting board game Azul."""

from azulejos.dealer import Dealer
from azulejos.errors import IllegalMove, InvalidNotation, InvalidPosition
from azulejos.game import Game, Outcome
from azulejos.moves import Deal, Move
from azulejos.record import Record
from azulejos.record_reader import read_record, read_records

__version__ = "0.1.0"

__all__ = [
    "Deal",
    "Dealer",
    "Game",
    "IllegalMove",
    "InvalidNotation",
    "InvalidPosition",
    "Move",
    "Outcome",
    "Record",
    "read_record",
    "read_records",
]
