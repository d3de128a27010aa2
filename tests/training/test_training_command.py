"""`azulejos train` as people meet it, where PyTorch is missing too."""

from __future__ import annotations

import contextlib
import re
import sys
from pathlib import Path

import pytest
from cyclopts import CycloptsError

from azulejos.cli.app import app
from azulejos.cli.train import Options
from azulejos.training.plan import MIXES, Shape, TrainingPlan, plan_for


def train(*words: object) -> None:
    app(["train", *map(str, words)], exit_on_error=False, print_error=False)


def test_help_needs_no_torch(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with contextlib.suppress(SystemExit):
        train("--help")
    said = capsys.readouterr().out
    assert "azulejos train --out runs/two --minutes 9" in said
    assert "--candidate-steps" in said


def test_without_torch_there_is_a_word_on_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ValueError, match=re.escape("needs the package torch: pip install 'azulejos[train]'")):
        train("--out", tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_the_command_can_be_told_every_option() -> None:
    assert set(vars(Options())) == {*Shape.__struct_fields__, *TrainingPlan.__struct_fields__}
    assert not any(value is not None for value in vars(Options()).values())
    for mix in MIXES:
        assert plan_for({"mix": mix}, cuda=True).games == MIXES[mix]


REFUSED: dict[str, tuple[str, str]] = {
    "no folder": ("", "--out"),
    "an unknown mix": ("--out x --mix 5std", "5std"),
    "an unknown device": ("--out x --device tpu", "tpu"),
    "no minutes": ("--out x --minutes 0", "minutes must be more than 0, not 0"),
    "endless minutes": ("--out x --minutes inf", "minutes must be more than 0, not inf"),
    "no width": ("--out x --width 0", "width: expected `int` >= 1, not 0"),
    "negative blocks": ("--out x --blocks -1", "blocks: expected .* not -1"),
    "a negative seed": ("--out x --seed -1", "seed: expected .* not -1"),
    "no simulations": ("--out x --simulations 0", "simulations: expected `int` >= 1, not 0"),
    "negative workers": ("--out x --workers -1", "workers: expected `int` >= 0, not -1"),
    "no rate": ("--out x --rate 0", "rate: expected `float` > 0.0, not 0"),
    "a threshold of everything": ("--out x --threshold 1", "threshold: expected `float` < 1.0, not 1"),
    "too much trust": ("--out x --trust 2", "trust: expected `float` <= 1.0, not 2"),
    "negative games at the gate": ("--out x --gate-games -1", "gate-games: expected `int` >= 0, not -1"),
    "a word for a number": ("--out x --replay many", "many"),
    "a folder that is a file": ("--out /dev/null", "'/dev/null' is not a folder"),
}


@pytest.mark.parametrize(("words", "named"), REFUSED.values(), ids=REFUSED)
def test_bad_input_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, named: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((ValueError, CycloptsError)) as fault:
        train(*words.split())
    assert re.search(named, str(fault.value))
    assert list(tmp_path.iterdir()) == []
