"""A CUDA device played by the processor, for machines that have none: kernels go through their threads one by one.

What it cannot show is what only a device does: types that its compiler refuses, streams, and a recorded graph.
"""

from __future__ import annotations

import contextlib
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch.overrides import TorchFunctionMode


class Kernel:
    """A kernel that is started with `kernel[blocks, threads](...)`."""

    thread = 0

    def __init__(self, function: Callable[..., None]) -> None:
        self._function = function

    def __getitem__(self, shape: tuple[int, ...]) -> Callable[..., None]:
        def start(*arguments: Any) -> None:
            for Kernel.thread in range(shape[0] * shape[1]):
                self._function(*arguments)

        return start


def fake_numba_cuda() -> types.ModuleType:
    """What the kernels and self-play use of `numba.cuda`."""
    cuda: Any = types.ModuleType("numba.cuda")

    def jit(function: Any = None, *, device: bool = False) -> Any:
        if device:
            return lambda function: function
        return Kernel(function)

    def add(array: Any, at: int, value: int) -> None:
        array[at] += value

    cuda.jit, cuda.atomic = jit, types.SimpleNamespace(add=add)
    cuda.grid = lambda _: Kernel.thread
    cuda.device_array = np.zeros
    cuda.to_device = np.copy
    cuda.as_cuda_array = lambda tensor: tensor.numpy()
    cuda.external_stream = cuda.defer_cleanup = lambda *_: contextlib.nullcontext()
    return cuda


class OnProcessor(TorchFunctionMode):
    """Puts on the processor whatever asks for a CUDA device."""

    def __torch_function__(self, function: Any, kinds: Any, arguments: Any = (), named: Any = None) -> Any:
        if function is torch.Tensor.cuda:
            return arguments[0]
        if function is torch.device:  # what is asked for is known by its name
            return function(*arguments)
        named = {name: _here(value) for name, value in (named or {}).items()}
        return function(*map(_here, arguments), **named)


def _here(value: Any) -> Any:
    if isinstance(value, torch.dtype) and value.is_floating_point:
        return torch.float32  # a processor is slow with half precision, and Numba does not know it there
    return "cpu" if isinstance(value, str | torch.device) and str(value).startswith("cuda") else value


class Generator(torch.Generator):
    """A generator of random numbers, wherever it was meant to be."""

    def __new__(cls, *_: Any) -> Any:
        return super().__new__(cls)


@contextlib.contextmanager
def fake_cuda(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A CUDA device for a while."""
    import numba

    cuda = fake_numba_cuda()
    monkeypatch.setitem(sys.modules, "numba.cuda", cuda)
    monkeypatch.setattr(numba, "cuda", cuda, raising=False)
    for name in ("kernels", "selfplay_cuda"):
        monkeypatch.delitem(sys.modules, f"azulejos.training.{name}", raising=False)
    for name in ("synchronize", "Stream", "current_stream"):
        monkeypatch.setattr(torch.cuda, name, lambda *_: types.SimpleNamespace(cuda_stream=0))
    monkeypatch.setattr(torch.cuda, "stream", contextlib.nullcontext)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda *_: "no device")
    monkeypatch.setattr(torch, "Generator", Generator)
    from azulejos.training.selfplay_cuda import CudaSelfPlay

    def record(play: CudaSelfPlay) -> None:
        play._graph = types.SimpleNamespace(replay=play._search)

    monkeypatch.setattr(CudaSelfPlay, "_record", record)
    with OnProcessor():
        yield
