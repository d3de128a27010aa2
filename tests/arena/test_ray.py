"""Matches on Ray: it is started here for real, and one of its workers is killed."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from azulejos import read_record
from azulejos.arena.game_task import FinishedGame
from azulejos.arena.match import MatchPlan, play_match
from azulejos.arena.running import Setting
from azulejos.game.reader import split_records
from tests.patience import PATIENCE

PROCESSES = Path("/proc")
pytest.importorskip("ray", reason="Ray is not installed: pip install 'azulejos[cluster]'")
pytestmark = pytest.mark.skipif(not PROCESSES.exists(), reason="finds the workers of Ray in /proc")


def playing() -> list[int]:
    """The workers of Ray below this process that are playing a game now; Ray writes what they do into their names."""
    parents, found = {}, []
    for folder in PROCESSES.glob("[0-9]*"):
        try:
            name = (folder / "cmdline").read_bytes().strip(b"\0 ").decode(errors="replace")
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):  # it has just ended
            continue
        if name == "ray::play_game":
            found.append(int(folder.name))
    return [worker for worker in found if os.getpid() in ancestors(worker, parents)]


def ancestors(process: int, parents: dict[int, int]) -> list[int]:
    """The process that started a process, the one that started that one, and so on."""
    line = []
    while process in parents:
        process = parents[process]
        line.append(process)
    return line


def kill_one() -> int:
    """Kill a worker in the middle of a game."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for worker in playing():
            os.kill(worker, signal.SIGKILL)
            return worker
        time.sleep(0.01)
    raise AssertionError("no worker of Ray was found playing")


def test_a_worker_of_ray_that_is_killed_loses_no_game(tmp_path: Path) -> None:
    plan = MatchPlan(("search:nodes=4000", "greedy"), games=12, seed=5)  # long enough to be found
    games: list[FinishedGame] = []
    killed: list[int] = []

    def kill(game: FinishedGame) -> None:
        games.append(game)
        if len(games) in {3, 6}:
            killed.append(kill_one())

    result = play_match(plan, Setting(ray="local", out=tmp_path / "match"), kill)
    assert len(set(killed)) == 2
    assert sorted(game.key for game in games) == [task.key for task in plan.tasks()]
    here = play_match(plan, Setting(workers=0))
    assert [who.score for who in result.contestants] == [who.score for who in here.contestants]
    with (tmp_path / "match" / "records.azul").open(encoding="utf-8") as lines:
        assert len([read_record(text) for text in split_records(lines)]) == 12
    assert playing() == []
