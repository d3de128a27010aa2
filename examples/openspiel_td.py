"""Learn what a position is worth: temporal differences on OpenSpiel's game tree, in under a minute.

    python examples/openspiel_td.py --games 150 --plot weights.png

The way TD-Gammon learned: a value function looks at the position that each legal move leads to, the move to the best
one is played, and every value is pulled towards those that come after it, the last ones towards the result. Here the
function is as simple as can be: the tanh of a weighted difference of the two boards, each seen through four numbers
that are read from OpenSpiel's observation tensor. And the game is a short one of three rounds, because OpenSpiel walks
its tree in Python, with a chance node for every tile. What was learned can be read: the script prints and draws it.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray
from open_spiel.python.observation import make_observation

import azulejos.envs.openspiel  # noqa: F401 - registers the game
from azulejos.net.features import BOARD_WIDTH, SCALE, columns_for, layout
from azulejos.rules.state import PENALTY

Array = NDArray[Any]

GAME = "azul(players=2,wall=std,rounds=3)"
SCALES, FIRST, WIDTH = SCALE[columns_for(2)], layout(2).boards, BOARD_WIDTH
NAMES = ("score by now", "tiles on the wall", "tiles in lines", "marker")
EXPLORE, TRACE, STEP_SIZE = 0.2, 0.8, 0.05
COLUMN_OF = (np.arange(5)[None, :] + np.arange(5)[:, None]) % 5
"""The column of each color in each row of the colored wall."""


def summary(board: Array) -> Array:
    """A board as four numbers; "by now" is: if the round ended at once."""
    lines, worth = board[:35].reshape(5, 7), board[110:135].reshape(5, 5)
    complete = lines[:, 6]
    points = (complete[:, None] * lines[:, :5] * np.take_along_axis(worth, COLUMN_OF, 1)).sum()
    score = max(0, board[159] + points - PENALTY[int(board[150:157].sum())])
    begun = (lines[:, :5].any(1) * (np.arange(1, 6) - lines[:, 5]))[complete == 0].sum()
    return np.array([score / 10, (board[35:60].sum() + complete.sum()) / 5, begun / 5, board[158]])


class Value:
    """What a position is worth to player 0, from -1 to 1; to player 1 it is worth the opposite."""

    def __init__(self, game: Any, seed: int) -> None:
        """Know nothing: everything is worth 0."""
        self.weights = np.zeros(len(NAMES))
        self.observer = make_observation(game)
        self.rng = np.random.default_rng(seed)

    def boards(self, state: Any) -> Array:
        """Board of player 0 less that of player 1."""
        self.observer.set_from(state, 0)
        seen = self.observer.tensor / SCALES  # whole numbers again
        mine, other = (summary(seen[at : at + WIDTH].round()) for at in (FIRST, FIRST + WIDTH))
        return np.asarray(mine - other)

    def best(self, state: Any) -> int:
        """The move to the position that is worth most to the player whose turn it is."""
        actions = state.legal_actions()
        after = np.stack([self.boards(state.child(action)) for action in actions]) @ self.weights
        after = after if state.current_player() == 0 else -after
        best = np.flatnonzero(after == after.max())
        return int(actions[self.rng.choice(best)])

    def learn(self, positions: list[Array], result: float) -> None:
        """Pull every value towards a mean of what came after it."""
        x = np.stack(positions)
        values = np.tanh(x @ self.weights)
        targets, later = np.empty(len(values)), result
        for at in reversed(range(len(values))):
            targets[at] = later
            later = (1 - TRACE) * values[at] + TRACE * later
        self.weights += STEP_SIZE * ((targets - values) * (1 - values**2)) @ x


def deal(state: Any, rng: np.random.Generator) -> None:
    """Let chance act until somebody has to decide."""
    while state.is_chance_node():
        colors, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(rng.choice(colors, p=chances)))


def learn(games: int, seed: int = 1) -> tuple[Value, list[Array]]:
    """Play against itself and learn; also returns the weights as they went."""
    game = pyspiel.load_game(GAME)
    value, rng = Value(game, seed), np.random.default_rng(seed)
    history = [value.weights.copy()]
    for _ in range(games):
        state, positions = game.new_initial_state(), []
        deal(state, rng)
        while not state.is_terminal():
            explores = rng.random() < EXPLORE
            state.apply_action(int(rng.choice(state.legal_actions())) if explores else value.best(state))
            positions.append(value.boards(state))
            deal(state, rng)
        value.learn(positions, state.returns()[0])
        history.append(value.weights.copy())
    return value, history


def play(value: Value, games: int, seed: int) -> tuple[float, float]:
    """The share of the victories against random moves, with changing seats, and two standard errors of it."""
    game, rng, shares = pyspiel.load_game(GAME), np.random.default_rng(seed), np.zeros(games)
    for number in range(games):
        state, mine = game.new_initial_state(), number % 2
        deal(state, rng)
        while not state.is_terminal():
            chooses = state.current_player() == mine
            state.apply_action(value.best(state) if chooses else int(rng.choice(state.legal_actions())))
            deal(state, rng)
        shares[number] = (state.returns()[mine] + 1) / 2
    return float(shares.mean()), float(2 * shares.std() / math.sqrt(games))


def draw(history: list[Array], title: str, path: Path) -> None:
    """How the weights went, as a picture."""
    import matplotlib.pyplot as plt  # noqa: PLC0415 - only the plot needs it

    figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
    for at, name in enumerate(NAMES):
        axes.plot([weights[at] for weights in history], label=name, linewidth=1.8)
    axes.axhline(0, color="#888888", linewidth=0.8)
    axes.set(xlabel="games of self-play", ylabel="weight", title=title)
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    figure.savefig(path, dpi=120)


def main() -> None:
    """Learn, play, tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--games", type=int, default=150, help="games of self-play to learn from")
    parser.add_argument("--against", type=int, default=200, help="games to play at the end against random moves")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", type=Path, help="draw how the weights went into this file")
    options = parser.parse_args()
    value, history = learn(options.games, options.seed)
    for name, weight in zip(NAMES, value.weights, strict=True):
        print(f"{name:18} {weight:+.2f}")
    share, error = play(value, options.against, options.seed + 1)
    told = f"wins {100 * share:.1f} ± {100 * error:.1f} % of {options.against} games of three rounds against random"
    print(told)
    if options.plot:
        draw(history, told, options.plot)


if __name__ == "__main__":
    main()
