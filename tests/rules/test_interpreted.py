"""The rules run as plain Python too, to read and step through, and then do exactly the same."""

from __future__ import annotations

import os
import subprocess
import sys

PROGRAM = """
import numpy as np
from azulejos.rules import state as s
from azulejos.rules.batch import new_game_one
from azulejos.rules.random_play import play_out

for players in (2, 3, 4):
    for gray in (0, 1):
        for seed in (1, 2):
            states = np.zeros(1, s.STATE)
            new_game_one(states, 0, players, gray, np.uint64(seed), 0, -1, 50)
            start = states.tobytes().hex()
            moves = play_out(states[0])
            print(players, gray, seed, start, moves, states.tobytes().hex())
"""


def output(**environment: str) -> str:
    """What the program prints with these environment variables; warnings are errors."""
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def test_interpreted_games_are_the_compiled_games() -> None:
    compiled = output()
    assert len(compiled.splitlines()) == 12
    assert output(NUMBA_DISABLE_JIT="1") == compiled
