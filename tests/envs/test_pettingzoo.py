"""The PettingZoo environment: its library's own tests, the page it documents itself with, and wrong input."""

from __future__ import annotations

import copy
import pickle
import re
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo import make
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.render_test import render_test

from azulejos import Game
from azulejos.envs import pettingzoo
from azulejos.envs.settings import highest_features
from azulejos.net import features as f

LATE = (
    "std Y2RW/-/-/-/- B2YR2K2 0:-/B/K3/B/B:BY2W/2Y2/2BY1/RKW2/1RK2:- 0:-/-/-/K/W5:BY1KW/WBYR1/1W3/3B1/1RK2:F K d1 9@2"
)


def play(env: Any, seed: int) -> tuple[dict[str, float], dict[str, Any]]:
    """A random game: what each agent got in all, and the last info."""
    env.reset(seed=seed)
    total, info = dict.fromkeys(env.possible_agents, 0.0), {}
    rng = np.random.default_rng(seed)
    for agent in env.agent_iter():
        observation, reward, over, _, info = env.last()
        total[agent] += reward
        env.step(None if over else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    return total, info


@pytest.mark.parametrize(("players", "wall", "reward"), [(2, "std", "win"), (3, "gray", "margin"), (4, "std", "score")])
def test_the_library_finds_nothing_wrong(players: int, wall: Any, reward: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # The tests of the library warn of every environment with a mask in its observation, and give an odd option.
        warnings.filterwarnings("ignore", "Observation|unknown reset option 'options'")
        api_test(pettingzoo.env(num_players=players, wall=wall, reward=reward), num_cycles=150)


def test_seeds_decide_everything() -> None:
    seed_test(lambda: pettingzoo.env(num_players=3, wall="gray"), num_cycles=60)
    env = pettingzoo.raw_env()
    positions = []
    for seed in (1, 1, 2):
        env.reset(seed=seed)
        positions.append(env._states.tobytes())
    assert positions[0] == positions[1] != positions[2]


def test_every_render_mode_shows_something(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(pettingzoo.env, custom_tests={"ansi": lambda text: "player_0" in text})
    assert "player_1" in capsys.readouterr().out


def test_the_image_changes_with_the_position() -> None:
    env = pettingzoo.raw_env(num_players=4, wall="gray", render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    after = env.render()
    assert before.shape == after.shape
    assert 300 < (before != after).any(axis=2).sum() < before.shape[0] * before.shape[1] / 4


def test_the_registry_makes_it() -> None:
    env = make("aec", "azulejos/azul-v1", num_players=3)
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    assert str(env.unwrapped) == "azul_v1"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_win_is_shared_out_and_margin_is_the_distance(players: int) -> None:
    for seed in range(5):
        won, _ = play(pettingzoo.env(num_players=players), seed)
        margins, info = play(pettingzoo.env(num_players=players, reward="margin"), seed)
        scores, same = play(pettingzoo.env(num_players=players, reward="score"), seed)
        assert info == same
        assert sum(won.values()) == pytest.approx(0, abs=1e-6)
        assert list(scores.values()) == info["scores"]
        best = sorted(info["scores"])
        for agent, score in scores.items():
            assert margins[agent] == score - (best[-1] if score < best[-1] else best[-2])
        if best[-1] > best[-2]:
            assert won[max(scores, key=scores.__getitem__)] == 1


def test_a_position_is_gone_on_from() -> None:
    env = pettingzoo.raw_env()
    env.reset(seed=1, options={"position": LATE})
    assert env.agent_selection == "player_0"
    legal = [move.id for move in Game.from_position(LATE).legal_moves]
    assert np.flatnonzero(env.observe("player_0")["action_mask"]).tolist() == legal
    assert not env.observe("player_1")["action_mask"].any()


def test_each_agent_sees_its_own_board_first() -> None:
    env = pettingzoo.raw_env()
    env.reset(seed=1, options={"position": LATE})
    first, second = (env.observe(agent)["observation"] for agent in env.agents)
    at, width = f.layout(2).boards, f.BOARD_WIDTH
    assert (first[at : at + width] == second[at + width : at + 2 * width]).all()
    assert (first[at + width : at + 2 * width] == second[at : at + width]).all()
    assert first[at + width + 158] == 1  # the second player holds the marker


def test_an_illegal_action_ends_the_game_at_a_price() -> None:
    env = pettingzoo.env(reward="margin")
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(324)
    assert env.terminations == dict.fromkeys(env.agents, True)
    assert env.rewards[agent] == -100
    assert sum(env.rewards.values()) == -100
    raw = pettingzoo.raw_env()
    raw.reset(seed=1)
    for action in (324, 325, -1, 2**70):
        with pytest.raises(ValueError, match=rf"action {action} of player_\d is not legal"):
            raw.step(action)
    for nothing in (None, "1B1", 3.0, np.array([3])):
        with pytest.raises(ValueError, match="an action is a whole number from 0 to 324, not"):
            raw.step(nothing)  # type: ignore[arg-type]
    legal = np.flatnonzero(raw.observe(raw.agent_selection)["action_mask"])
    raw.step(legal[0])  # NumPy's numbers are as good
    with pytest.raises(ValueError, match="there is no agent 'player_2': expected one of player_0, player_1"):
        raw.observe("player_2")


def test_nothing_goes_before_a_reset() -> None:
    raw = pettingzoo.raw_env(render_mode="ansi")
    for act in (raw.render, lambda: raw.observe("player_0"), lambda: raw.step(0)):
        with pytest.raises(gymnasium.error.ResetNeeded):
            act()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_players": 5}, "num_players must be a whole number from 2 to 4, not 5"),
        ({"wall": "blue"}, "wall must be one of 'std', 'gray', not 'blue'"),
        ({"reward": "money"}, "reward must be one of 'win', 'margin', 'score', not 'money'"),
        ({"render_mode": "svg"}, "render_mode must be one of 'ansi', 'human', 'rgb_array', not 'svg'"),
        ({"max_rounds": 0}, "max_rounds must be a whole number from 1"),
        ({"illegal_reward": "much"}, "illegal_reward must be a finite number or None, not 'much'"),
        ({"illegal_reward": float("nan")}, "illegal_reward must be a finite number or None, not nan"),
    ],
)
def test_wrong_options_name_the_right_ones(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pettingzoo.env(**options)


def test_an_option_that_there_is_not_is_told_with_those_that_there_are() -> None:
    for make_one in (pettingzoo.env, pettingzoo.raw_env, lambda **given: make("aec", "azulejos/azul-v1", **given)):
        with pytest.raises(
            TypeError, match="unknown option 'players': expected num_players, wall, reward, observation"
        ):
            make_one(players=3)


def test_wrong_positions_are_told() -> None:
    env = pettingzoo.env(num_players=3)
    with pytest.raises(ValueError, match="the position has 2 players, this environment 3"):
        env.reset(options={"position": LATE})
    with pytest.raises(ValueError, match="the position has the wall 'std', this environment 'gray'"):
        pettingzoo.env(wall="gray").reset(options={"position": LATE})
    with pytest.raises(ValueError, match="cannot read 'nonsense'"):
        env.reset(options={"position": "nonsense"})
    over = Game(seed=1, max_rounds=1)
    while not over.is_over:
        over.play(over.legal_moves[0])
    with pytest.raises(ValueError, match="the game is over in the position"):
        pettingzoo.env().reset(options={"position": over.position})
    with pytest.raises(ValueError, match="the options of a reset are a dictionary"):
        env.reset(options=["position"])
    with pytest.warns(UserWarning, match="unknown reset option 'place': expected 'position'"):
        env.reset(options={"place": 1})


def test_it_can_be_pickled() -> None:
    again = pickle.loads(pickle.dumps(pettingzoo.raw_env(num_players=4, wall="gray", max_rounds=7)))
    assert again.settings.num_players == 4
    assert again.settings.max_rounds == 7


@pytest.mark.parametrize("make_one", [pettingzoo.env, pettingzoo.raw_env])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_with_the_same_game_and_alone(make_one: Any, copied: Any) -> None:
    env = make_one(num_players=3, reward="score")
    env.reset(seed=4)
    for _ in range(9):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    other, place = copied(env), env.position
    rest = [finish(one) for one in (env, other)]
    assert rest[0] == rest[1]  # the deals that were to come are the same, too
    other.reset(options={"position": place})
    assert other.position == place != env.position


def finish(env: Any) -> tuple[str, list[float]]:
    """The end of a game of first moves: its position and what everybody got."""
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, over, _, _ = env.last()
        total[agent] += reward
        env.step(None if over else int(np.flatnonzero(observation["action_mask"])[0]))
    return env.position, list(total.values())


def test_the_position_goes_out_and_in() -> None:
    env = pettingzoo.env()
    env.reset(seed=1, options={"position": LATE})
    assert env.position == LATE
    with pytest.raises(gymnasium.error.ResetNeeded):
        pettingzoo.raw_env().position  # noqa: B018


def test_the_state_is_one_row_for_all() -> None:
    env = pettingzoo.env(num_players=3)
    env.reset(seed=3)
    for _ in range(7):
        state = env.state()
        assert env.state_space.contains(state)
        assert (state[:-3] == env.observe("player_0")["observation"]).all()
        assert [f"player_{seat}" for seat in np.flatnonzero(state[-3:])] == [env.agent_selection]
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))


def test_at_the_end_the_mask_is_all_ones_for_everybody() -> None:
    env = pettingzoo.env(max_rounds=1)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert all(env.observe(agent)["action_mask"].all() for agent in env.possible_agents)


def table_rows(heading: str, column: int) -> list[tuple[int, int, str]]:
    """First and last index in a column, and the values, of the rows of the table that stands under these words."""
    table = (pettingzoo.__doc__ or "").split(heading)[1].split("\n\n")[1]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    indices = [(row[column].split("-"), row[-1]) for row in cells if row[column]]
    return [(int(index[0]), int(index[-1]), values) for index, values in indices]


def highest(values: str) -> int:
    return max(map(int, re.findall(r"\d+", values)))


COLUMNS = "blue, yellow, red, black, white."


@pytest.mark.parametrize(
    ("heading", "column", "high"),
    [
        *((COLUMNS, players - 2, highest_features()[f.columns_for(players)]) for players in (2, 3, 4)),
        ("b of 0 to 159:", 0, highest_features()[f.BOARDS_AT :][: f.BOARD_WIDTH]),
    ],
)
def test_the_tables_cover_every_index_once(heading: str, column: int, high: Any) -> None:
    rows = table_rows(heading, column)
    assert [index for low, last, _ in rows for index in range(low, last + 1)] == list(range(len(high)))
    for low, last, values in rows:
        if values:
            assert high[low : last + 1].max() == highest(values)


@pytest.mark.parametrize(("players", "wall"), [(2, "std"), (3, "gray"), (4, "std")])
def test_what_exactly_these_players_see_is_what_the_network_sees(players: int, wall: Any) -> None:
    rows = []
    for observation in ("features", "network"):
        env = pettingzoo.raw_env(players, wall, observation=observation)
        env.reset(seed=5)
        for _ in range(40):
            env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[-1]))
        rows.append(np.stack([env.observe(agent)["observation"] for agent in env.agents]))
    exact, full = rows
    kept = f.columns_for(players)
    assert exact.shape[1] == f.layout(players).width
    assert (exact == full[:, kept]).all()
    assert not np.delete(full, kept, axis=1).any()


def test_no_feature_leaves_its_bounds() -> None:
    high = highest_features()
    seen = np.zeros_like(high)
    for seed in range(6):
        env = pettingzoo.raw_env(num_players=2 + seed % 3, wall=("std", "gray")[seed % 2], observation="network")
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        for agent in env.agent_iter():
            observation = env.observe(agent)
            seen = np.maximum(seen, observation["observation"])
            assert (observation["observation"] >= 0).all()
            over = env.terminations[agent]
            env.step(None if over else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    assert (seen <= high).all()
