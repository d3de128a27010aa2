"""The first answer is as punctual as the others: what thinking needs is compiled and read before an engine is ready."""

from __future__ import annotations

import subprocess
import sys

import pytest

from azulejos.rules.compiled import INTERPRETED

THINK = """
import gc
from itertools import product
from numba.core.dispatcher import Dispatcher
from azulejos import Game
from azulejos.engine.engine import Engine
from azulejos.net import choice
from azulejos.players.player import Limits

def versions():
    found = (each for each in gc.get_objects() if isinstance(each, Dispatcher))
    return {(each.__module__, each.__name__): len(each.overloads) for each in found}

engine = Engine()
engine.get_ready()
read = choice._weights.cache_info().misses
for players, wall in product((2, 3, 4), ("std", "gray")):
    before, answers = versions(), []
    engine.set_up(Game(players, wall, seed=5))
    for limits in (Limits(milliseconds=30), Limits(nodes=300)):
        engine.go(limits, news=print, done=answers.append, failed=answers.append)
        engine.wait()
    after = versions()
    assert all(answer.move for answer in answers), answers
    assert choice._weights.cache_info().misses == read
    print(players, wall, sorted(name for name in after if after[name] != before.get(name, 0)))
engine.close()
"""


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled here")
def test_thinking_compiles_nothing() -> None:
    done = subprocess.run([sys.executable, "-c", THINK], capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if line[:1] in "234"] == [
        f"{players} {wall} []" for players in (2, 3, 4) for wall in ("std", "gray")
    ]
