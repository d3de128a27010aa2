"""Learn with MaskablePPO of sb3-contrib, which asks the environment for its `action_masks` and needs nothing else.

    pip install 'azulejos[envs]' sb3-contrib
    python examples/maskable_ppo.py --steps 60000

Eight games at a time against the player `random`, rewarded with the points scored. At the end it plays games against
`random` and `greedy`, with the moves it thinks best, and says how many it won.
"""

from __future__ import annotations

import argparse
import math
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

from azulejos.envs.vector import AzulVectorEnv

NAME = "azulejos.envs.gymnasium:azulejos/Azul-v1"


def learn(steps: int, seed: int = 1) -> MaskablePPO:
    """A policy after so many steps of learning."""
    envs = make_vec_env(NAME, n_envs=8, seed=seed, env_kwargs={"opponents": "random", "reward": "score"})
    model = MaskablePPO(
        "MlpPolicy", envs, n_steps=256, batch_size=256, gamma=0.95, learning_rate=1e-3, seed=seed, device="cpu"
    )
    return model.learn(steps)


def play(model: Any, opponents: str, games: int, seed: int) -> tuple[float, float]:
    """The share of victories in so many games, and how far off it may be (two standard errors)."""
    envs = AzulVectorEnv(games, opponents=opponents, reward="win")
    observations, infos = envs.reset(seed=seed)
    results, unfinished = np.zeros(games), np.ones(games, bool)
    while unfinished.any():
        actions, _ = model.predict(observations, action_masks=infos["action_mask"], deterministic=True)
        observations, rewards, over, _, infos = envs.step(actions)
        results[unfinished & over] = (rewards[unfinished & over] + 1) / 2
        unfinished &= ~over
    return float(results.mean()), float(2 * results.std() / math.sqrt(games))


def main() -> None:
    """Learn, play, tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--steps", type=int, default=60_000, help="how many decisions to learn from")
    parser.add_argument("--games", type=int, default=1000, help="games to play at the end against each opponent")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    model = learn(options.steps, options.seed)
    for opponent in ("random", "greedy"):
        share, error = play(model, opponent, options.games, options.seed + 1)
        print(f"wins {100 * share:.1f} ± {100 * error:.1f} % of {options.games} games against {opponent}")


if __name__ == "__main__":
    main()
