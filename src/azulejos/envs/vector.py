"""Thousands of games as one Gymnasium vector environment, all on compiled code.

    >>> import numpy as np
    >>> envs = AzulVectorEnv(1000, opponents="random", reward="score")
    >>> observations, infos = envs.reset(seed=1)
    >>> observations.shape, infos["action_mask"].shape
    ((1000, 490), (1000, 325))
    >>> actions = np.argmax(infos["action_mask"], axis=1)
    >>> observations, rewards, terminations, truncations, infos = envs.step(actions)
    >>> infos["illegal"].any()
    np.False_

`gymnasium.make_vec("azulejos/Azul-v1", num_envs=1000)` makes the same where `azulejos.envs.gymnasium` was imported.
docs/environments.md tells what observations, rewards and infos are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from azulejos.envs.batch import MOST_GAMES, Batch
from azulejos.envs.missing import missing
from azulejos.envs.settings import (
    FEATURES_SEEN,
    EnvSettings,
    check_choice,
    check_count,
    check_names,
    check_options,
    option_names,
)
from azulejos.rules.state import ACTIONS, STATE

try:
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as fault:
    raise missing(__name__, "gymnasium", fault) from fault

AUTORESET = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}
"""Gymnasium's modes, and what `Batch` calls them."""


class AzulVectorEnv(VectorEnv[NDArray[Any], NDArray[Any], NDArray[Any]]):
    """A learner against compiled opponents in every game, or (`opponents=None`) all seats by turns."""

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012
    """What Gymnasium wants to know of an environment."""

    def __init__(
        self,
        num_envs: int = 1,
        *,
        opponents: str | None = "random",
        observation: str = "features",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        **options: Any,
    ) -> None:
        """Make the games; further options are those of `azulejos.envs.settings.EnvSettings`.

        Without `copy` the arrays that are returned are written anew by the next step.
        """
        allowed = dict.fromkeys([*option_names(AzulVectorEnv), *option_names(EnvSettings)])
        check_names(options, [name for name in allowed if name != "autoreset"])
        check_count("num_envs", num_envs, 1, MOST_GAMES)
        check_choice("observation", observation, (*FEATURES_SEEN, "record"))
        try:
            autoreset_mode = AutoresetMode(autoreset_mode)  # by its value too, as Gymnasium's own take it
        except ValueError:
            modes = ", ".join(f"{mode} ({mode.value!r})" for mode in AUTORESET)
            raise ValueError(f"autoreset_mode must be one of {modes}, not {autoreset_mode!r}") from None
        self._batch = Batch(
            num_envs, opponents=opponents, observation=observation, autoreset=AUTORESET[autoreset_mode], **options
        )
        self._copy = copy
        self.metadata = {**type(self).metadata, "autoreset_mode": autoreset_mode}
        self.num_envs = num_envs
        """How many games there are."""
        settings = self._batch.settings
        if settings.width:
            low, high = np.zeros(settings.width, np.int8), settings.highest()
            self.single_observation_space = spaces.Box(low, high, dtype=np.int8)
            """What is seen of one game."""
        else:
            self.single_observation_space = spaces.Box(0, 255, (STATE.itemsize,), np.uint8)
        self.single_action_space = spaces.Discrete(ACTIONS)
        """The action numbers."""
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        """What is seen of all games."""
        self.action_space = batch_space(self.single_action_space, num_envs)
        """An action number for each game."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Start all games; options are `position`, a position line, and `reset_mask`, which games to start."""
        given = check_options(options, ("position", "reset_mask"))
        super().reset(seed=seed)
        self._batch.reset(seed, given.get("position"), given.get("reset_mask"))
        return self._shown(self._batch.observations), self._infos()

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """One action in every game; games never are cut short, so nothing is truncated."""
        batch = self._batch
        batch.step(actions)
        infos = self._infos()
        infos["rewards"], infos["illegal"] = self._shown(batch.rewards), batch.illegal
        if batch.final_observations is not None and batch.terminated.any():
            infos["final_obs"], infos["_final_obs"] = self._shown(batch.final_observations), batch.terminated.copy()
            infos["final_info"] = {"scores": batch.final_states["score"][:, : batch.settings.num_players].copy()}
            infos["_final_info"] = infos["_final_obs"]
        never = np.zeros(self.num_envs, np.bool_)
        return self._shown(batch.observations), self._shown(batch.reward), self._shown(batch.terminated), never, infos

    def sample_actions(self) -> NDArray[np.int64]:
        """A random legal action for every game, drawn by compiled code and following from the seed."""
        actions: NDArray[np.int64] = self._shown(self._batch.sample())
        return actions

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self._shown(self._batch.masks), "seat": self._shown(self._batch.seats)}

    def _shown(self, array: Any) -> Any:
        return array.copy() if self._copy else array
