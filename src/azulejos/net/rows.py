"""Rows of a matrix in half the memory, and the sum of those that count.

Adding up rows takes as long as it takes to fetch them. So a weight has eight significant bits, which is the upper half
of a number in single precision, and two of them share a word: of each 32 columns the first 16 lie in the lower halves
of 16 words, the others in the upper ones. A shift or a mask makes 16 numbers of them, and their sums stay in registers
until all rows are added. Numba has no words for this, so the loop is written for LLVM, which knows what each processor
can do with 16 numbers at once.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from azulejos.rules.compiled import INTERPRETED

LANES: Final = 16
"""Numbers that are computed with at once."""
PAIR: Final = 2 * LANES
"""Columns that share words."""
BLOCK: Final = 2 * PAIR
"""Columns whose sums fit into the registers of most processors."""
block_columns = BLOCK
"""Columns whose sums are kept in registers; who compiles for another processor sets it before."""
HALF_BITS: Final = 16
"""Bits of half a word."""
UPPER: Final = 0xFFFF0000
"""The upper half of a word."""

_WORD, _INDEX = ir.IntType(32), ir.IntType(64)
_WORDS, _NUMBERS = ir.VectorType(_WORD, LANES), ir.VectorType(ir.FloatType(), LANES)
_FUSED: Final = f"llvm.fmuladd.v{LANES}f32"
"""A product and the sum it goes into, rounded once instead of twice where that is faster."""
_FUSED_TYPE = ir.FunctionType(_NUMBERS, [_NUMBERS] * 3)


def rounded(array: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """The nearest numbers with eight significant bits.

    >>> rounded(np.array([1.0, 1.003, 1.005, -0.1], np.float32)).tolist()
    [1.0, 1.0, 1.0078125, -0.10009765625]
    """
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32)
    even = (bits >> HALF_BITS) & 1  # of two that are as near the one that ends in 0
    return ((bits + (0x7FFF + even)) & np.uint32(UPPER)).view(np.float32)


def padded(columns: int) -> int:
    """How many columns there are with those of zeros that complete a pair."""
    return -(-columns // PAIR) * PAIR


def fill(array: NDArray[np.float32]) -> NDArray[np.float32]:
    """With columns of zeros up to a whole pair."""
    missing = padded(array.shape[-1]) - array.shape[-1]
    return np.pad(array, [*[(0, 0)] * (array.ndim - 1), (0, missing)])


def pack(matrix: NDArray[np.float32]) -> NDArray[np.uint32]:
    """A matrix, or several, as `add_rows` reads them: rounded, filled, two numbers in a word."""
    bits = rounded(fill(matrix)).view(np.uint32)
    pairs = bits.reshape(*bits.shape[:-1], -1, 2, LANES)
    words: NDArray[np.uint32] = (pairs[..., 0, :] >> np.uint32(HALF_BITS)) | pairs[..., 1, :]
    return words.reshape(*bits.shape[:-1], -1)


def unpack(words: NDArray[np.uint32]) -> NDArray[np.float32]:
    """The numbers in packed rows, with columns of zeros at the end."""
    runs = words.reshape(*words.shape[:-1], -1, 1, LANES)
    pairs = np.concatenate([runs << HALF_BITS, runs & np.uint32(UPPER)], axis=-2)
    return pairs.reshape(*words.shape[:-1], -1).view(np.float32)


@intrinsic  # type: ignore[untyped-decorator]
def _add_rows(_typing: Any, matrix: Any, columns: Any, values: Any, _count: Any, total: Any) -> Any:
    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = signature.args
        words, listed, numbers, sums = (
            context.make_array(kinds[at])(context, builder, arguments[at]) for at in (0, 1, 2, 4)
        )
        row_length, width = builder.extract_value(words.shape, 1), builder.extract_value(sums.shape, 0)
        in_blocks = builder.and_(width, ir.Constant(_INDEX, -block_columns))
        parts = (ir.Constant(_INDEX, 0), in_blocks, block_columns), (in_blocks, width, PAIR)
        for first, end, step in parts:
            with cgutils.for_range_slice(builder, first, end, ir.Constant(_INDEX, step), intp=_INDEX) as (column, _):
                columns_of_sums = _Columns(builder, sums.data, column, step)
                with cgutils.for_range(builder, arguments[3]) as loop:
                    row = builder.zext(builder.load(builder.gep(listed.data, [loop.index])), _INDEX)
                    place = builder.add(builder.mul(row, row_length), builder.lshr(column, ir.Constant(_INDEX, 1)))
                    number = builder.load(builder.gep(numbers.data, [row]))
                    columns_of_sums.add(words.data, place, number)
                columns_of_sums.store()
        return context.get_dummy_value()

    return types.void(matrix, columns, values, types.int64, total), write


class _Columns:
    """Some columns of the total, in registers."""

    def __init__(self, builder: Any, total: Any, first: Any, count: int) -> None:
        self._builder = builder
        self._places = [_at(builder, total, first, skip, _NUMBERS) for skip in range(0, count, LANES)]
        self._sums = [cgutils.alloca_once(builder, _NUMBERS) for _ in self._places]
        for place, kept in zip(self._places, self._sums, strict=True):
            builder.store(builder.load(place, align=4), kept)

    def add(self, words: Any, place: Any, number: Any) -> None:
        """Add the product of a number and the row whose words are there."""
        builder = self._builder
        fused = cgutils.get_or_insert_function(builder.module, _FUSED_TYPE, _FUSED)
        nothing = ir.Constant(_NUMBERS, ir.Undefined)
        many = builder.insert_element(nothing, number, ir.Constant(_WORD, 0))
        many = builder.shuffle_vector(many, nothing, ir.Constant(_WORDS, [0] * LANES))
        for at in range(0, len(self._sums), 2):
            both = builder.load(_at(builder, words, place, at // 2 * LANES, _WORDS), align=4)
            lower = builder.shl(both, ir.Constant(_WORDS, [HALF_BITS] * LANES))
            upper = builder.and_(both, ir.Constant(_WORDS, [UPPER] * LANES))
            for kept, half in zip(self._sums[at : at + 2], (lower, upper), strict=True):
                builder.store(builder.call(fused, [many, builder.bitcast(half, _NUMBERS), builder.load(kept)]), kept)

    def store(self) -> None:
        """Write the sums back from the registers."""
        for place, kept in zip(self._places, self._sums, strict=True):
            self._builder.store(self._builder.load(kept), place, align=4)


def _at(builder: Any, data: Any, first: Any, skip: int, kind: Any) -> Any:
    """A pointer to numbers of this kind."""
    place = builder.gep(data, [builder.add(first, ir.Constant(_INDEX, skip))])
    return builder.bitcast(place, kind.as_pointer())


def _add_rows_interpreted(matrix: Any, columns: Any, values: Any, count: int, total: Any) -> None:
    for column in columns[:count]:
        total += values[column] * unpack(matrix[column])[: len(total)]


add_rows: Any = _add_rows_interpreted if INTERPRETED else _add_rows
"""`add_rows(matrix, columns, values, count, total)`: add the product of so many listed values and a packed matrix.

The total may have fewer columns than the matrix, whole pairs of them."""
