"""The options that all environments share, checked: a wrong one is named, with those that are allowed."""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from azulejos.envs import lane
from azulejos.game.arguments import check_seed, check_whole
from azulejos.game.game import Game
from azulejos.game.view import WALLS, Wall
from azulejos.net import features as f
from azulejos.rules import state as s
from azulejos.rules.batch import deal_one
from azulejos.rules.supply import seed_stream

REWARDS: Final = {"win": lane.WIN, "margin": lane.MARGIN, "score": lane.SCORE}
"""What can be rewarded, and the number that the compiled code has for it."""
OPPONENTS: Final = {None: lane.SELF_PLAY, "random": lane.RANDOM, "greedy": lane.GREEDY}
"""Who can play the other seats in compiled code; None for nobody."""
AUTORESETS: Final = {"next_step": lane.NEXT_STEP, "same_step": lane.SAME_STEP, "disabled": lane.DISABLED}
"""When a finished game can be followed by the next."""
FEATURES_SEEN: Final = ("features", "network")
"""What a learner can see: features for exactly the players of the game, or the network's row, always for four."""
OBSERVATIONS: Final = (*FEATURES_SEEN, "record", None)
"""What a batch can show: features, the bytes of the state's record, or nothing."""
VERSIONS: Final = {0: "network", 1: "features"}
"""What is seen in each version of the environments; one that changes what a column means is a version of its own."""
RENDER_MODES: Final = ("ansi", "human", "rgb_array")
"""Text, text that is printed, and a picture."""
ILLEGAL_REWARDS: Final = {"win": -1.0, "margin": -100.0, "score": -100.0}
"""What an illegal action costs unless the caller says otherwise: at least as much as a lost game."""
ROUND_LIMIT: Final = 50
"""D11: a learner that refuses to build would play for ever."""


def check_choice(name: str, value: object, allowed: Iterable[object]) -> None:
    """Raise a `ValueError` that names the option and the allowed values unless this is one of them."""
    choices = list(allowed)
    if not any(value is choice or (isinstance(choice, str) and value == choice) for choice in choices):
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, not {value!r}")


def check_names(given: Iterable[str], allowed: Iterable[str]) -> None:
    """Raise a `TypeError` that names all options there are unless the given ones are among them."""
    names = list(allowed)
    for name in given:
        if name not in names:
            raise TypeError(f"unknown option {name!r}: expected {', '.join(names)}")


def option_names(function: Callable[..., Any]) -> list[str]:
    """What a class or a function can be given by name."""
    parameters = inspect.signature(function).parameters.values()
    return [one.name for one in parameters if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]


def check_options(options: Mapping[str, Any] | None, allowed: tuple[str, ...]) -> dict[str, Any]:
    """The options of a reset, none of them unknown."""
    if options is not None and not isinstance(options, Mapping):
        raise ValueError(f"the options of a reset are a dictionary with {' or '.join(map(repr, allowed))}: {options!r}")
    for name in options or {}:
        if name not in allowed:
            raise ValueError(unknown_option(name, allowed))
    return dict(options or {})


def unknown_option(name: str, allowed: tuple[str, ...]) -> str:
    """What to say of an option of a reset that there is not."""
    return f"unknown reset option {name!r}: expected {' or '.join(map(repr, allowed))}"


def check_count(name: str, value: object, low: int, high: int) -> int:
    """A whole number in this range."""
    check_whole(name, value, low, high)  # type: ignore[arg-type]
    return int(value)  # type: ignore[call-overload, no-any-return]


def action_number(action: object) -> int:
    """An action as a number; -1 stands for all that are out of range."""
    try:
        number = operator.index(action)  # type: ignore[arg-type]
    except TypeError:
        raise ValueError(f"an action is a whole number from 0 to {s.ACTIONS - 1}, not {action!r}") from None
    return number if 0 <= number < s.ACTIONS else -1


@dataclass(frozen=True, kw_only=True)
class EnvSettings:
    """The rules of a batch of games."""

    num_players: int = 2
    """How many play, 2 to 4."""
    wall: Wall = "std"
    """The colored wall, or the gray one."""
    reward: str = "win"
    """What is rewarded: a key of `REWARDS`."""
    opponents: str | None = None
    """Who plays the other seats; None if the caller plays all of them."""
    seat: int | None = None
    """Where the learner sits when there are opponents; a random seat in every game if None."""
    max_rounds: int = ROUND_LIMIT
    """The game is over after so many rounds (D11)."""
    illegal_reward: float | None = None
    """What an illegal action costs; if None, what `ILLEGAL_REWARDS` says."""
    autoreset: str = "next_step"
    """When a finished game is followed by the next: a key of `AUTORESETS`."""
    observation: str | None = "features"
    """What is seen: one of `OBSERVATIONS`."""

    def __post_init__(self) -> None:
        check_whole("num_players", self.num_players, 2, s.MAX_PLAYERS)
        check_choice("wall", self.wall, WALLS)
        check_choice("reward", self.reward, REWARDS)
        check_choice("opponents", self.opponents, OPPONENTS)
        check_choice("autoreset", self.autoreset, AUTORESETS)
        check_choice("observation", self.observation, OBSERVATIONS)
        if self.seat is not None:
            check_whole("seat", self.seat, 0, self.num_players - 1)
        check_whole("max_rounds", self.max_rounds, 1, s.NO_ROUND_LIMIT)
        cost: object = self.illegal_reward
        if cost is not None and not (isinstance(cost, Real) and math.isfinite(cost)):
            raise ValueError(f"illegal_reward must be a finite number or None, not {cost!r}")

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> EnvSettings:
        """The settings with these options; one that there is not is named, with those that there are."""
        check_names(options, option_names(cls))
        return cls(**options)

    @property
    def width(self) -> int:
        """How many features are seen; 0 if none are."""
        if self.observation == "network":
            return f.FEATURES
        return f.layout(self.num_players).width if self.observation == "features" else 0

    def highest(self) -> NDArray[np.int8]:
        """The highest value that each feature that is seen can have; the lowest is 0."""
        high = highest_features()
        return high if self.observation == "network" else high[f.columns_for(self.num_players)]

    @property
    def penalty(self) -> float:
        """What an illegal action costs."""
        return ILLEGAL_REWARDS[self.reward] if self.illegal_reward is None else float(self.illegal_reward)

    def rules(self, seed: int | None) -> NDArray[Any]:
        """The record that the compiled code reads."""
        rules = np.zeros(1, lane.RULES)
        rules["seed"] = check_seed(seed)
        rules["players"] = self.num_players
        rules["gray"] = WALLS.index(self.wall)
        rules["limit"] = self.max_rounds
        rules["seat"] = -1 if self.seat is None else self.seat
        rules["opponents"] = OPPONENTS[self.opponents]
        rules["reward"] = REWARDS[self.reward]
        rules["autoreset"] = AUTORESETS[self.autoreset]
        rules["penalty"] = self.penalty
        return rules


def states_at(position: str, num_players: int, wall: Wall, max_rounds: int, seed: int | None) -> s.States:
    """An array of one state at a position line, ready for a decision; its later deals follow from the seed."""
    states = Game.from_position(position, max_rounds=max_rounds).states
    state = states[0]
    if (players := int(state["players"])) != num_players:
        raise ValueError(f"the position has {players} players, this environment {num_players}: {position!r}")
    if (found := WALLS[int(state["gray"])]) != wall:
        raise ValueError(f"the position has the wall {found!r}, this environment {wall!r}: {position!r}")
    if state["phase"] == s.OVER:
        raise ValueError(f"the game is over in the position {position!r}")
    seed_stream(state, check_seed(seed), 0)
    if state["phase"] == s.DEAL_DUE:
        deal_one(states, 0)
    return states


def highest_features() -> NDArray[np.int8]:
    """The highest value that each column of the network's row can have."""
    high = np.ones(f.FEATURES, np.int8)
    high[f.TABLE_AT : f.TABLE_AT + 2 * s.COLORS] = s.TILES_PER_COLOR
    for board in range(s.MAX_PLAYERS):
        at = f.BOARDS_AT + board * f.BOARD_WIDTH
        for row in range(s.ROWS):
            high[at + row * f.LINE_WIDTH + s.COLORS] = row + 1
        worths = at + s.ROWS * f.LINE_WIDTH + 3 * s.ROWS * s.COLUMNS
        high[worths : worths + s.ROWS * s.COLUMNS] = 2 * s.ROWS
        counts = worths + s.ROWS * s.COLUMNS
        high[counts : counts + 3 * s.ROWS] = s.ROWS
        high[at + f.BOARD_WIDTH - 1] = 120
    return high
