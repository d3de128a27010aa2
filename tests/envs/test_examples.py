"""The examples do what they promise: each learns, in a shorter run than its own, and wins clearly against random."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
SHORT = {
    "policy_gradient": "--updates 40 --games 300",
    "pettingzoo_self_play": "--games 300 --against 100",
    "openspiel_td": "--games 50 --against 50",
}
"""Each example, with arguments that let it finish in seconds."""


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PLAYERS = {"bot", "bot_engine"}
"""Examples that do not learn, which tests/docs/test_write_a_player.py runs."""
WITH_TORCH = {"maskable_ppo": "--steps 16384 --games 300", "pytorch_actor_critic": "--updates 20 --games 300"}
"""Examples for which more has to be installed than the tests install, with short arguments."""


def test_no_example_is_left_out() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} - PLAYERS == SHORT.keys() | WITH_TORCH.keys()


@pytest.mark.parametrize("name", SHORT)
def test_it_learns_to_beat_random_and_draws_how(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    example, picture = load(name), tmp_path / "picture.png"
    if name == "policy_gradient":
        monkeypatch.setattr(example, "GAMES", 256)
    monkeypatch.setattr(sys, "argv", [name, *SHORT[name].split(), "--plot", str(picture)])
    example.main()
    told = re.search(r"wins ([\d.]+) ± ([\d.]+) % of \d+ games .*against random", capsys.readouterr().out)
    assert told
    share, error = map(float, told.groups())
    assert share - error > 75  # two standard errors, and far from the 50 of somebody who plays just as badly
    assert picture.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize("name", WITH_TORCH)
def test_it_learns_with_the_library_that_it_is_for(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for library in ("torch", "sb3_contrib") if name == "maskable_ppo" else ("torch",):
        pytest.importorskip(library, reason=f"{library} is not installed here: examples/{name}.py says how")
    example = load(name)
    monkeypatch.setattr(sys, "argv", [name, *WITH_TORCH[name].split()])
    example.main()
    told = re.search(r"wins ([\d.]+) ± ([\d.]+) % of \d+ games against random", capsys.readouterr().out)
    assert told
    share, error = map(float, told.groups())
    assert share - error > 75


def test_the_policy_gradient_knew_nothing_before() -> None:
    example = load("policy_gradient")
    share, error = example.won(example.play(example.Network(1), "random", 300, 2))
    assert share + error < 0.5


def test_self_play_finds_out_what_is_good_and_what_is_not() -> None:
    example = load("pettingzoo_self_play")
    policy, history = example.learn(300)
    learned = dict(zip(example.NAMES, policy.weights, strict=True))
    assert not history[0].any()
    assert learned["completes a line"] > 1
    assert learned["tiles to floor"] < -0.2
    assert learned["all to the floor"] < -1


def test_self_play_reads_the_observation_as_the_rules_would() -> None:
    """Of a move that completes a line, with tiles left over, every number is right."""
    example = load("pettingzoo_self_play")
    env = example.pettingzoo.raw_env()
    position = "std B3Y/-/-/-/- F 0:-/-/-/-/-:5/5/5/5/5:- 0:-/-/-/-/-:5/5/5/5/5:- B17Y19R20K20W20 d1 1@1"
    env.reset(seed=1, options={"position": position})
    observation = env.observe("player_0")["observation"]
    first, third, floor = example.seen_through(observation, np.array([30, 32, 35]))  # 1B1, 1B3, 1BF
    assert dict(zip(example.NAMES, first, strict=True)) == pytest.approx(
        {"completes a line": 1, "its points": 0.2, "spaces left open": 0, "tiles placed": 0.2, "long line": 0,
         "tiles to floor": 0.4, "marker": 0, "all to the floor": 0}
    )  # fmt: skip
    assert third.tolist() == pytest.approx([1, 0.2, 0, 0.6, 0.5, 0, 0, 0])
    assert floor.tolist() == pytest.approx([0, 0, 0, 0, 0, 0.6, 0, 1])


def test_a_board_is_summed_up_as_the_rules_would() -> None:
    example = load("openspiel_td")
    game = example.pyspiel.load_game(example.GAME)
    value, state = example.Value(game, 1), game.new_initial_state()
    for color in [0, 0, 0, 1] * 5:
        state.apply_action(color)
    assert not value.boards(state).any()  # two empty boards
    state.apply_action(30)  # 1B1: player 0 completes line 1, two tiles fall
    state.apply_action(2 * 30 + 2)  # 2B3: player 1 completes line 3, and nothing falls
    assert dict(zip(example.NAMES, value.boards(state), strict=True)) == pytest.approx(
        {"score by now": 0 - 0.1, "tiles on the wall": 0, "tiles in lines": 0, "marker": 0}
    )
    state.apply_action(3 * 30 + 4)  # 3B5: player 0 puts three into line 5
    assert value.boards(state)[2] == pytest.approx(0.6)
