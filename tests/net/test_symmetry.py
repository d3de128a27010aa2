"""The symmetries of the gray wall, by the rules: a position changed tile by tile looks as the tables say."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from azulejos.net import features as f
from azulejos.net import symmetry
from azulejos.rules.state import ACTIONS, DEAL_DUE, DRAFTING, OVER, STATE, TILING
from azulejos.rules.supply import deal, start_game
from azulejos.rules.turn import legal_actions, legal_mask, step

FEATURE_TABLE, ACTION_TABLE = symmetry.feature_table(), symmetry.action_table()


def renamed(states: NDArray[Any], new_names: list[int], mirrored: bool) -> NDArray[Any]:
    """A position in which every tile of color c has color `new_names[c]`, and the first column may be the last."""
    old, changed = states[0], states.copy()
    new = changed[0]
    for color, name in enumerate(new_names):
        for field in ("bag", "lid", "holds"):
            new[field][name] = old[field][color]
        new["displays"][:, name] = old["displays"][:, color]
        for seat in range(4):
            new["floor"][seat, name] = old["floor"][seat, color]
            new["open"][seat, name] = old["open"][seat, color]
            cells = [divmod(cell, 5) for cell in range(25) if int(old["wall"][seat, color]) >> cell & 1]
            new["wall"][seat, name] = sum(1 << 5 * row + (4 - column if mirrored else column) for row, column in cells)
    for seat in range(4):
        for line in range(5):
            if old["line_count"][seat, line]:
                new["line_color"][seat, line] = new_names[old["line_color"][seat, line]]
    return changed


def positions(players: int, count: int) -> list[NDArray[Any]]:
    """Positions of random games on the gray wall, before, in and after every kind of decision."""
    random, found, actions = Random(players), [], np.zeros(ACTIONS, np.int16)
    for game in range(count):
        states = np.zeros(1, STATE)
        start_game(states[0], players, 1, 5, game, -1, 20)
        while states[0]["phase"] != OVER:
            found.append(states.copy())
            if states[0]["phase"] == DEAL_DUE:
                deal(states[0])
            else:
                legal = legal_actions(states[0], actions)
                step(states[0], random.choice(actions[:legal].tolist()))
        found.append(states)
    return found


def seen(states: NDArray[Any]) -> NDArray[np.int8]:
    x = np.zeros(f.FEATURES, np.int8)
    f.write_features(states[0], x)
    return x


def legal(states: NDArray[Any]) -> NDArray[np.uint8]:
    mask = np.zeros(ACTIONS, np.uint8)
    legal_mask(states[0], mask)
    return mask


def number_of(new_names: list[int], mirrored: bool) -> int:
    """The symmetry that gives the colors these names."""
    comes_from = tuple(new_names.index(color) for color in range(5))
    return [(tuple(colors), columns[0] == 4) for colors, columns in symmetry.NAMES].index((comes_from, mirrored))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_renamed_and_mirrored_position_looks_and_plays_as_the_tables_say(players: int) -> None:
    random = Random(7)
    phases: set[int] = set()
    changes = 0
    for states in positions(players, 8):
        new_names, mirrored = random.sample(range(5), 5), random.random() < 0.5
        which = number_of(new_names, mirrored)
        changed = renamed(states, new_names, mirrored)
        x, y = seen(states), seen(changed)
        assert (y == x[FEATURE_TABLE[which]]).all()
        changes += (x != y).any()
        mask = legal(states)
        assert (legal(changed) == mask[ACTION_TABLE[which]]).all()
        phases.add(int(states[0]["phase"]))
        if states[0]["phase"] in (DRAFTING, TILING):
            action = random.choice(np.flatnonzero(legal(changed)).tolist())
            step(states[0], int(ACTION_TABLE[which, action]))
            step(changed[0], action)
            assert renamed(states, new_names, mirrored) == changed, "the same happens under other names"
    assert phases == {DRAFTING, TILING, DEAL_DUE, OVER}
    assert changes > 400


def test_there_are_240_symmetries_and_the_first_changes_nothing() -> None:
    assert FEATURE_TABLE.shape == (240, f.FEATURES)
    assert ACTION_TABLE.shape == (240, ACTIONS)
    assert len(np.unique(FEATURE_TABLE, axis=0)) == len(np.unique(ACTION_TABLE, axis=0)) == 240
    assert (FEATURE_TABLE[0] == np.arange(f.FEATURES)).all()
    assert (ACTION_TABLE[0] == np.arange(ACTIONS)).all()


def test_gray_is_where_the_wall_is_told() -> None:
    states = np.zeros(2, STATE)
    for gray in (0, 1):
        start_game(states[gray], 3, gray, 5, 1, 0, 20)
        deal(states[gray])
    one, other = seen(states[:1]), seen(states[1:])
    assert np.flatnonzero(one != other).tolist() == [symmetry.GRAY_AT]
    assert (one[symmetry.GRAY_AT], other[symmetry.GRAY_AT]) == (0, 1)
