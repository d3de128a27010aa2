"""The notebook runs, shows pictures and plots, and prints what it was saved with."""

from __future__ import annotations

from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from tests.docs.pages import ROOT

NOTEBOOK = ROOT / "examples" / "tour.ipynb"
MAY_CHANGE = "changes"
"""The tag of cells that print what the search thinks."""


def printed(notebook: NotebookNode) -> list[str]:
    """What each cell prints, except those that may print something else every time."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [
        "".join(output.text for output in cell.outputs if output.output_type == "stream" and output.name == "stdout")
        for cell in cells
        if MAY_CHANGE not in cell.metadata.get("tags", [])
    ]


def kinds(notebook: NotebookNode) -> list[str]:
    """The kinds of pictures that the notebook shows."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return [kind for output in outputs for kind in output.get("data", {}) if kind.startswith("image/")]


def read() -> Any:
    """The notebook as it was saved."""
    return nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]


@pytest.fixture(scope="module")
def saved() -> Any:
    return read()


def test_it_runs_and_prints_what_it_was_saved_with(saved: NotebookNode) -> None:
    fresh = read()
    for cell in fresh.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    client = NotebookClient(
        fresh, timeout=600, startup_timeout=300, kernel_name="python3", resources={"metadata": {"path": ROOT}}
    )
    client.execute()
    assert printed(fresh) == printed(saved)
    assert sum(1 for text in printed(fresh) if text) >= 5
    assert kinds(fresh) == kinds(saved) == ["image/svg+xml", "image/svg+xml", "image/png", "image/png"]


def test_it_names_no_place_of_a_machine() -> None:
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert "/home/" not in text
    assert str(ROOT) not in text
