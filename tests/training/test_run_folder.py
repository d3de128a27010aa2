"""The folder of a run: found again as it was, and foreign ones left alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from azulejos.training.atomic import out_of_room, write_atomic
from azulejos.training.run_folder import FolderError, Journal, RunFolder
from tests.training.networks import SHAPE, small_run


def contents(path: Path) -> dict[str, bytes]:
    return {str(each.relative_to(path)): each.read_bytes() for each in sorted(path.rglob("*")) if each.is_file()}


def test_a_run_is_found_again_as_it_was_with_what_it_was_told_last(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run", mix="all", rate=0.002)
    again = RunFolder(tmp_path / "run", {"rate": 0.001, "mix": None, "width": SHAPE["width"], "seed": 1})
    assert (again.shape, again.seed, again.is_new) == (run.shape, run.seed, False)
    with again.locked():
        pass
    plan = RunFolder(tmp_path / "run").plan(cuda=False)
    assert (plan.rate, plan.mix, plan.slots) == (0.001, "all", 4)


def test_what_was_not_given_is_what_is_usual_on_the_device(tmp_path: Path) -> None:
    run = RunFolder(tmp_path, {"batch": 100})
    here, there = (run.plan(cuda=cuda) for cuda in (False, True))
    assert (here.batch, here.slots, here.gate_games) == (100, 64, 100)
    assert (there.batch, there.slots, there.gate_games) == (100, 32768, 0)


def test_an_empty_folder_and_what_a_cut_short_creation_left_are_free(tmp_path: Path) -> None:
    (tmp_path / ".lock").touch()
    (tmp_path / ".run.json.new").write_text("{")
    run = RunFolder(tmp_path, {"seed": 7})
    assert run.is_new
    with run.locked():
        assert RunFolder(tmp_path).file == run.file


def test_what_a_killed_trainer_had_begun_to_write_goes_when_the_run_goes_on(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run")
    left = run.path / "networks" / ".0000575.json.new"
    left.parent.mkdir(exist_ok=True)
    left.write_text("{")
    with RunFolder(run.path).locked():
        assert not left.exists()


@pytest.mark.parametrize("name", ["thesis.tex", "networks/0000001.npz", "weights.npz"])
def test_a_foreign_folder_is_refused_and_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("precious")
    before = contents(tmp_path)
    with pytest.raises(FolderError, match=r"is no training folder: it holds '.*' but no run\.json"):
        RunFolder(tmp_path)
    assert contents(tmp_path) == before


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("precious")
    with pytest.raises(FolderError, match=r"'.*file' is not a folder"):
        RunFolder(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "precious"


OTHERS: dict[str, tuple[dict[str, Any], str]] = {
    "features": ({"features_version": 99}, "another version: features version 99 there, 1 here"),
    "format": ({"format": 0}, "another version: format 0 there, 2 here"),
    "program": ({"program": "somebody"}, "'somebody' there, 'azulejos train' here"),
    "options": ({"options": {"speed": 3}}, "unknown field `speed`"),
    "bad options": ({"options": {"mix": "5std"}}, "mix: invalid enum value '5std'"),
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
        RunFolder(tmp_path / "run", {"rate": 0.5})
    assert contents(tmp_path) == before


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", '"run"'])
def test_a_broken_run_file_is_refused(tmp_path: Path, text: str) -> None:
    small_run(tmp_path / "run")
    (tmp_path / "run" / "run.json").write_text(text)
    before = contents(tmp_path)
    with pytest.raises(FolderError, match=r"cannot read '.*run\.json' as a training run"):
        RunFolder(tmp_path / "run")
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    ("wish", "reason"),
    [
        ({"width": 64}, "width 16 there, 64 here"),
        ({"blocks": 9}, "blocks 1 there, 9 here"),
        ({"seed": 5}, "seed 1 there, 5 here"),
    ],
)
def test_another_shape_or_seed_is_refused(tmp_path: Path, wish: dict[str, Any], reason: str) -> None:
    small_run(tmp_path / "run")
    before = contents(tmp_path)
    with pytest.raises(FolderError, match=reason):
        RunFolder(tmp_path / "run", wish)
    assert contents(tmp_path) == before


def test_two_processes_cannot_train_in_one_folder(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run")
    other = f"""
from pathlib import Path
from azulejos.training.run_folder import RunFolder
with RunFolder(Path({str(run.path)!r})).locked():
    print("free")
"""
    words = [sys.executable, "-c", other]
    with run.locked():
        answer = subprocess.run(words, capture_output=True, text=True, check=False)
        assert "is being trained by another process" in answer.stderr
    assert subprocess.run(words, capture_output=True, text=True, check=False).stdout == "free\n"


def test_a_torn_line_of_the_journal_is_left_out(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.add("one", number=1)
    with (tmp_path / "log.jsonl").open("a") as file:
        file.write('{"kind": "to\n')
    journal.add("two", number=2)
    assert [line["kind"] for line in journal.lines()] == ["one", "two"]


def test_on_a_full_disk_the_old_file_stays_and_nothing_half_written(tmp_path: Path) -> None:
    write_atomic(tmp_path / "file", b"old")
    resource = pytest.importorskip("resource", reason="a limit stands for a full disk")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(OSError, match="File too large") as fault:
            write_atomic(tmp_path / "file", bytes(5000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert out_of_room(fault.value)
    assert contents(tmp_path) == {"file": b"old"}
