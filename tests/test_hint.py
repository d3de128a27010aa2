"""`azulejos hint`: the best moves for a person."""

from __future__ import annotations

import json
import re

import pytest

from azulejos import Game
from tests.command import answer, refusal

POSITION = Game(seed=1, starter=0).position
END = "std -/-/-/-/- W6 0:Y/Y2/B/R2/-:5/5/5/5/5:- 0:Y/K2/Y/K4/-:5/5/5/5/5:F B19Y15R18K14W14 d1 1@1"
TILING = "gray -/-/-/-/- - 0:R/-/-/-/-:5/5/5/5/5:F 0:-/-/-/-/-:5/5/5/5/5:- B20Y20R19K20W20 t1 1@1"  # any column will do
DEAL_DUE = "std -/-/-/-/- F 0:-/-/-/-/-:5/5/5/5/5:- 0:-/-/-/-/-:5/5/5/5/5:- B20Y20R20K20W20 r1 1@1"


@pytest.fixture(autouse=True)
def room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


def test_the_best_moves_are_shown_with_what_they_do_and_promise() -> None:
    said = answer("hint", POSITION, "--nodes", "500", "--moves", "3", "--player", "search")
    assert said.startswith("Round 1, Player 1 to move\n")
    rows = re.findall(r"│ (\w{3}) +│ (.*?) +│ +(\S*) +│ +([\d.]+)% │ +([-+][\d.]+) │ +([\d,]+) │", said)
    assert len(rows) == 3
    game = Game.from_position(POSITION)
    assert all(game.why_illegal(row[0]) is None for row in rows)
    assert all(re.match(r"\d \w+ from (display \d|the center) to (line \d|the floor)", row[1]) for row in rows)
    assert re.search(r"^search: 500 positions in [\d.]+ s, \d+ moves deep\.$", said, re.MULTILINE)


def test_the_form_for_addresses_works_and_the_end_of_a_round_is_solved() -> None:
    said = answer("hint", END.replace(" ", "_"))
    assert "6 white from the center to line 5, 1 to the floor" in said
    assert "6 white from the center to the floor" in said
    assert "solved to the end of the round" in said


def test_as_json() -> None:
    said = answer("hint", POSITION, "--nodes", "100", "--json")
    found = json.loads(said)
    assert (found["position"], found["nodes"], len(found["moves"])) == (POSITION, 100, 5)


def test_moves_that_are_asked_about_are_shown_too() -> None:
    words = ("--nodes", "2000", "--moves", "1", "--player", "search", "--searchmoves", "5Wf", "--searchmoves", "1Kf")
    found = json.loads(answer("hint", POSITION, *words, "--json"))
    assert {move["move"] for move in found["moves"][1:]} == {"5Wf", "1Kf"}
    assert all(move["visits"] > 0 and move["win"] for move in found["moves"])


def test_a_player_that_does_not_search_tells_its_own_move() -> None:
    said = answer("hint", POSITION, "--player", "greedy")
    assert said.count(" - │") == 3  # what it does not know
    assert re.search(r"^greedy: in [\d.]+ s\.$", said, re.MULTILINE)


def test_a_choice_of_column_is_hinted_at_too() -> None:
    assert "the tile of row 1 to column " in answer("hint", TILING, "--nodes", "50")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("zz",), "'zz'"),
        ((POSITION.replace("B18", "B19"),), "21 blue tiles"),
        ((DEAL_DUE,), "a deal is due"),
        ((POSITION, "--nodes", "0"), "nodes .* not 0"),
        ((POSITION, "--milliseconds", "-1"), "milliseconds .* not -1"),
        ((POSITION, "--moves", "0"), "moves .* not 0"),
        ((POSITION, "--seed", "-1"), "seed .* not -1"),
        ((POSITION, "--player", "greedy", "--searchmoves", "1B1"), "'greedy' does not search"),
        ((POSITION, "--searchmoves", "9Z9"), "cannot read '9Z9' as a move"),
        ((POSITION, "--searchmoves", "2B1"), "illegal move '2B1': there is no blue at source 2"),
        ((POSITION, "--player", "process:/nowhere/bot"), "'process:/nowhere/bot' cannot be started: No such file"),
        ((POSITION, "--player", "python:nowhere:Bot"), "there is no module 'nowhere'"),
        ((POSITION, "--player", "nobody"), "no player 'nobody'"),
        ((POSITION, "--player", "search:nodes=x"), "'x' as 'nodes'"),
    ],
)
def test_bad_input_is_refused_in_one_line_that_names_it(words: tuple[str, ...], named: str) -> None:
    assert re.search(named, refusal("hint", *words))
