"""Position lines, moves and deals: what is printed reads back as itself, and nothing else is read."""

from __future__ import annotations

import contextlib
import re

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from azulejos import Deal, Game, IllegalMove, InvalidNotation, InvalidPosition, Move
from azulejos.game.arguments import check_seed
from azulejos.game.moves import MOVES
from azulejos.game.notation import read_position, read_tiles, write_position, write_tiles
from azulejos.game.view import view_of
from azulejos.rules import state as s
from azulejos.rules.batch import deal_one, new_game_one
from azulejos.rules.random_play import random_action
from azulejos.rules.turn import step


@st.composite
def lines(draw: st.DrawFn) -> str:
    """The position line of some moment of a random game."""
    states = np.zeros(1, s.STATE)
    players, gray = draw(st.integers(2, 4)), draw(st.integers(0, 1))
    new_game_one(states, 0, players, gray, check_seed(draw(st.integers(0, 2**32))), 0, -1, 50)
    for _ in range(draw(st.integers(0, 200))):
        if states[0]["phase"] == s.OVER:
            break
        if states[0]["phase"] == s.DEAL_DUE:
            deal_one(states, 0)
        else:
            step(states[0], random_action(states[0]))
    return write_position(view_of(states))


ALPHABET = st.sampled_from("BYRKWFM0123456789-/:@ =_\n\tcdtreftdgraysx\u0661\u00b2\ud7ff")


@st.composite
def damaged_lines(draw: st.DrawFn) -> str:
    """A position line with a few characters changed, removed, doubled or swapped."""
    text = draw(lines())
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(0, len(text) - 1)))
        letter = draw(ALPHABET)
        kind = draw(st.integers(0, 4))
        if kind == 0:
            text = text[:at] + letter + text[at + 1 :]
        elif kind == 1:
            text = text[:at] + text[at + 1 :]
        elif kind == 2:
            text = text[:at] + letter + text[at:]
        elif kind == 3:
            fields = text.split(" ")
            one, two = draw(st.integers(0, len(fields) - 1)), draw(st.integers(0, len(fields) - 1))
            fields[one], fields[two] = fields[two], fields[one]
            text = " ".join(fields)
        else:
            text = text[:at] + text[at : at + 5] + text[at:]
    return text


def check_text(text: str) -> None:
    """A line is refused with one of the two errors, or it is its own print and the game can go on from it."""
    try:
        view = read_position(text)
    except (InvalidNotation, InvalidPosition):
        return
    assert write_position(view) == text
    game = Game.from_position(text, seed=1)
    moves = game.legal_moves
    assert bool(moves) == (game.phase in "dt")
    for move in moves[:3]:
        branch = game.copy()
        branch.play(move)
        assert Game.from_position(branch.position).position == branch.position


@given(lines())
def test_a_printed_position_reads_back(line: str) -> None:
    assert write_position(read_position(line)) == line


@given(damaged_lines())
def test_a_damaged_position_is_refused_or_canonical(line: str) -> None:
    check_text(line)


@given(st.text())
@example("")
@example(" ")
@example("std")
@example("std " + "-/" * 20_000)
@example("9" * 5_000)
@example("std -/-/-/-/- F " + "9" * 5_000 + ":-/-/-/-/-:5/5/5/5/5:- 0:-/-/-/-/-:5/5/5/5/5:- - d1 1@1")
def test_any_text_as_a_position(text: str) -> None:
    check_text(text)


@given(st.lists(ALPHABET, max_size=120).map("".join))
def test_letters_of_the_notation_in_any_order(text: str) -> None:
    check_text(text)


def check_move(text: str) -> None:
    game = Game(players=3, seed=2, starter=0)
    with contextlib.suppress(InvalidNotation, IllegalMove):
        game.play(text)
        assert str(game.history[1]) == text
    with contextlib.suppress(InvalidNotation):
        assert str(Move.parse(text)) == text
    with contextlib.suppress(InvalidNotation):
        assert str(Deal.parse(text)) == text


@given(st.text(max_size=6))
@example("")
@example("=")
@example("=-")
@example("1b1")
@example("0B1")
@example("3B6")
@example("3B4 ")
@example("t00")
@example("t66")
@example("\u0663B4")
@example("=" + "B4/" * 3_000)
def test_any_text_as_a_move(text: str) -> None:
    check_move(text)


@given(st.lists(ALPHABET, min_size=1, max_size=30).map("".join), st.booleans())
def test_letters_of_the_notation_as_a_move_or_deal(text: str, deal: bool) -> None:
    check_move("=" + text if deal else text)


SPELLINGS = {source + color + line for source in "c123456789" for color in "BYRKW" for line in "12345f"} | {
    f"t{row}{column}" for row in "12345" for column in "12345"
}


@given(st.sampled_from(MOVES), st.integers(0, 2), ALPHABET)
def test_a_damaged_move_is_another_move_or_none(move: Move, at: int, letter: str) -> None:
    text = str(move)
    changed = text[:at] + letter + text[at + 1 :]
    assume(changed != text)
    if changed in SPELLINGS:
        assert str(Move.parse(changed)) == changed
    else:
        with pytest.raises(InvalidNotation) as caught:
            Move.parse(changed)
        assert repr(changed) in str(caught.value)


TILES = st.lists(st.integers(0, 99), min_size=5, max_size=5).map(tuple)


@given(TILES)
def test_tiles_read_back(counts: tuple[int, ...]) -> None:
    assert read_tiles(write_tiles(counts), "a test") == counts


@given(st.lists(TILES, min_size=1, max_size=9).map(tuple))
def test_a_deal_reads_back(displays: tuple[tuple[int, ...], ...]) -> None:
    deal = Deal(displays)
    assert Deal.parse(str(deal)) == deal


@given(st.lists(st.sampled_from("BYRKW123450-"), max_size=8).map("".join))
def test_tiles_have_one_spelling(text: str) -> None:
    try:
        counts = read_tiles(text, "a test")
    except InvalidNotation:
        assert not re.fullmatch(r"-|(?!$)(B[2-9]?)?(Y[2-9]?)?(R[2-9]?)?(K[2-9]?)?(W[2-9]?)?", text)
    else:
        assert write_tiles(counts) == text
