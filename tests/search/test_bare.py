"""What a browser will call asks nobody for anything: no memory, no exceptions, nothing of Python, only mathematics.

The compiled code is read as LLVM's text: what can be reached from an entry point is either there or on a short list.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

from azulejos import Game
from azulejos.analysis import luck, marks, reasons, receipt, rounding
from azulejos.net.arithmetic import evaluate
from azulejos.net.choice import network_for
from azulejos.net.features import FEATURES
from azulejos.rules import state as s
from azulejos.rules.compiled import INTERPRETED
from azulejos.rules.supply import deal, start_game
from azulejos.rules.turn import legal_actions, legal_mask, step
from azulejos.search import batches, driver, hand, ranking, solver, utility
from azulejos.search.cache import clear
from azulejos.search.evaluators import HAND_TUNING, ByNetwork
from azulejos.search.halving import HALVING
from azulejos.search.report import CANDIDATE, draw
from azulejos.search.tree import MOST_EDGES, Forest

MATHEMATICS = {"exp", "expf", "log", "pow", "sqrt"}
BARE: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
STATES = Game(seed=1).states
STATE, FOREST, ASKING = STATES[0], Forest.grow(1, 2, 2, 1), ByNetwork(network_for(2, "std", batches.BATCH)).asking
HAND, GRAPH, TUNING, VALUES = ASKING.hand, solver.Graph.make(1), HAND_TUNING, np.zeros((2, 1, 4), np.float32)
HALVED, FOUND, LIMITS = np.zeros(1, HALVING), np.zeros(MOST_EDGES, CANDIDATE), driver.SearchLimits(1, 1, 8, True)
SETTLED, DEALS, EXPECTED = np.zeros((2, 2, 4), np.float32), np.zeros((1, 2, 4)), np.zeros((2, 2, 4))
STEPS, SHEETS, PARTS = np.zeros(1, receipt.STEP), np.zeros(1, reasons.SHEET), np.zeros((6, 2, 4))
ENTRY_POINTS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (start_game, (STATE, 2, 0, 1, 1, 0, 9)),
    (deal, (STATE,)),
    (step, (STATE, 1)),
    (legal_actions, (STATE, np.zeros(MOST_EDGES, np.int16))),
    (legal_mask, (STATE, np.zeros(s.ACTIONS, np.uint8))),
    (driver.begin, (FOREST, HALVED, STATES)),
    (driver.next_stop, (FOREST, HALVED, LIMITS, 1.0, 1.0)),
    (driver.is_over, (FOREST, LIMITS)),
    (ranking.rank, (FOREST, HALVED, 0.1, True, SETTLED, FOUND)),
    (draw, (np.zeros(1, np.int32), 1.0, 0.5)),
    (hand.simulate, (FOREST, 0, 1, 1, HAND, TUNING)),
    (hand.final_playouts, (HAND, STATES, 1)),
    (hand.value_ends, (HAND, STATES, VALUES)),
    (evaluate, (ASKING.network, np.zeros((1, FEATURES), np.int8), 1)),
    (batches.simulate_batches, (FOREST, 0, 1, 1, 1, ASKING, TUNING)),
    (batches.ask_about_ends, (ASKING, STATES, 0, 0, 1, VALUES)),
    (batches.blend_ends, (STATES, VALUES, 0.5, VALUES)),
    (clear, (ASKING.cache,)),
    (solver.groups_on_offer, (STATE,)),
    (solver.unfold, (GRAPH, STATE, 1)),
    (solver.solve, (GRAPH, 1)),
    (solver.rank_solved, (GRAPH, 1, FOUND)),
    (driver.require, (HALVED, 1)),
    (batches.deal_number, (STATE, 1)),
    (luck.sample_deals, (ASKING, STATE, 0, 1, DEALS)),
    (luck.expect, (DEALS, DEALS, EXPECTED)),
    (utility.win_share, (STATE, 0)),
    (utility.final_margin, (STATE, 0)),
    (receipt.loss, (STEPS[0], 0)),
    (receipt.effect, (STEPS[0], 0, 0)),
    (receipt.write_receipt, (STEPS, EXPECTED[0], PARTS)),
    (rounding.round_parts, (PARTS[:, 0, 0], 1.0, PARTS[:, 0, 0])),
    (marks.mark, (0.1,)),
    (reasons.note_round, (STATE, np.zeros(1, np.int16), 1, reasons.empty_notes(), SHEETS[0])),
    (reasons.find_reasons, (SHEETS[0], SHEETS[0], 0, 2, np.zeros(reasons.ROOM, reasons.REASON))),
]


def reached(text: str, entry: str) -> set[str]:
    """The names of the functions that can be reached from one and whose code is elsewhere."""
    bodies = dict(re.findall(r'^define [^@]*@"?([^"(]+)"?\(.*?\{\n(.*?)^\}', text, re.S | re.M))
    declared = set(re.findall(r'^declare [^@]*@"?([^"(]+)"?\(', text, re.M))
    assert entry in bodies
    waiting, seen = [entry], {entry}
    while waiting:
        for name in set(re.findall(r'@(?:"([^"]+)"|([\w.$]+))', bodies.get(waiting.pop(), ""))):
            (found,) = filter(None, name)
            if found in bodies.keys() | declared and found not in seen:
                seen.add(found)
                waiting.append(found)
    return seen & declared


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
@pytest.mark.parametrize(("function", "arguments"), ENTRY_POINTS, ids=lambda each: getattr(each, "__name__", ""))
def test_an_entry_point_needs_nothing_but_mathematics(function: Any, arguments: tuple[Any, ...]) -> None:
    options = {
        "nogil": True,
        "error_model": "numpy",
        "_nrt": False,
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
    }
    again: Any = numba.njit(**options)(function.py_func)
    again.compile(tuple(map(numba.typeof, arguments)))
    (compiled,) = again.overloads.values()
    names = reached(compiled.library.get_llvm_str(), compiled.fndesc.llvm_func_name)
    assert {name for name in names if not name.startswith("llvm.")} <= MATHEMATICS


def test_what_would_allocate_is_found() -> None:
    def doubled(x: Any) -> Any:
        return (x + x).sum()

    again: Any = numba.njit(**BARE)(doubled)
    again.compile((numba.float64[::1],))
    (compiled,) = again.overloads.values()
    assert any("NRT" in name for name in reached(compiled.library.get_llvm_str(), compiled.fndesc.llvm_func_name))
