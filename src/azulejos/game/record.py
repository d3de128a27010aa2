"""A game record: who played, which deals and moves, with comments, glyphs and variations; written as text and JSON.

Reading is in `record_reader`, replaying and checking in `replay`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from azulejos.game.errors import InvalidNotation
from azulejos.game.moves import Deal, Move
from azulejos.game.view import Wall

RULES_VERSION: Final = "1"
"""Rises when the same record would give another game."""
UNFINISHED: Final = "*"
"""The result of a game that is not over."""
EVENT: Final = "Azulejos"
"""The occasion of games that are played with this program and have no other."""
UNKNOWN: Final = "?"
"""The value of a tag that nobody knows."""
LINE_WIDTH: Final = 100
"""Moves are broken into lines of at most so many characters."""
HIGHEST_GLYPH: Final = 999
"""The highest number of an annotation such as `$1`."""
FIXED_TAGS: Final = re.compile("Event|Date|Wall|Players|Player[1-4]|Result|Rules")
"""Tags that are fields of a `Record`; all others are in its `tags`."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A move, or a deal at the head of a round, with what was written about it."""

    play: Move | Deal | None
    """None only at the head of a record that starts in the middle of a round."""
    head: tuple[int, int] | None = None
    """At the head of a round: its number, and the seat that starts it, from 0."""
    glyphs: tuple[int, ...] = ()
    """Numeric annotations such as `$1` for a good move."""
    comments: tuple[str, ...] = ()
    """What was written behind it."""
    variations: tuple[tuple[Entry, ...], ...] = ()
    """What else might have been played here; each begins in place of this entry."""

    def __post_init__(self) -> None:
        for comment in self.comments:
            _check_comment(comment)
        if not all(0 <= glyph <= HIGHEST_GLYPH for glyph in self.glyphs):
            raise InvalidNotation(f"cannot write the glyphs {self.glyphs!r}: expected numbers up to {HIGHEST_GLYPH}")
        if () in self.variations:
            raise InvalidNotation("a variation without a move")


@dataclass(frozen=True, slots=True)
class Record:
    """One game, finished or not.

    >>> from azulejos import Game
    >>> print(Record.of(Game(seed=1, starter=0), names=("Ana", "Ben")).text())
    [Event "?"]
    [Date "????.??.??"]
    [Wall "std"]
    [Players "2"]
    [Player1 "Ana"]
    [Player2 "Ben"]
    [Result "*"]
    [Rules "1"]
    <BLANKLINE>
    R1@1 =BYKW/YRK2/Y2RK/BRKW/YR2W
    *
    <BLANKLINE>
    """

    wall: Wall
    """The colored wall or the gray one."""
    names: tuple[str, ...]
    """Who had each seat."""
    entries: tuple[Entry, ...]
    """All moves and deals in order."""
    result: tuple[int, ...] | None = None
    """The scores, or None for an unfinished game."""
    event: str = UNKNOWN
    """The occasion."""
    date: str = "????.??.??"
    """Year, month and day, with `?` for what is not known."""
    comments: tuple[str, ...] = ()
    """What was written before the first round."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """All other tags."""

    def __post_init__(self) -> None:
        for comment in self.comments:
            _check_comment(comment)
        for name, value in (("Event", self.event), ("Date", self.date), *self.tags.items()):
            _check_tag(name, value)
        for name in self.tags:
            if FIXED_TAGS.fullmatch(name):
                raise InvalidNotation(f"the tag {name!r} is written from the record itself and cannot be given")
        for name in self.names:
            _check_tag("Player", name)

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.names)

    @property
    def position(self) -> str | None:
        """The position line that the record starts from, or None for a fresh game."""
        return self.tags.get("Position")

    @staticmethod
    def of(game: Any, names: Iterable[str] = (), **tags: str) -> Record:
        """The record of a `Game`; `tags` as in the text, such as `Event="Casual"`."""
        given = tuple(names)
        if len(given) > game.players:
            raise ValueError(f"{len(given)} names for {game.players} players: {given!r}")
        event, date = tags.pop("Event", UNKNOWN), tags.pop("Date", "????.??.??")
        if game.start is not None:
            tags["Position"] = game.start
        outcome = game.outcome
        if outcome and outcome.reason != "row":
            tags["Termination"] = outcome.reason
        return Record(
            wall=game.wall,
            names=given + (UNKNOWN,) * (game.players - len(given)),
            entries=tuple(_entries_of(game)),
            result=outcome.scores if outcome else None,
            event=event,
            date=date,
            tags=dict(sorted(tags.items())),
        )

    def text(self) -> str:
        """The record as text."""
        tags = {"Event": self.event, "Date": self.date, "Wall": self.wall, "Players": str(self.players)}
        tags |= {f"Player{number}": name for number, name in enumerate(self.names, 1)}
        tags |= {"Result": self.result_text, "Rules": RULES_VERSION, **dict(sorted(self.tags.items()))}
        head = [f'[{name} "{_escape(value)}"]' for name, value in tags.items()]
        body = [_wrap(_comment_texts(self.comments), "")] if self.comments else []
        return "\n".join([*head, "", *body, *_round_texts(self.entries), self.result_text, ""])

    @property
    def result_text(self) -> str:
        """The scores as `54-47`, or `*`."""
        return UNFINISHED if self.result is None else "-".join(map(str, self.result))

    def json(self) -> dict[str, Any]:
        """The record as plain data for JSON."""
        return {
            "v": 1,
            "wall": self.wall,
            "players": list(self.names),
            # Before the rounds: where a text breaks off, the position that it starts from must be known.
            "tags": {"Event": self.event, "Date": self.date, **self.tags},
            **({"comments": list(self.comments)} if self.comments else {}),
            "rounds": _json_rounds(self.entries),
            "result": None if self.result is None else list(self.result),
        }

    def json_text(self) -> str:
        """The record as one line of JSON."""
        return msgspec.json.encode(self.json()).decode()


def _entries_of(game: Any) -> Iterator[Entry]:
    """The entries of a game's history; the heads come from playing it once more."""
    again = game.from_start()
    if again.phase.is_decision:
        yield Entry(None, (again.round, again.starter))
    for play in game.history:
        if isinstance(play, Deal):
            yield Entry(play, (again.round, again.starter))
        else:
            yield Entry(play)
        again.play(play)


def _check_comment(comment: str) -> None:
    if "{" in comment or "}" in comment or comment != " ".join(comment.split()) or not comment:
        raise InvalidNotation(f"cannot write {comment!r} as a comment: no braces, line breaks or double blanks")


def _check_tag(name: str, value: str) -> None:
    if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name) or not value.isprintable():
        raise InvalidNotation(f"cannot write the tag {name!r} with the value {value!r}")


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _comment_texts(comments: Iterable[str]) -> list[str]:
    return [f"{{{comment}}}" for comment in comments]


def _wrap(words: list[str], indent: str) -> str:
    return textwrap.fill(
        " ".join(words),
        LINE_WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _head_text(entry: Entry) -> list[str]:
    if entry.head is None:
        return []
    return [f"R{entry.head[0]}@{entry.head[1] + 1}"]


def _words(entry: Entry) -> list[str]:
    words = _head_text(entry)
    if entry.play is not None:
        words.append(str(entry.play))
    words += [f"${glyph}" for glyph in entry.glyphs]
    words += _comment_texts(entry.comments)
    for variation in entry.variations:
        words += ["(", *(word for inner in variation for word in _words(inner)), ")"]
    return words


def _round_texts(entries: tuple[Entry, ...]) -> Iterator[str]:
    """A line for each head of a round and an indented paragraph for its moves."""
    words: list[str] = []
    for entry in entries:
        if entry.head is not None:
            if words:
                yield _wrap(words, "  ")
            words = []
            yield _wrap(_words(entry), "")
        else:
            words += _words(entry)
    if words:
        yield _wrap(words, "  ")


def _json_rounds(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    rounds: list[dict[str, Any]] = []
    for entry in entries:
        if entry.head is not None:
            number, starter = entry.head
            deal = None if entry.play is None else str(entry.play)
            rounds.append({"round": number, "deal": deal, "starter": starter + 1, **_json_notes(entry), "moves": []})
        else:
            notes = _json_notes(entry)
            if not rounds:  # a variation that begins in the middle of a round
                rounds.append({"moves": []})
            rounds[-1]["moves"].append({"move": str(entry.play), **notes} if notes else str(entry.play))
    return rounds


def _json_notes(entry: Entry) -> dict[str, Any]:
    notes: dict[str, Any] = {}
    if entry.glyphs:
        notes["glyphs"] = list(entry.glyphs)
    if entry.comments:
        notes["comments"] = list(entry.comments)
    if entry.variations:
        notes["variations"] = [_json_rounds(variation) for variation in entry.variations]
    return notes
