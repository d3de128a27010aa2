"""Names of people that cannot play tricks on whoever reads them."""

from __future__ import annotations

import unicodedata
from typing import Final

from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.setup import LONGEST_NAME

MOST_MARKS: Final = 3
"""Accents on one letter; more are meant to cover the lines above and below."""
BLANKS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Letters and marks by the book, of which nothing is seen."""


def clean_name(text: str) -> str:
    """A name as it may be shown: one line, nothing invisible, nothing that turns the direction of writing.

    >>> clean_name("  Ana   Sousa ")
    'Ana Sousa'
    >>> clean_name("Rui" + chr(0x202E) + "esrever")
    'Ruiesrever'
    """
    visible = "".join(letter for letter in text if _is_visible(letter) or letter.isspace())
    name = _thin_marks(" ".join(unicodedata.normalize("NFC", visible).split()))
    if len(name) > LONGEST_NAME or (text.strip() and not name):
        raise Refuse("bad_name")
    return name


def _is_visible(letter: str) -> bool:
    return letter.isprintable() and letter not in BLANKS


def _thin_marks(text: str) -> str:
    kept: list[str] = []
    marks = MOST_MARKS  # one that stands first would sit on whatever is written before the name
    for letter in text:
        marks = marks + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        if marks <= MOST_MARKS:
            kept.append(letter)
    return "".join(kept)
