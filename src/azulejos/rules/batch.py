"""Many games at once: the rules on arrays of the record, on all threads or one element at a time.

`..._each` functions share the array among threads (numba.set_num_threads says how many) and hold no lock.
`..._one` functions are the quickest way in from Python: naming an element of an array costs a third of the time that
passing a record does.
"""

from __future__ import annotations

import numpy as np
from numba import prange
from numpy.typing import NDArray

from azulejos.rules.compiled import compiled, threaded
from azulejos.rules.happenings import step_noted
from azulejos.rules.previews import PreviewNumbers, preview, preview_all
from azulejos.rules.random_play import play_out
from azulejos.rules.refusals import RefusalNumbers, closed_lines, deal_refusal, refusal
from azulejos.rules.state import DEAL_DUE, OVER, States
from azulejos.rules.supply import deal, start_game
from azulejos.rules.turn import Advance, act, advance, is_legal, legal_actions, legal_mask, step


@compiled
def start_game_one(
    states: States, at: int, players: int, gray: int, seed: int, game: int, starter: int, limit: int
) -> None:
    """`supply.start_game` in one element, before the first deal."""
    start_game(states[at], players, gray, seed, game, starter, limit)


@compiled
def new_game_one(
    states: States, at: int, players: int, gray: int, seed: int, game: int, starter: int, limit: int
) -> None:
    """`supply.start_game` in one element, and the first deal."""
    start_game(states[at], players, gray, seed, game, starter, limit)
    deal(states[at])


@compiled
def deal_one(states: States, at: int) -> None:
    """Deal from the state's own stream."""
    deal(states[at])


@compiled
def step_one(states: States, at: int, action: int) -> None:
    """One legal action and all that follows from it, the next deal included."""
    step(states[at], action)
    if states[at].phase == DEAL_DUE:
        deal(states[at])


@compiled
def act_one(states: States, at: int, action: int) -> tuple[int, int, int]:
    """`turn.act` on one element."""
    return act(states[at], action)


@compiled
def advance_one(states: States, at: int) -> Advance:
    """`turn.advance` on one element."""
    return advance(states[at])


@compiled
def legal_one(states: States, at: int, actions: NDArray[np.int16]) -> int:
    """`turn.legal_actions` of one element."""
    return legal_actions(states[at], actions)


@compiled
def step_noted_one(states: States, at: int, action: int, noted: NDArray[np.int16]) -> int:
    """`happenings.step_noted` on one element."""
    return step_noted(states[at], action, noted)


@compiled
def preview_one(states: States, at: int, action: int) -> PreviewNumbers:
    """`previews.preview` of one element."""
    return preview(states[at], action)


@compiled
def preview_all_one(states: States, at: int, actions: NDArray[np.int16], found: NDArray[np.int16]) -> int:
    """`previews.preview_all` of one element."""
    return preview_all(states[at], actions, found)


@compiled
def refusal_one(states: States, at: int, action: int) -> RefusalNumbers:
    """`refusals.refusal` of one element."""
    return refusal(states[at], action)


@compiled
def deal_refusal_one(states: States, at: int, tiles: NDArray[np.int8], displays: int) -> RefusalNumbers:
    """`refusals.deal_refusal` of one element."""
    return deal_refusal(states[at], tiles, displays)


@compiled
def closed_lines_one(states: States, at: int, found: NDArray[np.int16]) -> int:
    """`refusals.closed_lines` of one element."""
    return closed_lines(states[at], found)


@compiled
def is_legal_one(states: States, at: int, action: int) -> bool:
    """`turn.is_legal` of one element."""
    return is_legal(states[at], action)


@threaded
def new_game_each(states: States, players: int, gray: int, seed: int, first: int, limit: int) -> None:
    """Games number `first`, `first + 1`, ... of the series `seed`, one in each element."""
    for at in prange(len(states)):
        new_game_one(states, at, players, gray, seed, first + at, -1, limit)


@threaded
def step_each(states: States, actions: NDArray[np.int16]) -> None:
    """One legal action in each game, the next deal included; games that are over stay as they are."""
    for at in prange(len(states)):
        if states[at].phase != OVER:
            step_one(states, at, actions[at])


@threaded
def legal_each(states: States, masks: NDArray[np.uint8]) -> None:
    """The legal mask of each game: `masks[at, action]`."""
    for at in prange(len(states)):
        legal_mask(states[at], masks[at])


@threaded
def play_out_each(states: States, moves: NDArray[np.int64]) -> None:
    """Play each game to its end with random legal moves; `moves[at]` is how many it took."""
    for at in prange(len(states)):
        moves[at] = play_out(states[at])
