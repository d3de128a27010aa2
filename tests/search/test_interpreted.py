"""The search runs as plain Python too, to read and step through, and then finds exactly the same."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys
from azulejos import Game
from azulejos.players.player import Limits
from azulejos.players.registry import make

player = make(sys.argv[1])
for players, wall in ((2, "std"), (3, "gray")):
    report = player.search(Game(players, wall, seed=3), Limits(nodes=24))
    print([(each.action, each.visits, round(each.win[0], 4), each.line) for each in report.candidates])
"""


def found(player: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, player],
        env=os.environ | {"AZULEJOS_QUIET": "1"} | environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("player", ["search", "net"])
def test_an_interpreted_search_finds_what_the_compiled_one_finds(player: str) -> None:
    compiled = found(player)
    assert len(compiled.splitlines()) == 2
    assert found(player, NUMBA_DISABLE_JIT="1") == compiled
