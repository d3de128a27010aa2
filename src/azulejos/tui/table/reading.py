"""What a server says, read into the game's own data. Fields with their default value are left out of messages."""

from __future__ import annotations

from typing import Any

from azulejos.game.happening import Bonus, Drafted, Fell, FloorScored, Happening, Tiled
from azulejos.game.moves import Deal, Move
from azulejos.game.preview import Preview
from azulejos.game.view import Board, Line
from azulejos.rules.state import COLOR_LETTERS

Data = dict[str, Any]
"""A message, as JSON has it."""


def board(data: Data) -> Board:
    """A board."""
    return Board(
        score=data["score"],
        lines=tuple(
            Line(None if line["color"] is None else color(line["color"]), line["count"]) for line in data["lines"]
        ),
        wall=tuple(tuple(None if cell == "." else color(cell) for cell in row) for row in data["wall"]),
        floor=tuple(data["floor"]),
        marker=data["marker"],
    )


def color(letter: str) -> int:
    """A color by its letter."""
    return COLOR_LETTERS.index(letter)


def options(data: list[Data]) -> dict[str, Preview]:
    """The moves that may be played, with what they would do."""
    return {
        option["move"]: Preview(
            taken=option.get("taken", 0),
            placed=option.get("placed", 0),
            dropped=option.get("dropped", 0),
            marker=option.get("marker", False),
            cost=option.get("cost", 0),
            completes=option.get("completes", False),
            columns=tuple(option.get("columns", ())),
            points=option.get("points", 0),
        )
        for option in data
    }


def happening(data: Data) -> Happening:
    """What a move did."""
    deal = data.get("deal")
    return Happening(
        move=Deal.parse(data["move"]) if data["move"].startswith("=") else Move.parse(data["move"]),
        seat=data.get("seat"),
        drafted=_drafted(data["drafted"]) if data.get("drafted") else None,
        tiling=tuple(map(_tiling, data.get("tiling", ()))),
        floors=tuple(FloorScored(one["seat"], one["penalty"], one["lost"]) for one in data.get("floors", ())),
        bonuses=tuple(
            Bonus(one["seat"], one["rows"], one["columns"], one["colors"], one["points"])
            for one in data.get("bonuses", ())
        ),
        deal=None if deal is None else Deal(tuple(map(tuple, deal))),
    )


def _drafted(data: Data) -> Drafted:
    return Drafted(
        data["source"],
        color(data["color"]),
        data["line"],
        data["taken"],
        data["placed"],
        data["dropped"],
        data["to_lid"],
        data["marker"],
    )


def _tiling(data: Data) -> Tiled | Fell:
    if data["type"] == "fell":
        return Fell(data["seat"], data["row"], color(data["color"]), data["count"], data["to_lid"])
    return Tiled(data["seat"], data["row"], data["column"], color(data["color"]), data["horizontal"], data["vertical"])
