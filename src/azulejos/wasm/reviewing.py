"""What a page can call of reviews: everything about the review of a game but the order of its searches."""

from __future__ import annotations

import numpy as np

from azulejos.analysis import likeness, luck, marks, reasons, receipt, rounding, starts
from azulejos.analysis.likeness import LIKENESS
from azulejos.analysis.luck import SAMPLED_DEALS, SEARCHED_DEALS
from azulejos.analysis.reasons import REASON, ROOM, SHEET
from azulejos.analysis.receipt import PARTS, STEP
from azulejos.rules.happenings import MOST_HAPPENINGS, NUMBERS
from azulejos.rules.state import MAX_PLAYERS, STATE
from azulejos.search import batches, driver
from azulejos.search import utility as worth
from azulejos.wasm.memory import array_at
from azulejos.wasm.thinking import thinker_at

PART_COUNT = len(PARTS)
"""Lines of a receipt."""
START_SHAPE = starts.starts().shape
"""How the table of starts is read."""


def require(thinker: int, action: int) -> None:
    """Have a legal move looked at to the end, whatever the search thinks of it; right after `begin`."""
    driver.require(thinker_at(thinker).halving, action)


def deal_number(state: int, number: int) -> None:
    """Deal number so and so: always the same for the same bag."""
    batches.deal_number(array_at(state, (1,), STATE)[0], number)


def expect_start(table: int, state: int, expected: int) -> int:
    """Write what is expected before the first deal, from the table `STARTS`; 0 if this is not the start of a game."""
    return starts.expect_start(
        array_at(table, START_SHAPE, np.float64),
        array_at(state, (1,), STATE)[0],
        array_at(expected, (2, 2, MAX_PLAYERS), np.float64),
    )


def sample_deals(thinker: int, state: int, start: int, end: int, sampled: int) -> None:
    """Write what the network says after each deal from one number up to another, of `SAMPLED_DEALS` at most."""
    values = array_at(sampled, (SAMPLED_DEALS, 2, MAX_PLAYERS), np.float64)
    luck.sample_deals(thinker_at(thinker).asking, array_at(state, (1,), STATE)[0], start, end, values)


def expect(sampled: int, searched: int, expected: int) -> None:
    """Write what is expected before a deal, and how far that may be off, from sampled and from searched deals."""
    luck.expect(
        array_at(sampled, (SAMPLED_DEALS, 2, MAX_PLAYERS), np.float64),
        array_at(searched, (SEARCHED_DEALS, 2, MAX_PLAYERS), np.float64),
        array_at(expected, (2, 2, MAX_PLAYERS), np.float64),
    )


def utility(win: float, margin: float) -> float:
    """What a seat wants: to win, and to win by much; from 0 to 1."""
    return worth.utility(win, margin)


def win_share(state: int, seat: int) -> float:
    """The part of the victory that a seat has in a finished game."""
    return worth.win_share(array_at(state, (1,), STATE)[0], seat)


def final_margin(state: int, seat: int) -> float:
    """A seat's score less the best of the others."""
    return worth.final_margin(array_at(state, (1,), STATE)[0], seat)


def loss(step: int, what: int) -> float:
    """What the mover of a decision lost, of the share of the victory or of the margin; never negative."""
    return receipt.loss(array_at(step, (1,), STEP)[0], what)


def effect(step: int, what: int, seat: int) -> float:
    """What a deal, or the loss of a decision, changed for a seat."""
    return receipt.effect(array_at(step, (1,), STEP)[0], what, seat)


def mark(loss: float) -> int:
    """The number of the mark for a loss of the share of the victory; 0 for none."""
    return marks.mark(loss)


def write_receipt(steps: int, count: int, result: int, parts: int) -> None:
    """Add up the steps of a game."""
    receipt.write_receipt(
        array_at(steps, (count,), STEP),
        array_at(result, (2, MAX_PLAYERS), np.float64),
        array_at(parts, (PART_COUNT, 2, MAX_PLAYERS), np.float64),
    )


def round_parts(parts: int, unit: float, units: int) -> None:
    """Write the lines of a receipt in whole units, rounded so that they still add up to the last one."""
    rounding.round_parts(array_at(parts, (PART_COUNT,), np.float64), unit, array_at(units, (PART_COUNT,), np.float64))


def note_round(state: int, line: int, length: int, noted: int, sheet: int) -> None:
    """Play actions and note on a sheet what they bring; the state is changed."""
    reasons.note_round(
        array_at(state, (1,), STATE)[0],
        array_at(line, (length,), np.int16),
        length,
        array_at(noted, (MOST_HAPPENINGS, NUMBERS), np.int16),
        array_at(sheet, (1,), SHEET)[0],
    )


def find_reasons(played: int, best: int, mover: int, players: int, found: int) -> int:
    """Write what speaks against the move that was played, what weighs most first; returns how many reasons."""
    return reasons.find_reasons(
        array_at(played, (1,), SHEET)[0],
        array_at(best, (1,), SHEET)[0],
        mover,
        players,
        array_at(found, (ROOM,), REASON),
    )


def compare(losses: int, count: int, table: int, levels: int, found: int) -> int:
    """Write which levels lose as much as so many moves did; returns 0 where too little was decided."""
    return likeness.compare(
        array_at(losses, (count, 2), np.float64),
        array_at(table, (levels, 2), np.float64),
        array_at(found, (1,), LIKENESS)[0],
    )
