"""Compiles what most tests call, once for all processes that run them; it needs nothing but what playing takes.

python -m tests.compiling
"""

from __future__ import annotations

import numpy as np

from azulejos import Game
from azulejos.envs.batch import Batch
from azulejos.players.player import Limits
from azulejos.players.registry import make

PLAYERS = ("greedy", "search:nodes=2", "net:nodes=2", "search:nodes=2,threads=2", "net:nodes=2,threads=2")


def main() -> None:
    """Read a position, let everybody think about it, and take a step in several games at once."""
    game = Game.from_position(Game(seed=1).position)
    for spec in PLAYERS:
        make(spec).choose(game, Limits())
    batch = Batch(2, observation="features")
    batch.reset(seed=1)
    batch.step(np.argmax(batch.masks, axis=1))


if __name__ == "__main__":
    main()
