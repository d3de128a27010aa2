"""The one decorator that compiles the rules, and where the compiled code is kept.

Numba's own cache looks only at the file in which a function stands; but `step` contains the code of functions from
five files. So compiled code is kept here under a stamp of all compiled sources: change any of them and
everything is compiled anew, change none and a start takes a fraction of a second.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numba
import numpy as np
from numba.core import caching, event

Function = TypeVar("Function", bound=Callable[..., Any])
"""A function that is compiled."""

int64: Callable[[Any], int] = numba.int64
"""Whole numbers with a sign."""
uint64: Callable[[Any], int] = numba.uint64
"""Whole numbers without one. Fields of the record have narrow types; the rules compute in these two."""

PACKAGE = Path(__file__).resolve().parent.parent
"""The folder of the package."""
COMPILED_FOLDERS = ("rules", "net", "search", "analysis")
"""Folders of the package that hold compiled functions; each may contain code of those before it.

A compiled file elsewhere is stamped with itself and all of these, so it may not contain code of a neighbor."""

INTERPRETED = bool(numba.config.DISABLE_JIT)
"""Whether the rules run as plain Python (`NUMBA_DISABLE_JIT=1`): slow, but every line can be stepped through."""

if INTERPRETED:
    np.seterr(over="ignore")  # the random stream overflows on purpose


def compiled(function: Function) -> Function:
    """Compile a function of the rules on its first call; calls hold no lock, so threads run side by side.

    What would allocate memory is refused by the compiler: graphics cards and browsers have nobody to ask for it.
    """
    return _decorated(function, _nrt=False, no_cfunc_wrapper=True)


def inlined(function: Function) -> Function:
    """Like `compiled`, for a short function that many constants are given to: each would make a version of its own."""
    return _decorated(function, _nrt=False, no_cfunc_wrapper=True, inline="always")


def threaded(function: Function) -> Function:
    """Like `compiled`, for functions whose `prange` loop is to use all threads."""
    return _decorated(function, parallel=True)


def _decorated(function: Function, **options: Any) -> Function:
    dispatcher: Any = numba.njit(nogil=True, error_model="numpy", **options)(function)
    if not INTERPRETED and cache_folder() is not None:
        dispatcher._cache = _Cache(function)  # what numba's cache=True does, with our stamp
    result: Function = dispatcher
    return result


@functools.cache
def cache_folder() -> Path | None:
    """The folder of the compiled code: `AZULEJOS_CACHE`, else in the user's cache folder; None if it can't be written.

    Without one everything is compiled at every start.
    """
    chosen = os.environ.get("AZULEJOS_CACHE")
    try:
        folder = (Path(chosen) if chosen else _user_cache_folder()) / "compiled"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # RuntimeError: a user without a home
        return None
    return folder if os.access(folder, os.W_OK) else None


def _user_cache_folder() -> Path:
    import platformdirs  # noqa: PLC0415 - whoever has chosen a folder need not wait for it

    folder = platformdirs.user_cache_path("azulejos", appauthor=False, opinion=False)
    return folder.expanduser()  # raises without a home; some versions would have us make a folder "~"


@functools.cache
def source_stamp(py_file: Path) -> str:
    """A digest of every source file whose code a compiled function of this file may contain."""
    paths = [py_file] if py_file.exists() else []
    for folder in COMPILED_FOLDERS:
        paths += sorted((PACKAGE / folder).glob("*.py"))
        if py_file.parent == PACKAGE / folder:
            break
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


class _Locator(caching._CacheLocator):
    """Tells numba where to keep one function and when it is stale."""

    def __init__(self, py_file: str) -> None:
        self._py_file = py_file

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def get_source_stamp(self) -> str:
        return source_stamp(Path(self._py_file).resolve())

    def get_disambiguator(self) -> str:
        return hashlib.sha256(self._py_file.encode()).hexdigest()[:10]

    @classmethod
    def from_function(cls, _py_func: Callable[..., Any], py_file: str) -> _Locator:
        return cls(py_file)


class _Implementation(caching.CompileResultCacheImpl):
    _locator_classes: ClassVar = [_Locator]


class _Cache(caching.FunctionCache):
    _impl_class = _Implementation

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except (EOFError, ValueError, pickle.UnpicklingError, AttributeError, ImportError):
            # a file that was cut short or overwritten, or that tells of a type from before an update
            self.flush()
            return None


class _Progress(event.Listener):
    """Says on standard error that compiling is under way, so that nobody thinks the program hangs.

    On a terminal the line goes away when the work is done; elsewhere it is printed once. `AZULEJOS_QUIET` silences it.
    """

    TEXT = "azulejos: compiling the rules for this machine, which happens once ..."

    def __init__(self) -> None:
        self._depth = 0
        self._said = False

    def on_start(self, happened: event.Event) -> None:
        ours = happened.data["dispatcher"].py_func.__module__.startswith(PACKAGE.name)
        if self._depth == 0 and not ours:
            return
        self._depth += 1
        if self._depth > 1:
            return
        if sys.stderr.isatty():
            self._say(self.TEXT)
        elif not self._said:
            self._said = True
            self._say(self.TEXT + "\n")

    def on_end(self, _happened: event.Event) -> None:
        if self._depth == 0:
            return
        self._depth -= 1
        if self._depth == 0 and sys.stderr.isatty():
            self._say("\r\x1b[K")

    @staticmethod
    def _say(text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


if not INTERPRETED and not os.environ.get("AZULEJOS_QUIET"):
    event.register("numba:compile", _Progress())
