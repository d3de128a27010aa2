"""One game of a batch: the compiled code of the environments, the same on a processor and on a CUDA device.

A lane is the place where one game after the other is played. Its record holds what the environment knows beside the
state of the game: a random stream for actions, the number of the game, where the learner sits, whether the game ended.
All compiled functions of the environments stand in this file, because the cache of compiled code goes by files.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import prange
from numpy.typing import NDArray

from azulejos.net.features import FEATURES, write_exact_features, write_features
from azulejos.rules.compiled import compiled, int64, threaded, uint64
from azulejos.rules.greedy_play import greedy_action
from azulejos.rules.random_play import random_action
from azulejos.rules.state import (
    ACTIONS,
    DEAL_DUE,
    DRAFTING,
    OVER,
    State,
    States,
)
from azulejos.rules.supply import deal, draw, mix, seed_stream, start_game
from azulejos.rules.turn import NOTHING, act, advance, is_legal, legal_mask
from azulejos.search.utility import final_margin, win_share

WIN: Final = 0
"""Rewarded is the victory."""
MARGIN: Final = 1
"""Rewarded is the distance to the best other seat."""
SCORE: Final = 2
"""Rewarded is every point."""

SELF_PLAY: Final = 0
"""The caller plays all seats."""
RANDOM: Final = 1
"""The other seats move at random."""
GREEDY: Final = 2
"""The other seats take what scores most now."""

NEXT_STEP: Final = 0
"""A finished game is followed by the next in the step after its last."""
SAME_STEP: Final = 1
"""A finished game is followed by the next at once."""
DISABLED: Final = 2
"""A finished game waits for a reset."""

GOING_ON: Final = 0
"""Value of `over`: the game goes on."""
ENDED: Final = 1
"""Value of `over`: the last step ended it."""
TO_START: Final = 2
"""Value of `over`: the next step starts a game."""

_LANE: Final = [
    ("rng", "u8"),  # for sampled actions and for opponents; the deals have the state's own stream
    ("game", "i8"),  # number of the game in the series of the seed
    ("seat", "i1"),  # where the learner sits, if there are opponents
    ("actor", "i1"),  # who acted last
    ("over", "i1"),
    ("illegal", "i1"),  # whether the last action was
]
_RULES: Final = [("seed", "u8"), ("penalty", "f8")] + [
    (name, "i8") for name in ("players", "gray", "limit", "seat", "opponents", "reward", "autoreset")
]
LANE: Final = np.dtype((np.record, np.dtype(_LANE, align=True)))
"""What an environment knows of a game beside its state."""
RULES: Final = np.dtype((np.record, np.dtype(_RULES, align=True)))
"""What is the same for all lanes; `seat` is -1 for a random one in every game."""


@compiled
def open_lane(lane: Any, rules: Any, at: int) -> None:
    """Seed the stream of lane number `at`; it is not that of any game."""
    lane.rng = mix(uint64(rules.seed) ^ mix(uint64(at) + uint64(1)))
    lane.game = at
    lane.actor = 0
    lane.illegal = 0


@compiled
def start(state: State, lane: Any, rules: Any) -> None:
    """Start the game whose number the lane holds, and let the opponents before the learner act."""
    start_game(state, rules.players, rules.gray, uint64(rules.seed), lane.game, -1, rules.limit)
    deal(state)
    lane.over = GOING_ON
    lane.seat = int64(rules.seat) if rules.seat >= 0 else draw(lane, int64(rules.players))
    play_opponents(state, lane, rules)


@compiled
def start_from(state: State, lane: Any, rules: Any) -> None:
    """The state is given: seed its deals by the number of the game; the learner sits where it is to act."""
    seed_stream(state, uint64(rules.seed), lane.game)
    lane.over = GOING_ON
    lane.seat = int64(rules.seat) if rules.seat >= 0 else int64(state.seat)
    play_opponents(state, lane, rules)


@compiled
def play_opponents(state: State, lane: Any, rules: Any) -> None:
    """Let the opponents act until it is the learner's turn or the game is over."""
    if rules.opponents == SELF_PLAY:
        return
    while state.phase != OVER and state.seat != lane.seat:
        settle(state, greedy_action(state) if rules.opponents == GREEDY else random_move(state, lane))
    if state.phase == OVER:
        lane.over = ENDED


@compiled
def settle(state: State, action: int) -> None:
    """One legal action and all that follows from it, the next deal included."""
    act(state, action)
    follow(state)


@compiled
def follow(state: State) -> None:
    """All that follows from an action by itself, the next deal included."""
    if state.phase != DRAFTING:
        while advance(state)[0] != NOTHING:
            pass
        if state.phase == DEAL_DUE:
            deal(state)


@compiled
def random_move(state: State, lane: Any) -> int:
    """A legal action, each equally likely, drawn from the lane's stream: the deals stay what they would have been."""
    kept = uint64(state.rng)
    state.rng = lane.rng
    action = random_action(state)
    lane.rng = state.rng
    state.rng = kept
    return action


@compiled
def begin_step(state: State, lane: Any, rules: Any, action: int, rewards: NDArray[np.float32]) -> bool:
    """The first half of a step: the decision alone. Returns whether `finish_step` has something left to do."""
    lane.illegal = 0
    players = int64(rules.players)
    for seat in range(players):
        rewards[seat] = 0.0
    if lane.over == ENDED:
        if rules.autoreset == DISABLED:
            return False
        lane.over = TO_START
        return True
    lane.actor = state.seat
    if not is_legal(state, action):
        lane.illegal = 1
        lane.over = ENDED
        rewards[int64(state.seat)] = rules.penalty
        return True
    drafted = state.phase == DRAFTING
    if rules.reward == SCORE and not drafted:
        subtract_scores(state, rewards)
    act(state, action)
    if state.phase == DRAFTING and rules.opponents == SELF_PLAY:
        return False
    if rules.reward == SCORE and drafted:  # a draft alone changes no score
        subtract_scores(state, rewards)
    return True


@compiled
def subtract_scores(state: State, rewards: NDArray[np.float32]) -> None:
    """Take the scores before the step from the rewards; those after it are added later."""
    for seat in range(int64(state.players)):
        rewards[seat] -= int64(state.score[seat])


@compiled
def finish_step(state: State, lane: Any, rules: Any, lanes: int, rewards: NDArray[np.float32]) -> None:
    """The second half: what follows from the decision, the opponents' turns, the end of the game, the next game."""
    if lane.illegal:
        return
    if lane.over == TO_START:
        lane.game += lanes
        start(state, lane, rules)
        return
    follow(state)
    play_opponents(state, lane, rules)
    if state.phase == OVER:
        lane.over = ENDED
    if rules.reward == SCORE:
        for seat in range(int64(state.players)):
            rewards[seat] += int64(state.score[seat])
    elif lane.over == ENDED:
        write_outcome(state, int64(rules.reward), rewards)


@compiled
def write_outcome(state: State, reward: int, rewards: Any) -> None:
    """The reward of each seat for a finished game. A win is 1 and all rewards add up to 0, or it is the margin."""
    players = int64(state.players)
    for seat in range(players):
        if reward == WIN:
            rewards[seat] = (players * win_share(state, seat) - 1.0) / (players - 1)
        else:
            rewards[seat] = final_margin(state, seat)


@compiled
def viewer(state: State, lane: Any, rules: Any) -> int:
    """The seat that the observation is for: the learner, or who acts, or who acted last when the game is over."""
    if rules.opponents != SELF_PLAY:
        return int64(lane.seat)
    return int64(lane.actor) if lane.over == ENDED else int64(state.seat)


@compiled
def write_view(state: State, seat: int, row: NDArray[np.int8]) -> None:
    """The features of a state as this seat sees it, whoever is to act: the network's row, or in less room that for
    exactly the players of the game.
    """
    kept = int64(state.seat)
    state.seat = seat
    if len(row) == FEATURES:
        write_features(state, row)
    else:
        write_exact_features(state, row)
    state.seat = kept


@compiled
def write_mask(state: State, lane: Any, mask: Any) -> None:
    """The legal actions; all of them when the game is over, for then any action will be passed over."""
    if lane.over == ENDED:
        for action in range(ACTIONS):
            mask[action] = 1
    else:
        legal_mask(state, mask)


@compiled
def observe_one(states: States, at: int, seat: int, row: NDArray[np.int8], mask: Any) -> None:
    """What a seat sees in one element, and what it may do: nothing if it is not to act, anything at the end."""
    state = states[at]
    write_view(state, seat, row)
    if state.phase != OVER and state.seat == seat:
        legal_mask(state, mask)
    else:
        for action in range(ACTIONS):
            mask[action] = 1 if state.phase == OVER else 0


@compiled
def outcome_one(states: States, at: int, reward: int, rewards: Any) -> None:
    """`write_outcome` of one element."""
    write_outcome(states[at], reward, rewards)


@compiled
def show(
    states: States, lanes: Any, rules: Any, at: int, seats: Any, masks: Any, observations: NDArray[np.int8]
) -> None:
    """Write what the next decision is made from."""
    seats[at] = viewer(states[at], lanes[at], rules[0])
    write_mask(states[at], lanes[at], masks[at])
    if observations.shape[0] > 0:
        write_view(states[at], int64(seats[at]), observations[at])


@threaded
def open_each(lanes: Any, rules: Any) -> None:
    """Seed the streams of all lanes."""
    for at in prange(len(lanes)):
        open_lane(lanes[at], rules[0], at)


@threaded
def start_each(
    states: States, lanes: Any, rules: Any, chosen: Any, given: bool, seats: Any, masks: Any, observations: Any
) -> None:
    """Start the chosen games, from the states as they are if those are given."""
    for at in prange(len(states)):
        if chosen[at]:
            if given:
                start_from(states[at], lanes[at], rules[0])
            else:
                start(states[at], lanes[at], rules[0])
        show(states, lanes, rules, at, seats, masks, observations)


@threaded
def step_each(
    states: States,
    lanes: Any,
    rules: Any,
    actions: NDArray[np.int64],
    rewards: NDArray[np.float32],
    reward: NDArray[np.float32],
    terminated: Any,
    seats: Any,
    masks: Any,
    observations: Any,
    final_states: States,
    final_observations: Any,
) -> None:
    """One step of every game."""
    for at in prange(len(states)):
        if begin_step(states[at], lanes[at], rules[0], actions[at], rewards[at]):
            finish_step(states[at], lanes[at], rules[0], len(states), rewards[at])
        learns = rules[0].opponents != SELF_PLAY
        reward[at] = rewards[at, int64(lanes[at].seat if learns else lanes[at].actor)]
        ended = lanes[at].over == ENDED
        terminated[at] = ended
        if ended and rules[0].autoreset == SAME_STEP:
            if final_states.shape[0] > 0:
                final_states[at] = states[at]
            if final_observations.shape[0] > 0:
                write_view(states[at], viewer(states[at], lanes[at], rules[0]), final_observations[at])
            lanes[at].game += len(states)
            start(states[at], lanes[at], rules[0])
        show(states, lanes, rules, at, seats, masks, observations)


@threaded
def sample_each(states: States, lanes: Any, actions: NDArray[np.int64]) -> None:
    """A random legal action for every game, drawn from the lanes' streams; 0 where the game is over."""
    for at in prange(len(states)):
        actions[at] = 0
        if lanes[at].over != ENDED:
            actions[at] = random_move(states[at], lanes[at])
