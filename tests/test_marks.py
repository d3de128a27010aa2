"""Marks on pictures: the last move, arrows and ghosts stand where the tiles are, and are told in words."""

from __future__ import annotations

import re
import xml.etree.ElementTree as Xml
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings

from azulejos import Game, IllegalMove, InvalidNotation, Move
from azulejos.drawing import svg
from azulejos.drawing.layout import PictureLayout
from azulejos.game.happening import Happening, Tiled
from azulejos.game.notation import write_position
from azulejos.game.view import View
from azulejos.players import greedy
from tests.command import answer, refusal
from tests.test_drawing import NAME, positions, references

LINE = "std -/BY3/-/-/- FB2R4K2W2 3:Y/W2/-/W2/-:B4/1B3/2B2/5/2K2:- 1:Y/Y2/R2/Y/-:B4/3R1/5/5/5:- B10Y12R12K12W14 d2 2@2"
TILING = "gray -/-/-/-/- - 0:R/-/-/-/-:5/5/5/5/5:F 0:-/-/-/-/-:5/5/5/5/5:- B20Y20R19K20W20 t1 1@1"
GAME = Game.from_position(LINE)


def marks(drawn: str, name: str) -> list[Xml.Element]:
    return [part for part in Xml.fromstring(drawn).iter() if part.get("class") == f"azl-{name}"]


def squares(drawn: str, name: str, color: str) -> list[tuple[float, float]]:
    """The middles of frames of a color."""
    parts = [part for mark in marks(drawn, name) for part in mark.iter(f"{NAME}rect") if part.get("stroke") == color]
    sides = [[float(part.get(key) or 0) for key in ("x", "y", "width", "height")] for part in parts]
    return [(round(x + width / 2, 1), round(y + height / 2, 1)) for x, y, width, height in sides]


def described(drawn: str) -> str:
    return Xml.fromstring(drawn).findtext(f"{NAME}desc") or ""


TERRACOTTA, COBALT = "#a8432d", "#1f4e9c"


def test_the_last_move_is_outlined_where_it_came_from_and_where_it_lies() -> None:
    game = Game.from_position(LINE)
    happening = game.play("cR3")
    drawn = svg(game.view, names=["Ana", "Ben"], last=happening)
    frame = PictureLayout.of(game.view).boards[1]
    filled = frame.place(48 + 2 * 44 + 20, 58 + 2 * 44 + 20)  # the third space of line 3, which was open
    floor = [frame.place(48 + at * 44 + 20, 58 + 5 * 44 + 34 + 20) for at in range(4)]  # the marker, and three tiles
    assert sorted(squares(drawn, "last", TERRACOTTA)) == sorted((round(x, 1), round(y, 1)) for x, y in (filled, *floor))
    (ring,) = (mark for mark in marks(drawn, "last") if mark.tag == f"{NAME}circle")
    assert (float(ring.get("cx") or 0), float(ring.get("cy") or 0)) == pytest.approx(
        (PictureLayout.of(game.view).ring.x, PictureLayout.of(game.view).ring.y), abs=0.01
    )
    said = "Last move: Ben, 4 red from the center to line 3, 3 to the floor, with the starting-player marker."
    assert said in described(drawn)


def test_the_ring_of_a_display_lies_below_its_plate() -> None:
    game = Game.from_position(LINE)
    drawn = svg(game.view, last=game.play("2Y4"))
    assert drawn.index("azl-last") < drawn.index("#azl-plate")


def test_after_a_round_what_was_tiled_is_outlined_and_nothing_that_was_swept_away() -> None:
    game = Game(seed=1, starter=0)
    happening: Happening | None = None
    while game.round == 1:
        happening = game.play(greedy.choose(game))
    assert happening is not None
    drawn = svg(game.view, last=happening)
    tiled = sum(isinstance(one, Tiled) for one in happening.tiling)
    still = happening.drafted is not None and any(
        line.color == happening.drafted.color and at == happening.drafted.line
        for at, line in enumerate(game.view.boards[happening.seat or 0].lines)
    )
    assert tiled > 3
    assert len(squares(drawn, "last", TERRACOTTA)) == tiled + (
        happening.drafted.placed if still and happening.drafted else 0
    )
    assert not [mark for mark in marks(drawn, "last") if mark.tag == f"{NAME}circle"]


def test_a_choice_and_a_deal_as_the_last_move() -> None:
    game = Game.from_position(TILING)
    chosen = game.play("t13")
    assert "Last move: Player 1, the tile of row 1 to column 3." in described(svg(game.view, last=chosen))
    assert len(squares(svg(game.view, last=chosen), "last", TERRACOTTA)) == 1
    fresh = Game.undealt()
    dealt = fresh.play("=B2YK/BYR2/B3R/BYRW/RK2W")
    assert squares(svg(fresh.view, last=dealt), "last", TERRACOTTA) == []
    assert "Last move" not in described(svg(fresh.view, last=dealt))


def test_arrows_lead_from_the_tiles_to_the_line() -> None:
    drawn = svg(GAME.view, arrows=["2Y4", Move.parse("cKf")])
    (arrows,) = marks(drawn, "arrows")
    assert [text.text for text in arrows.iter(f"{NAME}text")] == ["2", "1"]  # the first on top
    tips = [part.get("d", "") for part in arrows.iter(f"{NAME}path") if part.get("fill") == COBALT]
    ends = [tuple(map(float, re.findall(r"[\d.]+", tip)[:2])) for tip in tips]
    frame = PictureLayout.of(GAME.view).boards[1]
    floor, line = frame.place(48 + 20, 58 + 5 * 44 + 34 + 20), frame.place(48 + 3 * 44 + 20, 58 + 3 * 44 + 20)
    assert ends == [pytest.approx(floor, abs=0.01), pytest.approx(line, abs=0.01)]
    assert "Arrow 1: 3 yellow from display 2 to line 4. Arrow 2: 2 black from the center to the floor" in described(
        drawn
    )
    alone = marks(svg(GAME.view, arrows=["2Y4"]), "arrows")[0]
    assert not list(alone.iter(f"{NAME}text"))
    tiling = svg(Game.from_position(TILING).view, arrows=["t11", "t15"])
    assert "Arrow 2: the tile of row 1 to column 5." in described(tiling)


def test_ghosts_are_the_tiles_of_the_move_and_what_it_scores() -> None:
    drawn = svg(GAME.view, ghost="cR3", letters=True)
    plain, used = references(Xml.fromstring(svg(GAME.view, letters=True))), references(Xml.fromstring(drawn))
    assert used["tile-R"] - plain["tile-R"] == 1 + 3 + 1  # in the line, on the floor, on the wall
    assert used["marker"] - plain["marker"] == 1
    (ghosts,) = marks(drawn, "ghosts")
    assert [text.text for text in ghosts.iter(f"{NAME}text")] == ["+1", "\N{MINUS SIGN}6"]
    assert len(squares(drawn, "ghosts", COBALT)) >= 1  # around the pile that would be taken
    assert "Shown as if played: 4 red from the center to line 3, 3 to the floor, with the" in described(drawn)
    tiling = svg(Game.from_position(TILING).view, ghost="t14")
    assert references(Xml.fromstring(tiling))["tile-R"] == 2
    assert "Shown as if played: the tile of row 1 to column 4." in described(tiling)


def test_a_move_that_may_not_be_played_is_refused() -> None:
    for wrong in ({"arrows": ["1B1"]}, {"ghost": "1B1"}):
        with pytest.raises(IllegalMove, match="there is no blue at source 1"):
            svg(GAME.view, **wrong)
    with pytest.raises(InvalidNotation):
        svg(GAME.view, ghost="zz")
    over = Game(seed=1, max_rounds=1)
    while not over.is_over:
        over.play(over.legal_moves[0])
    with pytest.raises(IllegalMove, match="the game is over"):
        svg(over.view, arrows=["1B1"])


@settings(max_examples=30, deadline=None)
@given(positions)
def test_any_move_of_any_position_can_be_marked(view: View) -> None:
    game = Game.from_position(write_position(view), seed=1)
    for move in game.legal_moves[:: max(1, len(game.legal_moves) // 4)]:
        drawn = Xml.fromstring(svg(view, arrows=[move], ghost=move))
        ids = Counter(part.get("id") for part in drawn.iter() if part.get("id"))
        assert set(ids.values()) == {1}
        played = game.copy()
        happening = played.play(move)
        Xml.fromstring(svg(played.view, last=happening))


def test_the_picture_of_the_page_is_what_its_lines_draw() -> None:
    """After a change of the drawing, write docs/marks.svg anew by these lines."""
    game = Game(seed=1, starter=0)
    happening = game.play("2K3")
    drawn = svg(game.view, last=happening, arrows=["3Y2", "5R3"], ghost="4B1")
    assert (Path(__file__).parents[1] / "docs" / "marks.svg").read_text(encoding="utf-8") == drawn


def test_the_command_draws_them(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    words = ("--play", "2Y4", "--arrow", "cR3", "--arrow", "cK3", "--ghost", "cW4")
    assert answer("show", LINE, "--svg", file, *words) == ""
    game = Game.from_position(LINE)
    happening = game.play("2Y4")
    drawn = file.read_text(encoding="utf-8")
    assert drawn == svg(game.view, last=happening, arrows=["cR3", "cK3"], ghost="cW4")
    assert "Last move: Player 2, 3 yellow from display 2 to line 4." in described(drawn)
    assert answer("show", LINE, "--play", "2Y4").startswith("Round 2   Player 1 to move")
    assert "--arrow is for pictures: name a file with --svg" in refusal("show", LINE, "--arrow", "2Y4")
    assert "--ghost is for pictures" in refusal("show", LINE, "--ghost", "2Y4")
    assert "there is no blue at source 1" in refusal("show", LINE, "--svg", file, "--ghost", "1B1")
    assert "there is no blue at source 1" in refusal("show", LINE, "--play", "1B1")
