"""The public yardstick: its positions know every move, and a player is measured by what its moves lose."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from azulejos import Game

FOLDER = Path(__file__).parents[2] / "benchmarks"
LINES: list[dict[str, Any]] = [json.loads(text) for text in (FOLDER / "yardstick.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def yardstick() -> ModuleType:
    spec = importlib.util.spec_from_file_location("yardstick", FOLDER / "yardstick.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_position_knows_what_each_legal_move_loses() -> None:
    kinds = set()
    for line in LINES:
        game = Game.from_position(line["position"])
        kinds.add((game.players, game.wall))
        assert line["losses"].keys() == set(map(str, game.legal_moves)), line["number"]
        assert min(line["losses"].values()) == 0
    assert (len(LINES), len(kinds)) == (500, 6)


def test_a_player_is_measured_by_what_its_moves_lose(yardstick: ModuleType) -> None:
    answers = yardstick.answers("greedy", LINES[:12], 1)
    assert [kind for kind, _, _ in answers[:3]] == ["2 colored", "2 gray", "3 colored"]
    losses = [lost for _, lost, _ in answers]
    assert min(losses) >= 0
    assert max(losses) > 0, "greedy does not see everything"
    table = list(yardstick.table([("2 gray", 4.0, True), ("2 gray", 0.0, False)]))
    assert table[-1].startswith("| all | 2.0 (")
    assert table[-1].endswith("| 50 % | 50 % | 2 |")
