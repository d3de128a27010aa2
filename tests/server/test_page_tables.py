"""Tables of the page's own: the golden file that its tests read, and what the server takes over from a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from azulejos.game.dealer import Dealer
from azulejos.server.tables.events import TableEvent
from azulejos.server.tables.moving import check_moved
from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.setup import Setup
from tests.server.page_tables import MIDDLE, made

GOLDEN = Path(__file__).parents[1] / "golden" / "page_tables.json"


@pytest.fixture(scope="module")
def golden() -> list[dict[str, Any]]:
    """The games of the file."""
    return list(json.loads(GOLDEN.read_text("utf-8")))


def check(game: dict[str, Any], events: list[Any]) -> None:
    setup = msgspec.convert(game["making"]["setup"], Setup)
    check_moved(setup, Dealer.from_text(game["making"]["secret"]), msgspec.convert(events, list[TableEvent]))


def test_the_page_is_held_to_what_the_server_says(golden: list[dict[str, Any]]) -> None:
    assert made() == golden


def test_a_game_that_goes_on_is_taken_over_and_one_that_is_over_is_not(golden: list[dict[str, Any]]) -> None:
    for game in golden:
        check(game, game["events"][:-1])
        with pytest.raises(Refuse, match="game_over"):
            check(game, game["events"])


@pytest.mark.parametrize(
    "event",
    [
        {"type": "started"},
        {"type": "joined", "seat": 0},
        {"type": "rematched", "table": "x"},
        {"type": "renamed", "seat": -1, "name": "Eva"},
        {"type": "renamed", "seat": 0, "name": " Eva\u202e"},
        {"type": "substituted", "seat": 0, "level": 77},
        {"type": "decided", "seat": 1, "move": "1B1"},
        {"type": "timed_out", "seat": 0},
        {"type": "assisted", "seat": 0, "used": [-1, 0]},
        {"type": "undone", "seat": 0, "moves": 3},
    ],
    ids=lambda event: str(event["type"]),
)
def test_what_cannot_have_happened_is_refused(golden: list[dict[str, Any]], event: dict[str, Any]) -> None:
    game = golden[0]
    with pytest.raises(Refuse) as caught:
        check(game, [*game["events"][:1], event])
    assert caught.value.refusal.code in ("bad_record", "nothing_to_undo", "bad_name")


@pytest.mark.parametrize(
    "position",
    ["nonsense", MIDDLE.replace("gray", "std"), MIDDLE.replace("d2", "d3"), MIDDLE.replace("0:R/", "0:R9/")],
    ids=["unreadable", "another wall", "no such seat", "impossible"],
)
def test_a_position_that_cannot_be_at_this_table_is_refused(golden: list[dict[str, Any]], position: str) -> None:
    making = golden[-1]["making"]
    game = {**golden[-1], "making": {**making, "setup": {**making["setup"], "position": position}}}
    with pytest.raises(Refuse, match="bad_position"):
        check(game, game["events"][:-1])


def test_a_move_that_is_not_legal_is_refused(golden: list[dict[str, Any]]) -> None:
    with pytest.raises(Refuse):
        check(golden[0], [*golden[0]["events"][:1], {"type": "decided", "seat": 0, "move": "9W9"}])
