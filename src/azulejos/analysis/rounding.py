"""Rounding of sums, so that what is shown adds up too."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from azulejos.rules.compiled import compiled


@compiled
def round_parts(parts: Any, unit: float, units: Any) -> None:
    """Write in whole units what the parts of a sum and, as the last one, the sum itself are.

    The sum is rounded to the nearest unit, and the parts up or down so that they add up to it: those that are nearest
    to the next unit are rounded up.
    """
    count = len(parts) - 1
    units[count] = math.floor(parts[count] / unit + 0.5)
    missing = units[count]
    for at in range(count):
        units[at] = math.floor(parts[at] / unit)
        missing -= units[at]
    for _ in range(min(count, int(missing))):
        widest = 0
        for at in range(1, count):
            if parts[at] / unit - units[at] > parts[widest] / unit - units[widest]:
                widest = at
        units[widest] += 1


def rounded(parts: Sequence[float], unit: float) -> list[float]:
    """The parts of a sum and, as the last one, the sum itself, rounded so that they still add up.

    >>> rounded([1.26, 2.26, -0.53, 2.99], 0.1)
    [1.3, 2.2, -0.5, 3.0]
    """
    units = np.zeros(len(parts))
    round_parts(np.array(parts), unit, units)
    digits = max(0, round(-math.log10(unit)))
    return [round(value, digits) + 0.0 for value in (units * unit).tolist()]  # never -0.0
