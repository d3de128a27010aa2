"""The folder of a run: found again as it was, and foreign ones left alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from azulejos.training.folder import FolderError, Journal, RunFolder
from azulejos.training.loop import Wish, open_run
from azulejos.training.options import Options
from tests.training.networks import SHAPE, small_run


def contents(path: Path) -> dict[str, bytes]:
    return {str(each.relative_to(path)): each.read_bytes() for each in sorted(path.rglob("*")) if each.is_file()}


def test_a_run_is_found_again_as_it_was(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run", mix="all", rate=0.002)
    assert RunFolder.open(tmp_path / "run", SHAPE, 1) == run
    changed = run.with_options(run.options.changed({"rate": 0.001, "mix": None}))
    assert RunFolder.open(tmp_path / "run").options == changed.options
    assert (changed.options.rate, changed.options.mix) == (0.001, "all")


def test_an_empty_folder_and_what_a_cut_short_creation_left_are_free(tmp_path: Path) -> None:
    (tmp_path / "selfplay").mkdir()
    (tmp_path / ".run.json.new").write_text("{")
    assert RunFolder.create(tmp_path, SHAPE, 1, Options()) == RunFolder.open(tmp_path)


@pytest.mark.parametrize("name", ["thesis.tex", "selfplay/0000001-w0.npz", "weights.npz"])
def test_a_foreign_folder_is_refused_and_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("precious")
    before = contents(tmp_path)
    with pytest.raises(FolderError, match=r"is no training folder: it holds '.*' but no run\.json"):
        open_run(Wish(tmp_path))
    assert contents(tmp_path) == before


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("precious")
    with pytest.raises(FolderError, match=r"'.*file' is not a folder"):
        open_run(Wish(tmp_path / "file"))
    assert (tmp_path / "file").read_text() == "precious"


OTHERS: dict[str, tuple[dict[str, Any], str]] = {
    "features": ({"features_version": 99}, "another version: features version 99 there, 1 here"),
    "format": ({"format": 0}, "another version: format 0 there, 1 here"),
    "program": ({"program": "somebody"}, "'somebody' there, 'azulejos train' here"),
    "options": ({"options": {"speed": 3}}, "unknown options 'speed'"),
    "bad options": ({"options": {"mix": "5std"}}, "no mix '5std'"),
    "no shape": ({"shape": None}, "as a training run"),
}


@pytest.mark.parametrize(("change", "reason"), OTHERS.values(), ids=OTHERS)
def test_a_run_of_another_version_is_refused_with_the_reason(
    tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    small_run(tmp_path / "run")
    file = tmp_path / "run" / "run.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    before = contents(tmp_path)
    with pytest.raises(FolderError, match=reason):
        open_run(Wish(tmp_path / "run", options={"rate": 0.5}))
    assert contents(tmp_path) == before


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", '"run"'])
def test_a_broken_run_file_is_refused(tmp_path: Path, text: str) -> None:
    small_run(tmp_path / "run")
    (tmp_path / "run" / "run.json").write_text(text)
    before = contents(tmp_path)
    with pytest.raises(FolderError, match=r"cannot read '.*run\.json' as a training run"):
        open_run(Wish(tmp_path / "run"))
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    ("wish", "reason"),
    [
        ({"width": 64}, "width 16 there, 64 here"),
        ({"blocks": 9}, "blocks 1 there, 9 here"),
        ({"seed": 5}, "seed 1 there, 5 here"),
        ({"start": Path("x.npz")}, "has networks already"),
    ],
)
def test_another_shape_or_seed_is_refused(tmp_path: Path, wish: dict[str, Any], reason: str) -> None:
    small_run(tmp_path / "run")
    before = contents(tmp_path)
    with pytest.raises(FolderError, match=reason):
        open_run(Wish(tmp_path / "run", **wish))
    assert contents(tmp_path) == before


def test_two_processes_cannot_be_the_same(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run")
    other = f"""
from pathlib import Path
from azulejos.training.folder import RunFolder
with RunFolder.open(Path({str(run.path)!r})).locked("gate-0", patience=0.2):
    print("free")
"""
    words = [sys.executable, "-c", other]
    with run.locked("gate-0"):
        answer = subprocess.run(words, capture_output=True, text=True, check=False)
        assert "is being trained by another process (gate-0)" in answer.stderr
    assert subprocess.run(words, capture_output=True, text=True, check=False).stdout == "free\n"


def test_a_torn_line_of_the_journal_is_left_out(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.add("one", number=1)
    with (tmp_path / "log.jsonl").open("a") as file:
        file.write('{"kind": "to\n')
    journal.add("two", number=2)
    assert [line["kind"] for line in journal.lines()] == ["one", "two"]
