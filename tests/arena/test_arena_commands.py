"""`azulejos match` and `azulejos tournament` as people meet them."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from azulejos.arena.match import MatchPlan, play_match
from azulejos.arena.running import Setting
from azulejos.arena.statistics import Sprt
from tests.command import answer, refusal


def test_match_prints_a_table_and_keeps_records_that_verify(tmp_path: Path) -> None:
    words = ("match", "greedy", "random", "--games", "5", "--workers", "1", "--out", tmp_path / "match")
    said = answer(*words)
    assert said.startswith("6 games in 3 pairs, 2 players, std wall, seed 0\n")
    assert re.search(r"score\s+│\s+100.0% │\s+0.0% │", said)
    assert answer(*words) == said
    assert answer("verify", tmp_path / "match" / "records.azul").count(": ok, ") == 6


def test_match_as_json() -> None:
    words = ("--games", "6", "--sprt", "-5,5", "--alpha", "0.01", "--wall", "gray", "--seed", "3", "--workers", "1")
    said = json.loads(answer("match", "greedy", "random", *words, "--json"))
    test = Sprt(-5, 5, alpha=0.01)
    expected = play_match(MatchPlan(("greedy", "random"), 6, 2, "gray", 3, sprt=test), Setting(workers=0)).json()
    for contestant in (*said["contestants"], *expected["contestants"]):
        for timed in ("seconds_per_move", "p99_seconds", "longest_seconds"):
            assert contestant.pop(timed) >= 0
    assert said["sprt"]["verdict"] == "undecided"
    assert said == expected


def test_tournament_prints_standings_and_draws_them(tmp_path: Path) -> None:
    picture = tmp_path / "ratings.svg"
    said = answer("tournament", "random", "greedy", "--games", "4", "--workers", "1", "--plot", picture)
    assert said.startswith("4 games, 2 players, std wall, seed 0\n")
    assert re.search(r"1 │ greedy .* 2 │ random", said, re.DOTALL)
    assert picture.stat().st_size > 1000


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_help_has_examples(command: str) -> None:
    said = answer(command, "--help")
    assert f"azulejos {command} " in said
    assert "--milliseconds" in said


REFUSED: dict[str, tuple[str, str]] = {
    "nobody": ("match", "0 players named"),
    "one player": ("match greedy", "1 players named"),
    "an unknown player": ("match greedy nobody", "no player 'nobody'"),
    "an unknown option of a player": ("match greedy search:depth=3", "'depth=3'"),
    "a player that cannot be read": ("match greedy search:nodes=x", "'x'"),
    "five players": ("match greedy random --players 5", "not 5"),
    "five contestants": ("match greedy random greedy random greedy", "not 5"),
    "three for a table of four": ("match greedy random greedy --players 4", "3 contestants for a table of 4"),
    "no games": ("match greedy random --games 0", "games must be .* not 0"),
    "negative games": ("match greedy random --games -3", "-3"),
    "a blue wall": ("match greedy random --wall blue", "blue"),
    "a negative seed": ("match greedy random --seed -1", "-1"),
    "no nodes": ("match greedy random --nodes 0", "nodes must be .* not 0"),
    "no time": ("match greedy random --milliseconds 0", "milliseconds must be .* not 0"),
    "no workers": ("match greedy random --workers 0", "workers must be .* not 0"),
    "negative workers": ("match greedy random --workers -2", "-2"),
    "a test that is none": ("match greedy random --sprt ten", "'ten'"),
    "a test with one bound": ("match greedy random --sprt 5", "'5'"),
    "a test upside down": ("match greedy random --sprt 10,0", "10,0"),
    "a test of nothing": ("match greedy random --sprt 5,5", "5,5"),
    "no error allowed": ("match greedy random --sprt 0,5 --alpha 0", "alpha"),
    "too much error": ("match greedy random --sprt 0,5 --beta 0.7", "beta"),
    "a test at a larger table": ("match greedy random -p 3 --sprt 0,5", "2 players, not 3"),
    "a folder that is a file": ("match greedy random --games 2 --out /dev/null", "/dev/null"),
    "a tournament of one": ("tournament greedy", "1 players named"),
    "a tournament with a namesake": ("tournament greedy random greedy", "'greedy' is named twice"),
    "too few for the table": ("tournament greedy random -p 3", "2 contestants: expected at least 3"),
    "an unknown picture": ("tournament greedy random --plot x.doc", "'x.doc'"),
    "a picture nowhere": ("tournament greedy random --plot /nowhere/x.png", "/nowhere/x.png"),
}


@pytest.mark.parametrize(("words", "named"), REFUSED.values(), ids=REFUSED)
def test_bad_input_is_refused_in_one_line_that_names_it(words: str, named: str) -> None:
    assert re.search(named, refusal(*words.split()))


def test_without_ray_there_is_a_word_on_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert "pip install 'azulejos[cluster]'" in refusal("match", "greedy", "random", "--games", "2", "--ray")
