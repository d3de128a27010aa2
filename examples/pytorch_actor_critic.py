"""Learn to play with plain PyTorch: advantage actor-critic on the vector environment, against random players.

    pip install 'azulejos[envs]' torch
    python examples/pytorch_actor_critic.py --updates 40

What `policy_gradient.py` does in NumPy, with the gradient left to PyTorch: a network with one hidden layer learns from
512 games at once and is rewarded with the points it scores. At the end it plays against `random` and `greedy`, with the
moves it thinks best, and says how many games it won.
"""

from __future__ import annotations

import argparse
import math

import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from torch import Tensor, nn
from torch.distributions import Categorical

from azulejos.envs.vector import AzulVectorEnv
from azulejos.net.features import SCALE, columns_for
from azulejos.rules.state import ACTIONS

GAMES, STEPS, HIDDEN = 512, 16, 96
DISCOUNT, ENTROPY, STEP_SIZE, POINTS = 0.93, 0.01, 2e-3, 10.0
SCALES = torch.from_numpy(SCALE[columns_for(2)])


class Network(nn.Module):
    """Observation -> hidden layer -> distribution of the legal actions, and the points that are still to come."""

    def __init__(self) -> None:
        """Small random weights."""
        super().__init__()
        self.hidden = nn.Linear(len(SCALES), HIDDEN)
        self.policy, self.value = nn.Linear(HIDDEN, ACTIONS), nn.Linear(HIDDEN, 1)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Categorical, Tensor]:
        """The distributions and the values of a batch."""
        hidden = torch.relu(self.hidden(observations * SCALES))
        logits = self.policy(hidden).masked_fill(masks == 0, -1e9)
        return Categorical(logits=logits), self.value(hidden)[:, 0]


def learn(updates: int, seed: int = 1) -> Network:
    """Play and learn so often."""
    torch.manual_seed(seed)
    network = Network()
    optimizer = torch.optim.Adam(network.parameters(), STEP_SIZE)
    envs = AzulVectorEnv(GAMES, opponents="random", reward="score", autoreset_mode=AutoresetMode.SAME_STEP)
    observations, infos = envs.reset(seed=seed)
    for _ in range(updates):
        logs, values, entropies, rewards, ends = [], [], [], [], []
        for _ in range(STEPS):
            chances, value = network(torch.from_numpy(observations), torch.from_numpy(infos["action_mask"]))
            actions = chances.sample()
            observations, points, over, _, infos = envs.step(actions.numpy())
            logs.append(chances.log_prob(actions))
            values.append(value)
            entropies.append(chances.entropy())
            rewards.append(torch.from_numpy(points / POINTS))
            ends.append(torch.from_numpy(over))
        with torch.no_grad():
            _, worth = network(torch.from_numpy(observations), torch.from_numpy(infos["action_mask"]))
        returns = []
        for reward, over in zip(reversed(rewards), reversed(ends), strict=True):
            worth = reward + DISCOUNT * worth * ~over
            returns.append(worth)
        advantage = torch.cat(returns[::-1]) - torch.cat(values)
        better = (advantage.detach() - advantage.mean().detach()) / (advantage.std().detach() + 1e-6)
        loss = -(better * torch.cat(logs) + ENTROPY * torch.cat(entropies)).mean() + 0.5 * (advantage**2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return network


@torch.no_grad()
def play(network: Network, opponents: str, games: int, seed: int) -> tuple[float, float]:
    """The share of victories in so many games, and how far off it may be (two standard errors)."""
    envs = AzulVectorEnv(games, opponents=opponents, reward="win")
    observations, infos = envs.reset(seed=seed)
    results, unfinished = np.zeros(games), np.ones(games, bool)
    while unfinished.any():
        chances, _ = network(torch.from_numpy(observations), torch.from_numpy(infos["action_mask"]))
        observations, rewards, over, _, infos = envs.step(chances.logits.argmax(1).numpy())
        results[unfinished & over] = (rewards[unfinished & over] + 1) / 2
        unfinished &= ~over
    return float(results.mean()), float(2 * results.std() / math.sqrt(games))


def main() -> None:
    """Learn, play, tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--updates", type=int, default=40, help="steps of the gradient")
    parser.add_argument("--games", type=int, default=1000, help="games to play at the end against each opponent")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    network = learn(options.updates, options.seed)
    for opponent in ("random", "greedy"):
        share, error = play(network, opponent, options.games, options.seed + 1)
        print(f"wins {100 * share:.1f} ± {100 * error:.1f} % of {options.games} games against {opponent}")


if __name__ == "__main__":
    main()
