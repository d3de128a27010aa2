"""Arrays handed from one library to another without a copy, by the DLPack protocol.

numba-cuda reads DLPack but does not write it, so the few structures of the protocol stand here. What is shared is a
`SharedArray`: torch, JAX and CuPy take it by their `from_dlpack`. Memory of the processor can be shared just so.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Final

import numpy as np

CPU: Final = 1
"""DLPack's number for the processor's memory."""
CUDA: Final = 2
"""DLPack's number for the memory of CUDA devices."""
DEFAULT_STREAM: Final = 1
"""DLPack's number for the default stream of CUDA, on which all kernels of the batch run."""
KINDS: Final = {"i": 0, "u": 1, "f": 2}
"""NumPy's letters for kinds of numbers, and DLPack's codes for them."""
NAME: Final = b"dltensor"
"""The name of a capsule that nobody has taken yet."""


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    _fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)

_alive: dict[int, tuple[Any, ...]] = {}
"""What each exported structure needs, until its user lets go of it."""


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)  # type: ignore[untyped-decorator]
def _let_go(address: int) -> None:
    _alive.pop(address, None)


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)  # type: ignore[untyped-decorator]
def _drop_capsule(capsule: int) -> None:
    """A capsule that nobody took lets go of its memory; one that was taken has another name by then."""
    if _is_valid(capsule, NAME):
        _alive.pop(_pointer(capsule, NAME), None)


class SharedArray:
    """Memory with a shape that other libraries can look at."""

    def __init__(
        self,
        address: int,
        shape: tuple[int, ...],
        dtype: Any,
        owner: object,
        device: tuple[int, int],
        synchronize: Callable[[], None] = lambda: None,
    ) -> None:
        """Share contiguous memory that lives as long as its owner; `synchronize` waits until it is written."""
        self.shape, self.dtype = shape, np.dtype(dtype)
        if self.dtype.kind not in KINDS:
            raise TypeError(f"numbers of the type {self.dtype} cannot be shared: expected whole numbers or floats")
        self._address, self._owner, self._device, self._synchronize = address, owner, device, synchronize

    @property
    def nbytes(self) -> int:
        """The size in bytes."""
        return int(np.prod(self.shape) * self.dtype.itemsize)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> object:
        """The capsule of the protocol. Unless the reader says -1, it may read at once: the writing is done."""
        if copy or dl_device not in (None, self._device):
            raise BufferError("this array is shared where it lies; it cannot be copied on the way")
        if stream != -1:
            self._synchronize()
        managed = _Managed()
        shape = (ctypes.c_int64 * len(self.shape))(*self.shape)
        managed.tensor.data = self._address
        managed.tensor.device_type, managed.tensor.device_id = self._device
        managed.tensor.ndim = len(self.shape)
        managed.tensor.code, managed.tensor.bits = KINDS[self.dtype.kind], 8 * self.dtype.itemsize
        managed.tensor.lanes = 1
        managed.tensor.shape = shape
        managed.deleter = ctypes.cast(_let_go, ctypes.c_void_p).value
        address = ctypes.addressof(managed)
        _alive[address] = (managed, shape, self._owner)
        return _new_capsule(address, NAME, ctypes.cast(_drop_capsule, ctypes.c_void_p))

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if self._device[0] != CUDA:
            raise AttributeError("this array is not on a CUDA device")
        return describe(self._address, self.shape, self.dtype)


def describe(address: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> dict[str, Any]:
    """Contiguous memory in the words of the CUDA array interface."""
    return {"data": (address, False), "shape": shape, "typestr": dtype.str, "strides": None, "version": 3}


class Borrowed:
    """An array of another library, looked at through DLPack; it is kept as long as this object."""

    def __init__(self, array: Any) -> None:
        """Take what has `__dlpack__`; on a CUDA device it is ready for the default stream."""
        self.device = tuple(array.__dlpack_device__())
        """Kind and number of the device, as DLPack counts them."""
        on_cuda = self.device[0] == CUDA
        self._capsule = array.__dlpack__(stream=DEFAULT_STREAM) if on_cuda else array.__dlpack__()
        at = _pointer(id(self._capsule), NAME)
        tensor = _Managed.from_address(at).tensor
        if tensor.lanes != 1 or tensor.code not in KINDS.values():
            raise TypeError(f"cannot use an array of DLPack's type {tensor.code} as actions: expected whole numbers")
        letter = next(letter for letter, code in KINDS.items() if code == tensor.code)
        self.dtype = np.dtype(f"{letter}{tensor.bits // 8}")
        """The type of the numbers."""
        self.shape = tuple(tensor.shape[axis] for axis in range(tensor.ndim))
        """The length of each axis."""
        steps = [tensor.strides[axis] for axis in range(tensor.ndim)] if tensor.strides else None
        if steps is not None and self.shape and steps != _contiguous(self.shape):
            raise ValueError(f"cannot use an array with the strides {steps} as actions: make it contiguous")
        self.address = int(tensor.data or 0) + int(tensor.byte_offset)
        """Where the first number lies."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return describe(self.address, self.shape, self.dtype)


def _contiguous(shape: tuple[int, ...]) -> list[int]:
    steps, step = [], 1
    for length in reversed(shape):
        steps.append(step)
        step *= length
    return steps[::-1]
