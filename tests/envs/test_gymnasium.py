"""The Gymnasium environment of one learner against given players."""

from __future__ import annotations

import subprocess
import sys
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from azulejos import Game
from azulejos.envs.gymnasium import AzulEnv
from azulejos.players.registry import make
from tests.envs.test_pettingzoo import LATE


def play(env: Any, seed: int) -> tuple[list[float], dict[str, Any]]:
    observation, info = env.reset(seed=seed)
    rng, rewards, over = np.random.default_rng(seed), [], False
    while not over:
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, over, truncated, info = env.step(action)
        assert not truncated
        assert env.observation_space.contains(observation)
        rewards.append(reward)
    return rewards, info


def test_the_library_finds_nothing_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make("azulejos/Azul-v1", render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    assert "learner" in capsys.readouterr().out  # the mode "human" was tried as well


def test_it_is_made_by_its_name_against_a_level() -> None:
    env = gymnasium.make("azulejos/Azul-v1", opponents=["level3"], reward="margin")
    rewards, info = play(env, 1)
    assert info["reason"] == "row"
    assert rewards[-1] < -10  # random moves lose to level 3
    assert not any(rewards[:-1])


def test_it_is_made_by_its_name_alone() -> None:
    """Gymnasium itself imports what stands before the colon; it looks for environments nowhere else."""
    program = """
import sys, gymnasium
name = "azulejos.envs.gymnasium:azulejos/Azul-v1"
env, envs = gymnasium.make(name, num_players=3), gymnasium.make_vec(name, num_envs=4, num_players=3)
assert env.observation_space == envs.single_observation_space and env.observation_space.shape == (690,)
old = gymnasium.make("azulejos/Azul-v0")
assert old.observation_space.shape == (890,)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "azulejos/Azul-v0 is out of date" in done.stderr  # the word of Gymnasium


def test_the_mask_is_that_of_the_info_at_every_step() -> None:
    env = AzulEnv(opponents="greedy", num_players=4, wall="gray")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.action_masks()
    _, info = env.reset(seed=2)
    rng, over = np.random.default_rng(2), False
    while not over:
        masks = env.action_masks()
        assert masks.dtype == np.bool_
        legal = [move.id for move in env.game.legal_moves]
        assert np.flatnonzero(masks).tolist() == np.flatnonzero(info["action_mask"]).tolist() == legal
        _, _, over, _, info = env.step(rng.choice(legal))
    assert env.action_masks().all()
    assert info["action_mask"].all()


@pytest.mark.parametrize("mode", ["sync", "async", "vector_entry_point"])
def test_the_mask_at_the_end_is_all_ones_in_every_vectorization(mode: str) -> None:
    envs = gymnasium.make_vec("azulejos/Azul-v1", 2, vectorization_mode=mode, opponents="random", max_rounds=1)
    _, infos = envs.reset(seed=1)
    ended = 0
    for _ in range(40):
        _, _, over, _, infos = envs.step(np.argmax(infos["action_mask"], axis=1))
        assert infos["action_mask"][over].all()
        assert not infos["action_mask"][~over].all(axis=1).any()
        ended += int(over.sum())
    assert ended >= 2
    envs.close()


def test_one_opponent_has_all_other_seats() -> None:
    env = AzulEnv(opponents="greedy", num_players=4)
    assert [player.name for player in env.opponents] == ["greedy"] * 3
    assert len(AzulEnv().opponents) == 1


def test_seeds_decide_everything_the_opponents_included() -> None:
    env = AzulEnv(opponents=["random", "random"], wall="gray", reward="score")
    assert play(env, 3)[0] == play(AzulEnv(opponents=["random", "random"], wall="gray", reward="score"), 3)[0]
    assert play(env, 3)[0] != play(env, 4)[0]


def test_points_add_up_to_the_final_score() -> None:
    for seat in (0, 1, 2):
        rewards, info = play(AzulEnv(opponents=["greedy", "random"], reward="score", seat=seat), 5)
        assert info["seat"] == seat
        assert sum(rewards) == info["scores"][seat]


def test_opponents_may_be_players_and_sit_in_turn_order() -> None:
    env = AzulEnv(opponents=[make("greedy"), "random"], seat=1, render_mode="ansi")
    env.reset(seed=1)
    boards = env.render().split("\n", 1)[1]
    assert boards.index("random") < boards.index("learner") < boards.index("greedy")


def test_a_position_is_gone_on_from_with_the_learner_to_act() -> None:
    env = AzulEnv()
    _, info = env.reset(seed=1, options={"position": LATE})
    assert env.game.position == LATE
    assert info["seat"] == 0
    legal = [move.id for move in Game.from_position(LATE).legal_moves]
    assert np.flatnonzero(info["action_mask"]).tolist() == legal


def test_an_illegal_action_ends_the_game_at_a_price() -> None:
    env = AzulEnv(reward="win", illegal_reward=-3)
    env.reset(seed=1)
    for action in (324, 999, -1):
        env.reset()
        _, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated, info["illegal"]) == (-3, True, False, True)
        assert info["action_mask"].all()  # none is played any more, and a masked distribution stays one
        assert env.action_masks().all()
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(0)


def test_what_is_no_action_is_told_and_the_game_goes_on() -> None:
    env = AzulEnv()
    _, info = env.reset(seed=1)
    for nothing in (None, "1B1", 3.5, np.array([3])):
        with pytest.raises(ValueError, match="an action is a whole number from 0 to 324, not"):
            env.step(nothing)
    assert not env.step(np.flatnonzero(info["action_mask"])[0])[2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponents": []}, "expected 1 to 3 opponents, got 0"),
        ({"opponents": ["random"] * 4}, "expected 1 to 3 opponents, got 4"),
        ({"opponents": ["nobody"]}, "there is no player 'nobody': expected one of .*greedy"),
        ({"opponents": [3]}, "an opponent is a player or the spec of one, one of .*greedy.*, not 3"),
        ({"opponents": None}, "an opponent is a player or the spec of one, .*, not None"),
        ({"illegal_reward": "much"}, "illegal_reward must be a finite number or None, not 'much'"),
        ({"num_players": 5}, "num_players must be a whole number from 2 to 4, not 5"),
        ({"opponents": ["random"], "num_players": 3}, "3 players are the learner and 2 others, not 1"),
        ({"observation": "record"}, "observation must be one of 'features', 'network', not 'record'"),
        ({"seat": 2}, "seat must be a whole number from 0 to 1, not 2"),
        ({"reward": 1}, "reward must be one of 'win', 'margin', 'score', not 1"),
        ({"render_mode": "svg"}, "render_mode must be one of"),
    ],
)
def test_wrong_options_name_the_right_ones(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        AzulEnv(**options)


def test_an_option_that_there_is_not_is_told_with_those_that_there_are() -> None:
    with pytest.raises(TypeError, match="unknown option 'players': expected opponents, wall, reward, num_players"):
        gymnasium.make("azulejos/Azul-v1", players=2)


def test_wrong_resets_are_told() -> None:
    env = AzulEnv()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    with pytest.raises(ValueError, match="unknown reset option 'seed': expected 'position'"):
        env.reset(options={"seed": 1})
    with pytest.raises(ValueError, match="the position has 2 players, this environment 3"):
        AzulEnv(opponents=["random"] * 2).reset(options={"position": LATE})
