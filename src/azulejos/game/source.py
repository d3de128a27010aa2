"""Where records come from: a path, an open file, bytes, a text, or lines; what cannot be one is named."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from reprlib import repr as shortened
from typing import IO, TypeAlias

from azulejos.game.errors import InvalidNotation

Source: TypeAlias = str | bytes | bytearray | os.PathLike[str] | IO[str] | IO[bytes]
"""Anything that holds records; a text in one line that is neither tags nor JSON is the name of a file."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The lines of a source, and what errors call it."""

    name: str
    """A file by its name, anything else by what it is."""
    lines: Iterable[str]
    """Read as they are asked for."""
    is_file: bool = False
    """Whether it has a name of its own."""


def open_source(source: object) -> Opened:
    """The lines of a `Source`, or of lines; raises a `TypeError` that names anything else.

    >>> open_source('[Wall "std"]').name
    'the text'
    >>> open_source(3)
    Traceback (most recent call last):
    TypeError: cannot read a record from 3: expected a path, an open file, bytes or text
    """
    if isinstance(source, str) and not _is_text(source):
        return _of_name(source)
    if isinstance(source, str):
        return Opened("the text", _decoded(StringIO(source, newline=None), "the text"))
    if isinstance(source, (bytes, bytearray)):
        return Opened("the data", _decoded(TextIOWrapper(BytesIO(source), "utf-8"), "the data"))
    if isinstance(source, os.PathLike):
        path = Path(source)
        return Opened(repr(str(path)), _of_path(path), is_file=True)
    if not isinstance(source, Iterable):
        expected = "expected a path, an open file, bytes or text"
        raise TypeError(f"cannot read a record from {shortened(source)}: {expected}")
    given = getattr(source, "name", None)
    name = repr(given) if isinstance(given, str) else "the file" if hasattr(source, "read") else "the lines"
    return Opened(name, _decoded(source, name), is_file=isinstance(given, str))


def beginning(text: str) -> str:
    """What a text that should have been a record begins with instead."""
    start = text.strip()[:60]
    return f'it begins with {start!r} instead of tags such as [Wall "std"]' if start else "it is empty"


def _is_text(source: str) -> bool:
    start = source.removeprefix("\ufeff").strip()
    return not start or start[0] in "[{" or len(source.splitlines()) > 1


def _of_name(name: str) -> Opened:
    try:
        found = Path(name).is_file()
    except OSError:  # far too long, for one
        found = False
    if not found:
        raise InvalidNotation(f"there is no file {name[:100]!r}, and it is no record: {beginning(name)}")
    return Opened(repr(name), _of_path(Path(name)), is_file=True)


def _of_path(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        yield from _decoded(lines, repr(str(path)))


def _decoded(lines: Iterable[object], name: str) -> Iterator[str]:
    """Lines as text, without a byte order mark."""
    try:
        for number, line in enumerate(lines):
            if not isinstance(line, (str, bytes)):
                raise TypeError(f"cannot read {shortened(line)} in {name} as a line of a record: expected text")
            text = line.decode() if isinstance(line, bytes) else line
            yield text.removeprefix("\ufeff") if number == 0 else text
    except UnicodeDecodeError as fault:
        raise InvalidNotation(f"{name} is not a text file: {fault}") from fault
