"""Greedy play: the most points this round, looking no further than one's own board."""

from __future__ import annotations

from typing import Final

from azulejos.rules.actions import cell_number, draft_number, line_of
from azulejos.rules.compiled import compiled
from azulejos.rules.offer import legal_lines
from azulejos.rules.previews import preview
from azulejos.rules.state import COLORS, COLUMNS, DRAFTING, DRAFTS, FLOOR, LINES, SOURCES, State
from azulejos.rules.turn import tiling_choice

HALF_A_LINE: Final = 0.5
"""What an unfinished line is worth when it is all but complete."""


@compiled
def greedy_worth(state: State, action: int) -> float:
    """Points scored at the end of the round, less what falls, and a little for a line that is growing."""
    _, placed, _, cost, completes, _, points = preview(state, action)
    if completes or action >= DRAFTS or line_of(action) == FLOOR:
        return float(points - cost)
    return HALF_A_LINE * placed / (line_of(action) + 1) - cost


@compiled
def greedy_action(state: State) -> int:
    """The legal action that is worth most; among equals the lowest number."""
    best = -100.0
    chosen = -1
    if state.phase == DRAFTING:
        for source in range(SOURCES):
            for color in range(COLORS):
                lines = legal_lines(state, source, color)
                for line in range(LINES if lines else 0):
                    if lines >> line & 1:
                        action = draft_number(source, color, line)
                        worth = greedy_worth(state, action)
                        if worth > best:
                            best, chosen = worth, action
        return chosen
    row, columns = tiling_choice(state)
    for column in range(COLUMNS):
        if columns >> column & 1:
            worth = greedy_worth(state, cell_number(row, column))
            if worth > best:
                best, chosen = worth, cell_number(row, column)
    return chosen
