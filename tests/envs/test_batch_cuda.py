"""The batch on a CUDA device, in numba's simulator of one, and the exchange of arrays."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from azulejos.envs import dlpack
from azulejos.envs.dlpack import CPU, CUDA, Borrowed, SharedArray

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "environments.py"


def simulated(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A run of Python with the simulator, the rules as plain Python."""
    settings = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "ignore", *arguments]
    return subprocess.run(command, env=settings, capture_output=True, text=True, check=False)


def test_the_kernels_play_what_the_processor_plays() -> None:
    done = simulated(str(BENCHMARK), "--device", "cuda", "--only-compare", "--compare", "3", "--steps", "6")
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) == 6
    assert all(line.startswith("equal after 6 steps of 3 games") for line in lines)
    assert sum("0 ends of games" not in line for line in lines) >= 2


def test_games_in_several_blocks_are_the_same() -> None:
    size = ("--compare", "34", "--steps", "2", "--threads", "32")  # two blocks, one of them with two games
    done = simulated(str(BENCHMARK), "--device", "cuda", "--only-compare", *size)
    assert done.stderr == ""
    assert done.stdout.count("equal after 2 steps of 34 games") == 6


CALLS = """
import numpy as np
from azulejos.envs.batch_cuda import CudaBatch
batch = CudaBatch(2, observation=None)
def told(run):
    try:
        run()
    except Exception as fault:
        print(type(fault).__name__, fault)
told(lambda: batch.step(np.zeros(2, int)))
told(lambda: CudaBatch(2, opponents="level3"))
batch.reset(seed=1)
for wrong in (np.zeros(3, int), np.zeros(2), [1, 2]):
    told(lambda: batch.step(wrong))
masks = np.from_dlpack(batch.masks)
for _ in range(3):
    batch.step(masks.argmax(1))
    assert not np.from_dlpack(batch.illegal).any()
assert masks.ctypes.data == np.from_dlpack(batch.masks).ctypes.data
batch.step(masks.argmin(1))
told_of_step = [np.from_dlpack(each) for each in (batch.illegal, batch.terminated, batch.reward)]
assert all(each.all() for each in told_of_step)
batch.reset()
assert not any(each.any() for each in (*told_of_step, np.from_dlpack(batch.rewards)))
print(batch._lanes.copy_to_host()["game"].tolist())
CudaBatch.threads = 48
told(lambda: CudaBatch(2))
"""


def test_wrong_calls_are_told_and_masks_are_shared() -> None:
    done = simulated("-c", CALLS)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == "RuntimeError reset() the batch before its first step"
    assert lines[1] == "ValueError opponents must be one of None, 'random', 'greedy', not 'level3'"
    assert [line[:52] for line in lines[2:5]] == ["ValueError expected 2 whole numbers on the CUDA devi"] * 3
    assert lines[5:] == ["[2, 3]", "ValueError threads must be one of 32, 64, 128, not 48"]


def shared(array: np.ndarray[tuple[int, ...], np.dtype[np.int16]], device: tuple[int, int] = (CPU, 0)) -> SharedArray:
    return SharedArray(array.ctypes.data, array.shape, array.dtype, array, device)


def test_an_array_is_shared_without_a_copy_and_kept_alive() -> None:
    array = np.arange(12, dtype=np.int16).reshape(3, 4)
    before = len(dlpack._alive)
    seen = np.from_dlpack(shared(array))  # type: ignore[arg-type]  # newer than its annotations
    assert np.shares_memory(seen, array)
    assert seen.tolist() == array.tolist()
    array[1, 1] = -5
    assert seen[1, 1] == -5
    assert len(dlpack._alive) == before + 1
    del array
    gc.collect()
    assert seen[2].tolist() == [8, 9, 10, 11]
    del seen
    assert len(dlpack._alive) == before


def test_a_capsule_that_nobody_takes_lets_go() -> None:
    before = len(dlpack._alive)
    capsule = shared(np.zeros(3, np.int16)).__dlpack__()
    assert len(dlpack._alive) == before + 1
    del capsule
    assert len(dlpack._alive) == before


def test_arrays_of_others_are_read() -> None:
    array = np.arange(5, dtype=np.int64)
    borrowed = Borrowed(array)
    assert (borrowed.address, borrowed.shape, borrowed.dtype) == (array.ctypes.data, (5,), np.dtype(np.int64))
    with pytest.raises(ValueError, match="make it contiguous"):
        Borrowed(np.arange(10)[::2])
    with pytest.raises(TypeError, match="expected whole numbers"):
        Borrowed(np.zeros(3, np.bool_))


def test_what_cannot_be_shared_is_told() -> None:
    with pytest.raises(TypeError, match="numbers of the type bool cannot be shared"):
        SharedArray(0, (1,), np.bool_, None, (CPU, 0))
    with pytest.raises(BufferError):
        shared(np.zeros(2, np.int16)).__dlpack__(copy=True)
    assert not hasattr(shared(np.zeros(2, np.int16)), "__cuda_array_interface__")
    there = shared(np.zeros(2, np.int16), (CUDA, 0))
    assert there.__dlpack_device__() == (CUDA, 0)
    assert there.__cuda_array_interface__["typestr"] == "<i2"
