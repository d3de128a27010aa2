"""Reading records from JSON; a text that breaks off or is damaged, as far as it goes."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from azulejos.game.errors import InvalidNotation
from azulejos.game.moves import Deal, Move
from azulejos.game.reading import DEEPEST_VARIATION, Notes, frame
from azulejos.game.record import FIXED_TAGS, UNKNOWN, Entry, Record

_MARK: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(")?|[\[\]{},]', re.DOTALL)
"""A bracket, a comma, or a text: to the end if it does not end, for looking for its end once more would take long."""


def parse_json(text: str) -> tuple[Record, InvalidNotation | None]:
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
    for match in _MARK.finditer(text):
        mark = match[0]
        if mark.startswith('"') and not match[1]:
            break  # damaged in the middle of a text
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
    wall, _ = frame({"Wall": _get(data, "wall", str), "Players": str(len(names))})
    result = data.get("result")
    if result is not None and not (isinstance(result, list) and all(type(score) is int for score in result)):
        raise InvalidNotation(f"cannot read {result!r} as 'result': expected null or a list of scores")
    tags = _get(data, "tags", dict) if "tags" in data else {}
    if not all(isinstance(value, str) for value in tags.values()):
        raise InvalidNotation(f"cannot read {tags!r} as 'tags': expected texts")
    comments = _strings(data, "comments") if "comments" in data else ()
    entries: list[Entry] = []
    notes, fault = Notes(), None
    try:
        notes.count("comments", len(comments))
        _add_entries(entries, _get(data, "rounds", list), 0, notes)
    except InvalidNotation as error:
        fault = error
    record = Record(
        wall=wall,
        names=names,
        entries=tuple(entries),
        result=None if result is None else tuple(result),
        event=tags.get("Event", UNKNOWN),
        date=tags.get("Date", "????.??.??"),
        comments=comments,
        tags={name: value for name, value in sorted(tags.items()) if not FIXED_TAGS.fullmatch(name)},
    )
    return record, fault


def _add_entries(entries: list[Entry], rounds: list[Any], depth: int, notes: Notes) -> None:
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
            entries.append(Entry(None if deal is None else Deal.parse(deal), head, **_notes_of(item, depth, notes)))
        for move in _get(item, "moves", list):
            if isinstance(move, str):
                entries.append(Entry(Move.parse(move)))
            else:
                entries.append(Entry(Move.parse(_get(move, "move", str)), **_notes_of(move, depth, notes)))


def _variation(rounds: list[Any], depth: int, notes: Notes) -> tuple[Entry, ...]:
    entries: list[Entry] = []
    _add_entries(entries, rounds, depth, notes)
    return tuple(entries)


def _notes_of(item: Any, depth: int, notes: Notes) -> dict[str, Any]:
    glyphs = _get(item, "glyphs", list) if "glyphs" in item else []
    if not all(type(glyph) is int and 0 <= glyph <= 999 for glyph in glyphs):
        raise InvalidNotation(f"cannot read {glyphs!r} as 'glyphs': expected numbers from 0 to 999")
    variations = _get(item, "variations", list) if "variations" in item else []
    if not all(isinstance(variation, list) for variation in variations):
        raise InvalidNotation(f"cannot read {variations!r} as 'variations': expected lists of rounds")
    comments = _strings(item, "comments") if "comments" in item else ()
    for what, found in (("glyphs", glyphs), ("comments", comments), ("variations", variations)):
        notes.count(what, len(found))
    return {
        "glyphs": tuple(glyphs),
        "comments": comments,
        "variations": tuple(_variation(variation, depth + 1, notes) for variation in variations),
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
