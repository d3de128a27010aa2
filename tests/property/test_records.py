"""Any game with anything written about it reads back; any other text is refused with one of our errors."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from azulejos import (
    Dealer,
    Game,
    GameTree,
    IllegalMove,
    InvalidNotation,
    InvalidPosition,
    Record,
    read_record,
    read_records,
)
from azulejos.game.record import Entry
from azulejos.game.replay import replay
from azulejos.game.view import WALLS

comments = st.text(max_size=150).map(
    lambda text: " ".join(text.replace("{", "(").replace("}", ")").split()),
).filter(bool)  # fmt: skip
values = st.text(max_size=60).filter(str.isprintable)
names = st.from_regex("[A-Za-z][A-Za-z0-9_]{0,9}", fullmatch=True).filter(
    lambda name: not name.startswith(("Event", "Date", "Wall", "Player", "Result", "Rules", "Position", "Term", "Deal"))
)


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game at any point, from a fresh start or from a position line, sometimes with a limit of rounds."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    limit = draw(st.sampled_from([None, None, 2, 6]))
    game = Game(draw(st.integers(2, 4)), draw(st.sampled_from(WALLS)), seed=rng.getrandbits(32), max_rounds=limit)
    if draw(st.booleans()):
        wander(game, rng, draw(st.integers(0, 60)))
        game = Game.from_position(game.position)
    wander(game, rng, draw(st.integers(0, 120)))
    return game


def wander(game: Game, rng: random.Random, count: int) -> list[Entry]:
    """Play random moves, dealing where a deal is due; returns them as entries."""
    entries = []
    for _ in range(count):
        if game.is_over:
            break
        if game.phase == "r":
            deal = Dealer(rng.randbytes(32)).deal(game.states)
            entries.append(Entry(deal, (game.round, game.starter)))
            game.play(deal)
        else:
            move = rng.choice(game.legal_moves)
            entries.append(Entry(move))
            game.play(move)
    return entries


def annotate(game: Game, entries: list[Entry], rng: random.Random, words: list[str], depth: int) -> tuple[Entry, ...]:
    """Entries from this position on with glyphs, comments and variations strewn over them."""
    result = []
    for entry in entries:
        variations = []
        if rng.random() < 0.15 / (1 + depth) and not game.is_over:
            branch = wander(game.copy(), rng, rng.randint(1, 30))
            variations.append(annotate(game.copy(), branch, rng, words, depth + 1))
        result.append(
            replace(
                entry,
                glyphs=tuple(rng.choices(range(1000), k=rng.choice((0, 0, 0, 1, 2)))),
                comments=tuple(rng.choices(words, k=rng.choice((0, 0, 0, 1, 2)))) if words else (),
                variations=tuple(variations),
            )
        )
        if entry.play is not None:
            game.play(entry.play)
    return tuple(result)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """A record of such a game with tags, and with anything written about it."""
    game = draw(games())
    rng = random.Random(draw(st.integers(0, 2**32)))
    words = draw(st.lists(comments, max_size=4))
    plain = Record.of(
        game,
        names=draw(st.lists(values, max_size=game.players)),
        Event=draw(values),
        **draw(st.dictionaries(names, values, max_size=3)),
    )
    entries = annotate(game.from_start(), list(plain.entries), rng, words, 0)
    return replace(plain, entries=entries, comments=tuple(words[:2]))


@settings(max_examples=60)
@given(records())
def test_a_record_reads_back_from_its_text(record: Record) -> None:
    again = read_record(record.text())
    assert again == record
    assert again.text() == record.text()


@settings(max_examples=60)
@given(records())
def test_a_record_reads_back_from_its_json(record: Record) -> None:
    assert read_record(record.json_text()) == record


@settings(max_examples=50)
@given(games())
def test_a_record_replays_to_the_same_position(game: Game) -> None:
    again = replay(read_record(game.to_record()))
    assert again.position == game.position
    assert again.outcome == game.outcome


@settings(max_examples=30)
@given(st.lists(records(), max_size=4))
def test_a_file_of_records_reads_back(written: list[Record]) -> None:
    file = "".join(record.text() for record in written)
    assert list(read_records(file.splitlines(keepends=True))) == written
    lines = "".join(record.json_text() + "\n" for record in written)
    assert list(read_records(lines.split("\n"))) == written


# --- nothing but our errors


def survives(read: Callable[[], object]) -> None:
    """Whatever is read: it is right, or it is refused with one of the three errors."""
    with contextlib.suppress(InvalidNotation, InvalidPosition, IllegalMove):
        read()


SAMPLE = """[Wall "std"]
[Players "2"]
[Result "*"]

{before} R1@1 =BYKW/YRK2/Y2RK/BRKW/YR2W $3
  1B1 {a} 2Y1 ( 2K2 3Y3 ( 3Rf ) ) 3Y2 5R2 4B3 cR3 cK5 cW4 cY4
R2@2 =BYW2/B2RW/BKW2/R2KW/B2RW
  1B1 2B2
*
"""

WORDS = [*SAMPLE.split(), '[Termination "round_limit"]', "t11", "R99999@4", "R1@3", "=-/-", "9-9", "\n", *' (){}[]"$*']
pieces = st.sampled_from(WORDS)


def test_the_record_that_is_changed_below_is_right() -> None:
    assert len(read_record(SAMPLE).entries) == 13


@given(st.text())
def test_arbitrary_text(text: str) -> None:
    survives(lambda: read_record(text))
    survives(lambda: list(read_records(text.splitlines(keepends=True))))


@settings(max_examples=300)
@given(st.lists(st.tuples(pieces, st.sampled_from(["", " ", "\n"])), max_size=40))
def test_words_of_records_in_any_order(words: list[tuple[str, str]]) -> None:
    text = '[Wall "std"]\n[Players "2"]\n[Result "*"]\n' + "".join(piece + gap for piece, gap in words)
    survives(lambda: read_record(text))
    survives(lambda: read_record(text + " *"))


@settings(max_examples=300)
@given(st.lists(st.tuples(st.integers(0, len(SAMPLE)), st.integers(0, 6), pieces | st.text(max_size=3)), max_size=3))
def test_a_record_with_parts_replaced(edits: list[tuple[int, int, str]]) -> None:
    text = SAMPLE
    for at, length, new in edits:
        text = text[:at] + new + text[at + length :]
    survives(lambda: read_record(text))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def places(node: Any) -> list[tuple[Any, Any]]:
    """Every container and key of a tree of JSON."""
    keys = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else []
    return [(node, key) for key in keys] + [place for key in keys for place in places(node[key])]


SMALL = {
    "v": 1,
    "wall": "std",
    "players": ["Ana", "Ben"],
    "rounds": [
        {
            "round": 1,
            "deal": "=BYKW/YRK2/Y2RK/BRKW/YR2W",
            "starter": 1,
            "moves": ["1B1", {"move": "2Y1", "variations": [[{"moves": ["2Y2"]}]], "glyphs": [1], "comments": ["a"]}],
        }
    ],
    "result": None,
    "tags": {"Termination": "round_limit"},
    "comments": ["b"],
}


def test_the_json_that_is_changed_below_is_right() -> None:
    assert read_record(json.dumps(SMALL)).players == 2


@settings(max_examples=300)
@given(st.integers(0, len(places(SMALL)) - 1), st.integers(-2, 6) | json_values)
def test_json_with_one_value_replaced(at: int, value: Any) -> None:
    data = json.loads(json.dumps(SMALL))
    node, key = places(data)[at]
    node[key] = value
    survives(lambda: read_record(json.dumps(data)))


# --- as a tree


def beside(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Entries in which what would replace the first move of a variation is a variation beside it: as a tree has it."""
    flat = []
    for entry in entries:
        others: list[tuple[Entry, ...]] = []
        waiting = list(entry.variations)
        while waiting:
            first, *rest = waiting.pop(0)
            others.append((replace(first, variations=()), *beside(tuple(rest))))
            waiting = [*first.variations, *waiting]
        flat.append(replace(entry, variations=tuple(others)))
    return tuple(flat)


@settings(max_examples=60)
@given(records())
def test_a_tree_is_the_record_and_nothing_is_lost(record: Record) -> None:
    tree = GameTree(record)
    assert tree.record() == replace(record, entries=beside(record.entries))
    assert GameTree(tree.record()).record() == tree.record()
    assert tree.end.game.position == replay(record).position
    for node in tree.walk():
        assert node in (node.parent.variations if node.parent else ())


@settings(max_examples=60)
@given(records(), st.integers(0, 2**32), st.integers(0, 30))
def test_a_tree_that_was_changed_in_any_way_has_a_record_that_reads_back(record: Record, seed: int, steps: int) -> None:
    tree, rng = GameTree(record), random.Random(seed)
    for _ in range(steps):
        node = rng.choice([tree.root, *tree.walk()])
        with contextlib.suppress(ValueError):  # the root, a head, and lines nested too deeply stay as they are
            match rng.randrange(6):
                case 0:
                    node.promote()
                case 1:
                    node.demote()
                case 2:
                    node.promote_to_main()
                case 3:
                    node.remove()
                case _ if not node.game.is_over:
                    node.add_line(entry.play for entry in wander(node.game, rng, rng.randint(1, 20)) if entry.play)
    again = read_record(tree.record().text())
    assert again == tree.record()
    assert [str(node) for node in GameTree(again).walk()] == [str(node) for node in tree.walk()]
