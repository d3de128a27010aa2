"""The table of the observation: its formulas give every index of their row once, and no other."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import pytest

from azulejos.envs import pettingzoo
from tests.docs.pages import ROOT

ROW = re.compile(r"^\| (\d+)-(\d+) \| (`.*`) \| (.*?) \|", re.MULTILINE)
RANGES = {"display": range(1, 10), "players": range(2, 5), "b": range(160)} | dict.fromkeys(
    ("color", "line", "row", "column"), range(5)
)
ROWS = [(int(low), int(high), formulas, words) for low, high, formulas, words in ROW.findall(pettingzoo.__doc__ or "")]


def indices(formulas: str, words: str) -> Iterator[int]:
    """Everything that the formulas of a row give."""
    own = re.search(r"n of (\d) to (\d)", words)
    ranges = RANGES | ({"n": range(int(own[1]), int(own[2]) + 1)} if own else {})
    for formula in re.findall(r"`([^`]+)`", formulas):
        names = sorted(set(re.findall(r"[a-z]+", formula)))
        for values in itertools.product(*(ranges[name] for name in names)):
            yield eval(formula, dict(zip(names, values, strict=True)))


def test_there_are_rows() -> None:
    assert len(ROWS) > 15


@pytest.mark.parametrize(("low", "high", "formulas", "words"), ROWS)
def test_the_formulas_of_a_row_give_its_indices(low: int, high: int, formulas: str, words: str) -> None:
    assert sorted(indices(formulas, words)) == list(range(low, high + 1))


def test_the_page_has_the_table_from_there() -> None:
    page = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
    assert "<!-- from azulejos.envs.pettingzoo: Observation -->" in page
