"""The batch of games and Gymnasium's vector environment on it: the same games as `Game`, and what follows an end."""

from __future__ import annotations

from typing import Any

import gymnasium
import numba
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from azulejos import Game
from azulejos.envs import lane
from azulejos.envs.batch import Batch
from azulejos.envs.vector import AzulVectorEnv
from azulejos.game.view import view_of
from azulejos.net.features import FEATURES, layout, write_exact_features, write_features
from azulejos.rules.state import ACTIONS, STATE
from tests.envs.test_pettingzoo import LATE


def ends(batch: Batch, steps: int) -> int:
    count = 0
    for _ in range(steps):
        batch.step(batch.sample())
        count += int(batch.terminated.sum())
    return count


@pytest.mark.parametrize(("players", "wall"), [(2, "std"), (3, "gray"), (4, "std")])
def test_the_first_lane_plays_the_game_of_the_seed(players: int, wall: Any) -> None:
    batch, network = (Batch(3, num_players=players, wall=wall, observation=seen) for seen in ("features", "network"))
    batch.reset(seed=11)
    network.reset(seed=11)
    game = Game(players, wall, seed=11, max_rounds=50)
    row, full = np.zeros(layout(players).width, np.int8), np.zeros(FEATURES, np.int8)
    while not game.is_over:
        assert batch.seats[0] == game.seat
        assert np.flatnonzero(batch.masks[0]).tolist() == [move.id for move in game.legal_moves]
        write_exact_features(game.states[0], row)
        write_features(game.states[0], full)
        assert batch.observations is not None
        assert network.observations is not None
        assert (batch.observations[0] == row).all()
        assert (network.observations[0] == full).all()
        actions = batch.sample()
        game.play(game.legal_moves[[move.id for move in game.legal_moves].index(int(actions[0]))])
        batch.step(actions)
        network.step(actions)
        assert view_of(batch.states, 0) == game.view
    assert batch.terminated[0]
    assert game.outcome is not None
    won = [seat in game.outcome.winners for seat in range(players)]
    assert (batch.rewards[0] > 0).tolist() == won or sum(won) == players


def test_the_number_of_threads_changes_nothing() -> None:
    ends = []
    for threads in (1, numba.config.NUMBA_NUM_THREADS):
        numba.set_num_threads(threads)
        batch = Batch(50, opponents="random", num_players=3, autoreset="same_step")
        batch.reset(seed=9)
        for _ in range(40):
            batch.step(batch.sample())
        ends.append(batch.states.tobytes() + batch.lanes.tobytes() + batch.masks.tobytes())
    assert ends[0] == ends[1]


def test_samples_are_legal_and_spread_evenly() -> None:
    batch = Batch(20_000, observation=None)
    batch.reset(seed=1, position=LATE)
    legal = np.flatnonzero(batch.masks[0])
    counts = np.bincount(batch.sample(), minlength=ACTIONS)
    assert set(np.flatnonzero(counts)) == set(legal)
    expected = 20_000 / len(legal)
    assert ((counts[legal] - expected) ** 2 / expected).sum() < 2.5 * len(legal)


def test_random_play_never_is_illegal_and_streams_differ() -> None:
    batch = Batch(300, wall="gray", num_players=3, autoreset="same_step")
    batch.reset(seed=2)
    assert len(np.unique(batch.states["bag"], axis=0)) > 100
    for _ in range(150):
        batch.step(batch.sample())
        assert not batch.illegal.any()
    assert len(np.unique(batch.lanes["game"])) == 300


def test_next_step_passes_over_one_action() -> None:
    batch = Batch(64, reward="margin")
    batch.reset(seed=1, position=LATE)
    for _ in range(30):
        before = batch.terminated.copy()
        games = batch.lanes["game"].copy()
        actions = batch.sample()
        assert (actions[before] == 0).all()
        assert batch.masks[before].all()  # any action will do where a game is over
        batch.step(actions)
        assert not (batch.terminated & before).any()
        assert not batch.reward[before].any()
        assert (batch.lanes["game"] - games == 64 * before).all()
        assert (batch.states["round_number"][before] == 1).all()


def test_same_step_keeps_the_end() -> None:
    batch = Batch(64, reward="score", autoreset="same_step")
    batch.reset(seed=1, position=LATE)
    seen = 0
    for _ in range(30):
        batch.step(batch.sample())
        over = batch.terminated
        seen += int(over.sum())
        assert (batch.states["round_number"][over] == 1).all()
        finals = batch.final_observations
        assert finals is not None
        row = np.zeros(layout(2).width, np.int8)
        for at in np.flatnonzero(over):
            state = batch.final_states[at]
            lane.write_view(state, int(batch.lanes["actor"][at]), row)
            assert (finals[at] == row).all()
            assert state["phase"] == 4
    assert seen >= 64 / 2


def test_disabled_waits_for_a_reset_of_the_chosen() -> None:
    batch = Batch(40, autoreset="disabled")
    batch.reset(seed=1, position=LATE)
    ends(batch, 25)
    over = batch.terminated.copy()
    assert over.any()
    states = batch.states.copy()
    batch.step(batch.sample())
    assert (batch.states[over] == states[over]).all()
    assert not batch.reward[over].any()
    batch.reset(chosen=over)
    assert (batch.states["round_number"][over] == 1).all()
    assert not batch.terminated[over].any()
    with pytest.raises(ValueError, match="expected 40 truth values, got int64"):
        batch.reset(chosen=np.arange(40))  # type: ignore[arg-type]


@pytest.mark.parametrize("opponents", ["random", "greedy"])
@pytest.mark.parametrize("seat", [None, 2])
def test_the_learner_always_is_to_act(opponents: str, seat: int | None) -> None:
    batch = Batch(100, num_players=3, wall="gray", opponents=opponents, seat=seat, reward="score")
    batch.reset(seed=1)
    total = np.zeros((100, 3))
    unfinished = np.ones(100, bool)
    for _ in range(120):
        playing = batch.lanes["over"] == 0
        assert (batch.states["seat"][playing] == batch.seats[playing]).all()
        learners = batch.seats.copy()
        batch.step(batch.sample())
        assert (batch.reward == batch.rewards[np.arange(100), learners]).all()
        total[unfinished] += batch.rewards[unfinished]
        over = batch.terminated & unfinished
        assert (batch.states["score"][over, :3] == total[over]).all()
        unfinished &= ~over
    assert not unfinished.any()
    assert seat is None or (batch.lanes["seat"] == seat).all()
    assert seat is not None or len(np.unique(batch.lanes["seat"])) == 3


def test_greedy_opponents_beat_random_play() -> None:
    batch = Batch(200, opponents="greedy")
    batch.reset(seed=1)
    won = 0.0
    for _ in range(60):
        batch.step(batch.sample())
        won += float(batch.reward[batch.terminated].sum())
    assert won < -200


def test_an_illegal_action_ends_only_its_game() -> None:
    batch = Batch(4, reward="win", autoreset="disabled")
    batch.reset(seed=1)
    actions = batch.sample().copy()
    actions[1], actions[3] = 324, -7
    actors = batch.seats.copy()
    batch.step(actions)
    assert batch.terminated.tolist() == batch.illegal.tolist() == [False, True, False, True]
    assert batch.reward.tolist() == [0, -1, 0, -1]
    assert batch.rewards[1, actors[1]] == -1
    assert batch.rewards.sum() == -2


def test_records_are_the_states_themselves() -> None:
    batch = Batch(5, observation="record")
    batch.reset(seed=1)
    observations = batch.observations
    assert observations is not None
    assert observations.shape == (5, STATE.itemsize)
    assert np.shares_memory(observations, batch.states)
    assert (observations.view(STATE)[:, 0]["bag"] == batch.states["bag"]).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponents": "level3"}, "opponents must be one of None, 'random', 'greedy', not 'level3'"),
        ({"observation": "pixels"}, "observation must be one of 'features', 'network', 'record', None, not 'pixels'"),
        ({"autoreset": True}, "autoreset must be one of 'next_step', 'same_step', 'disabled', not True"),
        ({"num_players": 1}, "num_players must be a whole number from 2 to 4, not 1"),
    ],
)
def test_wrong_options_name_the_right_ones(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Batch(10, **options)


def test_wrong_calls_are_told() -> None:
    with pytest.raises(ValueError, match="games must be a whole number from 1"):
        Batch(0)
    batch = Batch(3, seat=1, opponents="random")
    with pytest.raises(RuntimeError, match="reset"):
        batch.step(np.zeros(3, int))
    batch.reset(seed=1)
    for wrong in (np.zeros(4, int), np.zeros(3), [[1, 2, 3]]):
        with pytest.raises(ValueError, match="expected 3 whole numbers as actions"):
            batch.step(wrong)
    with pytest.raises(ValueError, match="seed must be a whole number"):
        batch.reset(seed=-1)
    with pytest.raises(ValueError, match="cannot read"):
        batch.reset(position=LATE + " x")
    with pytest.raises(ValueError, match="leave the choice away"):
        batch.reset(seed=3, chosen=np.ones(3, bool))
    with pytest.raises(TypeError, match="unknown option 'players': expected num_players, wall, reward"):
        Batch(3, players=2)


@pytest.mark.parametrize("wrong", [{"chosen": [1, 0, 1]}, {"chosen": np.ones(2, bool)}, {"position": "nonsense"}])
def test_a_refused_reset_changes_nothing(wrong: dict[str, Any]) -> None:
    tried, other = Batch(3), Batch(3)
    for batch in (tried, other):
        batch.reset(seed=1)
    with pytest.raises(ValueError, match=r"truth values|cannot read"):
        tried.reset(**wrong)
    assert tried.lanes.tobytes() == other.lanes.tobytes()
    for batch in (tried, other):
        batch.reset()
    assert tried.states.tobytes() == other.states.tobytes()


def test_gymnasium_makes_it() -> None:
    envs = gymnasium.make_vec("azulejos.envs.gymnasium:azulejos/Azul-v1", num_envs=6, reward="score")
    assert isinstance(envs, AzulVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    observations, infos = envs.reset(seed=1)
    assert envs.observation_space.contains(observations)
    assert infos["action_mask"].shape == (6, ACTIONS)
    actions = np.argmax(infos["action_mask"], axis=1)
    assert envs.action_space.contains(actions)
    kept = observations.copy()
    observations, rewards, terminations, truncations, infos = envs.step(actions)
    assert (kept != observations).any()
    assert rewards.shape == terminations.shape == truncations.shape == (6,)
    assert set(infos) == {"action_mask", "seat", "rewards", "illegal"}


def test_outputs_are_copies_unless_told() -> None:
    for copy in (True, False):
        envs = AzulVectorEnv(8, copy=copy)
        observations, _ = envs.reset(seed=1)
        before = observations.copy()
        envs.step(envs.sample_actions())
        assert (observations == before).all() == copy


def test_same_step_puts_the_end_into_infos() -> None:
    envs = AzulVectorEnv(50, opponents=None, autoreset_mode=AutoresetMode.SAME_STEP)
    envs.reset(seed=1, options={"position": LATE})
    for _ in range(20):
        observations, _, terminations, _, infos = envs.step(envs.sample_actions())
        assert envs.observation_space.contains(observations)
        assert ("final_obs" in infos) == terminations.any()
        if terminations.any():
            assert (infos["_final_obs"] == terminations).all()
            assert infos["final_info"]["scores"].shape == (50, 2)


def test_wrong_vector_options_are_told() -> None:
    with pytest.raises(ValueError, match="autoreset_mode must be one of"):
        AzulVectorEnv(3, autoreset_mode="later")
    assert AzulVectorEnv(3, autoreset_mode="SameStep").metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    with pytest.raises(ValueError, match="num_envs must be a whole number from 1 to"):
        AzulVectorEnv(0)
    for option in ("players", "autoreset", "render_mode"):
        given: dict[str, Any] = {option: "x"}
        with pytest.raises(TypeError, match=f"unknown option '{option}': expected num_envs, opponents, .*num_players"):
            AzulVectorEnv(3, **given)
    with pytest.raises(ValueError, match="observation must be one of 'features', 'network', 'record', not None"):
        AzulVectorEnv(3, observation=None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown reset option 'x': expected 'position' or 'reset_mask'"):
        AzulVectorEnv(3).reset(options={"x": 1})


def test_the_wrappers_of_gymnasium_fit() -> None:
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(AzulVectorEnv(20, reward="score"))
    _, infos = envs.reset(seed=1)
    returns = []
    for _ in range(60):
        _, _, terminations, _, infos = envs.step(np.argmax(infos["action_mask"], axis=1))
        if terminations.any():
            returns += infos["episode"]["r"][terminations].tolist()
    assert len(returns) >= 20
    assert min(returns) >= 0
