"""What a page can call of the rules: entry points that take addresses and numbers only.

Arguments are whole numbers (`int64`, which are 32 bits wide on the way in), random seeds (`uint64`) and fractions
(`float64`); an address is a whole number. The names and the order of the arguments are those of the bindings. Only
`compile` compiles these functions, so they are written here without its decorator.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from azulejos.rules import ending, greedy_play, happenings, perft, previews, refusals, supply, turn, validity
from azulejos.rules.compiled import compiled, int64
from azulejos.rules.mass import TALLY_SIZE, count_game
from azulejos.rules.random_play import play_out, random_action
from azulejos.rules.state import COLORS, MAX_PLAYERS, MOST_LEGAL, SOURCES, STATE
from azulejos.wasm.memory import array_at

CLOSED_NUMBERS: Final = 5
"""Numbers of a row that `closed_lines` writes."""
MOST_CLOSED: Final = 64
"""Room for more rows than there are colors and lines."""
REFUSAL_NUMBERS: Final = 4
"""A reason and what its sentence names."""
BONUS_NUMBERS: Final = 4
"""Complete rows, columns, colors, and points of a seat."""
DEEPEST_PERFT: Final = 8
"""Room for so many levels."""


def start_game(state: int, players: int, gray: int, seed: int, game: int, starter: int, limit: int) -> None:
    """Set up a game before its first deal."""
    supply.start_game(array_at(state, (1,), STATE)[0], players, gray, seed, game, starter, limit)


def seed_stream(state: int, seed: int, game: int) -> None:
    """Start the stream from which a state deals: that of game number `game` of a series with this seed."""
    supply.seed_stream(array_at(state, (1,), STATE)[0], seed, game)


def deal(state: int) -> None:
    """Deal from the state's own stream."""
    supply.deal(array_at(state, (1,), STATE)[0])


def deal_refusal(state: int, tiles: int, displays: int, found: int) -> int:
    """Write why these tiles cannot be dealt; returns the reason."""
    reason, first, second, third = refusals.deal_refusal(
        array_at(state, (1,), STATE)[0], array_at(tiles, (SOURCES, COLORS), np.int8), displays
    )
    write_refusal(array_at(found, (REFUSAL_NUMBERS,), np.int16), reason, first, second, third)
    return reason


def deal_drawn(state: int, numbers: int, count: int) -> int:
    """Deal by numbers from 0 to 255; returns how many were needed, or -1 if there are too few."""
    return supply.deal_drawn(array_at(state, (1,), STATE)[0], array_at(numbers, (count,), np.uint8))


def deal_given(state: int, tiles: int) -> None:
    """Deal these tiles."""
    supply.deal_given(array_at(state, (1,), STATE)[0], array_at(tiles, (SOURCES, COLORS), np.int8))


def complete(state: int, round_number: int, markers: int, found: int) -> int:
    """Write every fault of a state, or set what follows from its other fields; returns how many faults there are."""
    return validity.complete(
        array_at(state, (1,), STATE)[0],
        round_number,
        markers,
        array_at(found, (validity.MOST_FAULTS, validity.NUMBERS), np.int32),
    )


def legal_actions(state: int, actions: int) -> int:
    """Write the legal actions; returns how many there are."""
    return turn.legal_actions(array_at(state, (1,), STATE)[0], array_at(actions, (MOST_LEGAL,), np.int16))


def preview_all(state: int, actions: int, found: int) -> int:
    """Write the preview of every legal action; returns how many there are."""
    return previews.preview_all(
        array_at(state, (1,), STATE)[0],
        array_at(actions, (MOST_LEGAL,), np.int16),
        array_at(found, (MOST_LEGAL, previews.NUMBERS), np.int16),
    )


def refusal(state: int, action: int, found: int) -> int:
    """Write why an action may not be played; returns the reason."""
    reason, first, second, third = refusals.refusal(array_at(state, (1,), STATE)[0], action)
    write_refusal(array_at(found, (REFUSAL_NUMBERS,), np.int16), reason, first, second, third)
    return reason


@compiled
def write_refusal(numbers: Any, reason: int, first: int, second: int, third: int) -> None:
    """Write a refusal's numbers."""
    numbers[0] = reason
    numbers[1] = first
    numbers[2] = second
    numbers[3] = third


def closed_lines(state: int, found: int) -> int:
    """Write why each color on offer may not go to each line; returns how many rows were written."""
    return refusals.closed_lines(
        array_at(state, (1,), STATE)[0], array_at(found, (MOST_CLOSED, CLOSED_NUMBERS), np.int16)
    )


def step(state: int, action: int, noted: int) -> int:
    """Play a legal action and all that follows from it up to the next deal; returns how many things happened."""
    return happenings.step_noted(
        array_at(state, (1,), STATE)[0],
        action,
        array_at(noted, (happenings.MOST_HAPPENINGS, happenings.NUMBERS), np.int16),
    )


def act(state: int, action: int) -> None:
    """Carry out a legal action and nothing that follows from it."""
    turn.act(array_at(state, (1,), STATE)[0], action)


def advance(state: int) -> int:
    """Do the next thing that happens without a decision; returns what kind of thing it was."""
    return turn.advance(array_at(state, (1,), STATE)[0])[0]


def winners_among(state: int, among: int) -> int:
    """The winning seats of a finished game among some seats, one bit each."""
    return ending.winners_among(array_at(state, (1,), STATE)[0], among)


def end_reason(state: int) -> int:
    """Why a finished game ended."""
    return ending.end_reason(array_at(state, (1,), STATE)[0])


def is_last_round(state: int) -> int:
    """Whether this round completes a row as things are: 0 or 1."""
    return int64(ending.is_last_round(array_at(state, (1,), STATE)[0]))


def bonuses(state: int, found: int) -> None:
    """Write what the wall of every seat would add at the end."""
    states = array_at(state, (1,), STATE)
    numbers = array_at(found, (MAX_PLAYERS, BONUS_NUMBERS), np.int16)
    for seat in range(int64(states[0].players)):
        numbers[seat, 0] = ending.complete_rows(states[0], seat)
        numbers[seat, 1] = ending.complete_columns(states[0], seat)
        numbers[seat, 2] = ending.complete_colors(states[0], seat)
        numbers[seat, 3] = ending.bonus(states[0], seat)


def greedy(state: int) -> int:
    """The action with the most points this round."""
    return greedy_play.greedy_action(array_at(state, (1,), STATE)[0])


def random(state: int) -> int:
    """A legal action, each equally likely, drawn from the state's own stream."""
    return random_action(array_at(state, (1,), STATE)[0])


def simulate(state: int, tally: int, first: int, games: int, players: int, gray: int, seed: int, limit: int) -> None:
    """Play random games number `first` and the ones after it, so many, and count them."""
    states = array_at(state, (1,), STATE)
    counts = array_at(tally, (TALLY_SIZE,), np.int64)
    for game in range(first, first + games):
        supply.start_game(states[0], players, gray, seed, game, -1, limit)
        supply.deal(states[0])
        count_game(states[0], play_out(states[0]), counts)


def count_leaves(stack: int, actions: int, left: int, depth: int) -> int:
    """Perft: the leaves so many moves below the first state of a stack with room for `DEEPEST_PERFT` more."""
    return perft.count_leaves(
        array_at(stack, (DEEPEST_PERFT + 1,), STATE),
        array_at(actions, (DEEPEST_PERFT + 1, perft.MOST_ACTIONS), np.int16),
        array_at(left, (DEEPEST_PERFT + 1,), np.int64),
        depth,
    )
