"""Damaged records: as much of them as is a game, and why no more."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from azulejos import Game, InvalidNotation, Record, read_record
from azulejos.game.valid_part import MOST_CHARACTERS, read_valid_part
from azulejos.players import greedy

GOLDEN = (Path(__file__).parent / "golden" / "record.azul").read_text()


def finished() -> str:
    game = Game(seed=1, starter=0)
    while not game.is_over:
        game.play(greedy.choose(game))
    return game.to_record()


WHOLE = finished()
LAST_MOVE = WHOLE.split()[-2]


@pytest.mark.parametrize("text", [GOLDEN, WHOLE, Game(seed=1).to_record()])
def test_a_whole_record_has_no_fault(text: str) -> None:
    assert read_valid_part(text) == (read_record(text), None)


@pytest.mark.parametrize(
    ("text", "moves", "fault"),
    {
        "breaks off": (WHOLE[: WHOLE.index("R3@")], None, "ends in its result"),
        "breaks off in a word": (WHOLE[: WHOLE.index("R2@") + 2], None, "cannot read"),
        "breaks off in a comment": (GOLDEN[: GOLDEN.index("Fine")], 1, "cannot read"),
        "illegal move": (WHOLE.replace("R2@", "1B1 R2@", 1), None, "round 2, move 1: illegal move '1B1'"),
        "wrong head": (WHOLE.replace("R3@", "R4@"), None, "the head says R4"),
        "wrong result": (WHOLE.replace(WHOLE.split()[-1], "1-2"), None, "the result is '1-2'"),
        "result in one place only": (WHOLE.replace(WHOLE.split()[-1], "*", 1), None, "the tag Result says '*'"),
        "bad variation": (WHOLE.replace(LAST_MOVE, f"{LAST_MOVE} ( {LAST_MOVE} {LAST_MOVE} )"), None, "illegal move"),
    }.values(),
)
def test_the_valid_part_is_a_record_of_its_own(text: str, moves: int | None, fault: str) -> None:
    record, why = read_valid_part(text)
    assert why is not None
    assert fault in why
    assert read_record(record.text()) == record
    if moves is not None:
        assert len(record.entries) == 1 + moves


def test_a_damaged_json_record_is_read_up_to_the_damage() -> None:
    data = read_record(WHOLE).json()
    data["rounds"][1]["moves"][3] = "9Z9"
    record, why = read_valid_part(json.dumps(data))
    assert why is not None
    assert why.startswith("round 2, move 4: cannot read '9Z9'")
    assert [entry.play for entry in record.entries] == [entry.play for entry in read_record(WHOLE).entries][
        : len(record.entries)
    ]
    assert read_record(record.text()) == record


def test_a_json_record_that_breaks_off_anywhere_is_read_up_to_there() -> None:
    whole = read_record(WHOLE)
    text = json.dumps(whole.json())
    plays, read = [entry.play for entry in whole.entries], 0
    for end in range(text.index('"1'), len(text), 7):
        record, why = read_valid_part(text[:end])
        assert why is not None
        assert "as JSON" in why
        found = [entry.play for entry in record.entries]
        assert found == plays[: len(found)]
        assert read <= len(found)
        read = len(found)
        assert read_record(record.text()) == record
        with pytest.raises(InvalidNotation):
            read_record(text[:end])
    assert read == len(plays)
    move = str(plays[3])
    record, why = read_valid_part(text.replace(f'"{move}"', f'"{move}', 1))  # a quotation mark is missing in the middle
    assert why is not None
    assert why.startswith("round 1, move 3: cannot read")
    assert [entry.play for entry in record.entries] == plays[:3]


def test_a_json_record_that_breaks_off_still_says_what_position_it_starts_from() -> None:
    game = Game.from_position(Game(seed=1, starter=0).position)
    for _ in range(4):
        game.play(greedy.choose(game))
    text = Record.of(game).json_text()
    record, why = read_valid_part(text[: text.index(f'"{game.history[-1]}"')])
    assert why is not None
    assert record.position == game.start
    assert [entry.play for entry in record.entries] == [None, *game.history[:-1]]


@pytest.mark.parametrize(
    "text",
    ["", "\n", "nonsense", '{"v": 1, "wall": "std"', '[Event "World"]\n[White "Ana"]\n\n1. e4 e5 1-0\n', "[Wall"],
)
def test_where_nothing_is_valid_it_is_said(text: str) -> None:
    with pytest.raises(InvalidNotation):
        read_valid_part(text)


def test_a_text_that_is_too_long_is_refused_at_once() -> None:
    with pytest.raises(InvalidNotation, match="at most 1,000,000 characters"):
        read_valid_part(WHOLE + " " * MOST_CHARACTERS)
