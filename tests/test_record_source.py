"""Records from everywhere: paths, open files, bytes, texts, lines; and what was got instead of one."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from azulejos import Game, IllegalMove, InvalidNotation, read_record, read_records

GAME = Game(seed=1, starter=0)


def text_of(name: str = "Café") -> str:
    return GAME.to_record(names=["Ana", "Zé"], Event=name)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.azul"
    path.write_text(text_of(), encoding="utf-8")
    return path


SOURCES: dict[str, Callable[[Path], Any]] = {
    "a path": lambda path: path,
    "the name of a file": str,
    "an open file": lambda path: path.open(encoding="utf-8"),
    "an open file of bytes": lambda path: path.open("rb"),
    "a text": lambda path: path.read_text(encoding="utf-8"),
    "bytes": Path.read_bytes,
    "more bytes": lambda path: bytearray(path.read_bytes()),
    "a text in memory": lambda path: io.StringIO(path.read_text(encoding="utf-8")),
    "bytes in memory": lambda path: io.BytesIO(path.read_bytes()),
    "with a mark": lambda path: b"\xef\xbb\xbf" + path.read_bytes(),
    "with the lines of another system": lambda path: path.read_bytes().replace(b"\n", b"\r\n"),
    "lines": lambda path: path.read_text(encoding="utf-8").splitlines(keepends=True),
    "in JSON": lambda path: read_record(path).json_text(),
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_a_record_is_read_from_anywhere(source: Callable[[Path], Any], file: Path) -> None:
    record = read_record(source(file))
    assert (record.names, record.event, record.entries) == (("Ana", "Zé"), "Café", GAME.record().entries)
    assert [each.names for each in read_records(source(file))] == [("Ana", "Zé")]


def test_many_records_are_read_from_anywhere(file: Path) -> None:
    with file.open("a", encoding="utf-8") as more:
        more.write(text_of("second"))
    for source in (file, str(file), file.open("rb"), file.read_bytes(), file.read_text(encoding="utf-8")):
        assert [record.event for record in read_records(source)] == ["Café", "second"]
    with pytest.raises(InvalidNotation, match=r"'.*game.azul' holds several games: read_records reads them all"):
        read_record(file)


def test_a_file_is_read_no_further_than_asked(file: Path) -> None:
    with file.open("ab") as more:
        more.write(b"\xff not text")
    records = read_records(file)
    with pytest.raises(InvalidNotation, match=r"'.*game.azul' is not a text file"):
        list(records)


WRONG: dict[str, tuple[Any, str]] = {
    "a number": (3, "cannot read a record from 3: expected a path, an open file, bytes or text"),
    "nothing": (None, "cannot read a record from None"),
    "a game": (GAME, "cannot read a record from <Game std "),
    "lines of numbers": ([1, 2], "cannot read 1 in the lines as a line of a record: expected text"),
}


@pytest.mark.parametrize(("source", "named"), WRONG.values(), ids=WRONG)
def test_what_holds_no_text_is_named(source: Any, named: str) -> None:
    with pytest.raises(TypeError, match=named):
        read_record(source)
    with pytest.raises(TypeError, match=named):
        list(read_records(source))


NO_RECORDS: dict[str, tuple[Any, str]] = {
    "no such file": ("gmae.azul", "there is no file 'gmae.azul', and it is no record: it begins with 'gmae.azul'"),
    "no name at all": ("x\0y", "there is no file"),
    "too long a name": ("x" * 5000, "there is no file 'x{100}', and it is no record"),
    "a folder": (".", "there is no file '.'"),
    "no text": (b"\xff\xfe[Wall", "the data is not a text file"),
    "empty": (b"", "the data is no record: it is empty"),
    "an empty file": (io.StringIO(""), "the file is no record: it is empty"),
    "an error page": (b"<html>\nnot found", "the data is no record: it begins with '<html>"),
}


@pytest.mark.parametrize(("source", "named"), NO_RECORDS.values(), ids=NO_RECORDS)
def test_what_is_no_record_says_what_was_got(source: Any, named: str) -> None:
    with pytest.raises(InvalidNotation, match=named):
        read_record(source)


def test_what_is_wrong_in_a_file_names_the_file(file: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere\.azul"):
        read_record(file.with_name("nowhere.azul"))
    file.write_text(text_of().replace("\n*", " 2B1\n*"), encoding="utf-8")
    for source in (file, file.open("rb")):
        with pytest.raises(IllegalMove, match=r"'.*game.azul': round 1, move 1: illegal move '2B1'") as fault:
            read_record(source)
        assert fault.value.code == "color_not_there"
