"""Packed matrices: nothing but precision is lost, and the sum of rows is the matrix product."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from azulejos.net.rows import BLOCK, PAIR, _add_rows_interpreted, add_rows, fill, pack, padded, rounded, unpack
from azulejos.rules.compiled import compiled

ROWS = 40


@compiled
def add(matrix: Any, columns: Any, values: Any, count: int, total: Any) -> None:
    """What compiled code may call, from here."""
    add_rows(matrix, columns, values, count, total)


def matrix(*shape: int) -> NDArray[np.float32]:
    return np.random.default_rng(shape).normal(size=shape).astype(np.float32)


@given(st.floats(width=32, min_value=-(2.0**100), max_value=2.0**100))
def test_a_rounded_number_is_near_and_stays(number: float) -> None:
    near = rounded(np.array([number], np.float32))
    assert abs(float(near[0]) - number) <= max(abs(number) * 2**-8, 2**-133)
    assert rounded(near) == near
    assert near.view(np.uint32)[0] & 0xFFFF == 0


def test_rounding_goes_to_the_nearest_both_ways() -> None:
    numbers = np.array([1 + 0.4 / 128, 1 + 0.6 / 128, -1 - 0.4 / 128, -1 - 0.6 / 128], np.float32)
    assert rounded(numbers).tolist() == [1, 1 + 1 / 128, -1, -1 - 1 / 128]


@pytest.mark.parametrize("columns", [1, 25, PAIR, PAIR + 1, BLOCK, BLOCK + PAIR, 384])
def test_a_packed_matrix_takes_half_and_can_be_read_again(columns: int) -> None:
    array = matrix(3, ROWS, columns)
    words = pack(array)
    assert words.nbytes == 3 * ROWS * padded(columns) * 2
    assert np.array_equal(unpack(words), fill(rounded(array)))


@pytest.mark.parametrize("count", [0, 1, 7, ROWS])
@pytest.mark.parametrize("columns", [1, 25, PAIR, PAIR + 1, BLOCK, BLOCK + PAIR, 5 * BLOCK, 384])
def test_the_sum_of_rows_is_a_product(columns: int, count: int) -> None:
    array, random = matrix(ROWS, columns), np.random.default_rng(count)
    listed = random.permutation(ROWS)[:count]
    numbers = random.normal(size=count).astype(np.float32)
    before = fill(matrix(columns))
    room = np.concatenate([before, np.full(PAIR, 7, np.float32)])  # what lies behind must stay
    places, values = np.full(ROWS + 1, ROWS - 1, np.uint32), np.full(ROWS, 1e9, np.float32)
    places[:count], values[listed] = listed, numbers
    add(pack(array), places, values, count, room[: len(before)])
    expected = before[:columns] + numbers.astype(float) @ rounded(array)[listed].astype(float)
    assert np.abs(room[:columns] - expected).max() < 1e-5 * (1 + count)
    assert not room[columns : len(before)].any()
    assert (room[len(before) :] == 7).all()


@pytest.mark.parametrize("how", [add, _add_rows_interpreted])
@pytest.mark.parametrize("columns", [PAIR, BLOCK, BLOCK + PAIR])
def test_a_narrower_total_takes_the_first_columns(columns: int, how: Callable[..., None]) -> None:
    array, values = matrix(ROWS, 3 * BLOCK), matrix(ROWS)
    total = np.zeros(columns, np.float32)
    how(pack(array), np.arange(ROWS, dtype=np.uint32), values, ROWS, total)
    assert np.abs(total - values @ rounded(array)[:, :columns]).max() < 1e-3
