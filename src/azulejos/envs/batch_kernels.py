"""The CUDA kernels of `azulejos.envs.batch_cuda`: one thread a game, the games of a block side by side.

The functions of the games are those of the processor (`azulejos.envs.lane`). What stands here is how memory is moved.
A thread that reads its record where it lies shares no line of memory with its neighbors, and every field costs a warp
32 lines. So a block fetches the records of its games into shared memory with neighboring threads on neighboring words,
works there, and puts them back the same way; rows of masks and features are put together there too.

How much shared memory a block gets is said at the launch (`staged_bytes` and the other two), so one compiled kernel
serves blocks of 32, 64 and 128 threads. All arrays of unknown length there begin at the same place: that is how the
same bytes are words to those who move them and records or rows to those who work on them.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import config, cuda, from_dtype, int8, uint32, uint64

from azulejos.envs.lane import (
    ENDED,
    SAME_STEP,
    SELF_PLAY,
    begin_step,
    finish_step,
    open_lane,
    random_move,
    start,
    start_from,
    viewer,
    write_view,
)
from azulejos.rules.compiled import int64
from azulejos.rules.state import ACTIONS, STATE, WORDS
from azulejos.rules.turn import mark_legal

SIMULATED: Final = bool(config.ENABLE_CUDASIM)
"""Whether numba's simulator stands in for the device: for tests, on the processor and very slow."""
WORD: Final = 8
"""Bytes that a thread moves at once."""
STRIDE: Final = WORDS + 1
"""Words from one record in shared memory to the next: one more, so that equal fields are spread over the banks. A warp
moves a record with each of its 32 threads on one word."""
_FIELDS: Final[Any] = STATE.fields
_LAYOUT: Final[Any] = {
    "names": list(_FIELDS),
    "formats": [kind for kind, _ in _FIELDS.values()],
    "offsets": [offset for _, offset in _FIELDS.values()],
    "itemsize": STRIDE * WORD,
}
_STAGED: Final = np.dtype((np.record, np.dtype(_LAYOUT, align=True)))
RECORD: Final = _STAGED if SIMULATED else from_dtype(_STAGED)
"""A state in shared memory: the record with one more word behind it."""


def staged_bytes(threads: int) -> int:
    """Shared memory for the records of a block."""
    return threads * STRIDE * WORD


def masks_bytes(threads: int) -> int:
    """Shared memory for the masks of a block, in whole words."""
    return -(-threads * ACTIONS // WORD) * WORD


def features_bytes(threads: int, width: int) -> int:
    """Shared memory for the records and so many features of each game of a block."""
    return staged_bytes(threads) + threads * width


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def _fetch(words: Any, todo: Any, first: int, count: int) -> None:
    """Records into shared memory: `count` games from number `first` on, or those at these places of a list.

    Each warp fetches those of its own threads. The numbers are unsigned, for of others numba asks at each access
    whether they count from the end; with that question left out, many words are under way at once.
    """
    tile = cuda.shared.array(0, uint64)
    word = uint32(cuda.threadIdx.x) % uint32(WORDS)
    at = uint32(cuda.threadIdx.x) - word
    end = min(at + uint32(WORDS), uint32(count))
    while at < end:
        t = uint64(first) + at if todo is None else uint64(todo[uint64(first) + at])
        tile[at * uint32(STRIDE) + word] = words[t, word]
        at += uint32(1)
    cuda.syncthreads()


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def _put(words: Any, todo: Any, first: int, count: int) -> None:
    """Write the states of a block of threads back to where they came from."""
    cuda.syncthreads()
    tile = cuda.shared.array(0, uint64)
    word = uint32(cuda.threadIdx.x) % uint32(WORDS)
    at = uint32(cuda.threadIdx.x) - word
    end = min(at + uint32(WORDS), uint32(count))
    while at < end:
        t = uint64(first) + at if todo is None else uint64(todo[uint64(first) + at])
        words[t, word] = tile[at * uint32(STRIDE) + word]
        at += uint32(1)


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def _put_rows(rows: Any, width: int, first: int, count: int, skipped: int) -> None:
    """Rows of bytes that lie in shared memory without gaps, behind some words; those of a block are whole words."""
    cuda.syncthreads()
    tile = cuda.shared.array(0, uint64)
    begin = uint64(first * width // WORD)
    i = uint32(cuda.threadIdx.x)
    end = uint32(-(-count * width // WORD))
    while i < end:  # a range with this step would cost a division
        rows[begin + i] = tile[uint32(skipped) + i]
        i += uint32(cuda.blockDim.x)


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def _count_from(first: int, games: int) -> int:
    """How many games the block has."""
    return max(0, min(int64(cuda.blockDim.x), games - first))


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def _tell(
    t: int, lanes: Any, rules: Any, rewards: Any, reward: Any, terminated: Any, illegal: Any, again: Any, counts: Any
) -> None:
    """What the step brought; a game to start again in the same step is listed."""
    learns = rules[0].opponents != SELF_PLAY
    over = lanes[t].over == ENDED
    reward[t] = rewards[t, int64(lanes[t].seat if learns else lanes[t].actor)]
    terminated[t] = 1 if over else 0
    illegal[t] = lanes[t].illegal
    if over and rules[0].autoreset == SAME_STEP:
        again[cuda.atomic.add(counts, 1, 1)] = t


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def _mark(state: Any, lane: Any, mask: Any) -> None:
    """What `write_mask` writes, into zeros."""
    if lane.over == ENDED:
        for action in range(ACTIONS):
            mask[action] = 1
    else:
        mark_legal(state, mask)


@cuda.jit  # type: ignore[untyped-decorator]
def open_lanes(lanes: Any, rules: Any) -> None:
    """Seed the streams."""
    t = cuda.grid(1)
    if t < lanes.shape[0]:
        open_lane(lanes[t], rules[0], t)


@cuda.jit  # type: ignore[untyped-decorator]
def start_games(states: Any, lanes: Any, rules: Any, position: Any, given: int, further: int) -> None:
    """Start all games, from a position if one is given."""
    t = cuda.grid(1)
    if t < states.shape[0]:
        lanes[t].game += further
        if given:
            states[t] = position[0]
            start_from(states[t], lanes[t], rules[0])
        else:
            start(states[t], lanes[t], rules[0])


@cuda.jit  # type: ignore[untyped-decorator]
def begin_steps(
    words: Any,
    lanes: Any,
    rules: Any,
    actions: Any,
    rewards: Any,
    reward: Any,
    terminated: Any,
    illegal: Any,
    todo: Any,
    again: Any,
    counts: Any,
) -> None:
    """The decisions. Games with more to do are listed, so that the long way round is walked by whole warps."""
    first = cuda.blockIdx.x * cuda.blockDim.x
    count = _count_from(first, lanes.shape[0])
    _fetch(words, None, first, count)
    at, states = cuda.threadIdx.x, cuda.shared.array(0, RECORD)
    if at < count:
        t = first + at
        if begin_step(states[at], lanes[t], rules[0], int64(actions[t]), rewards[t]):
            todo[cuda.atomic.add(counts, 0, 1)] = t
        else:
            _tell(t, lanes, rules, rewards, reward, terminated, illegal, again, counts)
    _put(words, None, first, count)


@cuda.jit  # type: ignore[untyped-decorator]
def finish_steps(
    words: Any,
    lanes: Any,
    rules: Any,
    rewards: Any,
    reward: Any,
    terminated: Any,
    illegal: Any,
    todo: Any,
    again: Any,
    counts: Any,
) -> None:
    """What follows from the decisions, in the games that were listed."""
    first = cuda.blockIdx.x * cuda.blockDim.x
    count = _count_from(first, counts[0])
    if count == 0:
        return
    _fetch(words, todo, first, count)
    at, states = cuda.threadIdx.x, cuda.shared.array(0, RECORD)
    if at < count:
        t = todo[first + at]
        finish_step(states[at], lanes[t], rules[0], lanes.shape[0], rewards[t])
        _tell(t, lanes, rules, rewards, reward, terminated, illegal, again, counts)
    _put(words, todo, first, count)


@cuda.jit  # type: ignore[untyped-decorator]
def start_again(
    words: Any, lanes: Any, rules: Any, final_words: Any, final_features: Any, seen: int, again: Any, counts: Any
) -> None:
    """Keep the last states of the games that ended, and start the next ones."""
    first = cuda.blockIdx.x * cuda.blockDim.x
    count = _count_from(first, counts[1])
    if count == 0:
        return
    _fetch(words, again, first, count)
    _put(final_words, again, first, count)
    cuda.syncthreads()
    at, states = cuda.threadIdx.x, cuda.shared.array(0, RECORD)
    if at < count:
        t = again[first + at]
        if seen:
            write_view(states[at], viewer(states[at], lanes[t], rules[0]), final_features[t])
        lanes[t].game += lanes.shape[0]
        start(states[at], lanes[t], rules[0])
    _put(words, again, first, count)


@cuda.jit  # type: ignore[untyped-decorator]
def show_masks(states: Any, lanes: Any, rules: Any, seats: Any, masks: Any, counts: Any) -> None:
    """The legal actions; and the lists of the next step are empty."""
    first = cuda.blockIdx.x * cuda.blockDim.x
    count = _count_from(first, states.shape[0])
    tile, at = cuda.shared.array(0, uint64), cuda.threadIdx.x
    i, end = uint32(at), uint32(-(-count * ACTIONS // WORD))
    while i < end:
        tile[i] = 0
        i += uint32(cuda.blockDim.x)
    cuda.syncthreads()
    if at < count:
        t = first + at
        seats[t] = viewer(states[t], lanes[t], rules[0])
        _mark(states[t], lanes[t], cuda.shared.array(0, int8)[at * ACTIONS : (at + 1) * ACTIONS])
    _put_rows(masks, ACTIONS, first, count, 0)
    if first + at < counts.shape[0]:
        counts[first + at] = 0


@cuda.jit  # type: ignore[untyped-decorator]
def show_features(words: Any, seats: Any, features: Any, width: int) -> None:
    """What is seen, so many bytes of each game, written behind the records of the block."""
    first = cuda.blockIdx.x * cuda.blockDim.x
    count = _count_from(first, seats.shape[0])
    _fetch(words, None, first, count)
    at, states, tile = cuda.threadIdx.x, cuda.shared.array(0, RECORD), cuda.shared.array(0, int8)
    if at < count:
        row = cuda.blockDim.x * STRIDE * WORD + at * width
        write_view(states[at], int64(seats[first + at]), tile[row : row + width])
    _put_rows(features, width, first, count, cuda.blockDim.x * STRIDE)


@cuda.jit  # type: ignore[untyped-decorator]
def sample_actions(words: Any, lanes: Any, actions: Any) -> None:
    """A random legal action for every game; it leaves the records as they are."""
    first = cuda.blockIdx.x * cuda.blockDim.x
    count = _count_from(first, lanes.shape[0])
    _fetch(words, None, first, count)
    at, states = cuda.threadIdx.x, cuda.shared.array(0, RECORD)
    if at < count:
        t = first + at
        actions[t] = 0
        if lanes[t].over != ENDED:
            actions[t] = random_move(states[at], lanes[t])
