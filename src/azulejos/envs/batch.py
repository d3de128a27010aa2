"""Thousands of games at once on the processor's threads: NumPy arrays in and out, no Python for each game.

    >>> batch = Batch(1000, reward="margin", observation=None)
    >>> batch.reset(seed=1)
    >>> for _ in range(30):
    ...     batch.step(batch.sample())
    >>> batch.masks.shape, batch.illegal.any()
    ((1000, 325), np.False_)

The arrays are the batch's own and are written anew by every step; copy what is to be kept. `azulejos.envs.vector`
wraps this class for Gymnasium, `azulejos.envs.batch_cuda` has the same on a CUDA device.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from azulejos.envs import lane
from azulejos.envs.settings import EnvSettings, check_count, states_at
from azulejos.rules import state as s

MOST_GAMES = 1 << 26
"""64 million: 16 GiB of states."""


class Batch:
    """Games in lockstep; the options are those of `EnvSettings`."""

    masks: NDArray[np.int8]
    """1 for each legal action, `(games, 325)`; all 1 where a game is over."""
    seats: NDArray[np.int8]
    """Whom observation and mask are for: who acts next, or the learner if there are opponents."""
    reward: NDArray[np.float32]
    """What the seat that acted in the last step got, or the learner."""
    rewards: NDArray[np.float32]
    """What every seat got, `(games, players)`."""
    terminated: NDArray[np.bool_]
    """Which games ended in the last step."""

    def __init__(self, games: int, **options: Any) -> None:
        """Make room for so many games; `reset` starts them."""
        self.games = check_count("games", games, 1, MOST_GAMES)
        """How many games there are."""
        self.settings = EnvSettings.of(options)
        """The options, checked."""
        players, same_step = self.settings.num_players, self.settings.autoreset == "same_step"
        self.states, self.lanes = np.zeros(games, s.STATE), np.zeros(games, lane.LANE)
        self.rules = self.settings.rules(0)
        """The record of the options that the compiled code reads."""
        self.masks = np.zeros((games, s.ACTIONS), np.int8)
        self.seats = np.zeros(games, np.int8)
        self.reward = np.zeros(games, np.float32)
        self.rewards = np.zeros((games, players), np.float32)
        self.terminated = np.zeros(games, np.bool_)
        width = self.settings.width
        self._features = np.zeros((games if width else 0, width), np.int8)
        self._final_features = np.zeros((games if width and same_step else 0, width), np.int8)
        self.final_states = np.zeros(games if same_step else 0, s.STATE)
        """With autoreset in the same step: the last states of games that just ended."""
        self._actions = np.zeros(games, np.int64)
        self._was_reset = False

    @property
    def observations(self) -> NDArray[Any] | None:
        """Features, `(games, 490)` with two players, or the records' bytes `(games, 256)` themselves, or None."""
        return _seen(self.settings.observation, self._features, self.states)

    @property
    def final_observations(self) -> NDArray[Any] | None:
        """With autoreset in the same step: what was seen at the end, in the rows of games that just ended."""
        if self.settings.autoreset != "same_step":
            return None
        return _seen(self.settings.observation, self._final_features, self.final_states)

    @property
    def illegal(self) -> NDArray[np.bool_]:
        """Which of the last actions were not legal; those games have ended."""
        flags: NDArray[np.bool_] = self.lanes["illegal"].astype(np.bool_)
        return flags

    def reset(
        self, seed: int | None = None, position: str | None = None, chosen: NDArray[np.bool_] | None = None
    ) -> None:
        """Start all games, or only the chosen ones, afresh or from a position line.

        With a seed everything follows from it; without one the series of a batch that was seeded before goes on.
        """
        settings, which = self.settings, np.ones(self.games, np.bool_) if chosen is None else self._choice(chosen)
        if position is not None:
            at = states_at(position, settings.num_players, settings.wall, settings.max_rounds, 0)[0]
        if seed is not None or not self._was_reset:
            if chosen is not None:
                raise ValueError("the first reset, and one with a seed, starts all games: leave the choice away")
            self.rules = settings.rules(seed)
            lane.open_each(self.lanes, self.rules)
        else:
            self.lanes["game"][which] += self.games
        if position is not None:
            self.states[which] = at
        lane.start_each(
            self.states, self.lanes, self.rules, which, position is not None, self.seats, self.masks, self._features
        )
        for values in (self.reward, self.rewards, self.terminated):
            values[which] = 0
        self._was_reset = True
        if position is not None and (self.lanes["over"][which] != lane.GOING_ON).any():
            raise ValueError(f"the game can end before seat {self.settings.seat} acts in the position {position!r}")

    def _choice(self, chosen: ArrayLike) -> NDArray[np.bool_]:
        flags = np.asarray(chosen)
        if flags.dtype != np.bool_ or flags.shape != (self.games,):
            raise ValueError(f"expected {self.games} truth values, got {flags.dtype} of the shape {flags.shape}")
        return flags

    def step(self, actions: ArrayLike) -> None:
        """One action in every game. One that is not legal ends its game, at the price of `illegal_reward`."""
        self._check_reset()
        numbers = np.asarray(actions)
        if numbers.shape != (self.games,) or not np.issubdtype(numbers.dtype, np.integer):
            raise ValueError(
                f"expected {self.games} whole numbers as actions, got {numbers.dtype} of the shape {numbers.shape}"
            )
        lane.step_each(
            self.states,
            self.lanes,
            self.rules,
            np.ascontiguousarray(numbers, np.int64),
            self.rewards,
            self.reward,
            self.terminated,
            self.seats,
            self.masks,
            self._features,
            self.final_states,
            self._final_features,
        )

    def sample(self) -> NDArray[np.int64]:
        """A random legal action for every game, as a buffer of the batch; it follows from the seed too."""
        self._check_reset()
        lane.sample_each(self.states, self.lanes, self._actions)
        return self._actions

    def _check_reset(self) -> None:
        if not self._was_reset:
            raise RuntimeError("reset() the batch before its first step")


def _bytes_of(states: s.States) -> NDArray[np.uint8]:
    return states.view(np.ndarray).view(np.uint8).reshape(len(states), s.STATE.itemsize)


def _seen(observation: str | None, features: NDArray[np.int8], states: s.States) -> NDArray[Any] | None:
    if observation is None:
        return None
    return _bytes_of(states) if observation == "record" else features
