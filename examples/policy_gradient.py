"""Learn to play in a minute: advantage actor-critic in plain NumPy on the vector environment, against random players.

    python examples/policy_gradient.py --seconds 60 --plot learning.png

A network with one hidden layer sees the features of `azulejos.net.features`, is rewarded with the points it scores and
learns from 512 games at once. At the end it plays 2000 games each against the players `random` and `greedy`, with the
moves it thinks best, and says how many it won. With --plot it draws how it came to that.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from azulejos.envs.vector import AzulVectorEnv
from azulejos.net.features import SCALE, columns_for
from azulejos.rules.state import ACTIONS

SCALES = SCALE[columns_for(2)]  # for two players
GAMES, STEPS, HIDDEN = 512, 16, 96
DISCOUNT, ENTROPY, STEP_SIZE, POINTS = 0.93, 0.01, 2e-3, 10.0

Array = NDArray[Any]


class Network:
    """Features -> hidden layer -> logits of the actions and the points that are still to come."""

    def __init__(self, seed: int) -> None:
        """Small random weights, and Adam's memory of them."""
        rng = np.random.default_rng(seed)
        shapes = {"w": (len(SCALES), HIDDEN), "b": (HIDDEN,), "p": (HIDDEN, ACTIONS), "v": (HIDDEN, 1)}
        scale = {"w": 1 / math.sqrt(60), "b": 0, "p": 0.01, "v": 0}
        self.weights: dict[str, Array] = {
            name: (rng.standard_normal(shape) * scale[name]).astype(np.float32) for name, shape in shapes.items()
        }
        self.moments = {name: (np.zeros_like(w), np.zeros_like(w)) for name, w in self.weights.items()}
        self.updates = 0

    def __call__(self, x: Array, mask: Array) -> tuple[Array, Array, Array]:
        """Hidden layer, probabilities and values of a batch."""
        hidden = np.maximum(x @ self.weights["w"] + self.weights["b"], 0)
        logits = np.where(mask, hidden @ self.weights["p"], -1e9)
        chances = np.exp(logits - logits.max(1, keepdims=True))
        return hidden, chances / chances.sum(1, keepdims=True), (hidden @ self.weights["v"])[:, 0]

    def learn(self, x: Array, mask: Array, actions: Array, returns: Array) -> None:
        """One step up the gradient: actions that brought more than expected become likelier."""
        hidden, chances, values = self(x, mask)
        advantage = returns - values
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
        logs = np.log(chances + 1e-9)
        entropy = -(chances * logs).sum(1, keepdims=True)
        up = -chances * advantage[:, None] - ENTROPY * chances * (logs + entropy)
        up[np.arange(len(actions)), actions] += advantage
        value_up = (returns - values)[:, None]
        hidden_up = (up @ self.weights["p"].T + 0.5 * value_up @ self.weights["v"].T) * (hidden > 0)
        gradients = {"w": x.T @ hidden_up, "b": hidden_up.sum(0), "p": hidden.T @ up, "v": 0.5 * hidden.T @ value_up}
        self.updates += 1
        for name, gradient in gradients.items():
            self._adam(name, gradient / len(x))

    def _adam(self, name: str, gradient: Array) -> None:
        mean, square = self.moments[name]
        mean += 0.1 * (gradient - mean)
        square += 0.001 * (gradient**2 - square)
        larger = math.sqrt(1 - 0.999**self.updates) / (1 - 0.9**self.updates)
        self.weights[name] += STEP_SIZE * larger * mean / (np.sqrt(square) + 1e-8)


def scaled(observations: Array) -> Array:
    """Observations as the network wants them."""
    return observations * SCALES


def drawn(chances: Array, rng: np.random.Generator) -> Array:
    """An action for each row, by its chances."""
    beyond = chances.cumsum(1) < rng.random((len(chances), 1)).astype(np.float32) * 0.99999
    return np.asarray(beyond.sum(1))


def play(network: Network, opponents: str, games: int, seed: int) -> Array:
    """Results of games with the moves that the network thinks best: 1 won, 0 shared, -1 lost."""
    envs = AzulVectorEnv(games, opponents=opponents, reward="win")
    observations, infos = envs.reset(seed=seed)
    results, unfinished = np.zeros(games), np.ones(games, bool)
    while unfinished.any():
        _, chances, _ = network(scaled(observations), infos["action_mask"] == 1)
        observations, rewards, over, _, infos = envs.step(chances.argmax(1))
        results[unfinished & over] = rewards[unfinished & over]
        unfinished &= ~over
    return results


def won(results: Array) -> tuple[float, float]:
    """The share of the victories, and how far off it may be (two standard errors)."""
    shares = (results + 1) / 2
    return float(shares.mean()), float(2 * shares.std() / math.sqrt(len(shares)))


def learn(seconds: float, seed: int = 1, updates: int = 10**9) -> tuple[Network, list[tuple[float, float]]]:
    """Play and learn for so long, or so often; also returns the mean final score as time went on."""
    network, rng = Network(seed), np.random.default_rng(seed)
    envs = AzulVectorEnv(GAMES, opponents="random", reward="score", autoreset_mode=AutoresetMode.SAME_STEP)
    observations, infos = envs.reset(seed=seed)
    score, finals, curve = np.zeros(GAMES), [], []
    began = shown = time.perf_counter()
    while (now := time.perf_counter()) < began + seconds and network.updates < updates:
        rows = []
        for _ in range(STEPS):
            x, mask = scaled(observations), infos["action_mask"] == 1
            actions = drawn(network(x, mask)[1], rng)
            observations, rewards, over, _, infos = envs.step(actions)
            rows.append((x, mask, actions, rewards / POINTS, over))
            score += rewards
            finals += score[over].tolist()
            score[over] = 0
        _, _, worth = network(scaled(observations), infos["action_mask"] == 1)
        returns = []
        for _, _, _, reward, over in reversed(rows):
            worth = reward + DISCOUNT * worth * ~over
            returns.append(worth)
        x, mask, actions = (np.concatenate([row[at] for row in rows]) for at in range(3))
        network.learn(x, mask, actions, np.concatenate(returns[::-1]))
        if finals and now > shown + seconds / 30:
            curve.append((now - began, float(np.mean(finals))))
            finals, shown = [], now
    return network, curve


def draw(curve: list[tuple[float, float]], lines: list[str], path: Path) -> None:
    """The learning curve as a picture."""
    import matplotlib.pyplot as plt  # noqa: PLC0415 - only the plot needs it

    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    axes.plot(*zip(*curve, strict=True), color="#1f4e9c", linewidth=2)
    axes.set(xlabel="seconds of learning", ylabel="mean final score", title="\n".join(lines))
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=120)


def main() -> None:
    """Learn, play, tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60, help="how long to learn")
    parser.add_argument("--updates", type=int, default=10**9, help="stop after so many steps of the gradient")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=2000, help="games to play at the end against each opponent")
    parser.add_argument("--plot", type=Path, help="draw the learning curve into this file")
    options = parser.parse_args()
    network, curve = learn(options.seconds, options.seed, options.updates)
    for at, score in curve:
        print(f"{at:6.1f} s   mean final score {score:5.1f}")
    lines = []
    for opponent in ("random", "greedy"):
        share, error = won(play(network, opponent, options.games, options.seed + 1))
        lines.append(f"wins {100 * share:.1f} ± {100 * error:.1f} % of {options.games} games against {opponent}")
        print(lines[-1])
    if options.plot:
        draw(curve, lines, options.plot)


if __name__ == "__main__":
    main()
