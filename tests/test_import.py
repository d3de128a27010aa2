"""What `import azulejos` brings, and what it leaves alone."""

from __future__ import annotations

import ast
import importlib.metadata
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import azulejos

DISPATCHERS = """
import json, sys
import azulejos
from numba.core.dispatcher import Dispatcher
found = {}
for name, module in list(sys.modules.items()):
    if name.startswith("azulejos"):
        for at, value in vars(module).items():
            if isinstance(value, Dispatcher):
                found[f"{name}.{at}"] = len(value.signatures)
print(json.dumps([found, sorted(sys.modules)]))
"""


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Code in an interpreter of its own."""
    return subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


def test_import_compiles_nothing(tmp_path: Path) -> None:
    done = run(DISPATCHERS, AZULEJOS_CACHE=str(tmp_path))
    assert done.stderr == ""
    signatures, _ = json.loads(done.stdout)
    assert len(signatures) > 30
    assert set(signatures.values()) == {0}
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_import_leaves_the_command_line_and_the_drawing_alone(tmp_path: Path) -> None:
    _, modules = json.loads(run(DISPATCHERS, AZULEJOS_CACHE=str(tmp_path)).stdout)
    assert "azulejos.game.game" in modules
    for name in ("cyclopts", "rich", "azulejos.cli", "azulejos.drawing", "azulejos.tui", "azulejos.arena.simulation"):
        assert name not in modules


def test_every_public_name_is_there_and_has_a_docstring() -> None:
    for name in azulejos.__all__:
        assert getattr(azulejos, name).__doc__, name
    assert azulejos.__all__ == sorted(azulejos.__all__)


def test_no_two_classes_have_one_name() -> None:
    sources = Path(azulejos.__file__).parent.rglob("*.py")
    nodes = (node for path in sources for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    names = Counter(node.name for node in nodes if isinstance(node, ast.ClassDef))
    assert [name for name, times in names.items() if times > 1] == []


def test_the_version_is_that_of_the_package() -> None:
    assert azulejos.__version__ == importlib.metadata.version("azulejos")


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(azulejos.__file__).parent / "py.typed").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="users are told apart otherwise there")
def test_import_works_for_a_user_without_a_home() -> None:
    code = """
import os, pwd
def nobody(number):
    raise KeyError(number)
pwd.getpwuid = nobody
for name in ("HOME", "XDG_CACHE_HOME", "AZULEJOS_CACHE"):
    os.environ.pop(name, None)
import azulejos
print("imported")
"""
    done = run(code)
    assert "Traceback" not in done.stderr
    assert done.stdout == "imported\n"
