"""The game as pure functions for JAX on the processor, to be used under `jit`, `vmap` and `lax.scan`.

    import jax
    from azulejos.envs.jax import AzulJax

    env = AzulJax(num_players=2, reward="win")
    init, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))
    state = init(jax.random.split(jax.random.key(1), 4096))
    state = step(state, state.legal_action_mask.argmax(1))

Names are those of pgx. The state holds everything, the record of the game included, so that it can be kept, copied and
gone on from. What runs is the compiled code of `azulejos.envs.batch`, called back by XLA once for a whole `vmap` and
shared among the threads; the arrays are copied on the way in and out. A game that is over stays as it is.
"""

from __future__ import annotations

from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejos.envs import lane
from azulejos.envs.missing import missing
from azulejos.envs.settings import EnvSettings, check_names, option_names
from azulejos.rules.state import ACTIONS, STATE

try:
    import jax
except ImportError as fault:
    raise missing(__name__, "jax", fault) from fault

_ONE_AT_A_TIME = Lock()  # numba's threads are shared, and XLA may call from several of its own


class State(NamedTuple):
    """A game as arrays; under `vmap` each has one dimension more."""

    record: Any
    """The bytes of the state's record, `(256,)`."""
    lane: Any
    """The bytes of what the environment knows besides: random stream, the learner's seat, whether it is over."""
    observation: Any
    """What the current player sees, as in all environments."""
    legal_action_mask: Any
    """Truth values, `(325,)`; all true where the game is over."""
    current_player: Any
    """The seat that acts, or the learner's if there are opponents."""
    rewards: Any
    """What every seat got in the last step, `(players,)`."""
    terminated: Any
    """Whether the game is over."""


class AzulJax:
    """The environment; options are those of `azulejos.envs.settings.EnvSettings`, without `autoreset`."""

    def __init__(self, **options: Any) -> None:
        """Check the options."""
        check_names(options, [name for name in option_names(EnvSettings) if name != "autoreset"])
        self.settings = EnvSettings.of({**options, "autoreset": "disabled"})
        """The options, checked."""
        self._rules = self.settings.rules(0)
        shapes = {
            "record": ((STATE.itemsize,), np.uint8),
            "lane": ((lane.LANE.itemsize,), np.uint8),
            "observation": ((self.settings.width,), np.int8),
            "legal_action_mask": ((ACTIONS,), np.bool_),
            "current_player": ((), np.int8),
            "rewards": ((self.settings.num_players,), np.float32),
            "terminated": ((), np.bool_),
        }
        self._shapes = State(**{name: jax.ShapeDtypeStruct(*kind) for name, kind in shapes.items()})

    def init(self, key: Any) -> State:
        """A game that follows from a random key."""
        return self._call(self._start, jax.random.bits(key, (4,), np.uint32))

    def step(self, state: State, action: Any, key: Any = None) -> State:  # noqa: ARG002 - as pgx calls it
        """The state after an action; one that is not legal ends the game, at the price of `illegal_reward`.

        The key is for loops that were written for games of pgx: deals follow from the key of `init`.
        """
        return self._call(self._play, state.record, state.lane, jax.numpy.asarray(action, np.int32))

    def _call(self, function: Any, *arguments: Any) -> State:
        called: State = jax.pure_callback(function, self._shapes, *arguments, vmap_method="broadcast_all")
        return called

    def _start(self, bits: Any) -> State:
        drawn = np.ascontiguousarray(bits).view(np.uint64)
        shape, numbers = drawn.shape[:-1], drawn.reshape(-1, 2)
        states, lanes = np.zeros(len(numbers), STATE), np.zeros(len(numbers), lane.LANE)
        lanes["game"], lanes["rng"] = numbers[:, 0] >> np.uint64(1), numbers[:, 1]
        told = _Buffers(self.settings, len(numbers))
        chosen = np.ones(len(numbers), np.bool_)
        with _ONE_AT_A_TIME:
            lane.start_each(states, lanes, self._rules, chosen, False, told.seats, told.masks, told.features)
        return told.state(states, lanes, shape)

    def _play(self, record: Any, kept: Any, actions: Any) -> State:
        shape = np.shape(actions)
        # Copies: JAX takes arrays to be constant.
        states = np.array(record).reshape(-1, STATE.itemsize).view(STATE)[:, 0]
        lanes = np.array(kept).reshape(-1, lane.LANE.itemsize).view(lane.LANE)[:, 0]
        told = _Buffers(self.settings, len(states))
        with _ONE_AT_A_TIME:
            lane.step_each(
                states,
                lanes,
                self._rules,
                np.asarray(actions, np.int64).reshape(-1),
                told.rewards,
                np.zeros(len(states), np.float32),
                told.terminated,
                told.seats,
                told.masks,
                told.features,
                np.zeros(0, STATE),
                np.zeros((0, self.settings.width), np.int8),
            )
        return told.state(states, lanes, shape)


class _Buffers:
    """Room for what the compiled code says of so many games."""

    def __init__(self, settings: EnvSettings, games: int) -> None:
        self.seats = np.zeros(games, np.int8)
        self.masks = np.zeros((games, ACTIONS), np.int8)
        self.features = np.zeros((games if settings.width else 0, settings.width), np.int8)
        self.rewards = np.zeros((games, settings.num_players), np.float32)
        self.terminated = np.zeros(games, np.bool_)

    def state(self, states: NDArray[Any], lanes: NDArray[Any], shape: tuple[int, ...]) -> State:
        """All of it, under the leading dimensions that the caller has."""
        parts = (
            states.view(np.ndarray).view(np.uint8).reshape(len(states), -1),
            lanes.view(np.ndarray).view(np.uint8).reshape(len(states), -1),
            self.features if len(self.features) else np.zeros((len(states), 0), np.int8),
            self.masks.view(np.bool_),
            self.seats,
            self.rewards,
            self.terminated,
        )
        return State(*(part.reshape((*shape, *part.shape[1:])) for part in parts))
