"""The table of the observation: its formulas give every index of their row once, and no other."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import pytest

from azulejos.envs import pettingzoo
from azulejos.net.features import layout
from azulejos.rules.state import displays_for
from tests.docs.pages import ROOT

LINE = re.compile(r"^\| [-\d |]+ \| `.*$", re.MULTILINE)
"""A row of the tables: its indices, one cell or one for each number of players, formulas, words and values."""
INDICES = re.compile(r"(\d+)(?:-(\d+))?$")
RANGES = {"b": range(160)} | dict.fromkeys(("color", "line", "row", "column"), range(5))


def rows() -> Iterator[tuple[int, int, int, str, str]]:
    """Players, first and last index, formulas and words of every row of every number of players."""
    for line in LINE.findall(pettingzoo.__doc__ or ""):
        *indices, formulas, words, _ = [cell.strip() for cell in line.strip("|").split("|")]
        for players, cell in enumerate(indices, 2):
            if found := INDICES.match(cell):
                yield players, int(found[1]), int(found[2] or found[1]), formulas, words


ROWS = list(rows())


def given(players: int, formulas: str, words: str) -> Iterator[int]:
    """Everything that the formulas of a row give."""
    own = re.search(r"n of (\d) to (\d)", words)
    ranges = {
        **RANGES,
        "C": [layout(players).center],
        "display": range(1, displays_for(players) + 1),
        "players": range(2, 5),
        "n": range(int(own[1]), int(own[2]) + 1) if own else (),
    }
    for formula in re.findall(r"`([^`]+)`", formulas):
        names = sorted(set(re.findall(r"[A-Za-z]+", formula)))
        for values in itertools.product(*(ranges[name] for name in names)):
            yield eval(formula, dict(zip(names, values, strict=True)))


def test_there_are_rows() -> None:
    assert [players for players, *_ in ROWS].count(4) == 15
    assert len(ROWS) > 45


@pytest.mark.parametrize(("players", "low", "high", "formulas", "words"), ROWS)
def test_the_formulas_of_a_row_give_its_indices(players: int, low: int, high: int, formulas: str, words: str) -> None:
    assert sorted(given(players, formulas, words)) == list(range(low, high + 1))


def test_the_page_has_the_table_from_there() -> None:
    page = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
    assert "<!-- from azulejos.envs.pettingzoo: Observation -->" in page
