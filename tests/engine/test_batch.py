"""The JSON batch: one line in, one line out, whatever the line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from azulejos import Game
from azulejos.engine.batch import DEFAULT_MOVES, DEFAULT_NODES, analyze
from azulejos.engine.engine import searching_player
from azulejos.players import Player, greedy, make
from azulejos.players.searching import ROOM_PER_THREAD, SearchingPlayer
from tests.command import refusal, run

GAME = Game(seed=1, starter=0)
POSITION = GAME.position
DEAL_DUE = "std -/-/-/-/- F 0:-/-/-/-/-:5/5/5/5/5:- 0:-/-/-/-/-:5/5/5/5/5:- B20Y20R20K20W20 r1 1@1"
DEAL = "=B2YK/BYR2/B3R/BYRW/RK2W"


@pytest.fixture(scope="module")
def player() -> Iterator[SearchingPlayer]:
    player = searching_player("search", 3)
    yield player
    player.close()


def ask(player: Player, *questions: object) -> list[dict[str, Any]]:
    lines = [question if isinstance(question, str) else json.dumps(question) for question in questions]
    return [json.loads(answer) for answer in analyze(lines, player)]


def test_an_answer_has_everything(player: SearchingPlayer) -> None:
    (answer,) = ask(player, {"id": "a", "position": POSITION, "nodes": 600})
    assert list(answer) == ["id", "position", "player", "nodes", "seconds", "depth", "solved", "moves"]
    assert answer["player"] == "search"
    assert (answer["id"], answer["position"], answer["nodes"], answer["solved"]) == ("a", POSITION, 600, False)
    assert len(answer["moves"]) == DEFAULT_MOVES
    visits = [move["visits"] for move in answer["moves"]]
    assert visits == sorted(visits, reverse=True)
    best = answer["moves"][0]
    assert list(best) == ["move", "visits", "prior", "win", "margin", "line"]
    assert best["line"][0] == best["move"]
    assert sum(best["win"]) == pytest.approx(1, abs=0.001)
    assert 0 <= best["prior"] <= 1
    game = Game.from_position(POSITION)
    for move in best["line"]:
        game.play(move)


def test_moves_and_deals_lead_to_the_position(player: SearchingPlayer) -> None:
    (answer,) = ask(player, {"id": 7, "position": DEAL_DUE, "moves": [DEAL, "3B4", "cR2"], "nodes": 40, "multipv": 2})
    game = Game.from_position(DEAL_DUE)
    for move in (DEAL, "3B4", "cR2"):
        game.play(move)
    assert (answer["id"], answer["position"], len(answer["moves"])) == (7, game.position, 2)


def test_without_limits_there_is_one_and_time_is_a_limit_too(player: SearchingPlayer) -> None:
    plain, quick = ask(player, {"position": POSITION}, {"position": POSITION, "milliseconds": 30})
    assert (plain["id"], plain["nodes"]) == (None, DEFAULT_NODES)
    assert quick["nodes"] < ROOM_PER_THREAD / 2  # without time the room for them would end it


def test_what_was_not_looked_at_has_no_value(player: SearchingPlayer) -> None:
    (answer,) = ask(player, {"position": POSITION, "nodes": 3, "multipv": 256})
    assert len(answer["moves"]) == len(GAME.legal_moves)
    assert (answer["moves"][-1]["visits"], answer["moves"][-1]["win"], answer["moves"][-1]["margin"]) == (0, None, None)


def test_a_solved_position_says_so(player: SearchingPlayer) -> None:
    end = "std -/-/-/-/- W6 0:Y/Y2/B/R2/-:5/5/5/5/5:- 0:Y/K2/Y/K4/-:5/5/5/5/5:F B19Y15R18K14W14 d1 1@1"
    (answer,) = ask(player, {"position": end})
    assert answer["solved"]
    assert [move["move"] for move in answer["moves"]] == ["cW5", "cWf"]
    assert all(move["win"] for move in answer["moves"])


def test_the_same_question_has_the_same_answer(player: SearchingPlayer) -> None:
    question = {"position": Game(3, "gray", seed=4).position, "nodes": 300}
    first, _, second = ask(player, question, {"position": POSITION, "nodes": 50}, question)
    assert first["moves"] == second["moves"]


def test_moves_that_are_asked_about_are_told_whatever_they_are_worth(player: SearchingPlayer) -> None:
    question = {"position": POSITION, "nodes": 2000, "multipv": 2, "searchmoves": ["1Kf", "5Wf"]}
    (answer,) = ask(player, question)
    assert {"1Kf", "5Wf"} < {move["move"] for move in answer["moves"]}
    assert all(move["win"] for move in answer["moves"])
    best = answer["moves"][0]["move"]
    (answer,) = ask(player, question | {"multipv": 1, "searchmoves": [best, best]})
    assert [move["move"] for move in answer["moves"]] == [best]


PROGRAM = """
import sys
def say(*words): print(*words, flush=True)
for line in sys.stdin:
    words = line.split()
    if words[0] == "azi":
        say("id name Rosa 1.0"), say("option name MultiPV type spin default 1 min 1 max 3"), say("aziok")
    if words[0] == "setoption": print(line, file=open(__file__ + ".told", "a"), end="")
    if words[0] == "isready": say("readyok")
    if words[0] == "go":
        print(line, file=open(__file__ + ".told", "a"), end="")
        SAID
"""
TOLD = """
        say("info nodes 90 depth 4 multipv 1 margin +2.5 win 60.0 40.0 pv 5R2 zz 1B1")
        say("info nodes 95 depth 5 multipv 2 margin -1 win 45 55 pv 1B1 cY2")
        say("info multipv 3 margin -9 pv 2B1"), say("info multipv 7 win 1 99 pv 3Y5"), say("info multipv 9 pv 4Wf")
        say("bestmove BEST")
"""


def program(tmp_path: Path, said: str) -> str:
    file = tmp_path / "rosa.py"
    file.write_text(PROGRAM.replace("SAID", said.strip()))
    return f"process:{sys.executable} -S {file}"


def test_a_program_tells_several_moves_with_their_values(tmp_path: Path) -> None:
    question = {"id": "a", "position": POSITION, "nodes": 90, "searchmoves": ["3Y5"]}
    spec = program(tmp_path, TOLD.replace("BEST", "5R2"))
    done = run("analyze", "--player", spec, typed=json.dumps(question))
    answer = json.loads(done.stdout)
    assert (answer["player"], answer["nodes"], answer["depth"], answer["solved"]) == ("Rosa 1.0", 95, 5, False)
    unknown = {"visits": None, "prior": None}
    assert answer["moves"] == [
        {"move": "5R2", **unknown, "win": [0.6, 0.4], "margin": 2.5, "line": ["5R2"]},
        {"move": "1B1", **unknown, "win": [0.45, 0.55], "margin": -1.0, "line": ["1B1", "cY2"]},
        {"move": "3Y5", **unknown, "win": [0.01, 0.99], "margin": None, "line": ["3Y5"]},
    ]  # without the one that is not allowed, and without one of a rank that nobody asked for
    told = (tmp_path / "rosa.py.told").read_text().splitlines()
    assert told == ["setoption name MultiPV value 3", "go nodes 90 searchmoves 3Y5"]


def test_the_engine_hands_on_what_a_program_is_asked_and_says(tmp_path: Path) -> None:
    spec = program(tmp_path, TOLD.replace("BEST", "5R2"))
    lines = f"position pos {POSITION}\nsetoption name MultiPV value 2\ngo nodes 90 searchmoves 3Y5\n"
    done = run("engine", "--player", spec, typed=lines)
    assert done.stdout.splitlines() == [
        "info nodes 95 depth 5 multipv 1 margin +2.5 win 60.0 40.0 pv 5R2",
        "info nodes 95 depth 5 multipv 2 margin -1.0 win 45.0 55.0 pv 1B1 cY2",
        "info nodes 95 depth 5 multipv 7 win 1.0 99.0 pv 3Y5",
        "bestmove 5R2",
    ]
    told = (tmp_path / "rosa.py.told").read_text().splitlines()
    assert told == ["setoption name MultiPV value 2", "go nodes 90 searchmoves 3Y5"]


def test_what_a_program_plays_comes_first_if_it_said_nothing_of_it(tmp_path: Path) -> None:
    rosa = make(program(tmp_path, TOLD.replace("BEST", "4B1")))
    (answer,) = ask(rosa, {"position": POSITION})
    assert [move["move"] for move in answer["moves"]] == ["4B1", "5R2", "1B1"]
    assert (answer["moves"][0]["win"], answer["moves"][0]["margin"]) == (None, None)
    rosa.close()


def test_a_program_may_say_little(tmp_path: Path) -> None:
    rosa = make(program(tmp_path, 'say("info win 70 30"), say("bestmove 4B1")'))
    (answer,) = ask(rosa, {"position": POSITION})
    assert (answer["nodes"], answer["depth"]) == (None, None)
    (move,) = answer["moves"]
    assert (move["move"], move["win"], move["line"]) == ("4B1", [0.7, 0.3], ["4B1"])
    rosa.close()


def test_a_program_that_fails_is_told_and_asked_again(tmp_path: Path) -> None:
    rosa = make(program(tmp_path, 'say("bestmove 2B1")'))
    answers = ask(rosa, {"id": 1, "position": POSITION}, {"id": 2, "position": POSITION})
    assert [answer["error"]["code"] for answer in answers] == ["player_failed"] * 2
    assert "answered '2B1'" in answers[0]["error"]["text"]
    rosa.close()


def test_our_own_engine_as_a_program_tells_the_same(player: SearchingPlayer) -> None:
    rosa = make(f"process:{sys.executable} -m azulejos.engine search", 3)
    question = {"position": POSITION, "nodes": 800, "multipv": 4, "searchmoves": ["1Kf"]}
    (theirs,), (ours,) = ask(rosa, question), ask(player, question)
    assert theirs["player"].startswith("Azulejos ")
    assert theirs["nodes"] == ours["nodes"]
    shown = {move["move"]: move["margin"] for move in theirs["moves"]}
    assert set(shown) == {move["move"] for move in ours["moves"]}
    for move in ours["moves"]:
        assert shown[move["move"]] == pytest.approx(move["margin"], abs=0.051)
    rosa.close()


def test_any_other_player_tells_the_move_it_would_play() -> None:
    (answer,) = ask(make("greedy"), {"position": POSITION})
    best = str(greedy.choose(GAME))
    unknown = dict.fromkeys(("visits", "prior", "win", "margin"))
    assert answer["moves"] == [{"move": best, **unknown, "line": [best]}]
    assert (answer["player"], answer["nodes"], answer["depth"]) == ("greedy", None, None)


REFUSED: dict[str, tuple[object, object, str]] = {
    "no JSON": ("{", None, "bad_json"),
    "a list": ("[1]", None, "bad_json"),
    "deep nesting": ("[" * 100_000, None, "bad_json"),
    "bytes that are no text": ("\\xff", None, "bad_json"),
    "no position": ({"id": "x"}, "x", "bad_arguments"),
    "a position that is a number": ({"id": "x", "position": 5}, "x", "bad_arguments"),
    "an unreadable position": ({"id": "x", "position": "zz"}, "x", "invalid_notation"),
    "an impossible position": ({"id": "x", "position": POSITION.replace("B18", "B19")}, "x", "invalid_position"),
    "moves that are a text": ({"id": "x", "position": POSITION, "moves": "3B4"}, "x", "bad_arguments"),
    "an unreadable move": ({"id": "x", "position": POSITION, "moves": ["3B"]}, "x", "invalid_notation"),
    "an illegal move": ({"id": "x", "position": POSITION, "moves": ["2B1"]}, "x", "color_not_there"),
    "a deal that is due": ({"id": "x", "position": DEAL_DUE}, "x", "deal_due"),
    "unreadable moves": ({"id": "x", "position": POSITION, "searchmoves": ["3B"]}, "x", "invalid_notation"),
    "moves that are not allowed": ({"id": "x", "position": POSITION, "searchmoves": ["2B1"]}, "x", "color_not_there"),
    "no nodes": ({"id": "x", "position": POSITION, "nodes": 0}, "x", "bad_arguments"),
    "half a node": ({"id": "x", "position": POSITION, "nodes": 0.5}, "x", "bad_arguments"),
    "no time": ({"id": "x", "position": POSITION, "milliseconds": -1}, "x", "bad_arguments"),
    "no moves to show": ({"id": "x", "position": POSITION, "multipv": 0}, "x", "bad_arguments"),
    "true moves to show": ({"id": "x", "position": POSITION, "multipv": True}, "x", "bad_arguments"),
    "a misspelled key": ({"id": "x", "position": POSITION, "node": 5}, "x", "bad_arguments"),
    "an id that is a list": ({"id": [1], "position": POSITION}, None, "bad_arguments"),
}


@pytest.mark.parametrize(("question", "name", "code"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_answered_is_told(question: object, name: object, code: str, player: SearchingPlayer) -> None:
    (answer,) = ask(player, question)
    assert list(answer) == ["id", "error"]
    assert (answer["id"], answer["error"]["code"]) == (name, code)
    assert answer["error"]["text"]


def test_the_command_answers_in_order_and_goes_on_after_a_fault(tmp_path: Path) -> None:
    first, second = (json.dumps({"id": name, "position": POSITION, "nodes": 20}).encode() for name in "ab")
    typed = first + b"\n\n  \nnonsense \xff\n" + second
    done = run("analyze", typed=typed)
    assert (done.returncode, done.stderr) == (0, "")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == ["a", None, "b"]
    assert answers[1]["error"]["code"] == "bad_json"
    file = tmp_path / "questions.jsonl"
    file.write_bytes(typed)
    assert [json.loads(line)["id"] for line in run("analyze", file).stdout.splitlines()] == ["a", None, "b"]


def test_a_file_that_is_not_there_is_refused() -> None:
    assert "'/nowhere.jsonl'" in refusal("analyze", "/nowhere.jsonl")
