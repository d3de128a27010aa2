"""Checks of what callers give: whole numbers in a range, and seeds."""

from __future__ import annotations

import secrets
from typing import Any, Final

import numpy as np

from azulejos.rules.state import NO_ROUND_LIMIT

MAX_SEED: Final = 2**64 - 1
"""The highest seed."""


def check_whole(name: str, value: int, low: int, high: int) -> None:
    """Raise a `ValueError` that names the argument unless it is a whole number in this range."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or not low <= value <= high:
        raise ValueError(f"{name} must be a whole number from {low} to {high}, not {value!r}")


def check_seed(seed: int | None) -> Any:
    """A seed for the compiled code; a random one if none is given."""
    if seed is not None:
        check_whole("seed", seed, 0, MAX_SEED)
    return np.uint64(secrets.randbits(64) if seed is None else seed)  # one type, so that it compiles once


def round_limit(max_rounds: int | None) -> int:
    """The limit of rounds as the state has it."""
    if max_rounds is None:
        return NO_ROUND_LIMIT
    check_whole("max_rounds", max_rounds, 1, NO_ROUND_LIMIT)
    return max_rounds
