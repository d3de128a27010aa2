"""The game `azul` for OpenSpiel, with explicit chance: every tile that is dealt is a chance node of its own.

    >>> import pyspiel
    >>> import azulejos.envs.openspiel
    >>> game = pyspiel.load_game("azul(players=2,wall=std)")
    >>> state = game.new_initial_state()
    >>> state.chance_outcomes()
    [(0, 0.2), (1, 0.2), (2, 0.2), (3, 0.2), (4, 0.2)]
    >>> while state.is_chance_node():
    ...     state.apply_action(max(color for color, chance in state.chance_outcomes()))
    >>> state.current_player(), state.action_to_string(state.legal_actions()[0])
    (0, '1W1')
    >>> print(state)
    std W4/W4/W4/W4/W4 F 0:-/-/-/-/-:5/5/5/5/5:- 0:-/-/-/-/-:5/5/5/5/5:- B20Y20R20K20 d1 1@1

| parameter | default | meaning |
|---|---|---|
| `players` | 2 | 2, 3 or 4 |
| `wall` | `std` | `std`, the colored wall, or `gray` |
| `rounds` | 50 | the game is over after so many rounds (D11) |

Player 0 starts the first round. Actions of players are the numbers 0 to 324, those of chance the colors 0 to 4: the
next free space of the displays, in their order, gets a tile of this color. The returns are 1 for the winner and
-1/(players - 1) for the others, shared victories share; they add up to 0. Everything is public, so the observation is
the same for all but for its order: the features of `azulejos.net.features` for exactly these players, scaled, the
observing player's board first.
The strings are position lines; the information state is the history. Illegal actions raise, as everywhere in OpenSpiel.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azulejos.envs import lane
from azulejos.envs.missing import missing
from azulejos.envs.settings import ROUND_LIMIT, check_choice, check_count
from azulejos.game.moves import MOVES
from azulejos.game.notation import write_position
from azulejos.game.view import WALLS, view_of
from azulejos.net.features import SCALE, columns_for
from azulejos.rules import batch
from azulejos.rules import state as s
from azulejos.rules.supply import bag_size, pour_lid, put_tile, set_up

try:
    import pyspiel
except ImportError as fault:
    raise missing(__name__, "open_spiel", fault) from fault

DEFAULTS: dict[str, int | str] = {"players": 2, "wall": "std", "rounds": ROUND_LIMIT}
"""The parameters of the game and their values if none are given."""

GAME_TYPE = pyspiel.GameType(
    short_name="azul",
    long_name="Azul",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=s.MAX_PLAYERS,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=DEFAULTS,
)
"""What OpenSpiel wants to know of a game."""


class AzulGame(pyspiel.Game):
    """The rules with their parameters; `pyspiel.load_game` makes it."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Check the parameters."""
        given = DEFAULTS | (params or {})
        self.players = check_count("players", given["players"], 2, s.MAX_PLAYERS)
        """How many play."""
        check_choice("wall", given["wall"], WALLS)
        self.gray = WALLS.index(given["wall"])
        """1 for the gray wall, 0 for the colored one."""
        self.rounds = check_count("rounds", given["rounds"], 1, s.NO_ROUND_LIMIT)
        """The game is over after so many rounds."""
        tiles = s.displays_for(self.players) * s.DISPLAY_SIZE
        info = pyspiel.GameInfo(
            num_distinct_actions=s.ACTIONS,
            max_chance_outcomes=s.COLORS,
            num_players=self.players,
            min_utility=-1.0 / (self.players - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.rounds * (tiles + self.gray * s.ROWS * self.players),
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self) -> AzulState:
        """An empty table; the first tile is due."""
        return AzulState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Every tile of every round."""
        return int(self.rounds * s.displays_for(self.players) * s.DISPLAY_SIZE)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> AzulObserver:
        """What sees a state."""
        if params:
            raise ValueError(f"the observer of azul has no parameters, got {params!r}")
        return AzulObserver(bool(iig_obs_type and iig_obs_type.perfect_recall), self.players)


class AzulState(pyspiel.State):
    """A position, or one in the middle of a deal."""

    def __init__(self, game: AzulGame) -> None:
        """Set up the table; only `AzulGame.new_initial_state` calls this."""
        super().__init__(game)
        self.states = np.zeros(1, s.STATE)
        """The state as an array of one record."""
        set_up(self.states[0], game.players, game.gray, 0, game.rounds)
        self._spaces = 0
        self._prepare_deal()

    def current_player(self) -> int:
        """Who acts: a seat, chance while tiles are dealt, or nobody."""
        phase = self.states[0]["phase"]
        if phase == s.OVER:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if phase == s.DEAL_DUE else int(self.states[0]["seat"])

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self.states[0]["phase"] == s.OVER)

    def _legal_actions(self, player: int) -> list[int]:
        if player != self.current_player():
            return []
        actions = np.zeros(256, np.int16)
        legal: list[int] = actions[: batch.legal_one(self.states, 0, actions)].tolist()
        return legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """R39, R40: the colors in the bag, by their numbers."""
        bag = self.states[0]["bag"].tolist()
        return [(color, count / sum(bag)) for color, count in enumerate(bag) if count]

    def _apply_action(self, action: int) -> None:
        if self.states[0]["phase"] == s.DEAL_DUE:
            self._deal_tile(action)
            return
        if not batch.is_legal_one(self.states, 0, action):
            raise ValueError(f"action {action!r} is not legal in {self}")
        batch.act_one(self.states, 0, action)
        while batch.advance_one(self.states, 0)[0]:
            pass
        if self.states[0]["phase"] == s.DEAL_DUE:
            self._prepare_deal()

    def _prepare_deal(self) -> None:
        self._spaces = s.displays_for(int(self.states[0]["players"])) * s.DISPLAY_SIZE
        self._pour()

    def _deal_tile(self, color: int) -> None:
        state = self.states[0]
        bag = state["bag"].tolist()
        if not 0 <= color < s.COLORS or not bag[color]:
            raise ValueError(f"chance action {color!r} is not possible: the bag holds {bag!r}")
        spaces = s.displays_for(int(state["players"])) * s.DISPLAY_SIZE
        put_tile(state, 1 + (spaces - self._spaces) // s.DISPLAY_SIZE, sum(bag[:color]))
        self._spaces -= 1
        self._pour()
        if self._spaces == 0 or bag_size(state) == 0:
            state["phase"] = s.DRAFTING

    def _pour(self) -> None:
        """R40, D5: the lid is poured only when the bag is empty and a space is left to fill."""
        if self._spaces and bag_size(self.states[0]) == 0:
            pour_lid(self.states[0])

    def _action_to_string(self, player: int, action: int) -> str:
        return s.COLOR_LETTERS[action] if player == pyspiel.PlayerId.CHANCE else str(MOVES[action])

    def returns(self) -> list[float]:
        """What each player has won."""
        rewards = np.zeros(int(self.states[0]["players"]))  # exact enough to add up to 0
        if self.is_terminal():
            lane.outcome_one(self.states, 0, lane.WIN, rewards)
        return rewards.tolist()

    def __str__(self) -> str:
        return write_position(view_of(self.states))


class AzulObserver:
    """Sees a state as the network does; with perfect recall as the history."""

    def __init__(self, perfect_recall: bool, players: int) -> None:
        """Make room for the tensor of a game with so many players; the history has none."""
        self._scale = SCALE[columns_for(players)]
        self.perfect_recall = perfect_recall
        """Whether the whole history is seen, as a text, and not the position."""
        self.tensor = None if perfect_recall else np.zeros_like(self._scale)
        """What was seen last; None with perfect recall."""
        self.dict = {} if perfect_recall else {"observation": self.tensor}
        """The same tensor under the name `observation`."""
        self._row, self._mask = np.zeros(len(self._scale), np.int8), np.zeros(s.ACTIONS, np.int8)

    def set_from(self, state: AzulState, player: int) -> None:
        """Write what a player sees into the tensor."""
        if self.tensor is not None:
            lane.observe_one(state.states, 0, player, self._row, self._mask)
            np.multiply(self._row, self._scale, out=self.tensor)

    def string_from(self, state: AzulState, player: int) -> str:  # noqa: ARG002 - everything is public
        """The position line, or with perfect recall the history."""
        return str(state.history_str()) if self.perfect_recall else str(state)


pyspiel.register_game(GAME_TYPE, AzulGame)
