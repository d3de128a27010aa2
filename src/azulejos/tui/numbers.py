"""Numbers as the person's language writes them."""

from __future__ import annotations

from azulejos import locale
from azulejos.locale import _


def decimal(number: float, digits: int = 1, sign: str = "") -> str:
    """A number with its decimals; `sign` is "+" where one that is not negative shows it, too.

    >>> decimal(3.25), decimal(2, 1, "+")
    ('3.2', '+2.0')
    """
    written = f"{number:{sign}.{digits}f}"
    return written if locale.language() == "en" else written.replace(".", ",")


def percent(share: float, digits: int = 0, sign: str = "") -> str:
    """A share of the victory."""
    return _("{number} %").format(number=decimal(100 * share, digits, sign))


def signed(points: float) -> str:
    """Points won or lost."""
    return decimal(round(points, 1) + 0.0, 1, "+")  # never -0.0
