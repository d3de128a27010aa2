"""# Azul

All seats of a game as agents that act in turn, as a PettingZoo AEC environment.

| | |
|---|---|
| import | `import azulejos.envs.pettingzoo` |
| creation | `make("aec", "azulejos/azul-v1")`, or `azulejos.envs.pettingzoo.env()` |
| agents | `player_0` ... `player_3`, 2 to 4 of them |
| actions | `Discrete(325)` |
| observation | `Dict(observation=Box(int8, (490,)), action_mask=Box(int8, (325,)))`; 690 or 890 with more players |
| state | `Box(int8, (492,))`, the observation of `player_0` and who acts; 693 and 894 |
| parallel API | no: one agent acts at a time, on what the one before left |
| manual control | no |

    >>> from pettingzoo import make
    >>> env = make("aec", "azulejos/azul-v1", num_players=3, reward="score")
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     over = termination or truncation
    ...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    >>> info["reason"]
    'row'

## Arguments

| argument | default | meaning |
|---|---|---|
| `num_players` | 2 | 2, 3 or 4 |
| `wall` | `"std"` | `"std"`, the colored wall, or `"gray"` |
| `reward` | `"win"` | `"win"`, `"margin"` or `"score"`, see below |
| `observation` | `"features"` | `"features"`, for exactly the players, or `"network"`, always 890 columns, see below |
| `max_rounds` | 50 | the game is over after so many rounds (D11) |
| `illegal_reward` | -1 for `"win"`, else -100 | what an illegal action costs |
| `render_mode` | None | `"ansi"` returns text, `"human"` prints it, `"rgb_array"` returns an image |

`reset(options={"position": line})` starts from a position line, with the deals that follow from the seed. Other options
are passed over with a warning, as PettingZoo's own tests ask for. `env.position` is the line of the position now.
`copy.deepcopy(env)` and `pickle` keep the game where it is, random stream included; the copy then goes its own way.

## Observation

`observation` is what the agent sees: small whole numbers, boards in turn order with the agent's own first. Multiply by
`azulejos.net.features.SCALE[columns_for(players)]` to bring every column into the range 0 to 1 or a little more.
Everything counts from 0, except displays, counts of tiles and rounds. C is the first column of the center. Colors are
in the order blue, yellow, red, black, white.

| 2 players | 3 players | 4 players | one of them | meaning | values |
|---|---|---|---|---|---|
| 0-99 | 0-139 | 0-179 | `20 * (display - 1) + 4 * color + n - 1` | exactly n tiles of the color, n of 1 to 4 | 0, 1 |
| 100-139 | 140-179 | 180-219 | `C + 8 * color + n - 1` | at least n of the color in the center, n of 1 to 8 | 0, 1 |
| 140 | 180 | 220 | `C + 40` | the starting-player marker lies in the center | 0, 1 |
| 141-145 | 181-185 | 221-225 | `C + 41 + color` | tiles of the color in the bag | 0-20 |
| 146-150 | 186-190 | 226-230 | `C + 46 + color` | tiles of the color in the lid | 0-20 |
| 151-158 | 191-198 | 231-238 | `C + 51 + n - 1` | round n is over, n of 1 to 8 | 0, 1 |
| 159 | 199 | 239 | `C + 59` | a tiling choice is due | 0, 1 |
| 160 | 200 | 240 | `C + 60` | a deal is due (never while an agent acts) | 0, 1 |
| 161-163 | 201-203 | 241-243 | `C + 61 + players - 2` | so many play | 0, 1 |
| 164 | 204 | 244 | `C + 64` | gray wall | 0, 1 |
| 165-169 | 205-209 | 245-249 | `C + 65 + row` | the row whose tile is to be placed | 0, 1 |
| 170-329 | 210-369 | 250-409 | `C + 70 + b` | the agent's own board | |
| 330-489 | 370-529 | 410-569 | `C + 230 + b` | the board of the next agent | |
| | 530-689 | 570-729 | `C + 390 + b` | the third board | |
| | | 730-889 | `C + 550 + b` | the fourth board | |

With `observation="network"` the row always is that for four players, what the network sees: displays and boards that
nobody has are 0, and `SCALE` fits as it is.

A board of 160 columns, b of 0 to 159:

| b | one of them | meaning | values |
|---|---|---|---|
| 0-34 | `7 * line + color`, `7 * line + 5`, `7 * line + 6` | has the color; free spaces; complete | 0, 1; 0-5; 0, 1 |
| 35-59 | `35 + 5 * row + column` | the cell is occupied | 0, 1 |
| 60-84 | `60 + 5 * row + color` | the color lies in the row | 0, 1 |
| 85-109 | `85 + 5 * column + color` | the color lies in the column | 0, 1 |
| 110-134 | `110 + 5 * row + column` | what a tile on this cell would score now; 0 if it is occupied | 0-10 |
| 135-149 | `135 + row`, `140 + column`, `145 + color` | tiles in the row; in the column; of the color | 0-5 |
| 150-156 | `150 + n` | more than n tiles on the floor, n of 0 to 6, the marker counted | 0, 1 |
| 157 | | somebody has this board | 1 |
| 158 | | holds the starting-player marker | 0, 1 |
| 159 | | score | 0-120 |

`action_mask` has a 1 for every legal action of the agent whose turn it is, and only zeros for the others. Where the
game is over it is all ones for everybody, so that masked distributions stay distributions; `step(None)` is all that can
be done then. What an agent that is not to act sees is written as if it were: its own board comes first.

`env.state()` is one row for all: what `player_0` sees, and behind it a 1 at the seat that acts.

## Actions

| number | meaning |
|---|---|
| `source * 30 + color * 6 + line` | take a color from the center (0) or a display (1-9) to a line, or the floor (5) |
| `300 + row * 5 + column` | gray wall: put the tile of this row's line into this column |

An illegal action ends the game for all, with `illegal_reward` for the agent and 0 for the others, as
`TerminateIllegalWrapper` does it. `raw_env` has no wrappers and raises a `ValueError` instead.

## Rewards

| `reward` | meaning |
|---|---|
| `"win"` | at the end 1 for the winner and -1/(players - 1) for the others; shared victories share; the sum is 0 |
| `"margin"` | at the end the agent's score less that of the best other agent |
| `"score"` | the points gained or lost since the agent's last turn; they add up to the final score |

A starting agent is drawn in every game. A game that ends has `reason` ("row", "stalled", "round_limit") and `scores` in
`infos`; it terminates and never is truncated.

## Version history

* v1: the observation has the displays and boards of exactly the players
* v0: `observation="network"`, 890 columns for any number of players

Both have the columns of `FEATURES_VERSION` 1.
"""

from __future__ import annotations

import warnings
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
    option_names,
    states_at,
    unknown_option,
)
from azulejos.game.arguments import MAX_SEED, check_seed
from azulejos.game.game import END_REASONS
from azulejos.game.notation import write_position
from azulejos.game.view import WALLS, Wall, view_of
from azulejos.rules import batch, ending
from azulejos.rules import state as s

try:
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded
    from gymnasium.logger import warn
    from pettingzoo import AECEnv, register
    from pettingzoo.utils import wrappers
except ImportError as fault:
    raise missing(__name__, "pettingzoo", fault) from fault

Observation = dict[str, NDArray[np.int8]]
"""What an agent sees: `observation` and `action_mask`."""


def env(num_players: int = 2, wall: Wall = "std", reward: str = "win", **options: Any) -> AECEnv[str, Observation, int]:
    """The environment with PettingZoo's usual wrappers; the module's documentation lists all arguments."""
    raw = raw_env(num_players, wall, reward, **options)
    terminating: Any = wrappers.TerminateIllegalWrapper(raw, illegal_reward=raw.settings.penalty)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(terminating))


class raw_env(AECEnv[str, Observation, int]):  # noqa: N801 - PettingZoo's name for it
    """The environment without wrappers."""

    metadata: dict[str, Any] = {  # noqa: RUF012
        "name": "azul_v1",
        "render_modes": list(RENDER_MODES),
        "render_fps": FPS,
        "is_parallelizable": False,
    }
    """What PettingZoo wants to know of an environment."""

    def __init__(
        self,
        num_players: int = 2,
        wall: Wall = "std",
        reward: str = "win",
        *,
        observation: str = "features",
        max_rounds: int = 50,
        illegal_reward: float | None = None,
        render_mode: str | None = None,
        **unknown: Any,
    ) -> None:
        """Check the arguments; `reset` starts a game."""
        check_names(unknown, option_names(raw_env))
        super().__init__()
        check_choice("observation", observation, FEATURES_SEEN)
        self.settings = EnvSettings(
            num_players=num_players,
            wall=wall,
            reward=reward,
            observation=observation,
            max_rounds=max_rounds,
            illegal_reward=illegal_reward,
        )
        """The arguments, checked."""
        (version,) = (version for version, seen in VERSIONS.items() if seen == observation)
        self.metadata = {**type(self).metadata, "name": f"azul_v{version}"}
        self.render_mode = check_mode(render_mode)
        """How `render` shows the table, or None."""
        self.possible_agents = [f"player_{seat}" for seat in range(num_players)]
        """All agents, by seat."""
        self.agents: list[str] = []
        """The agents of the game that is played; empty before the first reset and after the last step."""
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._kind = REWARDS[reward]
        self._states = np.zeros(1, s.STATE)
        self._outcome = np.zeros(s.MAX_PLAYERS, np.float32)
        self._random = np.random.default_rng()
        low, high = np.zeros(self.settings.width, np.int8), self.settings.highest()
        self.state_space = spaces.Box(0, np.append(high, np.ones(num_players, np.int8)), dtype=np.int8)
        """The space of `state`."""
        self.action_spaces = {agent: spaces.Discrete(s.ACTIONS) for agent in self.possible_agents}
        """The space of each agent's actions."""
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low, high, dtype=np.int8),
                    "action_mask": spaces.Box(0, 1, (s.ACTIONS,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        """The space of what each agent sees."""

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game, afresh or from `options["position"]`."""
        given = options or {}
        if not isinstance(given, dict):
            raise ValueError(f"the options of a reset are a dictionary, not {given!r}")
        for name in given:
            if name != "position":
                warnings.warn(unknown_option(name, ("position",)), stacklevel=2)
        if seed is not None:
            self._random = np.random.default_rng(int(check_seed(seed)))
        settings, deals = self.settings, int(self._random.integers(MAX_SEED, dtype=np.uint64))
        if (position := given.get("position")) is not None:
            players, wall = settings.num_players, settings.wall
            self._states = states_at(position, players, wall, settings.max_rounds, deals)
        else:
            gray = WALLS.index(settings.wall)
            batch.new_game_one(
                self._states, 0, settings.num_players, gray, check_seed(deals), 0, -1, settings.max_rounds
            )
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self._states["seat"][0]]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What an agent sees now."""
        self._check_reset()
        if agent not in self._seats:
            raise ValueError(f"there is no agent {agent!r}: expected one of {', '.join(self.possible_agents)}")
        observation, mask = np.empty(self.settings.width, np.int8), np.empty(s.ACTIONS, np.int8)
        lane.observe_one(self._states, 0, self._seats[agent], observation, mask)
        return {"observation": observation, "action_mask": mask}

    def state(self) -> NDArray[np.int8]:
        """What `player_0` sees, and who acts: one row for all agents, as a central critic wants it."""
        acting = [agent == self.agent_selection for agent in self.possible_agents]
        return np.append(self.observe(self.possible_agents[0])["observation"], np.array(acting, np.int8))

    @property
    def position(self) -> str:
        """The position line of the game, which `reset(options={"position": line})` takes."""
        self._check_reset()
        return write_position(view_of(self._states))

    def step(self, action: int | None) -> None:
        """The action of the agent whose turn it is, and all that follows, the next deal included."""
        self._check_reset()
        agent, states = self.agent_selection, self._states
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        number = action if type(action) is int and 0 <= action < s.ACTIONS else action_number(action)
        if number < 0 or not batch.is_legal_one(states, 0, number):
            raise ValueError(f"action {action!r} of {agent} is not legal: the action mask tells which are")
        self._cumulative_rewards[agent] = 0.0
        before = states["score"][0].tolist()
        batch.step_one(states, 0, number)
        over = states["phase"][0] == s.OVER
        self._reward(before, over)
        self._accumulate_rewards()
        if over:
            self._end()
        else:
            self.agent_selection = self.possible_agents[states["seat"][0]]
        if self.render_mode == "human":
            self.render()

    def _reward(self, before: list[int], over: bool) -> None:
        if self._kind == lane.SCORE:
            after = self._states["score"][0].tolist()
            for seat, agent in enumerate(self.possible_agents):
                self.rewards[agent] = float(after[seat] - before[seat])
        elif over:
            lane.outcome_one(self._states, 0, self._kind, self._outcome)
            for seat, agent in enumerate(self.possible_agents):
                self.rewards[agent] = float(self._outcome[seat])

    def _end(self) -> None:
        scores = self._states["score"][0][: self.settings.num_players].tolist()
        reason = END_REASONS[ending.end_reason(self._states[0])]
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {"reason": reason, "scores": scores} for agent in self.agents}
        self._deads_step_first()

    def _check_reset(self) -> None:
        if not self._states["players"][0]:
            raise ResetNeeded("reset() the environment first")

    def render(self) -> Any:
        """The table in the render mode of the environment."""
        if self.render_mode is None:
            warn("render() shows nothing: the environment was made without a render_mode")
            return None
        self._check_reset()
        return render(view_of(self._states), self.render_mode, self.possible_agents)

    def close(self) -> None:
        """Nothing to let go of: there is no window."""


for _version, _seen in VERSIONS.items():
    _name = f"azulejos/azul-v{_version}"
    register("aec", _name, entry_point="azulejos.envs.pettingzoo:env", kwargs={"observation": _seen})
