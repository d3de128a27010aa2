"""The commands `review` and `luck`, and a replay that shows what a review found."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from azulejos import Record, read_record
from azulejos.analysis.receipt import PARTS
from azulejos.analysis.review import Review, review
from tests.analysis.games import NODES, greedy_game
from tests.command import answer, refusal, run

FEW = ("--nodes", str(NODES))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two short games in one file."""
    place = tmp_path_factory.mktemp("review") / "games.azul"
    records = [greedy_game(moves=moves).to_record(names=["Ana", "Ben"]) for moves in (1, 6)]
    place.write_text("".join(records), encoding="utf-8")
    return place


def test_review_prints_moves_receipts_and_writes_files(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "150")
    page, annotated = tmp_path / "report.html", tmp_path / "annotated.azul"
    said = answer("review", file, "--game", "2", *FEW, "--html", page, "--annotate", annotated, "--language", "en")
    assert said.count(" from display ") + said.count(" from the center ") >= 6
    for words in ("expected at the start", "luck of the deals", "seen only later", "blunder", "The game was not over"):
        assert words in said
    receipt = re.search(r"expected at the start(.*?)result([^\n]*)", said, re.DOTALL)
    assert receipt is not None
    rows = [re.findall(r"[+-]\d+\.\d", line) for line in receipt[0].splitlines() if "." in line]
    for column in zip(*rows, strict=True):
        *parts, result = map(float, column)
        assert sum(parts) == pytest.approx(result)
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert len(read_record(annotated.read_text("utf-8")).entries) == 7


def test_review_speaks_the_language_that_is_asked_for(file: Path) -> None:
    said = answer("review", file, *FEW, "--language", "es")
    assert "suerte con los repartos" in said


def test_review_as_json_tells_where_a_damaged_record_stops(file: Path) -> None:
    text = file.read_text("utf-8")
    broken = text[text.rindex("[Event") :].rstrip().removesuffix("*") + "9Z9\n"
    said = json.loads(answer("review", "-", *FEW, "--json", typed=broken))
    assert {"seats", "deals", "decisions", "finished", "fault"} <= said.keys()
    assert len(said["decisions"]) == 6
    assert "cannot read '9Z9'" in said["fault"]
    for seat in said["seats"]:
        *parts, result = (seat[part]["win"] for part in PARTS)
        assert sum(parts) == pytest.approx(result, abs=1e-6)


def interrupt(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Have Ctrl-C pressed once when so many things are looked at."""

    def pressed(record: Record, *, tell: Callable[[int, int], None], **options: Any) -> Review:
        left = [after]

        def told(done: int, total: int) -> None:
            tell(done, total)
            if left and done >= left[0]:
                left.clear()
                signal.raise_signal(signal.SIGINT)

        return review(record, tell=told, **options)

    monkeypatch.setattr("azulejos.analysis.review.review", pressed)


def test_ctrl_c_ends_a_review_with_what_there_is(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("review", file, "--game", "2", "--nodes", "2000", "--workers", "1", "--language", "en")
    interrupt(monkeypatch, after=3)
    done = run(*words)
    assert (done.returncode, done.stderr) == (130, "")
    told = re.search(r"The review was stopped after (\d) of 7 moves and deals", " ".join(done.stdout.split()))
    assert told is not None
    assert 3 <= int(told[1]) < 7
    assert "expected at the start" in done.stdout
    assert "The game was not over" not in done.stdout
    said = json.loads(run(*words, "--json").stdout)
    assert said["stopped"]
    for seat in said["seats"]:
        *parts, result = (seat[part]["margin"] for part in PARTS)
        assert sum(parts) == pytest.approx(result, abs=1e-6)


def test_ctrl_c_before_anything_is_known_prints_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt(monkeypatch, after=0)
    done = run("review", file, "--game", "2", "--nodes", "8000", "--workers", "1")
    assert (done.returncode, done.stdout) == (130, "")


def test_a_replay_with_a_review_shows_a_damaged_record_as_far_as_it_goes(file: Path) -> None:
    text = file.read_text("utf-8")
    broken = text[text.rindex("[Event") :].rstrip().removesuffix("*") + "9Z9\n"
    said = answer("replay", "-", "--review", *FEW, "--language", "en", typed=broken)
    assert said.count("Chance to win: Ana ") == 7
    assert "The record can be followed no further: round 1, move 7: cannot read '9Z9'" in said


@pytest.mark.parametrize(
    ("words", "typed", "fault"),
    [
        (("review", "-"), "nonsense", "cannot read game 1 of '-'"),
        (("review", "-"), "", "'-' holds no record"),
        (("review", "-", "--nodes", "1"), None, "nodes must be a whole number from 64 to 200000, not 1"),
        (("review", "-", "--workers", "0"), None, "workers must be a whole number from 1 to 256, not 0"),
        (("luck", "-"), "nonsense", "none of these files holds a game"),
        (("luck",), "", "no files named"),
    ],
)
def test_what_cannot_be_reviewed_is_said(words: tuple[str, ...], typed: str | None, fault: str, file: Path) -> None:
    assert fault in refusal(*words, typed=file.read_text("utf-8") if typed is None else typed)


def test_luck_adds_up_games_by_name_and_names_damaged_ones(file: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.azul"
    damaged.write_text(file.read_text("utf-8").replace("\n*", " 9Z9\n*", 1) + "[Wall", encoding="utf-8")
    said = json.loads(answer("luck", damaged, *FEW, "--json"))
    assert [(player["name"], player["games"]) for player in said["players"]] == [("Ana", 2), ("Ben", 2)]
    for player in said["players"]:
        *parts, result = (player[part]["sum"]["margin"] for part in PARTS)
        assert sum(parts) == pytest.approx(result, abs=1e-6)
        assert player["luck"]["error"]["margin"] >= 0
    assert [fault["game"] for fault in said["faults"]] == [1, 3]


def test_luck_prints_a_table_for_each_player(file: Path) -> None:
    done = run("luck", file, "-", *FEW, "--language", "en", typed="nonsense")
    assert done.returncode == 0
    assert "Ana, 2 games" in done.stdout
    assert re.search(r"luck of the deals +│ +[+-]\d+\.\d ± \d", done.stdout)
    assert done.stderr.startswith("azulejos: -, game 1: cannot read 'nonsense'")


def test_replay_shows_what_a_review_found(file: Path) -> None:
    said = answer("replay", file, "--game", "2", "--at", "2", "--review", *FEW, "--language", "en")
    assert "Chance to win: Ana " in said
    assert "Better: " in said
    said = answer("replay", file, "--at", "1", "--review", *FEW, "--language", "en")
    assert "Luck: Ana " in said
