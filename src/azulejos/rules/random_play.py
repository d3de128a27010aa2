"""Uniformly random legal play: the yardstick of speed, and the dullest of all players."""

from __future__ import annotations

from azulejos.rules.actions import cell_number, draft_number
from azulejos.rules.compiled import compiled, int64
from azulejos.rules.state import COLORS, DRAFTING, FLOORS, OVER, TILING, State
from azulejos.rules.supply import deal, draw
from azulejos.rules.tiling import lowest_bit
from azulejos.rules.turn import NOTHING, act, advance, tiling_choice


@compiled
def bit_count(bits: int) -> int:
    """How many bits are set."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@compiled
def nth_bit(bits: int, n: int) -> int:
    """The number of the set bit that has n set bits below it."""
    for _ in range(n):
        bits &= bits - 1
    return lowest_bit(bits)


@compiled
def random_draft(state: State) -> int:
    """A legal draft, each equally likely: first a color by its number of drafts, then a source and a line."""
    seat = int64(state.seat)
    total = 0
    for color in range(COLORS):
        total += bit_count(int64(state.holds[color])) * bit_count(int64(state.open[seat, color]))
    at = draw(state, total)
    color = 0
    while True:
        lines = bit_count(int64(state.open[seat, color]))
        moves = bit_count(int64(state.holds[color])) * lines
        if at < moves:
            break
        at -= moves
        color += 1
    source = nth_bit(int64(state.holds[color]), at // lines)
    line = nth_bit(int64(state.open[seat, color]), at % lines)
    return draft_number(source, color, line)


@compiled
def random_tiling(state: State) -> int:
    """A legal tiling choice, each equally likely."""
    row, columns = tiling_choice(state)
    return cell_number(row, nth_bit(columns, draw(state, bit_count(columns))))


@compiled
def random_action(state: State) -> int:
    """A legal action, each equally likely, drawn from the state's own stream."""
    if state.phase == DRAFTING:
        return random_draft(state)
    return random_tiling(state)


@compiled
def play_round(state: State) -> int:
    """Play random legal moves to the end of the round; returns how many.

    Drafting and tiling are two loops, so that on a graphics card the threads of a warp do the same thing.
    """
    moves = 0
    while state.phase == DRAFTING:
        act(state, random_draft(state))
        moves += 1
    while state.phase in (TILING, FLOORS):
        if advance(state)[0] == NOTHING:
            act(state, random_tiling(state))
            moves += 1
    return moves


@compiled
def play_out(state: State) -> int:
    """Play random legal moves and deals to the end of the game; returns the number of moves."""
    moves = play_round(state)
    while state.phase != OVER:
        deal(state)
        moves += play_round(state)
    return moves
