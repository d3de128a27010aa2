"""Programs that are asked through the engine protocol: options, several moves with their values, and a sudden end."""

from __future__ import annotations

import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from azulejos import Game
from azulejos.players.engine_process import EngineFailed, EngineProcess
from azulejos.players.info import Info

GAME = Game(seed=1, starter=0)
PROGRAM = """
import sys, time
def say(*words): print(*words, flush=True)
for line in sys.stdin:
    words = line.split()
    if words[0] == "azi":
        say("option name Player type string"), say("option name Multi PV type spin default 1"), say("aziok")
    if words[0] == "setoption": print("told", *words[2:], file=sys.stderr, flush=True)
    if words[0] == "isready": say("readyok")
    if words[0] == "go": think(words)
"""
Make = Callable[[str], EngineProcess]


@pytest.fixture
def heard() -> list[str]:
    return []


@pytest.fixture
def make(tmp_path: Path, heard: list[str]) -> Iterator[Make]:
    made: list[EngineProcess] = []

    def program(think: str) -> EngineProcess:
        file = tmp_path / "engine.py"
        file.write_text(f"def think(words):\n    {think}\n{PROGRAM}")
        made.append(EngineProcess([sys.executable, "-S", str(file)], "fake", options={"Seed": 1}, hear=heard.append))
        return made[-1]

    yield program
    for engine in made:
        engine.kill()


def test_options_are_told_when_they_are_offered_and_change(make: Make, heard: list[str]) -> None:
    engine = make('say("bestmove 5R2")')
    for player, several in (("a b", 1), ("a b", 1), ("c", 1), ("c", 2)):
        engine.ask(GAME, "go", 60, {"Player": player, "Multi PV": several, "Hash": 7})
    engine.configure({"Player": "c"})
    engine.close()
    expected = ["Player value a b", "Multi PV value 1", "Player value c", "Multi PV value 2"]
    assert heard == [f"told {told}" for told in expected]
    engine.ask(GAME, "go", 60, {"Player": "c"})
    engine.close()
    assert heard[-1] == "told Player value c"  # a new process knows nothing of it


def test_a_program_may_have_a_name(make: Make, tmp_path: Path) -> None:
    engine = make('say("bestmove 5R2")')
    engine.start()
    assert engine.title == ""
    file = tmp_path / "engine.py"
    file.write_text(
        file.read_text().replace('say("option', 'say("id name  Rosa 1.0 "), say("id author Ana"), say("option', 1)
    )
    engine.close()
    engine.start()
    assert engine.title == "Rosa 1.0"


def test_what_is_said_last_about_each_move_counts(make: Make) -> None:
    engine = make(
        'say("info multipv 1 win 50 50 pv 1B1"), say("info multipv 2 pv 2B1"), say("info multipv 3 pv 3B1"),'
        'say("info multipv 1 margin 2 pv 5R2 cY1"), say("info multipv 2 win 40 60"), say("info multipv 4 pv 4B1"),'
        'say("info nodes 7"), say("info multipv x"), say("bestmove 5R2")'
    )
    answer = engine.ask(GAME, "go", 60)
    assert str(answer.move) == "5R2"
    assert answer.infos == (Info(1, (), 2.0, ("5R2", "cY1")), Info(2, (0.4, 0.6)))


def test_a_program_killed_by_another_thread_fails_at_once(make: Make) -> None:
    engine = make("time.sleep(60)")
    engine.start()
    threading.Timer(0.2, engine.kill).start()
    started = time.monotonic()
    with pytest.raises(EngineFailed, match="ended with exit code -9") as failed:
        engine.ask(GAME, "go", 60)
    assert time.monotonic() - started < 30
    assert failed.value.how == "died"
    assert not engine.is_running
    assert engine.pid is None


def test_a_failure_travels_between_processes() -> None:
    fault = pickle.loads(pickle.dumps(EngineFailed("no tiles", "start")))
    assert (str(fault), fault.how) == ("no tiles", "start")
