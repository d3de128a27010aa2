"""Python reads the golden file of the notation as it says; the page's tests ask the same of TypeScript."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from azulejos import Deal, Move, read_record
from azulejos.game.notation import read_position, write_position
from azulejos.game.reader import read_text
from azulejos.game.validity import SENTENCES
from tests.notation_golden import FILE, fault_of, record_case, state_text, valid_case

GOLDEN: dict[str, list[Any]] = json.loads(FILE.read_text(encoding="utf-8"))


def test_positions() -> None:
    for case in GOLDEN["positions"]:
        assert write_position(read_position(case["line"])) == case["line"]
        assert state_text(case["line"]) == case["state"]


def test_positions_of_every_kind_and_phase_are_there() -> None:
    kinds = {(line.split(" ")[0], line.count(":") // 3, line.split(" ")[-2][0]) for line in _lines()}
    wanted = {(wall, players, phase) for wall in ("std", "gray") for players in (2, 3, 4) for phase in "dre"}
    assert kinds == wanted | {("gray", players, "t") for players in (2, 3, 4)}


def test_every_fault_of_a_position_is_there() -> None:
    said = "\n".join(case["fault"] for case in GOLDEN["wrong positions"])
    for sentence in SENTENCES.values():
        assert re.search(re.sub(r"\\\{\w+\\\}", r"\\w+", re.escape(sentence)), said), sentence


@pytest.mark.parametrize(
    ("name", "read"),
    [("positions", read_position), ("moves", Move.parse), ("deals", Deal.parse), ("records", read_text)],
)
def test_what_cannot_be_read(name: str, read: Any) -> None:
    for case in GOLDEN[f"wrong {name}"]:
        assert fault_of(read, case["given"]) == case["fault"]


def test_moves_and_deals() -> None:
    assert [Move.parse(move).id for move in GOLDEN["moves"]] == list(range(325))
    for case in GOLDEN["deals"]:
        assert [list(display) for display in Deal.parse(case["deal"]).displays] == case["displays"]
        assert str(Deal.parse(case["deal"])) == case["deal"]


def test_records() -> None:
    for case in GOLDEN["records"]:
        assert json.loads(json.dumps(record_case(case["given"]))) == case
        assert read_record(json.dumps(case["json"])) == read_record(case["given"])


def test_valid_parts_of_damaged_records() -> None:
    for case in GOLDEN["valid parts"]:
        assert valid_case(case["given"]) == case
        if "text" in case:
            assert read_record(case["text"]).text() == case["text"]


def _lines() -> list[str]:
    return [case["line"] for case in GOLDEN["positions"]]
