"""The game in OpenSpiel: the library's simulation tests, a playthrough, and the same rules as everywhere."""

from __future__ import annotations

import random
import re
from pathlib import Path
from zlib import crc32

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts
from open_spiel.python.algorithms.generate_playthrough import playthrough
from open_spiel.python.observation import make_observation

from azulejos import Game
from azulejos.envs.openspiel import AzulGame
from azulejos.net.features import SCALE, columns_for, layout, write_exact_features

GOLDEN = Path(__file__).parent / "openspiel_playthrough.txt"
GAME = "azul(players=2,rounds=2,wall=gray)"


@pytest.mark.parametrize("text", ["azul", "azul(players=3,wall=gray)", "azul(players=4)"])
def test_the_library_finds_nothing_wrong(text: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(text), num_sims=1, serialize=True, verbose=False)


def told(actions: list[int]) -> str:
    """The library's playthrough, with each long tensor as a checksum."""

    def shorten(match: re.Match[str]) -> str:
        return f"{match[1]} = {len(match[2].split(','))} numbers, crc32 {crc32(match[2].encode()):08x}"

    text = playthrough(GAME, actions, seed=1)
    text = re.sub(r"^(ObservationTensor\(\d\)) = \[(.*)\]$", shorten, text, flags=re.MULTILINE)
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)


def test_the_playthrough_is_as_it_was() -> None:
    golden = GOLDEN.read_text(encoding="utf-8")
    actions = [int(number) for number in re.findall(r"^action: (\d+)$", golden, re.MULTILINE)]
    assert told(actions) == golden
    assert any(action >= 300 for action in actions)  # a tiling choice is among them


def test_chance_deals_one_tile_at_a_time_by_what_the_bag_holds() -> None:
    state = pyspiel.load_game("azul").new_initial_state()
    state.apply_action(3)
    assert state.chance_outcomes() == [(0, 20 / 99), (1, 20 / 99), (2, 20 / 99), (3, 19 / 99), (4, 20 / 99)]
    for _ in range(19):
        assert state.is_chance_node()
        state.apply_action(3)
    assert not state.is_chance_node()
    assert str(state).startswith("std K4/K4/K4/K4/K4 F ")
    assert str(state).endswith(" B20Y20R20W20 d1 1@1")


@pytest.mark.parametrize(("players", "wall"), [(2, "std"), (3, "gray"), (4, "gray")])
def test_it_plays_the_games_that_game_plays(players: int, wall: str) -> None:
    state = pyspiel.load_game(f"azul(players={players},wall={wall})").new_initial_state()
    game = Game(players, wall, seed=5, starter=0, max_rounds=50)  # type: ignore[arg-type]
    rng, observer = random.Random(5), make_observation(state.get_game())
    row, scale = np.zeros(layout(players).width, np.int8), SCALE[columns_for(players)]
    while True:
        for counts in game.view.displays if state.is_chance_node() else ():  # deal what the game has dealt
            left = list(counts)
            for _ in range(sum(counts)):  # the last tiles of the bag come before those of the lid
                color = next(color for color, _ in state.chance_outcomes() if left[color])
                left[color] -= 1
                state.apply_action(color)
        assert str(state) == game.position
        assert state.is_terminal() == game.is_over
        if game.is_over:
            break
        assert state.current_player() == game.seat
        assert state.legal_actions() == [move.id for move in game.legal_moves]
        observer.set_from(state, game.seat)
        write_exact_features(game.states[0], row)
        assert np.allclose(observer.tensor, row * scale)
        move = rng.choice(game.legal_moves)
        assert state.action_to_string(move.id) == str(move)
        state.apply_action(move.id)
        game.play(move)
    assert game.outcome is not None
    best = max(state.returns())
    assert [seat for seat, won in enumerate(state.returns()) if won == best] == list(game.outcome.winners)


def test_a_clone_goes_its_own_way() -> None:
    state = pyspiel.load_game("azul").new_initial_state()
    copy = state.clone()
    copy.apply_action(1)
    assert str(state) != str(copy)
    assert len(state.chance_outcomes()) == 5
    assert state.chance_outcomes()[1][1] == 0.2


def test_a_search_of_the_library_plays_it() -> None:
    game = pyspiel.load_game("azul(rounds=1)")
    state = game.new_initial_state()
    rng = random.Random(1)
    while state.is_chance_node():
        state.apply_action(rng.choice([color for color, _ in state.chance_outcomes()]))
    numbers = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2.0, 3, mcts.RandomRolloutEvaluator(1, numbers), random_state=numbers)
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("azul(players=5)", "players must be a whole number from 2 to 4, not 5"),
        ("azul(wall=blue)", "wall must be one of 'std', 'gray', not 'blue'"),
        ("azul(rounds=0)", "rounds must be a whole number from 1"),
        ("azul(color=1)", "Unknown parameter 'color'. Available parameters are: players, rounds, wall"),
    ],
)
def test_wrong_parameters_name_the_right_ones(text: str, message: str) -> None:
    with pytest.raises((ValueError, pyspiel.SpielError), match=message):
        pyspiel.load_game(text)


def test_wrong_calls_are_told() -> None:
    state = pyspiel.load_game("azul").new_initial_state()
    with pytest.raises(ValueError, match="chance action 7 is not possible"):
        state.apply_action(7)
    for _ in range(20):
        state.apply_action(0)
    with pytest.raises(ValueError, match="action 324 is not legal in std B4"):
        state.apply_action(324)
    with pytest.raises(ValueError, match="no parameters"):
        AzulGame().make_py_observer(None, {"board": 1})
