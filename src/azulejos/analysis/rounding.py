"""Rounding of sums, so that what is printed adds up too."""

from __future__ import annotations

import math
from collections.abc import Sequence


def round_parts(parts: Sequence[float], total: float, unit: float) -> list[float]:
    """Round the parts of a sum up or down to whole units, so that they add up to the rounded total.

    Those that are nearest to the next unit are rounded up.

    >>> round_parts([1.26, 2.26, -0.53], 2.99, 0.1)
    [1.3, 2.2, -0.5]
    """
    scaled = [part / unit for part in parts]
    rounded = [math.floor(value) for value in scaled]
    missing = round(total / unit) - sum(rounded)
    order = sorted(range(len(parts)), key=lambda at: rounded[at] - scaled[at])
    for at in order[: max(0, missing)]:
        rounded[at] += 1
    digits = max(0, round(-math.log10(unit)))
    return [round(value * unit, digits) + 0.0 for value in rounded]  # never -0.0
