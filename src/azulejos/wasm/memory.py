"""Arrays and tuples at addresses: a browser has one memory, and who calls from there has only numbers for its places.

Compiled functions take named tuples of arrays. Whoever lays such a tuple out in memory writes a table with a row for
each of its leaves, in order: `ROW` numbers of 64 bits, which are an array's address and lengths, or a number itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array
from numpy.typing import NDArray

ALIGNMENT: Final = 64
"""Bytes; every array begins at a multiple of it, which is where a line of a processor's cache begins."""
MOST_DIMENSIONS: Final = 4
"""The most dimensions of an array."""
ROW: Final = 1 + MOST_DIMENSIONS
"""Numbers of a row of a table."""
_INDEX = ir.IntType(64)


class Leaf(NamedTuple):
    """An array or a number in a tuple of tuples."""

    name: str
    """The path to it through the tuples, with dots."""
    value: Any
    """The array or the number."""


def leaves(tree: Any, name: str = "") -> Iterator[Leaf]:
    """All arrays and numbers of a tuple of tuples, in order."""
    if not isinstance(tree, tuple):
        yield Leaf(name, tree)
        return
    for field, value in zip(tree._fields, tree, strict=True):  # type: ignore[attr-defined]
        yield from leaves(value, f"{name}.{field}" if name else field)


def table_of(tree: Any) -> NDArray[np.int64]:
    """The table of a tuple in this process: what a page would write."""
    rows = [
        [leaf.value.ctypes.data, *leaf.value.shape] if isinstance(leaf.value, np.ndarray) else [leaf.value]
        for leaf in leaves(tree)
    ]
    table = np.zeros((len(rows), ROW), np.int64)
    for at, row in enumerate(rows):
        if isinstance(row[0], float):
            table[at].view(np.float64)[0] = row[0]
        else:
            table[at, : len(row)] = row
    return table


def reader_of(example: Any) -> Callable[[int], Any]:
    """A function for compiled code: from the address of a table to a tuple like the example."""
    kind = numba.typeof(example)

    @intrinsic  # type: ignore[untyped-decorator]
    def read(_typing: Any, _table: Any) -> Any:
        def write(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            table = builder.inttoptr(arguments[0], _INDEX.as_pointer())
            return _Reader(context, builder, table).read(kind)

        return kind(types.int64), write

    reader: Callable[[int], Any] = read
    return reader


class _Reader:
    """Writes the code that reads a tuple from its table, row by row."""

    def __init__(self, context: Any, builder: Any, table: Any) -> None:
        self._context, self._builder, self._table, self._at = context, builder, table, 0

    def read(self, kind: Any) -> Any:
        """The value of this kind whose rows come next."""
        if isinstance(kind, types.BaseTuple):
            return self._context.make_tuple(self._builder, kind, [self.read(part) for part in kind])
        row, self._at = self._at, self._at + 1
        if isinstance(kind, types.Array):
            lengths = [self._number(row, 1 + at) for at in range(kind.ndim)]
            return array_value(self._context, self._builder, kind, self._number(row, 0), lengths)
        number = self._number(row, 0)
        if isinstance(kind, types.Float):
            return self._builder.bitcast(number, ir.DoubleType())
        return self._context.cast(self._builder, number, types.int64, kind)

    def _number(self, row: int, at: int) -> Any:
        return self._builder.load(self._builder.gep(self._table, [ir.Constant(_INDEX, row * ROW + at)]))


def array_value(context: Any, builder: Any, kind: Any, address: Any, lengths: list[Any]) -> Any:
    """The code for an array that lies somewhere."""
    itemsize = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    strides = [ir.Constant(_INDEX, itemsize)]
    for length in reversed(lengths[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    array = context.make_array(kind)(context, builder)
    data = builder.inttoptr(address, context.get_data_type(kind.dtype).as_pointer())
    populate_array(array, data=data, shape=lengths, strides=strides, itemsize=strides[-1], meminfo=None)
    return array._getvalue()


@intrinsic  # type: ignore[untyped-decorator]
def array_at(_typing: Any, _address: Any, shape: Any, kind: Any) -> Any:
    """`array_at(address, shape, dtype)`: the array that lies there."""
    array = types.Array(kind.dtype, len(shape), "C")

    def write(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return array_value(context, builder, array, arguments[0], cgutils.unpack_tuple(builder, arguments[1]))

    return array(types.int64, types.UniTuple(types.int64, len(shape)), kind), write
