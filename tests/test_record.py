"""Records as they are written, and that what is written reads back as the same record."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from azulejos import Deal, Dealer, Game, InvalidNotation, Move, Record, read_record
from azulejos.game.record import Entry
from azulejos.game.replay import replay
from azulejos.game.view import Wall

GOLDEN = Path(__file__).parent / "golden" / "record.azul"

FIRST = "1B1 2Y1 3Y2 5R2 4B3 cR3 cK5 cW4 cY4"
SECOND = "1B1 2B2 3W2 5B3 4W4 cY1 cR5 cW5 cK3 cBf"
OTHER_SECOND_DEAL = "=B4/Y4/R4/K4/W4"
LONG = "A comment that is far too long for one line, and goes on and on until it has to be written on the next one"


def moves(text: str) -> tuple[Entry, ...]:
    return tuple(Entry(Move.parse(word)) for word in text.split())


def game_of_two_rounds() -> Game:
    game = Game(seed=1, starter=0, max_rounds=2)
    for move in f"{FIRST} {SECOND}".split():
        game.play(move)
    return game


def annotated() -> Record:
    """Two rounds with everything that can be written about them."""
    plain = Record.of(
        game_of_two_rounds(),
        names=('Ana "the wall" Lima', "bot:strong"),
        Event="Casual",
        Date="2026.11.15",
        Site="Évora",
        Annotator="back\\slash",
    )
    entries = list(plain.entries)
    nested = replace(moves("3Y3")[0], variations=(moves("3Rf"),))
    across = (*moves("cYf"), Entry(Deal.parse(OTHER_SECOND_DEAL), (2, 1), glyphs=(10,)), *moves("1B5 2Y5"))
    notes: dict[int, dict[str, Any]] = {
        0: {"comments": ("All five colors.",)},
        1: {"glyphs": (1,), "comments": ("[%clk 0:09:41] [%eval +3.2]", "Fine.")},
        3: {"variations": ((nested, *moves("5R2 4B2")), moves("4W4"))},
        9: {"variations": (across,)},
        10: {"comments": (LONG,)},
        20: {"glyphs": (4, 14)},
    }
    for at, changes in notes.items():
        entries[at] = replace(entries[at], **changes)
    return replace(plain, entries=tuple(entries), comments=("A short game.", "For the tests."))


def play_at_random(game: Game, seed: int, count: int = 10_000) -> Game:
    rng, dealer = random.Random(seed), Dealer(bytes(32))
    for _ in range(count):
        if game.is_over:
            break
        game.play(dealer.deal(game.states) if game.phase == "r" else rng.choice(game.legal_moves))
    return game


def play_until(game: Game, phase: str, seed: int) -> Game:
    rng = random.Random(seed)
    while game.phase != phase:
        game.play(rng.choice(game.legal_moves))
    return game


def forms(record: Record) -> tuple[Record, Record]:
    """The record read back from its text and from its JSON."""
    return read_record(record.text()), read_record(record.json_text())


# --- how it is written


def test_text_is_the_golden_one() -> None:
    assert annotated().text() == GOLDEN.read_text(encoding="utf-8")


def test_the_golden_text_reads_back_in_both_forms() -> None:
    golden = GOLDEN.read_text(encoding="utf-8")
    assert read_record(golden) == annotated()
    assert read_record(golden).text() == golden
    assert read_record(annotated().json_text()) == annotated()


def test_a_record_without_notes_is_two_lines_a_round() -> None:
    body = Record.of(game_of_two_rounds()).text().split("\n\n")[1].splitlines()
    assert body[0].startswith("R1@1 =")
    assert body[1] == f"  {FIRST}"
    assert body[2].startswith("R2@2 =")
    assert body[3] == f"  {SECOND}"
    assert body[4:] == ["9-7"]


def test_json_has_the_fields_of_the_notation() -> None:
    game = game_of_two_rounds()
    data = Record.of(game, names=("Ana", "bot:strong")).json()
    first, second = (play for play in game.history if isinstance(play, Deal))
    assert data == {
        "v": 1,
        "wall": "std",
        "players": ["Ana", "bot:strong"],
        "rounds": [
            {"round": 1, "deal": str(first), "starter": 1, "moves": FIRST.split()},
            {"round": 2, "deal": str(second), "starter": 2, "moves": SECOND.split()},
        ],
        "result": [9, 7],
        "tags": {"Event": "?", "Date": "????.??.??", "Termination": "round_limit"},
    }


def test_json_without_the_optional_fields_reads_as_the_same_game() -> None:
    data = Record.of(game_of_two_rounds()).json()
    data["tags"] = {"Termination": "round_limit"}
    for item in data["rounds"]:
        del item["round"]
    assert read_record(json.dumps(data)) == Record.of(game_of_two_rounds())


def test_fixed_tags_come_first_and_the_others_sorted() -> None:
    tags = {"Zebra": "z", "Annotator": "a", "Site": "s", "apple": "b"}
    text = replace(Record.of(Game(seed=1), Event="e"), tags=tags).text()
    names = [line[1 : line.index(" ")] for line in text.splitlines() if line.startswith("[")]
    fixed = ["Event", "Date", "Wall", "Players", "Player1", "Player2", "Result", "Rules"]
    assert names == [*fixed, "Annotator", "Site", "Zebra", "apple"]


def test_quotes_and_backslashes_in_tags_are_escaped() -> None:
    record = Record.of(Game(seed=1), names=('"', "\\"), Site='\\"\\\\n"]')
    assert '[Player1 "\\""]' in record.text()
    assert '[Player2 "\\\\"]' in record.text()
    assert forms(record) == (record, record)


def test_names_that_are_not_given_are_question_marks() -> None:
    assert Record.of(Game(players=3, seed=1), names=("Ana",)).names == ("Ana", "?", "?")


def test_more_names_than_players_are_refused() -> None:
    with pytest.raises(ValueError, match=r"3 names for 2 players: \('a', 'b', 'c'\)"):
        Record.of(Game(seed=1), names=("a", "b", "c"))


def test_no_line_is_wider_than_100_unless_one_word_is() -> None:
    record = replace(annotated(), comments=(" ".join(["word"] * 200), "x" * 150))
    lines = record.text().splitlines()
    assert [line for line in lines if len(line) > 100] == [f"{{{'x' * 150}}}"]
    assert forms(record) == (record, record)


@pytest.mark.parametrize("comment", ["", " ", "a{b", "a}b", "a\nb", "a  b", " a", "a\tb", "a\x85b"])
def test_a_comment_that_would_not_read_back_is_refused(comment: str) -> None:
    with pytest.raises(InvalidNotation, match="as a comment"):
        Entry(Move.parse("1B1"), comments=(comment,))
    with pytest.raises(InvalidNotation, match="as a comment"):
        replace(annotated(), comments=(comment,))


@pytest.mark.parametrize(
    ("name", "value"), [("Site", "a\nb"), ("Site", "\x1b[2J"), ("My Tag", "x"), ("", "x"), ("É", "x")]
)
def test_a_tag_that_would_not_read_back_is_refused(name: str, value: str) -> None:
    with pytest.raises(InvalidNotation, match="cannot write the tag"):
        replace(annotated(), tags={name: value})


@pytest.mark.parametrize("name", ["Wall", "Players", "Player1", "Result", "Rules", "Event"])
def test_a_tag_that_is_a_field_of_the_record_cannot_be_given_as_another(name: str) -> None:
    with pytest.raises(InvalidNotation, match=name):
        replace(annotated(), tags={name: "gray"})


def test_a_glyph_that_would_not_read_back_is_refused() -> None:
    with pytest.raises(InvalidNotation, match="1000"):
        Entry(Move.parse("1B1"), glyphs=(1000,))


def test_a_variation_without_a_move_is_refused() -> None:
    with pytest.raises(InvalidNotation, match="variation"):
        Entry(Move.parse("1B1"), variations=((),))


# --- read(write(x)) == x


@pytest.mark.parametrize("wall", ["std", "gray"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_game_reads_back(players: int, wall: Wall) -> None:
    game = play_at_random(Game(players, wall, seed=5), seed=5)
    record = Record.of(game)
    assert forms(record) == (record, record)
    again = replay(record)
    assert again.position == game.position
    assert again.history == game.history


@pytest.mark.parametrize("count", [0, 1, 7, 30])
def test_an_unfinished_game_reads_back(count: int) -> None:
    record = Record.of(play_at_random(Game(seed=2), seed=2, count=count))
    assert record.text().endswith("\n*\n")
    assert forms(record) == (record, record)
    assert record.result is None


def start_in_drafting() -> Game:
    return Game.from_position(play_at_random(Game(seed=4), seed=4, count=14).position)


def start_in_tiling() -> Game:
    return Game.from_position(play_until(Game(wall="gray", seed=3), "t", seed=3).position)


def start_with_a_deal_due() -> Game:
    waiting = Game.from_position(Game(players=3, seed=6).position)
    return Game.from_position(play_until(waiting, "r", seed=6).position)


STARTS = {"d": start_in_drafting, "t": start_in_tiling, "r": start_with_a_deal_due}


@pytest.mark.parametrize("count", [0, 1, 25, 10_000])
@pytest.mark.parametrize(("phase", "start"), STARTS.items())
def test_a_record_may_start_from_a_position(phase: str, start: Callable[[], Game], count: int) -> None:
    game = start()
    assert game.phase == phase
    line = game.position
    record = Record.of(play_at_random(game, seed=8, count=count))
    assert record.tags["Position"] == line
    assert forms(record) == (record, record)
    assert replay(record).position == game.position


def test_a_record_may_start_where_the_game_is_over() -> None:
    over = play_at_random(Game(seed=5), seed=5)
    record = Record.of(Game.from_position(over.position))
    assert record.entries == ()
    assert record.result == over.scores
    assert forms(record) == (record, record)


def test_a_head_without_a_deal_can_be_annotated() -> None:
    record = Record.of(start_in_drafting())
    head = replace(record.entries[0], glyphs=(7,), comments=("White to think.",))
    record = replace(record, entries=(head,))
    assert forms(record) == (record, record)


def test_games_that_end_by_the_round_limit_say_so() -> None:
    game = play_at_random(Game(seed=3, max_rounds=3), seed=3)
    record = Record.of(game)
    assert record.tags == {"Termination": "round_limit"}
    assert forms(record) == (record, record)
    assert replay(record).outcome == game.outcome


def test_games_that_end_by_a_row_need_no_termination() -> None:
    record = Record.of(play_at_random(Game(seed=5), seed=5))
    assert "Termination" not in record.tags
    assert read_record(replace(record, tags={"Termination": "row"}).text()).tags == {"Termination": "row"}


@pytest.mark.parametrize("termination", ["resigned", "time"])
def test_a_game_given_up_has_the_scores_of_that_moment(termination: str) -> None:
    game = play_at_random(Game(seed=2), seed=2, count=30)
    record = replace(Record.of(game, Termination=termination), result=game.scores)
    assert forms(record) == (record, record)
    assert not replay(record).is_over


def test_deals_are_recorded_so_that_no_seed_is_needed() -> None:
    game = play_at_random(Game(players=4, seed=9), seed=9, count=60)
    assert replay(read_record(game.to_record())).position == game.position
