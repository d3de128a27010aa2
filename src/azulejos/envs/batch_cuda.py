"""The batch of `azulejos.envs.batch` on a CUDA device: the same games from the same seed, all arrays in its memory.

    import torch
    from azulejos.envs.batch_cuda import CudaBatch

    batch = CudaBatch(1 << 20, reward="margin")
    batch.reset(seed=1)
    masks = torch.from_dlpack(batch.masks)              # no copy: every step writes into the same memory
    observations = torch.from_dlpack(batch.observations)
    batch.step(masks.float().multinomial(1)[:, 0])      # any library's array on the device; again no copy

It needs numba-cuda and a device; PyTorch, JAX or CuPy only if you use them. All kernels run on the default stream.
JAX takes arrays to be constant: import them anew after every step, and copy what has to outlive the next one.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from azulejos.envs.missing import missing

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba-cuda still asks NumPy for it

try:
    from numba import config, cuda, int8
except ImportError as fault:
    raise missing(__name__, "numba-cuda", fault) from fault

from azulejos.envs.batch import MOST_GAMES
from azulejos.envs.dlpack import CPU, CUDA, Borrowed, SharedArray
from azulejos.envs.lane import (
    ENDED,
    GOING_ON,
    LANE,
    SAME_STEP,
    SELF_PLAY,
    begin_step,
    finish_step,
    open_lane,
    random_move,
    start,
    start_from,
    viewer,
    write_mask,
    write_view,
)
from azulejos.envs.settings import Settings, check_count, states_at
from azulejos.net.features import FEATURES
from azulejos.rules.compiled import int64
from azulejos.rules.state import ACTIONS, STATE

THREADS: Final = 128
"""Threads of a block."""
TILE: Final = 32
"""Games whose rows are put together in shared memory before they are written."""
PADDED: Final = TILE + 1
"""One more, so that the threads that write a row out read from different banks."""
SIMULATED: Final = bool(config.ENABLE_CUDASIM)
"""Whether numba's simulator stands in for the device: for tests, on the processor and very slow."""
KIND: Final = CPU if SIMULATED else CUDA
"""DLPack's number for where the arrays are."""


@cuda.jit  # type: ignore[untyped-decorator]
def _open(lanes: Any, rules: Any) -> None:
    t = cuda.grid(1)
    if t < lanes.shape[0]:
        open_lane(lanes[t], rules[0], t)


@cuda.jit  # type: ignore[untyped-decorator]
def _start(states: Any, lanes: Any, rules: Any, position: Any, given: int, further: int) -> None:
    t = cuda.grid(1)
    if t < states.shape[0]:
        lanes[t].game += further
        if given:
            states[t] = position[0]
            start_from(states[t], lanes[t], rules[0])
        else:
            start(states[t], lanes[t], rules[0])


@cuda.jit  # type: ignore[untyped-decorator]
def _clear(counts: Any) -> None:
    counts[cuda.grid(1)] = 0


@cuda.jit  # type: ignore[untyped-decorator]
def _begin(states: Any, lanes: Any, rules: Any, actions: Any, rewards: Any, todo: Any, counts: Any) -> None:
    """The decisions. Games with more to do are listed, so that the long way round is walked by whole warps."""
    t = cuda.grid(1)
    if t < states.shape[0] and begin_step(states[t], lanes[t], rules[0], int64(actions[t]), rewards[t]):
        todo[cuda.atomic.add(counts, 0, 1)] = t


@cuda.jit  # type: ignore[untyped-decorator]
def _finish(states: Any, lanes: Any, rules: Any, rewards: Any, todo: Any, counts: Any) -> None:
    i = cuda.grid(1)
    if i < counts[0]:
        t = todo[i]
        finish_step(states[t], lanes[t], rules[0], states.shape[0], rewards[t])


@cuda.jit  # type: ignore[untyped-decorator]
def _tell(
    lanes: Any, rules: Any, rewards: Any, reward: Any, terminated: Any, illegal: Any, todo: Any, counts: Any
) -> None:
    """What the step brought; games to start again in the same step are listed."""
    t = cuda.grid(1)
    if t < lanes.shape[0]:
        learns = rules[0].opponents != SELF_PLAY
        reward[t] = rewards[t, int64(lanes[t].seat if learns else lanes[t].actor)]
        terminated[t] = 1 if lanes[t].over == ENDED else 0
        illegal[t] = lanes[t].illegal
        if terminated[t] and rules[0].autoreset == SAME_STEP:
            todo[cuda.atomic.add(counts, 1, 1)] = t


@cuda.jit  # type: ignore[untyped-decorator]
def _start_again(
    states: Any, lanes: Any, rules: Any, final_states: Any, final_features: Any, seen: int, todo: Any, counts: Any
) -> None:
    i = cuda.grid(1)
    if i < counts[1]:
        t = todo[i]
        final_states[t] = states[t]
        if seen:
            write_view(states[t], viewer(states[t], lanes[t], rules[0]), final_features[t])
        lanes[t].game += states.shape[0]
        start(states[t], lanes[t], rules[0])


@cuda.jit  # type: ignore[untyped-decorator]
def _show_masks(states: Any, lanes: Any, rules: Any, seats: Any, masks: Any) -> None:
    """Rows are built side by side in shared memory and written out one after the other, in whole lines of memory."""
    tile = cuda.shared.array((ACTIONS, PADDED), int8)
    at, first = cuda.threadIdx.x, cuda.blockIdx.x * TILE
    t = first + at
    if t < states.shape[0]:
        seats[t] = viewer(states[t], lanes[t], rules[0])
        write_mask(states[t], lanes[t], tile[:, at])
    cuda.syncthreads()
    for i in range(at, min(TILE, states.shape[0] - first) * ACTIONS, TILE):
        masks[first + i // ACTIONS, i % ACTIONS] = tile[i % ACTIONS, i // ACTIONS]


@cuda.jit  # type: ignore[untyped-decorator]
def _show_features(states: Any, seats: Any, features: Any) -> None:
    tile = cuda.shared.array((FEATURES, PADDED), int8)
    at, first = cuda.threadIdx.x, cuda.blockIdx.x * TILE
    t = first + at
    if t < states.shape[0]:
        write_view(states[t], int64(seats[t]), tile[:, at])
    cuda.syncthreads()
    for i in range(at, min(TILE, states.shape[0] - first) * FEATURES, TILE):
        features[first + i // FEATURES, i % FEATURES] = tile[i % FEATURES, i // FEATURES]


@cuda.jit  # type: ignore[untyped-decorator]
def _sample(states: Any, lanes: Any, actions: Any) -> None:
    t = cuda.grid(1)
    if t < states.shape[0]:
        actions[t] = 0
        if lanes[t].over != ENDED:
            actions[t] = random_move(states[t], lanes[t])


def is_available() -> bool:
    """Whether a CUDA device can be used."""
    return bool(cuda.is_available())


class CudaBatch:
    """Games in lockstep on the device; options and arrays are those of `Batch`, the arrays as `SharedArray`."""

    def __init__(self, games: int, **options: Any) -> None:
        """Make room for so many games; `reset` starts them."""
        self.games = check_count("games", games, 1, MOST_GAMES)
        """How many games there are."""
        self.settings = Settings.of(options)
        """The options, checked."""
        if not is_available():
            raise RuntimeError("CudaBatch needs a CUDA device, and none was found")
        seen, same_step = self.settings.observation, self.settings.autoreset == "same_step"
        rows = games if seen == "features" else 1  # a device has no arrays without elements
        self._states = _zeros(games, STATE)
        self._lanes = _zeros(games, LANE)
        self._rules = cuda.to_device(self.settings.rules(0))
        self._masks, self._features = _zeros((games, ACTIONS), np.int8), _zeros((rows, FEATURES), np.int8)
        self._seats, self._illegal = _zeros(games, np.int8), _zeros(games, np.int8)
        self._reward, self._terminated = _zeros(games, np.float32), _zeros(games, np.uint8)
        self._rewards = _zeros((games, self.settings.num_players), np.float32)
        self._final_states = _zeros(games if same_step else 1, STATE)
        self._final_features = _zeros((rows if same_step else 1, FEATURES), np.int8)
        self._actions, self._todo, self._counts = _zeros(games, np.int64), _zeros(games, np.int32), _zeros(2, np.int32)
        self._was_reset = False
        self._held: tuple[Any, ...] = ()
        self._share()

    def _share(self) -> None:
        seen, final = self.settings.observation, self.settings.autoreset == "same_step"
        self.masks, self.seats, self.illegal = map(_shared, (self._masks, self._seats, self._illegal))
        self.reward, self.rewards, self.terminated = map(_shared, (self._reward, self._rewards, self._terminated))
        self.records = _shared(self._states)
        arrays = {"features": _shared(self._features), "record": self.records, None: None}
        finals = {"features": _shared(self._final_features), "record": _shared(self._final_states), None: None}
        self.observations = arrays[seen]
        self.final_observations = finals[seen] if final else None

    def reset(self, seed: int | None = None, position: str | None = None) -> None:
        """Start all games, afresh or from a position line; without a seed the series goes on."""
        further = 0
        if seed is not None or not self._was_reset:
            self._rules = cuda.to_device(self.settings.rules(seed))
            _open[_blocks(self.games), THREADS](self._lanes, self._rules)
        else:
            further = self.games
        given = np.zeros(1, STATE)
        if position is not None:
            settings = self.settings
            given[0] = states_at(position, settings.num_players, settings.wall, settings.max_rounds, 0)[0]
        _start[_blocks(self.games), THREADS](
            self._states, self._lanes, self._rules, cuda.to_device(given), int(position is not None), further
        )
        self._show()
        self._was_reset = True
        if position is not None and (self._lanes.copy_to_host()["over"] != GOING_ON).any():
            raise ValueError(f"the game can end before seat {self.settings.seat} acts in the position {position!r}")

    def step(self, actions: Any) -> None:
        """One action in every game, as an array on the device: by DLPack, or one of numba's own."""
        self._check_reset()
        numbers = self._borrow(actions)
        blocks = _blocks(self.games)
        states, lanes, rules, todo, counts = self._states, self._lanes, self._rules, self._todo, self._counts
        _clear[1, 2](counts)
        _begin[blocks, THREADS](states, lanes, rules, numbers, self._rewards, todo, counts)
        _finish[blocks, THREADS](states, lanes, rules, self._rewards, todo, counts)
        _tell[blocks, THREADS](lanes, rules, self._rewards, self._reward, self._terminated, self._illegal, todo, counts)
        if self.settings.autoreset == "same_step":
            seen = int(self.settings.observation == "features")
            _start_again[blocks, THREADS](
                states, lanes, rules, self._final_states, self._final_features, seen, todo, counts
            )
        self._show()

    def _borrow(self, actions: Any) -> Any:
        if actions is self._actions:
            return actions
        array = Borrowed(actions) if hasattr(actions, "__dlpack__") else actions
        shape, dtype = getattr(array, "shape", None), getattr(array, "dtype", None)
        on_device = hasattr(array, "__cuda_array_interface__") and getattr(array, "device", (KIND, 0))[0] == KIND
        if not on_device or shape != (self.games,) or not np.issubdtype(np.dtype(dtype), np.integer):
            raise ValueError(
                f"expected {self.games} whole numbers on the CUDA device as actions, got {type(actions).__name__} "
                f"of the shape {shape} and type {dtype}"
            )
        self._held = (*self._held[-1:], array)  # kernels run later than this call: what they read must live on
        return actions if SIMULATED else cuda.as_cuda_array(array)

    def _show(self) -> None:
        tiles = -(-self.games // TILE)
        _show_masks[tiles, TILE](self._states, self._lanes, self._rules, self._seats, self._masks)
        if self.settings.observation == "features":
            _show_features[tiles, TILE](self._states, self._seats, self._features)

    def sample(self) -> Any:
        """A random legal action for every game, the same as from `Batch`, as an array of numba's on the device."""
        self._check_reset()
        _sample[_blocks(self.games), THREADS](self._states, self._lanes, self._actions)
        return self._actions

    def states(self) -> NDArray[Any]:
        """A copy of all states in the processor's memory."""
        states: NDArray[Any] = self._states.copy_to_host()
        return states

    @staticmethod
    def synchronize() -> None:
        """Wait until the device has done all it was asked to do."""
        cuda.synchronize()

    def _check_reset(self) -> None:
        if not self._was_reset:
            raise RuntimeError("reset() the batch before its first step")


def _zeros(shape: int | tuple[int, int], dtype: Any) -> Any:
    return cuda.to_device(np.zeros(shape, dtype))


def _blocks(games: int) -> int:
    return -(-games // THREADS)


def _shared(array: Any) -> SharedArray:
    """A device array for other libraries; records become rows of bytes."""
    shape, dtype = array.shape, array.dtype
    if dtype.names:
        shape, dtype = (*shape, dtype.itemsize), np.dtype(np.uint8)
    interface = array.__array_interface__ if SIMULATED else array.__cuda_array_interface__
    device = (KIND, 0 if SIMULATED else cuda.get_current_device().id)
    return SharedArray(interface["data"][0], shape, dtype, array, device, cuda.synchronize)
