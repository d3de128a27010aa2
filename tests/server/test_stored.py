"""Tables that version 0.1.0 has stored: what it wrote is read, and the same follows from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from azulejos.game.dealer import Dealer
from azulejos.server.protocol import encoding
from azulejos.server.tables import events as e
from azulejos.server.tables.setup import Setup
from azulejos.server.tables.table import Table

GOLDEN = Path(__file__).parents[1] / "golden" / "stored_by_0.1.0.txt"
"""Of each table its name, its setup, the dealer's secret, kind and payload of every event, and what followed."""
LATER = frozenset({"listed", "claimed"})
"""Kinds of events that came after that version."""
TABLES = {text.splitlines()[0]: text.splitlines()[1:] for text in GOLDEN.read_text("utf-8").split("# ")[1:]}


def what_follows(table: Table) -> dict[str, Any]:
    game = table.game
    result = table.result
    return {
        "position": game.public.position,
        "waiting": table.waiting,
        "left": table.left,
        "assisted": table.assisted,
        "result": None if result is None else [result.reason, result.winners, result.scores],
        "undo": encoding.you(table, range(table.players)).undo,
        "fresh": table.fresh_since,
        "next": table.next,
        "names": [seat.name for seat in table.seats],
        "decisions": [str(decision.move) for decision in game.decisions],
        "hidden": {
            str(seat): [str(move) for move in game.hidden(seat)] for seat in range(table.players) if game.hidden(seat)
        },
    }


@pytest.mark.parametrize("name", TABLES)
def test_the_same_follows_from_what_was_stored(name: str) -> None:
    setup, secret, *rows, expected = TABLES[name]
    events = [e.read(*row.split(" ", 1)) for row in rows]
    table = Table.rebuilt("t", "", msgspec.json.decode(setup, type=Setup), Dealer.from_text(secret), events)
    assert what_follows(table) == json.loads(expected.removeprefix("= "))


def test_every_kind_of_event_was_stored() -> None:
    kinds = {row.split(" ", 1)[0] for rows in TABLES.values() for row in rows[2:-1]}
    assert kinds == set(e._BY_KIND) - LATER
