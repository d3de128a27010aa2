"""Reading records: lenient about white space and unknown tags, strict about everything played."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from azulejos import Game, IllegalMove, InvalidNotation, InvalidPosition, Record, read_record, read_records
from azulejos.game import record
from azulejos.game.reader import split_records
from azulejos.game.reading import DEEPEST_VARIATION, MOST_NOTES
from azulejos.game.replay import replay

GOLDEN = (Path(__file__).parent / "golden" / "record.azul").read_text(encoding="utf-8")
DEAL = "=BYKW/YRK2/Y2RK/BRKW/YR2W"
GAME = Record.of(Game(seed=1, starter=0), names=("Ana", "Ben"))


def text(body: str, result: str = "*", **tags: str) -> str:
    """A record with the fewest tags."""
    given = {"Wall": "std", "Players": "2", "Result": result, **tags}
    return "".join(f'[{name} "{value}"]\n' for name, value in given.items()) + f"\n{body}\n"


def opened(moves: str, result: str = "*", **tags: str) -> str:
    """A record of these moves of the first round."""
    return text(f"R1@1 {DEAL} {moves} {result}", result, **tags)


def lines_of(*records: str) -> list[str]:
    return "".join(records).splitlines(keepends=True)


def changed(**fields: Any) -> str:
    """The JSON of a game with some of its fields changed."""
    return json.dumps({**GAME.json(), **fields})


def changed_round(**fields: Any) -> str:
    return changed(rounds=[{**GAME.json()["rounds"][0], **fields}])


# --- what does not matter


@pytest.mark.parametrize(
    "spread",
    [
        lambda record: record.replace("\n", "\r\n"),
        lambda record: record.replace("\n", "\r"),
        lambda record: record.replace("\n", "\n\n  \n"),
        lambda record: record.replace(" ", "\t \n ").replace("\n[", "\n\t[ ").replace('"]\n', '" ] \n'),
        lambda record: "\n \n" + record + "\n\n\t\n",
        lambda record: " ".join(record.split()),
        lambda record: "\ufeff" + record,
    ],
    ids=["CRLF", "CR", "blank lines", "blanks everywhere", "around", "one line", "byte order mark"],
)
def test_white_space_does_not_matter(spread: Any) -> None:
    spread_out = spread(GOLDEN.replace('"Ana \\"the wall\\" Lima"', '"Ana"'))
    assert read_record(spread_out).entries == read_record(GOLDEN).entries
    assert read_record(spread_out).comments == read_record(GOLDEN).comments


def test_brackets_and_notes_need_no_blanks_around_them() -> None:
    record = read_record(opened("1B1$1{a}{ b  c }(1B2(1Bf)2K2{d})2K2{e}"))
    assert str(record.entries[1].play) == "1B1"
    assert record.entries[1].comments == ("a", "b c")
    assert record.entries[1].variations[0][0].variations[0][0].play == read_record(opened("1Bf")).entries[1].play
    assert record.entries[2].comments == ("e",)
    assert read_record(record.text()) == record


def test_empty_comments_are_passed_over() -> None:
    assert read_record(text(f"{{}} {{ }} R1@1 {DEAL} {{\n}} *")) == read_record(text(f"R1@1 {DEAL} *"))


def test_a_glyph_may_be_written_with_leading_zeros() -> None:
    assert read_record(opened("1B1 $007")).entries[1].glyphs == (7,)


def test_unknown_tags_are_kept_and_tags_may_come_in_any_order() -> None:
    record = read_record('[Zebra "z"]\n[Rules "1"]\n[MyTag_2 "\\"y\\""]\n' + opened("1B1"))
    assert record.tags == {"Zebra": "z", "MyTag_2": '"y"'}
    assert list(read_record(record.text()).tags) == ["MyTag_2", "Zebra"]


def test_names_event_and_date_may_be_missing() -> None:
    record = read_record(opened("1B1"))
    assert (record.names, record.event, record.date) == (("?", "?"), "?", "????.??.??")


# --- many games


def test_a_file_of_many_games() -> None:
    games = [Game(players, seed=players).to_record() for players in (2, 3, 4)]
    records = list(read_records(lines_of(*games, GOLDEN)))
    assert [record.players for record in records] == [2, 3, 4, 2]
    assert [record.text() for record in records] == [*games, GOLDEN]


def test_a_file_is_read_one_game_at_a_time() -> None:
    def lines() -> Iterator[str]:
        yield from lines_of(GAME.text(), GAME.text())
        yield '[Event "third"]\n'
        raise AssertionError("read further than the games that were asked for")

    records = read_records(lines())
    assert next(records) == GAME
    assert next(records) == GAME
    with pytest.raises(AssertionError, match="read further"):
        next(records)


def test_a_wrong_game_does_not_keep_the_games_before_it_from_being_read() -> None:
    records = read_records(lines_of(GAME.text(), opened("1B9"), GAME.text()))
    assert next(records) == GAME
    with pytest.raises(InvalidNotation, match="1B9"):
        next(records)


def test_a_line_of_a_comment_may_look_like_a_tag() -> None:
    tricky = opened('1B1 {first\n[Event "no tag"]\n[Wall "gray"]} 2Y1')
    first, second = read_records(lines_of(tricky, GAME.text()))
    assert first.entries[1].comments == ('first [Event "no tag"] [Wall "gray"]',)
    assert second == GAME


def test_braces_in_tags_open_no_comment() -> None:
    records = list(read_records(lines_of(opened("1B1", Site="{"), opened("1B1", Site="}"), GAME.text())))
    assert [record.tags.get("Site") for record in records] == ["{", "}", None]


def test_games_with_crlf_and_blank_lines_between_them() -> None:
    file = (GAME.text() + "\n\n" + GAME.text()).replace("\n", "\r\n")
    assert list(read_records(lines_of(file))) == [GAME, GAME]


def test_a_last_line_needs_no_end() -> None:
    assert list(read_records(lines_of(GAME.text(), GAME.text().rstrip()))) == [GAME, GAME]


def test_a_file_may_begin_with_a_byte_order_mark() -> None:
    assert list(read_records(lines_of("\ufeff", GAME.text(), GAME.text()))) == [GAME, GAME]


def test_a_game_may_stand_on_one_line() -> None:
    line = " ".join(GAME.text().split()) + "\n"
    assert list(read_records([line, line])) == [GAME, GAME]


def test_a_file_of_json_lines() -> None:
    assert list(read_records([GAME.json_text() + "\n"] * 3)) == [GAME] * 3


def test_json_lines_may_have_blank_lines_between_them() -> None:
    assert list(read_records(["\n", GAME.json_text() + "\n", "\n", GAME.json_text()])) == [GAME, GAME]


@pytest.mark.parametrize("file", ["", "\n", " \n\t\n"])
def test_a_file_of_nothing_has_no_games(file: str) -> None:
    assert list(split_records(lines_of(file))) == []


# --- what is wrong

MISTAKES = {
    "no tags": (f"R1@1 {DEAL} *", "there is no file 'R1@1 .*it begins with 'R1@1 .* instead of tags such as"),
    "no tags on two lines": (f"R1@1 {DEAL}\n*", "the text is no record: it begins with 'R1@1 .* instead of tags"),
    "nothing": ("", "the text is no record: it is empty"),
    "another page": ("<!DOCTYPE html>\n<title>404", "it begins with '<!DOCTYPE html>.* instead of tags"),
    "two games": (text("*") + text("*"), "the text holds several games: read_records reads them all"),
    "no wall": (text("*").replace('[Wall "std"]', ""), "tag Wall is None"),
    "other wall": (text("*", Wall="blue"), "'blue'"),
    "no players": (text("*").replace('[Players "2"]', ""), "tag Players is None"),
    "five players": (text("*", Players="5"), "'5'"),
    "players in words": (text("*", Players="two"), "'two'"),
    "other rules": (text("*", Rules="2"), "rules version '2'"),
    "a tag twice": ('[Wall "std"]\n' + text("*"), "'Wall' stands twice"),
    "a tag without quotes": ("[Site here]\n" + text("*"), r"'\[Site here\]'"),
    "a tag not closed": ('[Site "x"\n' + text("*"), "Site"),
    "no result": (text(f"R1@1 {DEAL} 1B1"), "ends in its result"),
    "two results": (opened("* *"), r"'\*' stands behind the result '\*'"),
    "junk behind the result": (opened("* junk"), r"'junk' stands behind the result '\*'"),
    "result unlike the tag": (opened("12-7").replace(" *", ""), r"'\*' but the moves end in '12-7'"),
    "tag unlike the result": (opened("1B1", Result="12-7"), r"'12-7' but the moves end in '\*'"),
    "no result tag": (opened("1B1 0-0").replace('[Result "*"]', "").replace("0-0 *", "0-0"), "0-0"),
    "variation not closed": (opened("1B1 ( 1B2"), "variation"),
    "variation not opened": (opened("1B1 )"), r"'\)' without '\('"),
    "empty variation": (opened("1B1 ()"), "variation without a move"),
    "empty variation, spread": (opened("1B1 ( \n )"), "variation without a move"),
    "variation before any move": (text(f"( 1B1 ) R1@1 {DEAL} *"), r"'\(' stands before any move"),
    "glyph before any move": (text(f"$1 R1@1 {DEAL} *"), r"'\$1' stands before any move"),
    "glyph without a number": (opened("1B1 $x"), r"'\$x"),
    "glyph of four digits": (opened("1B1 $1000"), r"'\$1000"),
    "comment not closed": (opened("1B1 {ah"), r"'\{ah"),
    "comment not opened": (opened("1B1 ah}"), "ah"),
    "comment in a comment": (opened("1B1 {a {b} c}"), r"'\{a "),
    "deal without head": (text(f"{DEAL} 1B1 *"), "'=BYKW.*has no head"),
    "two deals": (text(f"R1@1 {DEAL} {DEAL} *"), "has no head"),
    "head without deal": (text("R1@1 1B1 *"), "no deal behind it"),
    "head alone": (text("R1@1 *"), "no deal behind it"),
    "head in the middle": (opened("1B1 R1@1 2Y1"), "no deal behind it"),
    "head of another round": (text(f"R2@1 {DEAL} *"), "says R2@1, but it is R1@1"),
    "starter who is not there": (text(f"R1@3 {DEAL} *"), "seat 3 starts a game with 2 players"),
    "round 0": (text(f"R0@1 {DEAL} *"), "'R0@1'"),
    "round of a thousand digits": (text(f"R{'9' * 1000}@1 {DEAL} *"), "cannot read 'R999"),
    "result of a thousand digits": (text(f"{'9' * 1000}-1", f"{'9' * 1000}-1"), "cannot read '999"),
    "not a deal": (text("R1@1 =BYKW/YRK2 *").replace("YRK2", "KRY2"), "'KRY2'"),
    "not a move": (opened("1B1 2Z1"), "'2Z1'"),
    "lower case": (opened("1b1"), "'1b1'"),
    "a result that does not fit": (opened("1B1", "3-0", Termination="resigned"), "'3-0', but the scores are '0-0'"),
    "a result for three": (opened("1B1", "0-0-0", Termination="resigned"), "'0-0-0', but the scores are '0-0'"),
    "a result too soon": (opened("1B1", "0-0"), "'0-0', but the game is not over"),
    "over but unfinished": (GOLDEN.replace("9-7", "*"), "is over but the record ends in"),
    "another end": (GOLDEN.replace('"round_limit"', '"row"'), "not over|round_limit"),
    "binary junk": ("\x00\x01\xff[]{}()\x7f", "cannot read|tag"),
    "a brace": ("{", "JSON"),
}


@pytest.mark.parametrize(("record", "message"), MISTAKES.values(), ids=MISTAKES)
def test_what_cannot_be_read_is_said(record: str, message: str) -> None:
    with pytest.raises(InvalidNotation, match=message):
        read_record(record)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (f"R1@1 {DEAL} 1B1 2Y1 1B2 *", r"^round 1, move 3: illegal move '1B2': there is no blue at source 1$"),
        (f"R1@1 {DEAL} 9B1 *", r"^round 1, move 1: illegal move '9B1': there are 5 displays$"),
        (f"R1@1 {DEAL} t11 *", r"^round 1, move 1: illegal move 't11': no tile is waiting"),
        ("1B1 *", r"^round 1, move 1: illegal move '1B1': a deal is due"),
        (f"R1@1 {DEAL} 1B1 R1@1 {DEAL} *", r"^round 1, move 2: illegal move '=BYKW.*': no deal is due$"),
        ("R1@1 =B4/B4/B4/B4/B4Y *", r"^round 1, move 1: illegal move '=B4.*': display 5 gets 5 tiles instead of 4"),
        ("R1@1 =B4/B4/B4 *", r"^round 1, move 1: illegal move .* the deal has 3 displays instead of 5$"),
        (f"R1@1 {DEAL} 1B1 ( 1Y1 1K1 ) *", r"^round 1, move 2: illegal move '1K1': there is no black at source 1$"),
    ],
)
def test_an_illegal_move_names_round_number_and_reason(body: str, message: str) -> None:
    with pytest.raises(IllegalMove, match=message):
        read_record(text(body))


def test_an_illegal_move_of_a_later_round_is_counted_from_its_deal() -> None:
    wrong = GOLDEN.replace("1B1 2B2 3W2", "1B1 2B2 3Y2")
    with pytest.raises(IllegalMove, match=r"^round 2, move 3: illegal move '3Y2': there is no yellow at source 3$"):
        read_record(wrong)


def test_a_wrong_head_of_a_later_round_says_what_it_is() -> None:
    wrong = GOLDEN.replace("R2@2 =BYW2", "R2@1 =BYW2")
    with pytest.raises(InvalidNotation, match=r"^round 2(, move 1)?: the head says R2@1, but it is R2@2$"):
        read_record(wrong)


def test_an_impossible_deal_of_a_later_round_is_not_counted_as_a_move_of_the_round_before() -> None:
    wrong = GOLDEN.replace("R2@2 =BYW2", "R2@2 =BYW3")
    with pytest.raises(IllegalMove, match=r"^round 2(, move 1)?: .*display 1 gets 5 tiles instead of 4$"):
        read_record(wrong)


def test_an_impossible_position_tag_is_refused() -> None:
    line = Game(seed=1, starter=0).position.replace("B18", "B19")
    with pytest.raises(InvalidPosition, match="21 blue tiles"):
        read_record(text("R1@1 *", Position=line))


def test_a_position_tag_has_to_fit_wall_and_players() -> None:
    with pytest.raises(InvalidNotation, match="3 players"):
        read_record(text("*", Position=Game(players=3, seed=1).position))


def test_variations_nest_so_deep_and_no_deeper() -> None:
    line = GAME.text().replace("\n*", " {}\n*")
    deep = "1B1" + " ( 1B2" * DEEPEST_VARIATION + " )" * DEEPEST_VARIATION
    record = read_record(line.format(deep))
    assert read_record(record.text()) == record
    assert read_record(record.json_text()) == record
    with pytest.raises(InvalidNotation, match="deeper than 32"):
        read_record(line.format(f"1B1 ( {deep} )"))
    with pytest.raises(InvalidNotation, match="deeper than 32"):
        read_record(line.format("1B1" + "(1B2" * 100_000))


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("{}", "'v'"),
        ('{"v":1', "JSON"),
        ('{"v":1,"x":' + "[" * 100_000, "JSON"),
        (changed(v=2), "format 2"),
        (changed(wall="blue"), "'blue'"),
        (changed(players=["a"]), "1 names"),
        (changed(players=["a", 2]), "'players'"),
        (changed(rounds={}), "'rounds'"),
        (changed(rounds=[1]), "as a round"),
        (changed(result="0-0"), "'result'"),
        (changed(result=[0, True]), "'result'"),
        (changed(tags={"Site": 1}), "'tags'"),
        (changed(comments=["{"]), "as a comment"),
        (changed_round(deal=5), "'deal'"),
        (changed_round(deal="BYKW"), "'BYKW'"),
        (changed_round(moves=[5]), "'move'"),
        (changed_round(moves=None), "'moves'"),
        (changed_round(glyphs=[-1]), "'glyphs'"),
        (changed_round(glyphs=["1"]), "'glyphs'"),
        (changed_round(variations=[5]), "'variations'"),
        (changed_round(variations=[[]]), "variation"),
        (changed_round(starter=0), "seat 0|starter"),
        (changed_round(starter=-7), "seat -7|starter"),
        (changed_round(starter=3), "seat 3"),
        (changed_round(round=2), "says R2@1, but it is R1@1"),
    ],
)
def test_wrong_json_is_refused(record: str, message: str) -> None:
    with pytest.raises(InvalidNotation, match=message):
        read_record(record)


@pytest.mark.parametrize("number", [0, 32_768, 99_999, 10**30])
def test_a_round_limit_in_no_possible_round_is_refused(number: int) -> None:
    data = GAME.json()
    data["tags"]["Termination"] = "round_limit"
    data["rounds"][0]["round"] = number
    with pytest.raises(InvalidNotation, match=str(number)):
        read_record(json.dumps(data))


def test_a_round_limit_in_no_possible_round_is_refused_in_text() -> None:
    with pytest.raises(InvalidNotation, match="R99999@1"):
        read_record(text(f"R99999@1 {DEAL} *", Termination="round_limit"))


# --- how much may be written


@pytest.mark.parametrize(
    ("note", "what"), [("{x}", "comments"), ("$1 ", "glyphs"), ("(1B2)", "variations")], ids=lambda given: given
)
def test_a_record_has_only_so_many_notes(note: str, what: str) -> None:
    read_record(opened("1B1" + MOST_NOTES * note))
    with pytest.raises(InvalidNotation, match=f"at most {MOST_NOTES} {what}"):
        read_record(opened("1B1" + (MOST_NOTES + 1) * note))


@pytest.mark.parametrize(
    "notes",
    [{"comments": ["x"]}, {"glyphs": [1]}, {"variations": [[{"moves": ["1B2"]}]]}],
    ids=lambda notes: next(iter(notes)),
)
def test_json_has_only_so_many_notes(notes: dict[str, list[Any]]) -> None:
    (what, (note,)) = next(iter(notes.items()))
    for count in (MOST_NOTES, MOST_NOTES + 1):
        move = {"move": "1B1", what: count * [note]}
        given = changed_round(moves=[move])
        if count == MOST_NOTES:
            read_record(given)
        else:
            with pytest.raises(InvalidNotation, match=f"at most {MOST_NOTES} {what}"):
                read_record(given)


def test_every_comment_is_looked_at_once_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = 0

    def look(_comment: str) -> None:
        nonlocal looked_at
        looked_at += 1

    monkeypatch.setattr(record, "_check_comment", look)
    read_record(opened("1B1" + 1000 * "{x}" + "(1B2" + 1000 * "{y}" + ")"))
    assert looked_at == 2000


def test_a_variation_leaves_no_trace_and_costs_nothing_for_what_was_played_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Game, "copy", None)
    game = replay(read_record(opened("1B1 (1B2 2Y1 (2Y2)) 2Y1 (2Y2)")))
    assert [str(play) for play in game.history[1:]] == ["1B1", "2Y1"]
