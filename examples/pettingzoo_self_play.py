"""Learn eight weights from victories and defeats alone: self-play in the PettingZoo loop, in under a minute.

    python examples/pettingzoo_self_play.py --games 2000 --plot weights.png

Both seats are played by the same policy, which looks at every legal move through eight numbers, such as "completes a
line" or "tiles that fall to the floor". They are read from the observation by the index table in the documentation of
`azulejos.envs.pettingzoo`. What the policy is to think of them it finds out by itself (REINFORCE): after every game the
weights move towards what the winner did and away from what the loser did; the reward is 1 or -1 at the end and nothing
else. Because so few weights are learned, they can be read: the script prints and draws them.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azulejos.envs import pettingzoo
from azulejos.envs.gymnasium import AzulEnv

Array = NDArray[Any]

NAMES = ("completes a line", "its points", "spaces left open", "tiles placed", "long line", "tiles to floor",
         "marker", "all to the floor")  # fmt: skip
OWN, LINE_WIDTH, FLOOR, WORTH = 170, 7, 5, 110  # see the index table
TOGETHER, STEP_SIZE = 10, 0.1


def seen_through(observation: Array, actions: Array) -> Array:
    """The eight numbers of each action: drafting on the colored wall with two players."""
    source, color, line = actions // 30, actions // 6 % 5, actions % 6
    on_displays = observation[:100].reshape(5, 5, 4) @ np.arange(1, 5)
    in_center = observation[100:140].reshape(5, 8).sum(1)
    taken = np.vstack([in_center, on_displays])[source, color]
    board = observation[OWN : OWN + 160]
    free = np.append(board[:35].reshape(5, LINE_WIDTH)[:, 5], 0)[line]
    to_floor = line == FLOOR
    row = np.minimum(line, 4)
    points = board[WORTH : WORTH + 25].reshape(5, 5)[row, (color + row) % 5]
    placed = np.minimum(taken, free)
    completes = ~to_floor & (placed == free)
    marker = (source == 0) & (observation[140] == 1)
    numbers = (completes, completes * points / 5, (free - placed) / 5, placed / 5, ~to_floor * row / 4,
               (taken - placed) / 5, marker, to_floor)  # fmt: skip
    return np.stack(numbers, axis=1).astype(np.float64)


class Linear:
    """Softmax over a weighted sum of the eight numbers."""

    def __init__(self, seed: int = 1) -> None:
        """Know nothing: all moves are equally likely."""
        self.weights = np.zeros(len(NAMES))
        self.rng = np.random.default_rng(seed)

    def chances(self, numbers: Array) -> Array:
        """How likely each action is."""
        worth = np.exp(numbers @ self.weights - (numbers @ self.weights).max())
        return np.asarray(worth / worth.sum())

    def best(self, observation: Array, actions: Array) -> int:
        """The likeliest action."""
        return int(actions[np.argmax(seen_through(observation, actions) @ self.weights)])

    def explore(self, observation: Array, actions: Array) -> tuple[int, Array]:
        """An action by its chance, and the direction in which the weights make it likelier."""
        numbers = seen_through(observation, actions)
        chances = self.chances(numbers)
        at = min(int(np.searchsorted(chances.cumsum(), self.rng.random())), len(actions) - 1)
        return int(actions[at]), numbers[at] - chances @ numbers


def learn_from_a_game(env: Any, policy: Linear, seed: int) -> Array:
    """Play both seats; what was done, weighted by how it ended."""
    env.reset(seed=seed)
    directions, rewards = {agent: np.zeros(len(NAMES)) for agent in env.agents}, {}
    for agent in env.agent_iter():
        observation, reward, over, _, _ = env.last()
        if over:
            rewards[agent] = reward
            env.step(None)
            continue
        legal = np.flatnonzero(observation["action_mask"])
        action, direction = policy.explore(observation["observation"], legal)
        directions[agent] += direction
        env.step(action)
    return np.asarray(sum(rewards[agent] * directions[agent] for agent in directions))


def learn(games: int, seed: int = 1) -> tuple[Linear, list[Array]]:
    """Play and learn; also returns the weights as they went."""
    policy, env = Linear(seed), pettingzoo.raw_env(reward="win")
    history = [policy.weights.copy()]
    for first in range(0, games, TOGETHER):
        up = sum(learn_from_a_game(env, policy, seed * 1_000_003 + first + at) for at in range(TOGETHER))
        policy.weights += STEP_SIZE * up / TOGETHER
        history.append(policy.weights.copy())
    return policy, history


def play(policy: Linear, opponent: str, games: int, seed: int) -> tuple[float, float]:
    """The share of the victories against a player of the registry, and two standard errors of it.

    One learner against a given player is Gymnasium's case; the observation is the same in both libraries.
    """
    env, shares = AzulEnv(opponents=[opponent], reward="win"), np.zeros(games)
    for game in range(games):
        (observation, info), over, reward = env.reset(seed=seed + game), False, 0.0
        while not over:
            action = policy.best(observation, np.flatnonzero(info["action_mask"]))
            observation, reward, over, _, info = env.step(action)
        shares[game] = (reward + 1) / 2
    return float(shares.mean()), float(2 * shares.std() / math.sqrt(games))


def draw(history: list[Array], title: str, path: Path) -> None:
    """How the weights went, as a picture."""
    import matplotlib.pyplot as plt  # noqa: PLC0415 - only the plot needs it

    figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
    games = np.arange(len(history)) * TOGETHER
    for at, name in enumerate(NAMES):
        axes.plot(games, [weights[at] for weights in history], label=name, linewidth=1.8)
    axes.axhline(0, color="#888888", linewidth=0.8)
    axes.set(xlabel="games of self-play", ylabel="weight", title=title)
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    figure.savefig(path, dpi=120)


def main() -> None:
    """Learn, tell what was learned, play."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--games", type=int, default=2000, help="games of self-play to learn from")
    parser.add_argument("--against", type=int, default=400, help="games to play at the end against each opponent")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", type=Path, help="draw how the weights went into this file")
    options = parser.parse_args()
    policy, history = learn(options.games, options.seed)
    for name, weight in zip(NAMES, policy.weights, strict=True):
        print(f"{name:18} {weight:+.2f}")
    lines = []
    for opponent in ("random", "greedy"):
        share, error = play(policy, opponent, options.against, options.seed)
        lines.append(f"wins {100 * share:.1f} ± {100 * error:.1f} % of {options.against} games against {opponent}")
        print(lines[-1])
    if options.plot:
        draw(history, "\n".join(lines), options.plot)


if __name__ == "__main__":
    main()
