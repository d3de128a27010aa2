"""The folder of a match: going on after any end."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from azulejos import read_record
from azulejos.arena.match import MatchPlan, play_match
from azulejos.arena.running import Setting
from azulejos.arena.statistics import Sprt
from azulejos.arena.store import Folder
from azulejos.game.reader import split_records
from azulejos.players.player import Limits

AZULEJOS = Path(sys.executable).with_name("azulejos")
PLAN = MatchPlan(("greedy", "random"), games=6, seed=5)


def lines_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()]


def records_of(folder: Path) -> list[str]:
    with (folder / "records.azul").open(encoding="utf-8") as lines:
        return list(split_records(lines))


def play(folder: Path, plan: MatchPlan = PLAN) -> int:
    """Play what is left; how many games there are then."""
    play_match(plan, Setting(workers=0, out=folder))
    return len(lines_of(folder))


def test_every_game_has_a_line_and_a_record(tmp_path: Path) -> None:
    assert play(tmp_path) == 6
    lines = lines_of(tmp_path)
    assert [(line["pair"], line["rotation"]) for line in lines] == [task.key for task in PLAN.tasks()]
    assert {"seats", "specs", "seed", "result", "shares", "reason", "seconds", "longest", "forfeit"} <= lines[0].keys()
    records = [read_record(text) for text in records_of(tmp_path)]
    assert [record.result for record in records] == [tuple(line["result"]) for line in lines]
    assert [record.tags["Round"] for record in records[:3]] == ["1.1", "1.2", "2.1"]


def test_a_finished_match_is_only_read(tmp_path: Path) -> None:
    result = play_match(PLAN, Setting(workers=0, out=tmp_path))
    before = (tmp_path / "games.jsonl").read_bytes()
    told: list[object] = []
    assert play_match(PLAN, Setting(workers=0, out=tmp_path), told.append) == result
    assert (tmp_path / "games.jsonl").read_bytes() == before
    assert len(told) == 6


@pytest.mark.parametrize("cut", [1, 40, 10_000])
def test_what_was_cut_off_is_played_again(cut: int, tmp_path: Path) -> None:
    play(tmp_path)
    games = tmp_path / "games.jsonl"
    whole = games.read_bytes()
    games.write_bytes(whole[:-cut])
    play(tmp_path)
    lines = lines_of(tmp_path)
    assert sorted((line["pair"], line["rotation"]) for line in lines) == [task.key for task in PLAN.tasks()]
    assert [read_record(text).result for text in records_of(tmp_path)] == [tuple(line["result"]) for line in lines]


def test_a_record_without_a_line_is_dropped(tmp_path: Path) -> None:
    play(tmp_path)
    records = tmp_path / "records.azul"
    whole = records.read_bytes()
    records.write_bytes(whole + whole[:300])
    assert play(tmp_path) == 6
    assert records.read_bytes() == whole


DIFFERENCES: dict[str, Any] = {
    "specs": {"specs": ("random", "greedy")},
    "games": {"games": 8},
    "wall": {"wall": "gray"},
    "seed": {"seed": 6},
    "nodes": {"limits": Limits(nodes=3)},
    "milliseconds": {"limits": Limits(milliseconds=3)},
    "sprt": {"sprt": Sprt(0, 5)},
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_another_plan_in_the_same_folder_is_refused(name: str, tmp_path: Path) -> None:
    Folder(tmp_path, PLAN.json()).close()
    with pytest.raises(ValueError, match=f"games of another plan: {name} .* there, .* here") as refused:
        play(tmp_path, replace(PLAN, **DIFFERENCES[name]))
    assert ";" not in str(refused.value)


@pytest.mark.parametrize("name", ["games.jsonl", "records.azul"])
def test_a_folder_of_something_else_is_left_alone(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(ValueError, match=r"but no plan\.json"):
        play(tmp_path)
    assert (tmp_path / name).read_text() == "mine"


def test_a_folder_that_was_tampered_with_is_refused_and_kept(tmp_path: Path) -> None:
    play(tmp_path)
    games, records = tmp_path / "games.jsonl", tmp_path / "records.azul"
    whole = records.read_bytes()
    records.write_bytes(whole[:100])
    with pytest.raises(ValueError, match="has 100 bytes: expected"):
        play(tmp_path)
    records.write_bytes(whole)
    text = games.read_text()
    games.write_text("{}\n" + text)
    with pytest.raises(ValueError, match="cannot read line 1"):
        play_match(PLAN, Setting(workers=0, out=tmp_path))
    assert games.read_text() == "{}\n" + text
    (tmp_path / "plan.json").write_text("{")
    with pytest.raises(ValueError, match="as a plan"):
        play_match(PLAN, Setting(workers=0, out=tmp_path))


def test_two_matches_cannot_share_a_folder(tmp_path: Path) -> None:
    folder = Folder(tmp_path, PLAN.json())
    with pytest.raises(ValueError, match="written by another match"):
        play(tmp_path)
    folder.close()
    assert play(tmp_path) == 6


def children_of(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:  # it has ended
        return []


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition: Any, seconds: float = 300) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


def kill_in_the_middle(words: list[str | Path], folder: Path) -> list[bytes]:
    """The games of a match of 20 that was killed after 4 or more."""
    games = folder / "games.jsonl"
    for _ in range(5):  # it may be over before this process has its turn; then once more
        match = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_until(lambda: games.exists() and games.read_bytes().count(b"\n") >= 4)
        workers = children_of(match.pid)
        match.kill()
        match.communicate()
        wait_until(lambda workers=workers: not any(map(is_alive, workers)))  # or they would wait for ever
        kept = [line for line in games.read_bytes().split(b"\n")[:-1] if line]
        if len(kept) < 20:
            return kept
        shutil.rmtree(folder)
    raise AssertionError("the match was over each time")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_a_match_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    plan = MatchPlan(("search", "greedy"), games=20, seed=5, limits=Limits(nodes=20))
    folder = tmp_path / "match"
    words: list[str | Path] = [AZULEJOS, "match", *plan.names, "--games", "20", "--seed", "5", "--nodes", "20"]
    words += ["--workers", "2", "--out", folder, "--json"]
    kept = kill_in_the_middle(words, folder)
    games = folder / "games.jsonl"
    with games.open("ab") as file:
        file.write(kept[0][:50])

    done = subprocess.run(words, capture_output=True, check=True, timeout=300)
    assert games.read_bytes().startswith(b"\n".join(kept))
    lines = lines_of(folder)
    assert sorted((line["pair"], line["rotation"]) for line in lines) == [task.key for task in plan.tasks()]
    assert sorted(read_record(text).tags["Round"] for text in records_of(folder)) == sorted(
        f"{task.pair + 1}.{task.rotation + 1}" for task in plan.tasks()
    )
    never_killed = play_match(plan, Setting(workers=0))
    assert json.loads(done.stdout)["contestants"][0]["score"] == never_killed.contestants[0].score.json()
