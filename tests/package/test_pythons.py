"""The newer Pythons that are installed here: the wheel with all that it asks for, at work under each of them.

It installs and compiles some hundred megabytes for each, so it waits for `make nightly`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from azulejos import Game

ROOT = Path(__file__).parents[2]
VERSIONS = ("3.12", "3.13", "3.14")


def find(version: str) -> str:
    """The interpreter of a version, on the path or among those of pyenv; else the test is left out."""
    folder = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    on_path = shutil.which(f"python{version}")
    kept = sorted(folder.glob(f"{version}.*/bin/python{version}"), reverse=True)
    for python in [*([on_path] if on_path else []), *map(str, kept)]:
        said = subprocess.run([python, "--version"], capture_output=True, text=True, check=False).stdout
        if said.startswith(f"Python {version}."):  # what is on the path may stand for a version that is not there
            return python
    pytest.skip(f"Python {version} is not installed here")


@pytest.mark.skipif("AZULEJOS_PYTHONS" not in os.environ, reason="takes minutes: `make nightly` sets AZULEJOS_PYTHONS")
@pytest.mark.parametrize("version", VERSIONS)
def test_the_wheel_works_under(version: str, tmp_path: Path) -> None:
    python = find(version)
    env = os.environ | {name: str(tmp_path / name) for name in ("AZULEJOS_CACHE", "AZULEJOS_DATA")}

    def run(*command: str | Path) -> str:
        done = subprocess.run(
            list(map(str, command)), cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run(python, "-m", "venv", "env")
    run("env/bin/pip", "install", "--quiet", "--no-compile", "--constraint", ROOT / "constraints.txt", ROOT)
    azulejos = "env/bin/azulejos"
    assert run(azulejos, "new", "--seed", "7").strip() == Game(seed=7).position
    told = json.loads(run(azulejos, "doctor", "--json"))
    assert told["ok"], told
    assert version in str(told)
    assert "games ended by" in run(azulejos, "match", "search:nodes=20", "greedy", "--games", "4")
