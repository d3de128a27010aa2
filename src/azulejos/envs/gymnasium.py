"""One learner against given players, as a Gymnasium environment.

    >>> import gymnasium, azulejos.envs.gymnasium
    >>> env = gymnasium.make("azulejos/Azul-v1", opponents=["level1"], reward="margin")
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, info["action_mask"].shape
    ((490,), (325,))
    >>> terminated = False
    >>> while not terminated:
    ...     action = env.action_space.sample(info["action_mask"])
    ...     observation, reward, terminated, truncated, info = env.step(action)
    >>> info["reason"], reward < 0
    ('row', True)

Opponents are named as everywhere, by a spec such as `level3`, `greedy` or `search:nodes=500`, or are players
themselves; one plays the seat after the learner's, the next the seat after that. A single one plays all other seats of
`num_players`. `action_masks()` is what MaskablePPO of sb3-contrib asks for. Observation, actions and rewards are
those of `azulejos.envs.pettingzoo`. An illegal action ends the game: `terminated`, `illegal_reward`, and
`info["illegal"]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azulejos.envs import lane
from azulejos.envs.missing import missing
from azulejos.envs.rendering import FPS, check_mode, render
from azulejos.envs.settings import (
    FEATURES_SEEN,
    RENDER_MODES,
    REWARDS,
    VERSIONS,
    EnvSettings,
    action_number,
    check_choice,
    check_names,
    check_options,
    option_names,
    states_at,
)
from azulejos.game.arguments import check_whole
from azulejos.game.game import Game
from azulejos.game.moves import MOVES
from azulejos.game.view import Wall
from azulejos.players.player import Limits, Player
from azulejos.players.python_player import as_player
from azulejos.players.registry import make, names
from azulejos.rules.state import ACTIONS, MAX_PLAYERS

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as fault:
    raise missing(__name__, "gymnasium", fault) from fault

SEEDS = 2**63
"""Seeds of deals and opponents are drawn below this."""


class AzulEnv(gymnasium.Env[NDArray[np.int8], np.int64]):
    """A game in which the learner has one seat and players of the registry have the others."""

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": FPS}  # noqa: RUF012
    """What Gymnasium wants to know of an environment."""

    def __init__(
        self,
        opponents: str | Player | Sequence[str | Player] = "random",
        wall: Wall = "std",
        reward: str = "win",
        *,
        num_players: int | None = None,
        observation: str = "features",
        seat: int | None = None,
        max_rounds: int = 50,
        illegal_reward: float | None = None,
        render_mode: str | None = None,
        **unknown: Any,
    ) -> None:
        """Seat the opponents; the learner has `seat`, or a random one in every game."""
        check_names(unknown, option_names(AzulEnv))
        check_choice("observation", observation, FEATURES_SEEN)
        given = _listed(opponents, num_players)
        self.settings = EnvSettings(
            num_players=len(given) + 1,
            wall=wall,
            reward=reward,
            observation=observation,
            seat=seat,
            max_rounds=max_rounds,
            illegal_reward=illegal_reward,
        )
        """The options, checked."""
        self.render_mode = check_mode(render_mode)
        """How `render` shows the table, or None."""
        self.opponents: list[Player] = [make(one) if isinstance(one, str) else as_player(one) for one in given]
        """The players of the other seats, in turn order after the learner."""
        low, high = np.zeros(self.settings.width, np.int8), self.settings.highest()
        self.observation_space = spaces.Box(low, high, dtype=np.int8)
        """What the learner sees: small whole numbers, 490 of them with two players."""
        self.action_space = spaces.Discrete(ACTIONS)
        """The action numbers."""
        self._game: Game | None = None
        self._over = False
        self._mask = np.zeros(ACTIONS, np.int8)
        self.seat = 0
        """Where the learner sits in this game."""

    @property
    def game(self) -> Game:
        """The game that is played."""
        if self._game is None:
            raise gymnasium.error.ResetNeeded("reset() the environment first")
        return self._game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Start a game; the option `position` is a position line to start from, the learner's turn."""
        given = check_options(options, ("position",))
        super().reset(seed=seed)
        settings = self.settings
        deals, *seeds = (int(number) for number in self.np_random.integers(SEEDS, size=len(self.opponents) + 1))
        drawn = int(self.np_random.integers(settings.num_players))
        if (position := given.get("position")) is not None:
            states_at(position, settings.num_players, settings.wall, settings.max_rounds, 0)  # raises what is wrong
            self._game = Game.from_position(position, deals, settings.max_rounds)
            drawn = self._game.turn
        else:
            self._game = Game(settings.num_players, settings.wall, deals, max_rounds=settings.max_rounds)
        self.seat = drawn if settings.seat is None else settings.seat
        for player, its_seed in zip(self.opponents, seeds, strict=True):
            if begin := getattr(player, "begin", None):
                begin(its_seed)
        self._over = False
        self._let_opponents_play()
        if self.game.is_over:
            raise ValueError(f"the game ends before seat {self.seat} acts in the position {position!r}")
        return self._observe()

    def step(self, action: Any) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """The learner's move, and those of the others up to its next turn."""
        if self._over:
            raise gymnasium.error.ResetNeeded("the game is over: reset() the environment")
        number, game = action_number(action), self.game
        if number < 0 or game.why_illegal(MOVES[number]):
            self._over = True
            observation, info = self._observe()
            return observation, self.settings.penalty, True, False, {**info, "illegal": True}
        before = game.scores[self.seat]
        game.play(MOVES[number])
        self._let_opponents_play()
        self._over = game.is_over
        observation, info = self._observe()
        if self.render_mode == "human":
            self.render()
        return observation, self._reward(before), self._over, False, info

    def _let_opponents_play(self) -> None:
        game, players = self.game, self.settings.num_players
        while not game.is_over and game.seat != self.seat:
            opponent = self.opponents[(game.turn - self.seat) % players - 1]
            game.play(opponent.choose(game, Limits()).move)

    def _reward(self, before: int) -> float:
        game, kind = self.game, REWARDS[self.settings.reward]
        if kind == lane.SCORE:
            return float(game.scores[self.seat] - before)
        rewards = np.zeros(MAX_PLAYERS, np.float32)
        if game.is_over:
            lane.outcome_one(game.states, 0, kind, rewards)
        return float(rewards[self.seat])

    def _observe(self) -> tuple[NDArray[np.int8], dict[str, Any]]:
        observation, mask = np.zeros(self.settings.width, np.int8), np.zeros(ACTIONS, np.int8)
        lane.observe_one(self.game.states, 0, self.seat, observation, mask)
        info: dict[str, Any] = {"action_mask": mask, "seat": self.seat, "scores": np.array(self.game.scores)}
        if self._over:
            mask[:] = 1  # after an illegal action, too: any action will do, since none is played
        self._mask = mask
        if self.game.outcome:
            info["reason"] = self.game.outcome.reason
        return observation, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now; all of them when the game is over, for then none is played any more."""
        if self._game is None:
            raise gymnasium.error.ResetNeeded("reset() the environment first")
        return self._mask.astype(np.bool_)

    def render(self) -> Any:
        """The table in the render mode of the environment."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() shows nothing: the environment was made without a render_mode")
            return None
        titles = [""] * self.settings.num_players
        for at, player in enumerate(self.opponents, 1):
            titles[(self.seat + at) % self.settings.num_players] = player.name
        titles[self.seat] = "learner"
        return render(self.game.view, self.render_mode, titles)

    def close(self) -> None:
        """Let go of the opponents' memory and processes."""
        for player in self.opponents:
            player.close()


def _listed(opponents: object, num_players: int | None) -> list[str | Player]:
    """The opponents one by one, each a spec or a player; a single one has all seats but the learner's."""
    if num_players is not None:
        check_whole("num_players", num_players, 2, MAX_PLAYERS)
    alone = isinstance(opponents, str) or not isinstance(opponents, Sequence)
    given: list[Any] = [opponents] * ((num_players or 2) - 1) if alone else list(opponents)  # type: ignore[call-overload]
    if not 1 <= len(given) < MAX_PLAYERS:
        raise ValueError(f"expected 1 to {MAX_PLAYERS - 1} opponents, got {len(given)}: {given!r}")
    if num_players is not None and len(given) != num_players - 1:
        raise ValueError(
            f"{num_players} players are the learner and {num_players - 1} others, not {len(given)}: {given!r}"
        )
    for one in given:
        if not isinstance(one, str) and not callable(getattr(one, "choose", None)):
            raise ValueError(f"an opponent is a player or the spec of one, one of {', '.join(names())}, not {one!r}")
    return given


NAMES = {"azulejos/Azul-v1": 1, "azulejos/Azul-v0": 0, "Azul-v0": 0}
"""The names under which Gymnasium makes it, and the version of each."""

for _name, _version in NAMES.items():
    gymnasium.register(
        _name,
        entry_point="azulejos.envs.gymnasium:AzulEnv",
        vector_entry_point="azulejos.envs.vector:AzulVectorEnv",
        kwargs={"observation": VERSIONS[_version]},
    )
