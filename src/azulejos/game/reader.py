"""Reading records from text and JSON: lenient about white space and unknown tags, strict about everything played."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from azulejos.game.errors import InvalidNotation
from azulejos.game.json_reader import parse_json
from azulejos.game.moves import Deal, Move
from azulejos.game.reading import DEEPEST_VARIATION, Notes, frame
from azulejos.game.record import FIXED_TAGS, RULES_VERSION, UNFINISHED, UNKNOWN, Entry, Record
from azulejos.game.replay import replay
from azulejos.game.source import Source, beginning, open_source

_TAG: Final = re.compile(r'\s*\[\s*([A-Za-z][A-Za-z0-9_]*)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
_TOKEN: Final = re.compile(r"\s*(?:\{([^{}]*)\}|([()])|\$([0-9]{1,3})(?![0-9])|([^\s{}()$]+))")
_HEAD: Final = re.compile("R([1-9][0-9]{0,4})@([1-4])")
_RESULT: Final = re.compile(r"[0-9]{1,4}(?:-[0-9]{1,4}){1,3}")


def read_record(source: Source) -> Record:
    """The one record in a file, given by its path or open, in bytes or in a text, replayed and checked.

    A text in one line that is neither tags nor JSON names a file.

    >>> from azulejos import Game
    >>> read_record(Game(players=3, seed=1).to_record()).players
    3
    """
    opened = open_source(source)
    text = "".join(opened.lines)
    try:
        return read_text(text)
    except ValueError as fault:
        several = sum(1 for _ in islice(split_records(text.splitlines(keepends=True)), 2)) > 1
        if several:
            raise InvalidNotation(f"{opened.name} holds several games: read_records reads them all") from fault
        if not text.lstrip().startswith(("[", "{")):
            raise InvalidNotation(f"{opened.name} is no record: {beginning(text)}") from fault
        if opened.is_file:  # the same error, which also names the file
            fault.args = (f"{opened.name}: {fault}", *fault.args[1:])
        raise


def read_text(text: str) -> Record:
    """The one record in a text or a JSON text, whatever it looks like, replayed and checked."""
    record, fault = parse_as_far_as_possible(text)
    if fault:
        raise fault
    replay(record)
    return record


def parse_as_far_as_possible(text: str) -> tuple[Record, InvalidNotation | None]:
    """What can be read of the record in a text or a JSON text, not yet replayed, and why no more."""
    return parse_json(text) if text.lstrip().startswith("{") else _parse(text)


def read_records(source: Source | Iterable[str]) -> Iterator[Record]:
    """The records of a file of many games, one at a time as they are asked for; of lines, or of anything that
    `read_record` reads.
    """
    for chunk in split_records(open_source(source).lines):
        yield read_text(chunk)


def record_texts(name: str) -> Iterator[str]:
    """The texts of the single games in a file, or on standard input for `-`."""
    if name != "-":
        yield from split_records(open_source(Path(name)).lines)
        return
    if sys.stdin is None:
        raise InvalidNotation("there is no standard input to read records from")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="strict")
    yield from split_records(open_source(sys.stdin).lines)


def split_records(lines: Iterable[str]) -> Iterator[str]:
    """The texts of the single games of a file; a line of JSON is a game of its own."""
    chunk: list[str] = []
    in_moves = in_comment = False
    for number, raw in enumerate(lines):
        line = raw.removeprefix("\ufeff") if number == 0 else raw
        if not chunk and (not line.strip() or _is_json(line)):
            if line.strip():
                yield line
            continue
        if not in_comment and line.lstrip().startswith("[") and in_moves:
            yield "".join(chunk)
            chunk, in_moves = [], False
        moves = line if in_comment or in_moves else _read_tags(line)[1]
        in_moves = in_moves or bool(moves.strip())
        in_comment = _comment_is_open(moves, in_comment)
        chunk.append(line if line.endswith("\n") else line + "\n")
    if chunk:
        yield "".join(chunk)


def _is_json(line: str) -> bool:
    """Whether a line is a whole game in JSON."""
    return line.startswith("{") and line.rstrip().endswith("}") and '"v"' in line


def _comment_is_open(line: str, in_comment: bool) -> bool:
    opened, closed = line.rfind("{"), line.rfind("}")
    return opened > closed if max(opened, closed) >= 0 else in_comment


def _parse(text: str) -> tuple[Record, InvalidNotation | None]:
    """What can be read of the record in a text, and why no more; without any frame of a game there is nothing."""
    tags, body = _read_tags(text)
    reader, fault = _Movetext(body), None
    written = tags.get("Result", UNFINISHED)
    try:
        reader.read()
    except InvalidNotation as error:
        fault = error
    try:
        wall, names = frame(tags)
        if not fault and written != reader.result:
            fault = InvalidNotation(f"the tag Result says {written!r} but the moves end in {reader.result!r}")
        if tags.get("Rules", RULES_VERSION) != RULES_VERSION:
            version = tags["Rules"]
            raise InvalidNotation(f"cannot read a record of rules version {version!r}: expected {RULES_VERSION!r}")
        record = Record(
            wall=wall,
            names=names,
            entries=reader.entries,
            result=tuple(map(int, written.split("-"))) if _RESULT.fullmatch(written) else None,
            event=tags.get("Event", UNKNOWN),
            date=tags.get("Date", "????.??.??"),
            comments=tuple(reader.comments),
            tags={name: value for name, value in sorted(tags.items()) if not FIXED_TAGS.fullmatch(name)},
        )
    except InvalidNotation as error:  # no record of ours: then it is no wonder if its moves cannot be read
        raise (fault or error) from None
    return record, fault


def _read_tags(text: str) -> tuple[dict[str, str], str]:
    tags: dict[str, str] = {}
    at = 0
    text = text.removeprefix("\ufeff")
    while match := _TAG.match(text, at):
        name, value = match[1], re.sub(r"\\(.)", r"\1", match[2])
        if name in tags:
            raise InvalidNotation(f"the tag {name!r} stands twice in one record")
        tags[name] = value
        at = match.end()
    rest = text[at:]
    if rest.lstrip().startswith("["):
        raise InvalidNotation(f'cannot read {rest.strip().splitlines()[0]!r} as a tag: expected [Name "value"]')
    return tags, rest


@dataclass(slots=True)
class _Growing:
    """An entry to which notes may still be added: made anew for each of them it would take quadratic time."""

    play: Move | Deal | None
    head: tuple[int, int] | None = None
    comments: list[str] = field(default_factory=list)
    glyphs: list[int] = field(default_factory=list)
    variations: list[tuple[Entry, ...]] = field(default_factory=list)

    def entry(self) -> Entry:
        return Entry(self.play, self.head, tuple(self.glyphs), tuple(self.comments), tuple(self.variations))


class _Movetext:
    """The part of a record behind its tags."""

    def __init__(self, text: str) -> None:
        self.comments: list[str] = []
        self.result = UNFINISHED
        self._head: tuple[int, int] | None = None
        self._head_comments: list[str] = []
        self._lines: list[list[_Growing]] = [[]]
        self._notes = Notes()
        self._text = text.rstrip()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What was read of the game itself."""
        return tuple(growing.entry() for growing in self._lines[0])

    def read(self) -> None:
        """Read everything; what was read before a fault stays."""
        text, ended, at = self._text, False, 0
        while at < len(text):
            match = _TOKEN.match(text, at)
            if not match:
                raise InvalidNotation(f"cannot read {text[at : at + 20].strip()!r} in a record")
            at = match.end()
            if ended:
                raise InvalidNotation(f"{match[0].strip()!r} stands behind the result {self.result!r}")
            ended = self._token(match)
        if len(self._lines) > 1:
            raise InvalidNotation("a variation is not closed: expected )")
        self._close_head()
        if not ended:
            raise InvalidNotation("a record ends in its result or in *")

    def _token(self, match: re.Match[str]) -> bool:
        """Take in one token; True if it is the result."""
        comment, bracket, glyph, word = match.groups()
        if comment is not None:
            self._comment(" ".join(comment.split()))
        elif bracket == "(":
            self._open()
        elif bracket == ")":
            self._close()
        elif glyph is not None:
            self._notes.count("glyphs")
            self._last(f"${glyph}").glyphs.append(int(glyph))
        elif word == UNFINISHED or _RESULT.fullmatch(word):
            if len(self._lines) > 1:
                raise InvalidNotation(f"the result {word!r} stands in a variation that is not closed: expected )")
            self.result = word
            return True
        else:
            self._word(word)
        return False

    def _word(self, word: str) -> None:
        head = _HEAD.fullmatch(word)
        if head:
            self._close_head()
            self._head = (int(head[1]), int(head[2]) - 1)
        elif word.startswith("="):
            if self._head is None:
                raise InvalidNotation(f"the deal {word!r} has no head of a round, as in R1@1, before it")
            self._open_round(Deal.parse(word))
        else:
            self._close_head()
            self._lines[-1].append(_Growing(Move.parse(word)))

    def _close_head(self) -> None:
        """A head without a deal: the record starts in the middle of a round."""
        if self._head is not None:
            self._open_round(None)

    def _open_round(self, deal: Deal | None) -> None:
        self._lines[-1].append(_Growing(deal, self._head, self._head_comments))
        self._head, self._head_comments = None, []

    def _comment(self, comment: str) -> None:
        if not comment:
            return
        self._notes.count("comments")
        if self._head is not None:
            self._head_comments.append(comment)
        elif len(self._lines) == 1 and not self._lines[0]:
            self.comments.append(comment)
        else:
            self._last(f"{{{comment}}}").comments.append(comment)

    def _last(self, what: str) -> _Growing:
        self._close_head()
        if not self._lines[-1]:
            raise InvalidNotation(f"{what!r} stands before any move")
        return self._lines[-1][-1]

    def _open(self) -> None:
        self._last("(")
        self._notes.count("variations")
        if len(self._lines) > DEEPEST_VARIATION:
            raise InvalidNotation(f"variations are nested deeper than {DEEPEST_VARIATION}")
        self._lines.append([])

    def _close(self) -> None:
        self._close_head()
        if len(self._lines) == 1:
            raise InvalidNotation("')' without '('")
        variation = tuple(growing.entry() for growing in self._lines.pop())
        if not variation:
            raise InvalidNotation("a variation without a move: '()'")
        self._lines[-1][-1].variations.append(variation)
