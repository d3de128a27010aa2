"""Reading records from text and JSON: lenient about white space and unknown tags, strict about everything played."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from azulejos.game.errors import InvalidNotation
from azulejos.game.moves import Deal, Move
from azulejos.game.record import FIXED_TAGS, RULES_VERSION, UNFINISHED, UNKNOWN, Entry, Record
from azulejos.game.replay import replay
from azulejos.game.view import WALLS, Wall

DEEPEST_VARIATION: Final = 32
"""Brackets within brackets; deeper ones are refused."""

_TAG: Final = re.compile(r'\s*\[\s*([A-Za-z][A-Za-z0-9_]*)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
_TOKEN: Final = re.compile(r"\s*(?:\{([^{}]*)\}|([()])|\$([0-9]{1,3})(?![0-9])|([^\s{}()$]+))")
_HEAD: Final = re.compile("R([1-9][0-9]{0,4})@([1-4])")
_JSON_MARK: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},]')
_RESULT: Final = re.compile(r"[0-9]{1,4}(?:-[0-9]{1,4}){1,3}")


def read_record(text: str) -> Record:
    """The one record in a text or a JSON text, replayed and checked.

    >>> from azulejos import Game
    >>> read_record(Game(players=3, seed=1).to_record()).players
    3
    """
    record, fault = parse_as_far_as_possible(text)
    if fault:
        raise fault
    replay(record)
    return record


def parse_as_far_as_possible(text: str) -> tuple[Record, InvalidNotation | None]:
    """What can be read of the record in a text or a JSON text, not yet replayed, and why no more."""
    return _parse_json(text) if text.lstrip().startswith("{") else _parse(text)


def read_records(lines: Iterable[str]) -> Iterator[Record]:
    """The records of a file of concatenated games, one at a time as they are asked for."""
    for chunk in split_records(lines):
        yield read_record(chunk)


def record_texts(name: str) -> Iterator[str]:
    """The texts of the single games in a file, or on standard input for `-`."""
    try:
        if name == "-":
            if sys.stdin is None:
                raise InvalidNotation("there is no standard input to read records from")
            if isinstance(sys.stdin, io.TextIOWrapper):
                sys.stdin.reconfigure(encoding="utf-8", errors="strict")
            yield from split_records(sys.stdin)
        else:
            with Path(name).open(encoding="utf-8") as lines:
                yield from split_records(lines)
    except UnicodeDecodeError as fault:
        raise InvalidNotation(f"{name!r} is not a text file: {fault}") from fault


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
        wall, names = _frame(tags)
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
            comments=reader.comments,
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


def _frame(tags: dict[str, str]) -> tuple[Wall, tuple[str, ...]]:
    wall = next((wall for wall in WALLS if wall == tags.get("Wall")), None)
    if wall is None:
        raise InvalidNotation(f"the tag Wall is {tags.get('Wall')!r}: expected 'std' or 'gray'")
    if tags.get("Players") not in ("2", "3", "4"):
        raise InvalidNotation(f"the tag Players is {tags.get('Players')!r}: expected '2', '3' or '4'")
    return wall, tuple(tags.get(f"Player{seat}", UNKNOWN) for seat in range(1, int(tags["Players"]) + 1))


class _Movetext:
    """The part of a record behind its tags."""

    def __init__(self, text: str) -> None:
        self.comments: tuple[str, ...] = ()
        self.result = UNFINISHED
        self._head: tuple[int, int] | None = None
        self._head_comments: tuple[str, ...] = ()
        self._lines: list[list[Entry]] = [[]]
        self._text = text.rstrip()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What was read of the game itself."""
        return tuple(self._lines[0])

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
            last = self._last(f"${glyph}")
            self._lines[-1][-1] = replace(last, glyphs=(*last.glyphs, int(glyph)))
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
            self._lines[-1].append(Entry(Move.parse(word)))

    def _close_head(self) -> None:
        """A head without a deal: the record starts in the middle of a round."""
        if self._head is not None:
            self._open_round(None)

    def _open_round(self, deal: Deal | None) -> None:
        self._lines[-1].append(Entry(deal, self._head, comments=self._head_comments))
        self._head, self._head_comments = None, ()

    def _comment(self, comment: str) -> None:
        if not comment:
            return
        if self._head is not None:
            self._head_comments += (comment,)
        elif len(self._lines) == 1 and not self._lines[0]:
            self.comments += (comment,)
        else:
            last = self._last(f"{{{comment}}}")
            self._lines[-1][-1] = replace(last, comments=(*last.comments, comment))

    def _last(self, what: str) -> Entry:
        self._close_head()
        if not self._lines[-1]:
            raise InvalidNotation(f"{what!r} stands before any move")
        return self._lines[-1][-1]

    def _open(self) -> None:
        self._last("(")
        if len(self._lines) > DEEPEST_VARIATION:
            raise InvalidNotation(f"variations are nested deeper than {DEEPEST_VARIATION}")
        self._lines.append([])

    def _close(self) -> None:
        self._close_head()
        if len(self._lines) == 1:
            raise InvalidNotation("')' without '('")
        variation = tuple(self._lines.pop())
        if not variation:
            raise InvalidNotation("a variation without a move: '()'")
        last = self._lines[-1][-1]
        self._lines[-1][-1] = replace(last, variations=(*last.variations, variation))


def _parse_json(text: str) -> tuple[Record, InvalidNotation | None]:
    """What can be read of the record in a JSON text, which may break off or be damaged, and why no more."""
    try:
        return _from_json(_load_json(text))
    except InvalidNotation as fault:
        if not isinstance(fault.__cause__, json.JSONDecodeError):
            raise
        try:
            record, _ = _from_json(json.loads(_closed(text[: fault.__cause__.pos])))
        except ValueError:  # the damage is before there is a game
            raise fault from None
        return record, fault


def _closed(text: str) -> str:
    """The beginning of a JSON text without what is unfinished, and with the brackets closed that are open."""
    closers: list[str] = []
    end = 0
    for match in _JSON_MARK.finditer(text):
        mark = match[0]
        if mark in "[{":
            closers.append("]" if mark == "[" else "}")
        elif mark in "]}":
            closers.pop()
        elif mark != "," and closers[-1:] != ["]"]:
            continue  # a text in an object may be a name without a value; in a list it is a value
        end = match.start() if mark == "," else match.end()
    return text[:end] + "".join(reversed(closers))


def _load_json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise InvalidNotation(f"cannot read {text[:40]!r} as JSON: {fault}") from fault


def _from_json(data: Any) -> tuple[Record, InvalidNotation | None]:
    """What can be read of the record in plain data, and why no more."""
    if _get(data, "v", int) != 1:
        raise InvalidNotation(f"cannot read a record of format {data['v']!r}: expected 1")
    names = _strings(data, "players")
    if len(names) not in (2, 3, 4):
        raise InvalidNotation(f"'players' lists {len(names)} names: expected 2, 3 or 4")
    wall, _ = _frame({"Wall": _get(data, "wall", str), "Players": str(len(names))})
    result = data.get("result")
    if result is not None and not (isinstance(result, list) and all(type(score) is int for score in result)):
        raise InvalidNotation(f"cannot read {result!r} as 'result': expected null or a list of scores")
    tags = _get(data, "tags", dict) if "tags" in data else {}
    if not all(isinstance(value, str) for value in tags.values()):
        raise InvalidNotation(f"cannot read {tags!r} as 'tags': expected texts")
    entries: list[Entry] = []
    fault = None
    try:
        _add_json_entries(entries, _get(data, "rounds", list), 0)
    except InvalidNotation as error:
        fault = error
    record = Record(
        wall=wall,
        names=names,
        entries=tuple(entries),
        result=None if result is None else tuple(result),
        event=tags.get("Event", UNKNOWN),
        date=tags.get("Date", "????.??.??"),
        comments=_strings(data, "comments") if "comments" in data else (),
        tags={name: value for name, value in sorted(tags.items()) if not FIXED_TAGS.fullmatch(name)},
    )
    return record, fault


def _add_json_entries(entries: list[Entry], rounds: list[Any], depth: int) -> None:
    if depth > DEEPEST_VARIATION:
        raise InvalidNotation(f"variations are nested deeper than {DEEPEST_VARIATION}")
    for number, item in enumerate(rounds, 1):
        if not isinstance(item, dict):
            raise InvalidNotation(f"cannot read {item!r} as a round: expected an object")
        if "starter" in item:
            deal = item.get("deal")
            if deal is not None and not isinstance(deal, str):
                raise InvalidNotation(f"cannot read {deal!r} as 'deal': expected a text or null")
            round_number = _get(item, "round", int) if "round" in item else number
            head = (round_number, _get(item, "starter", int) - 1)
            entries.append(Entry(None if deal is None else Deal.parse(deal), head, **_json_notes(item, depth)))
        for move in _get(item, "moves", list):
            if isinstance(move, str):
                entries.append(Entry(Move.parse(move)))
            else:
                entries.append(Entry(Move.parse(_get(move, "move", str)), **_json_notes(move, depth)))


def _json_variation(rounds: list[Any], depth: int) -> tuple[Entry, ...]:
    entries: list[Entry] = []
    _add_json_entries(entries, rounds, depth)
    return tuple(entries)


def _json_notes(item: Any, depth: int) -> dict[str, Any]:
    glyphs = _get(item, "glyphs", list) if "glyphs" in item else []
    if not all(type(glyph) is int and 0 <= glyph <= 999 for glyph in glyphs):
        raise InvalidNotation(f"cannot read {glyphs!r} as 'glyphs': expected numbers from 0 to 999")
    variations = _get(item, "variations", list) if "variations" in item else []
    if not all(isinstance(variation, list) for variation in variations):
        raise InvalidNotation(f"cannot read {variations!r} as 'variations': expected lists of rounds")
    return {
        "glyphs": tuple(glyphs),
        "comments": _strings(item, "comments") if "comments" in item else (),
        "variations": tuple(_json_variation(variation, depth + 1) for variation in variations),
    }


def _get(data: Any, name: str, kind: type) -> Any:
    if not isinstance(data, dict) or not isinstance(data.get(name), kind) or isinstance(data[name], bool):
        found = data.get(name) if isinstance(data, dict) else data
        raise InvalidNotation(f"cannot read {found!r} as {name!r}: expected {kind.__name__}")
    return data[name]


def _strings(data: Any, name: str) -> tuple[str, ...]:
    values = _get(data, name, list)
    if not all(isinstance(value, str) for value in values):
        raise InvalidNotation(f"cannot read {values!r} as {name!r}: expected texts")
    return tuple(values)
