"""The drawings are those that their script makes, and what they name is there."""

from __future__ import annotations

import ast
import importlib.util
from typing import Any

import pytest

from azulejos.net.features import BOARD_WIDTH
from tests.docs.pages import ROOT


def load() -> Any:
    """The script that draws; it is no part of the package."""
    spec = importlib.util.spec_from_file_location("drawings", ROOT / "docs" / "drawings.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


DRAWINGS = load()
STEPS = sorted({step.does for way in DRAWINGS.WAYS.values() for step in way.steps})


def test_the_files_are_what_the_script_draws() -> None:
    for name, picture in DRAWINGS.pictures().items():
        path = ROOT / "docs" / name
        assert path.read_text(encoding="utf-8") == picture, f"{name} is old: run python docs/drawings.py"


def test_the_parts_of_a_board_are_all_its_columns() -> None:
    assert sum(width for width, _ in DRAWINGS.BOARD_PARTS) == BOARD_WIDTH


def test_every_part_of_the_contract_has_its_words() -> None:
    assert {part for row in DRAWINGS.layers() for part in row} == DRAWINGS.PARTS.keys()


def test_the_layers_of_contributing_are_those_of_the_contract() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    written = page.partition("## Layers\n\n")[2].partition("\n\n")[0]
    rows = [[part.strip() for part in row.split(",")] for row in written.split("<-")]
    assert [sorted(row) for row in reversed(rows)] == [sorted(row) for row in DRAWINGS.layers()]


@pytest.mark.parametrize("does", STEPS)
def test_a_step_names_a_function_that_there_is(does: str) -> None:
    """By reading the source: some modules need what is not installed here."""
    module, _, name = does.partition(":")
    path = ROOT.joinpath("src", *module.split(".")).with_suffix(".py")
    names: list[ast.stmt] = ast.parse(path.read_text(encoding="utf-8")).body
    for part in name.split("."):
        kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        (found,) = (node for node in names if isinstance(node, kinds) and node.name == part)
        names = found.body


def test_every_drawing_has_words_for_those_who_do_not_see_it() -> None:
    pages = [(ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in ("architecture", "environments")]
    for name in DRAWINGS.pictures():
        (page,) = (page for page in pages if f"]({name})" in page)
        alternative = page.partition(f"]({name})")[0].rpartition("![")[2]
        assert len(alternative) > 60, name
