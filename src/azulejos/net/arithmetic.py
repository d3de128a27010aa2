"""The network's arithmetic, compiled: products with what is zero are left out.

Two thirds of the features are zero, and so are half to nine tenths of what stands between two layers. So instead of
multiplying matrices, the rows of a matrix that count are added up. All positions of a batch go through one layer
before any goes through the next, because a layer stays in the processor's cache and a whole network does not. What
lies on a display is one of few things, so all that a display adds to anything is looked up. Loops are written out:
assigning a slice would allocate memory, and this runs where there is nobody to ask for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from azulejos.net import features as f
from azulejos.net.rows import add_rows, padded
from azulejos.rules.compiled import compiled, int64
from azulejos.rules.state import ACTIONS, CENTER, COLORS, DISPLAY_SIZE, DRAFTS, LINES, MAX_PLAYERS

Array = NDArray[np.float32]
"""Numbers as the network computes with them."""
Packed = NDArray[np.uint32]
"""A matrix as `rows.pack` lays it out."""

MARGIN_UNIT: Final = 20.0
"""The network's margin output times this is points."""
NOT_ASKED: Final = -1e9
"""The logit of an action that the position cannot have."""
SOURCE_LOGITS: Final = COLORS * LINES
"""Actions of one source."""
TILING_LOGITS: Final = ACTIONS - DRAFTS
"""Actions of a gray wall."""
CACHE_LINE: Final = 64
"""Bytes of a line of the processor's cache."""
EMPTY: Final = 0
"""The row of a display where nothing lies."""

Number = TypeVar("Number", bound=np.generic)
"""A kind of numbers."""


def aligned(array: NDArray[Number]) -> NDArray[Number]:
    """The same numbers where a line of the processor's cache begins: a vector that lies in two of them takes twice."""
    memory = np.empty(array.nbytes + CACHE_LINE, np.uint8)
    first = -memory.ctypes.data % CACHE_LINE
    copy = memory[first : first + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


class Layer(NamedTuple):
    """A matrix with a row for each of its inputs, and what is added to the product."""

    rows: Packed
    """The matrix, or one for each block."""
    bias: Array
    """What is added, with columns of zeros at the end as the matrix has."""


class Layers(NamedTuple):
    """A network's weights for games with a certain number of players."""

    contents: NDArray[np.int16]
    """From the counts of the colors on a display, as the digits of a number, to its row in the next two tables."""
    display_enter: Array
    """What a display adds to the trunk."""
    display_policy: Array
    """What a display adds to the trunk's word on drafts."""
    rest_scale: Array
    """What the features of the table and the boards are multiplied with."""
    inside: NDArray[np.int64]
    """[block]: columns between its halves that count."""
    rest: Layer
    """The table and the boards into the trunk."""
    center: Layer
    """What the center says by itself, from its features."""
    enter_center: Packed
    """The center into the trunk."""
    first: Layer
    """[block]: the first half of each residual block."""
    second: Layer
    """[block]: the second half of each residual block."""
    policy_trunk: Layer
    """What the trunk has to say about drafts."""
    policy_center: Packed
    """What the center adds to that."""
    drafts: Layer
    """From trunk and center to a logit for each color and line."""
    tiling: Layer
    """A logit for each cell of the gray wall."""
    value_trunk: Layer
    """What the trunk has to say about the outcome."""
    outcome: Layer
    """Win logits, then margins, the acting seat first."""


class Room(NamedTuple):
    """What the arithmetic writes on its way, for a batch of positions."""

    columns: NDArray[np.uint32]
    """Which inputs of a layer are not zero."""
    values: Array
    """The features of a position as numbers."""
    displays: NDArray[np.int16]
    """[position, display]: what lies there, as a row of the tables."""
    center: Array
    """[position, number]: the center."""
    h: Array
    """[position, number]: the trunk."""
    inner: Array
    """[position, number]: the trunk within a block."""
    context: Array
    """What the trunk says about drafts."""
    draft: Array
    """What trunk and source together say about drafts."""
    logits: Array
    """The logits of a source, or of the gray wall's cells."""
    value: Array
    """What the trunk says about the outcome."""
    outcome: Array
    """Win logits and margins."""

    @staticmethod
    def empty(layers: Layers, displays: int, batch: int) -> Room:
        """Room for so many positions with so many displays."""
        width, source, policy, value = (
            len(layer.bias) for layer in (layers.rest, layers.center, layers.policy_trunk, layers.value_trunk)
        )
        widest = max(len(layers.rest.rows), width, source, policy, value)  # nothing inside a block is wider
        zeros: Callable[..., Array] = lambda *shape: aligned(np.zeros(shape, np.float32))  # noqa: E731
        return Room(
            np.zeros(widest + 1, np.uint32),
            zeros(widest + 1),
            np.zeros((batch, displays), np.int16),
            zeros(batch, source),
            zeros(batch, width),
            zeros(batch, layers.first.bias.shape[1]),
            zeros(policy),
            zeros(policy),
            zeros(padded(max(SOURCE_LOGITS, TILING_LOGITS))),
            zeros(value),
            zeros(padded(2 * MAX_PLAYERS)),
        )


class Answers(NamedTuple):
    """What the network says of a batch: one row a position."""

    logits: Array
    """[position, action]; `NOT_ASKED` for actions that the position cannot have."""
    outcome: Array
    """[position, 0 or 1, turn]: share of the victory and margin in points, the acting seat's turn first."""


class ReadyNetwork(NamedTuple):
    """A network that is ready to answer for games with a certain number of players."""

    layers: Layers
    """The weights of the network."""
    room: Room
    """The memory in which it computes."""
    players: int
    """How many have an outcome."""
    answers: Answers
    """What it said of the last batch."""


@compiled
def find(x: Any, room: Any) -> int:
    """List which numbers are not zero; returns how many there are."""
    count = 0
    for at in range(len(x)):
        room.columns[count] = at
        count += 1 if x[at] != 0 else 0
    return count


@compiled
def find_positive(x: Any, room: Any) -> int:
    """Make negative numbers zero and list the others; returns how many there are."""
    for column in range(len(x)):
        x[column] = max(x[column], np.float32(0))
    return find(x, room)


@compiled
def _set(total: Any, numbers: Any) -> None:
    for at in range(len(total)):
        total[at] = numbers[at]


@compiled
def _add(total: Any, numbers: Any) -> None:
    for at in range(len(total)):
        total[at] += numbers[at]


@compiled
def _pass(room: Any, x: Any, count: int, rows: Any, bias: Any, total: Any) -> None:
    """Write what comes out of a layer if the listed numbers go in, so many."""
    _set(total, bias)
    add_rows(rows, room.columns, x, count, total)


@compiled
def evaluate(network: Any, x: Any, count: int) -> None:
    """Answer for the first rows of features, so many: `network.answers`."""
    layers, room = network.layers, network.room
    for b in range(count):
        _enter(layers, room, x[b], b)
    for block in range(len(layers.first.rows)):
        inside = int64(layers.inside[block])
        for b in range(count):
            found = find_positive(room.h[b], room)
            _pass(room, room.h[b], found, layers.first.rows[block], layers.first.bias[block], room.inner[b][:inside])
        for b in range(count):
            found = find_positive(room.inner[b][:inside], room)
            _add(room.h[b], layers.second.bias[block])
            add_rows(layers.second.rows[block], room.columns, room.inner[b], found, room.h[b])
    for b in range(count):
        _answer(network, x[b], b)


@compiled
def _answer(network: Any, x: Any, b: int) -> None:
    """From the trunk to logits and an outcome."""
    layers, room, logits = network.layers, network.room, network.answers.logits[b]
    found = find_positive(room.h[b], room)
    _pass(room, room.h[b], found, layers.value_trunk.rows, layers.value_trunk.bias, room.value)
    for action in range(ACTIONS):
        logits[action] = NOT_ASKED
    if x[f.PHASE_AT]:
        _pass(room, room.h[b], found, layers.tiling.rows, layers.tiling.bias, room.logits)
        for at in range(TILING_LOGITS):
            logits[DRAFTS + at] = room.logits[at]
    elif not x[f.PHASE_AT + 1]:
        _pass(room, room.h[b], found, layers.policy_trunk.rows, layers.policy_trunk.bias, room.context)
        _value_drafts(layers, room, b, logits)
    _write_outcome(layers, room, network.players, network.answers.outcome[b])


@compiled
def _enter(layers: Any, room: Any, x: Any, b: int) -> None:
    """From features to the trunk."""
    _set(room.h[b], layers.rest.bias)
    h, center = room.h[b][: layers.display_enter.shape[1]], room.center[b]
    for display in range(room.displays.shape[1]):
        room.displays[b, display] = layers.contents[_content(x, display)]
        _add(h, layers.display_enter[room.displays[b, display]])
    for at in range(len(layers.rest.rows)):
        room.values[at] = np.float32(x[f.TABLE_AT + at]) * layers.rest_scale[at]
    count = find(room.values[: len(layers.rest.rows)], room)
    add_rows(layers.rest.rows, room.columns, room.values, count, h)
    for at in range(f.CENTER_WIDTH):
        room.values[at] = x[f.CENTER_AT + at]
    count = find(room.values[: f.CENTER_WIDTH], room)
    _pass(room, room.values, count, layers.center.rows, layers.center.bias, center)
    count = find_positive(center, room)
    add_rows(layers.enter_center, room.columns, center, count, h)


@compiled
def _content(x: Any, display: int) -> int:
    """The counts of the colors on a display as the digits of a number."""
    number = 0
    for color in range(COLORS):
        count = 0
        for more in range(DISPLAY_SIZE):
            at = f.DISPLAYS_AT + display * f.DISPLAY_WIDTH + color * DISPLAY_SIZE + more
            count += (more + 1) * int64(x[at])
        number = number * (DISPLAY_SIZE + 1) + count
    return number


@compiled
def _value_drafts(layers: Any, room: Any, b: int, logits: Any) -> None:
    """The logits of the center and of all displays where something lies."""
    for source in range(1 + room.displays.shape[1]):
        _set(room.draft, room.context)
        if source == CENTER:
            count = find(room.center[b], room)
            add_rows(layers.policy_center, room.columns, room.center[b], count, room.draft)
        elif room.displays[b, source - 1] != EMPTY:
            _add(room.draft, layers.display_policy[room.displays[b, source - 1]])
        else:
            continue
        count = find_positive(room.draft, room)
        _pass(room, room.draft, count, layers.drafts.rows, layers.drafts.bias, room.logits)
        for at in range(SOURCE_LOGITS):
            logits[source * SOURCE_LOGITS + at] = room.logits[at]


@compiled
def _write_outcome(layers: Any, room: Any, players: int, outcome: Any) -> None:
    """Shares of the victory and margins in points, the acting seat first."""
    count = find_positive(room.value, room)
    _pass(room, room.value, count, layers.outcome.rows, layers.outcome.bias, room.outcome)
    highest = room.outcome[0]
    for turn in range(1, players):
        highest = max(highest, room.outcome[turn])
    weight = 0.0
    for turn in range(players):
        outcome[0, turn] = math.exp(room.outcome[turn] - highest)
        outcome[1, turn] = room.outcome[MAX_PLAYERS + turn] * MARGIN_UNIT
        weight += outcome[0, turn]
    for turn in range(players):
        outcome[0, turn] /= weight
