"""Puzzles: those that ship, how they are found and graded, and which of them are chosen."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from azulejos.analysis.choosing import FOUND_BY_FIRST, choose
from azulejos.analysis.grading import PLAYS, Examiners, fit_rating, level_ratings
from azulejos.analysis.mining import Depth, Pit, mine
from azulejos.analysis.puzzles import FILE, Puzzle, id_of, shipped, write_puzzles
from azulejos.analysis.themes import THEMES
from azulejos.cli.puzzles import choose as choose_command
from azulejos.cli.puzzles import make as make_command
from azulejos.cli.puzzles import show
from azulejos.game.game import Game
from azulejos.game.moves import Move
from azulejos.net.choice import WEIGHTS
from azulejos.players.levels import LEVELS

SHALLOW = Depth(game=20, filter=40, decide=600, full=600)
LAST_PICK = "std -/-/-/-/- R2K 0:Y/-/R3/-/W5:5/5/5/5/5:F 0:K/Y2/B3/-/B2:5/5/5/5/5:- B15Y17R15K18W15 d1 1@2"
"""Two red tiles complete line 2, or go elsewhere and fall in the end."""


def test_at_least_a_thousand_ship_of_every_kind_and_theme_in_a_small_file() -> None:
    puzzles = shipped()
    assert len(puzzles) >= 1000
    assert {puzzle.kind for puzzle in puzzles} == WEIGHTS.keys()
    assert {puzzle.theme for puzzle in puzzles} == set(THEMES)
    assert len(resources.files("azulejos.analysis").joinpath(FILE).read_bytes()) <= 400_000


def test_those_that_ship_can_be_played() -> None:
    puzzles = shipped()
    assert [puzzle.id for puzzle in puzzles] == sorted({id_of(puzzle.position) for puzzle in puzzles})
    for puzzle in puzzles:
        game = Game.from_position(puzzle.position)
        moves = {str(move) for move in game.legal_moves}
        assert 1 <= len(puzzle.solutions) < len(moves)
        assert set(puzzle.solutions) <= moves
        assert puzzle.theme in THEMES
        assert puzzle.kind == (game.players, game.wall)


def test_a_game_always_has_the_same_puzzles_which_all_agree_about() -> None:
    found = [puzzle for game in range(2) for puzzle in mine(3, game, depth=SHALLOW)]
    assert found == [puzzle for game in range(2) for puzzle in mine(3, game, depth=SHALLOW)]
    for puzzle in found:
        game = Game.from_position(puzzle["position"])
        assert puzzle["id"] == id_of(puzzle["position"])
        assert set(puzzle["solutions"]) < {str(move) for move in game.legal_moves}
        assert puzzle["gap"] >= 0.08
        assert len(puzzle["hits"]) == len(LEVELS)


def test_an_end_of_a_round_is_found_and_a_beginning_without_a_clear_move_is_not() -> None:
    pit = Pit(2, "std", SHALLOW)
    found = pit.examine(Game.from_position(LAST_PICK), 0)
    assert found is not None
    assert (found.solutions, found.theme, found.exact) == (["cR2"], "end of round", True)
    empty = "0:-/-/-/-/-:5/5/5/5/5:-"
    assert (
        pit.examine(Game.from_position(f"std BYRK/BYRK/BYRK/BYRK/BYRK F {empty} {empty} B15Y15R15K15W20 d1 1@1"), 0)
        is None
    )


def test_levels_find_what_is_always_right_and_never_what_cannot_be() -> None:
    game = Game.from_position(LAST_PICK)
    every = [move.id for move in game.legal_moves]
    assert Examiners().hits(game, every, LEVELS[:2]) == [PLAYS, PLAYS]
    assert Examiners().hits(game, [Move.parse("1B1").id], LEVELS[:1]) == [0]


def test_what_fewer_find_is_rated_higher() -> None:
    ratings = level_ratings()
    easy, middle, hard = (
        fit_rating(hits, PLAYS, ratings)
        for hits in ([20, 22, 24, 24, 24, 24, 24, 24], [4, 6, 8, 12, 16, 20, 22, 24], [0, 0, 0, 0, 1, 2, 10, 20])
    )
    assert easy < ratings[0] < middle < hard
    assert fit_rating([PLAYS] * 8, PLAYS, ratings) >= 400
    assert fit_rating([0] * 8, PLAYS, ratings) <= 2800


def mined(number: int, found: int, theme: str = "floor", wall: str = "std") -> dict[str, Any]:
    return {
        "id": f"{number:08x}",
        "position": f"{wall} -/-/-/-/- B{number + 2}",
        "solutions": ["cB1"],
        "theme": theme,
        "rating": 1500,
        "hits": [found] * 8,
    }


def test_the_choice_has_all_kinds_and_a_share_that_beginners_find() -> None:
    rows = [mined(number, number % (PLAYS + 1), wall="gray" if number % 10 == 0 else "std") for number in range(1000)]
    chosen = choose([*rows, *rows], 200)
    assert chosen == choose(reversed(rows), 200)
    assert len({puzzle.id for puzzle in chosen}) == len(chosen) == 200
    assert Counter(puzzle.kind[1] for puzzle in chosen) == {"gray": 100, "std": 100}
    eases = {row["id"]: row["hits"][0] / PLAYS for row in rows}
    assert abs(sum(eases[puzzle.id] for puzzle in chosen) / 200 - FOUND_BY_FIRST) < 0.08
    assert len(choose(rows[:7], 200)) == 7
    assert choose([], 5) == []


def test_the_list_has_filters(capsys: pytest.CaptureFixture[str]) -> None:
    show(as_json=True)
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [list(row) for row in rows] == [["id", "position", "solutions", "theme", "rating"]] * len(shipped())
    theme = rows[0]["theme"]
    players, wall = shipped()[0].kind
    show(theme=theme.replace(" ", "-"), players=players, wall=wall, as_json=True)
    some = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows[0] in some
    assert all(row["theme"] == theme and row["position"].startswith(wall) for row in some)
    with pytest.raises(ValueError, match="there is no theme 'luck'"):
        show(theme="luck")
    with pytest.raises(ValueError, match="players must be a whole number from 2 to 4"):
        show(players=5)


def test_mining_goes_on_with_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def quick(_seed: int, number: int, theme: str | None) -> list[dict[str, Any]]:
        assert theme == ("first player" if number == 4 else None)
        asked.append(number)
        return [mined(number, 3)]

    monkeypatch.setattr("azulejos.analysis.mining.mine", quick)
    monkeypatch.setattr("azulejos.analysis.mining.warm_up", lambda: None)
    file = tmp_path / "mined.jsonl"
    make_command(file, games=2, workers=0, seed=4)
    make_command(file, games=4, workers=0, seed=4)
    make_command(file, games=5, workers=0, seed=4, theme="First-player")
    assert asked == [0, 1, 2, 3, 4]
    assert [json.loads(line)["game"] for line in file.read_text().splitlines()] == asked
    with pytest.raises(ValueError, match="there is no theme 'luck'"):
        make_command(file, games=6, workers=0, seed=4, theme="luck")
    with pytest.raises(ValueError, match="was made with another seed"):
        make_command(file, games=6, workers=0, seed=5)
    out = tmp_path / "chosen"
    choose_command(file, out=out, most=3)
    first = out.read_bytes()
    choose_command(file, out=out, most=3)
    assert out.read_bytes() == first
    file.write_text('{"seed": 4, "game": 0}\n')
    with pytest.raises(ValueError, match="cannot read line 1"):
        choose_command(file, out=out)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    puzzle = Puzzle("0a", LAST_PICK, ("cR2",), "floor", 1000)
    write_puzzles([puzzle], tmp_path / "file")
    told = {"id": "0a", "position": LAST_PICK, "solutions": ["cR2"], "theme": "floor", "rating": 1000}
    assert json.loads(zlib.decompress((tmp_path / "file").read_bytes())) == told
