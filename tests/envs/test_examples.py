"""The examples do what they promise."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_policy_gradient_learns_to_beat_random(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    example = load("policy_gradient")
    monkeypatch.setattr(example, "GAMES", 256)
    games = 300
    before, error_before = example.won(example.play(example.Network(1), "random", games, 2))
    network, curve = example.learn(seconds=60, seed=1, updates=30)
    after, error = example.won(example.play(network, "random", games, 2))
    assert after - 2 * error > 0.8  # `error` is two standard errors
    assert after - before > 2 * (error + error_before)
    picture = tmp_path / "learning.png"
    example.draw(curve or [(0.0, 1.0), (1.0, 2.0)], ["wins"], picture)
    assert picture.read_bytes()[:4] == b"\x89PNG"
