"""Networks for browsers: a weights file laid out as memory, so that a page has nothing to compute before it can play.

A file is one line of JSON, its `ImageHead`, and compressed bytes: those of the arrays, one after the other, of each
array first all the lowest bytes of its numbers, then all the next (halves of a word where two weights share one), which
compress better so. For two, three and four players the arrays are the same but for one bias: seats that nobody has are
rows at the end of a matrix.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from azulejos.net.features import FEATURES_VERSION
from azulejos.net.inference import Inference, read_weights
from azulejos.rules.state import MAX_PLAYERS
from azulejos.search.batches import BATCH
from azulejos.wasm.memory import ALIGNMENT, leaves

FORMAT: Final = "azulejos-weights-1"
"""The name of the format, which changes with it."""
ROOM: Final = ("room.", "answers.")
"""What the names of arrays begin with that hold nothing yet."""


class StoredArray(msgspec.Struct, array_like=True, frozen=True):
    """An array in the file."""

    at: int
    """Where it begins in memory."""
    bytes: int
    """How many it takes."""
    planes: int
    """How many bytes one of its numbers has."""


class TableRow(msgspec.Struct, array_like=True, frozen=True):
    """A row of the table that compiled code reads the network from: see `memory`."""

    address: bool
    """Whether its first number is an address, which is counted from the beginning of the network."""
    numbers: tuple[int, ...]
    """An address and lengths, or a number."""


class ImageHead(msgspec.Struct, frozen=True):
    """What a file begins with."""

    format: str
    """The name of the format."""
    features: int
    """The version of the features that the network was trained with."""
    bytes: int
    """The memory that the network takes, with room to compute in."""
    check: int
    """Adler-32 of the bytes of the arrays as they follow."""
    pieces: tuple[StoredArray, ...]
    """The arrays, in order."""
    tables: dict[int, tuple[TableRow, ...]]
    """The table for so many players."""


def write_image(weights: Path) -> bytes:
    """The file for a browser from a weights file."""
    layout = _Layout()
    tables = {}
    for players in range(MAX_PLAYERS, 1, -1):  # the largest arrays first: others are the beginning of them
        network = Inference(read_weights(weights), players, BATCH).network
        tables[players] = tuple(layout.row(leaf.name, leaf.value) for leaf in leaves(network))
    body = b"".join(layout.parts)
    head = ImageHead(FORMAT, FEATURES_VERSION, layout.end, zlib.adler32(body), tuple(layout.pieces), tables)
    return msgspec.json.encode(head) + b"\n" + zlib.compress(body, 9)


class _Layout:
    """Gives every array its place; what is there already, or is the beginning of it, takes none."""

    def __init__(self) -> None:
        self.end = 0
        self.parts: list[bytes] = []
        self.pieces: list[StoredArray] = []
        self._rows: dict[str, list[tuple[bytes, int]]] = {}

    def row(self, name: str, value: Any) -> TableRow:
        """The row of an array or of a number."""
        if not isinstance(value, np.ndarray):
            return TableRow(False, (int(value),))
        data = b"" if name.startswith(ROOM) else np.ascontiguousarray(value).tobytes()
        return TableRow(True, (self._place(name, data, value), *value.shape))

    def _place(self, name: str, data: bytes, value: NDArray[Any]) -> int:
        """Where these bytes are, or are to come."""
        for there, place in self._rows.get(name, []):
            if data and there.startswith(data):
                return place
        place, self.end = self.end, self.end + -(-value.nbytes // ALIGNMENT) * ALIGNMENT
        self._rows.setdefault(name, []).append((data, place))
        if data:
            planes = 2 if value.dtype == np.uint32 else value.itemsize
            self.pieces.append(StoredArray(place, len(data), planes))
            self.parts.append(np.frombuffer(data, np.uint8).reshape(-1, planes).T.tobytes())
        return place
