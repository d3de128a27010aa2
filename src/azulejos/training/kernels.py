"""CUDA kernels of self-play: one thread a game. They only call the functions that the processor runs too."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba-cuda still asks NumPy for it

from numba import cuda

from azulejos.net.arithmetic import MARGIN_UNIT
from azulejos.net.features import write_features
from azulejos.rules.compiled import int64
from azulejos.rules.state import MAX_PLAYERS, OVER
from azulejos.search.gumbel import halve
from azulejos.search.mcts import back_up, plant, select
from azulejos.search.tree import PENDING
from azulejos.training.turns import begin_game, finish_game, play_move, take_in


@cuda.jit
def start_games(games: Any, counters: Any, config: Any, seed: int, ring: Any) -> None:
    """A fresh game in every slot."""
    t = cuda.grid(1)
    if t < games.shape[0]:
        counters[t] = t
        begin_game(games, counters, config[t, 0], config[t, 1], seed, config[t, 2], t)
        ring.cursor[t] = 0
        ring.begun[t] = 0


@cuda.jit
def plant_trees(games: Any, forest: Any) -> None:
    """A new tree from every game."""
    t = cuda.grid(1)
    if t < games.shape[0]:
        plant(forest, t, games[t])


@cuda.jit
def select_leaves(forest: Any, tuning: Any, x: Any) -> None:
    """One leaf of every tree, and its features in `x[:, t]`."""
    t = cuda.grid(1)
    if t < forest.trees.shape[0]:
        select(forest, t, t, tuning)
        write_features(forest.states[t, forest.leaves[t].node], x[:, t])


@cuda.jit(device=True)
def _set_outcome(values: Any, players: int, outcome: Any, t: int) -> None:
    """From win logits and margins to shares of the victory and points."""
    highest = -1e30
    for turn in range(players):
        highest = max(highest, float(values[t, turn]))
    total = 0.0
    for turn in range(players):
        total += math.exp(float(values[t, turn]) - highest)
    for turn in range(players):
        outcome[t, 0, turn] = math.exp(float(values[t, turn]) - highest) / total
        outcome[t, 1, turn] = values[t, MAX_PLAYERS + turn] * MARGIN_UNIT


@cuda.jit
def back_up_leaves(forest: Any, logits: Any, values: Any, outcome: Any, comparison: Any) -> None:
    """Take in the network's answers, and back them up."""
    t = cuda.grid(1)
    if t >= forest.trees.shape[0]:
        return
    node = int64(forest.leaves[t].node)
    if forest.nodes[t, node].kind == PENDING:
        _set_outcome(values, int64(forest.states[t, node].players), outcome, t)
        take_in(forest, logits[t], outcome[t], comparison, t)
    back_up(forest, t, t)


@cuda.jit
def halve_roots(forest: Any, comparison: Any, stay: int) -> None:
    """Let moves drop out at every root."""
    t = cuda.grid(1)
    if t < forest.trees.shape[0]:
        halve(forest, comparison, stay, t)


@cuda.jit
def play_moves(games: Any, forest: Any, comparison: Any, ring: Any) -> None:
    """Note each root as a sample and play the best of its moves."""
    t = cuda.grid(1)
    if t < games.shape[0]:
        play_move(games, forest, comparison, ring, t)


@cuda.jit
def finish_games(games: Any, counters: Any, config: Any, seed: int, ring: Any, tally: Any) -> None:
    """Give the samples of finished games their outcome and start new games."""
    t = cuda.grid(1)
    if t >= games.shape[0] or games[t].phase != OVER:
        return
    players = int64(games[t].players)
    cuda.atomic.add(tally, 0, 1)
    cuda.atomic.add(tally, 1, int64(games[t].round_number))
    for seat in range(players):
        cuda.atomic.add(tally, 2, int64(games[t].score[seat]))
    cuda.atomic.add(tally, 3, players)
    finish_game(games, counters, config[t, 0], config[t, 1], seed, config[t, 2], ring, t)
