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

from collections.abc import Callable
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from azulejos.envs.missing import missing

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba-cuda still asks NumPy for it

try:
    from numba import cuda
except ImportError as fault:
    raise missing(__name__, "numba-cuda", fault) from fault

from azulejos.envs import batch_kernels as kernels
from azulejos.envs.batch import MOST_GAMES
from azulejos.envs.batch_kernels import SIMULATED, WORD
from azulejos.envs.dlpack import CPU, CUDA, Borrowed, SharedArray
from azulejos.envs.lane import GOING_ON, LANE
from azulejos.envs.settings import EnvSettings, check_count, states_at
from azulejos.rules.state import ACTIONS, STATE, WORDS

KIND: Final = CPU if SIMULATED else CUDA
"""DLPack's number for where the arrays are."""
BLOCK_SIZES: Final = (32, 64, 128)
"""Threads that a block may have: whole warps, and what they need of shared memory is given unasked."""
FEATURE_THREADS: Final = 32
"""Threads of a block that writes features: it needs more shared memory for each."""


def is_available() -> bool:
    """Whether a CUDA device can be used."""
    return bool(cuda.is_available())


class CudaBatch:
    """Games in lockstep on the device; options and arrays are those of `Batch`, the arrays as `SharedArray`."""

    threads: ClassVar[int] = 64
    """Threads of a block: 32, 64 or 128. It changes the speed and nothing else."""

    def __init__(self, games: int, **options: Any) -> None:
        """Make room for so many games; `reset` starts them."""
        self.games = check_count("games", games, 1, MOST_GAMES)
        """How many games there are."""
        self.settings = EnvSettings.of(options)
        """The options, checked."""
        if self.threads not in BLOCK_SIZES:
            raise ValueError(f"threads must be one of {', '.join(map(str, BLOCK_SIZES))}, not {self.threads}")
        if not is_available():
            raise RuntimeError("CudaBatch needs a CUDA device, and none was found")
        same_step, width = self.settings.autoreset == "same_step", max(self.settings.width, 1)
        rows = games if self.settings.width else 1  # a device has no arrays without elements
        self._words = _zeros((games, WORDS), np.uint64)
        self._states = self._words.view(STATE).reshape(games)  # the same memory
        self._lanes = _zeros(games, LANE)
        self._rules = cuda.to_device(self.settings.rules(0))
        self._masks, self._features = _rows(games, ACTIONS), _rows(rows, width)
        self._seats, self._illegal = _zeros(games, np.int8), _zeros(games, np.int8)
        self._reward, self._terminated = _zeros(games, np.float32), _zeros(games, np.uint8)
        self._rewards = _zeros((games, self.settings.num_players), np.float32)
        self._final_words = _zeros((games if same_step else 1, WORDS), np.uint64)
        self._final_features = _zeros((rows if same_step else 1, width), np.int8)
        self._actions = _zeros(games, np.int64)
        self._todo, self._again, self._counts = _zeros(games, np.int32), _zeros(games, np.int32), _zeros(2, np.int32)
        self._was_reset = False
        self._held: tuple[Any, ...] = ()
        self._share()

    def _share(self) -> None:
        self.masks = _shared(self._masks, (self.games, ACTIONS), np.int8)
        self.seats, self.illegal, self.reward = map(_shared, (self._seats, self._illegal, self._reward))
        self.rewards, self.terminated = _shared(self._rewards), _shared(self._terminated)
        self.records = _shared(self._words, (self.games, STATE.itemsize), np.uint8)
        self.observations: SharedArray | None = None
        self.final_observations: SharedArray | None = None
        same_step = self.settings.autoreset == "same_step"
        if width := self.settings.width:
            self.observations = _shared(self._features, (self.games, width), np.int8)
            self.final_observations = _shared(self._final_features) if same_step else None
        elif self.settings.observation == "record":
            self.observations = self.records
            self.final_observations = _shared(self._final_words, self.records.shape, np.uint8) if same_step else None

    def reset(self, seed: int | None = None, position: str | None = None) -> None:
        """Start all games, afresh or from a position line; without a seed the series goes on."""
        further = 0
        if seed is not None or not self._was_reset:
            self._rules = cuda.to_device(self.settings.rules(seed))
            kernels.open_lanes[self._blocks()](self._lanes, self._rules)
        else:
            further = self.games
        given = np.zeros(1, STATE)
        if position is not None:
            settings = self.settings
            given[0] = states_at(position, settings.num_players, settings.wall, settings.max_rounds, 0)[0]
        kernels.start_games[self._blocks()](
            self._states, self._lanes, self._rules, cuda.to_device(given), int(position is not None), further
        )
        for told in (self._reward, self._rewards, self._terminated, self._illegal):
            told.copy_to_device(np.zeros(told.shape, told.dtype))
        self._show()
        self._was_reset = True
        if position is not None and (self._lanes.copy_to_host()["over"] != GOING_ON).any():
            raise ValueError(f"the game can end before seat {self.settings.seat} acts in the position {position!r}")

    def step(self, actions: Any) -> None:
        """One action in every game, as an array on the device: by DLPack, or one of numba's own."""
        self._check_reset()
        numbers = self._borrow(actions)
        words, lanes, rules, rewards = self._words, self._lanes, self._rules, self._rewards
        told = (self._reward, self._terminated, self._illegal)
        lists = (self._todo, self._again, self._counts)
        launch = self._blocks(kernels.staged_bytes)
        kernels.begin_steps[launch](words, lanes, rules, numbers, rewards, *told, *lists)
        kernels.finish_steps[launch](words, lanes, rules, rewards, *told, *lists)
        if self.settings.autoreset == "same_step":
            seen = int(self.settings.width > 0)
            kernels.start_again[launch](
                words, lanes, rules, self._final_words, self._final_features, seen, self._again, self._counts
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
        kernels.show_masks[self._blocks(kernels.masks_bytes)](
            self._states, self._lanes, self._rules, self._seats, self._masks, self._counts
        )
        if width := self.settings.width:
            blocks = -(-self.games // FEATURE_THREADS)
            kernels.show_features[blocks, FEATURE_THREADS, 0, kernels.features_bytes(FEATURE_THREADS, width)](
                self._words, self._seats, self._features, width
            )

    def _blocks(self, memory: Callable[[int], int] = lambda _: 0) -> tuple[int, int, int, int]:
        """How a kernel is launched: blocks, threads of each, the default stream, shared memory of each."""
        return -(-self.games // self.threads), self.threads, 0, memory(self.threads)

    def sample(self) -> Any:
        """A random legal action for every game, the same as from `Batch`, as an array of numba's on the device."""
        self._check_reset()
        kernels.sample_actions[self._blocks(kernels.staged_bytes)](self._words, self._lanes, self._actions)
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


def _rows(count: int, width: int) -> Any:
    """Room for so many rows of bytes, in whole words."""
    return _zeros(-(-count * width // WORD), np.uint64)


def _shared(array: Any, shape: tuple[int, ...] | None = None, dtype: Any = None) -> SharedArray:
    """A device array for other libraries, as rows of another type if one is given."""
    interface = array.__array_interface__ if SIMULATED else array.__cuda_array_interface__
    device = (KIND, 0 if SIMULATED else cuda.get_current_device().id)
    address = interface["data"][0]
    return SharedArray(address, shape or array.shape, dtype or array.dtype, array, device, cuda.synchronize)
