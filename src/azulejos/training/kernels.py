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
from azulejos.search.tree import PENDING
from azulejos.search.walk import back_up, descend, plant
from azulejos.training.turns import begin_game, finish_game, play_move, take_in


@cuda.jit
def start_games(games: Any, counters: Any, config: Any, cursor: Any, begun: Any, seed: int) -> None:
    """A fresh game in every slot."""
    t = cuda.grid(1)
    if t < games.shape[0]:
        counters[t] = t
        begin_game(games, counters, config[t, 0], config[t, 1], seed, config[t, 2], t)
        cursor[t] = 0
        begun[t] = 0


@cuda.jit
def plant_trees(games: Any, states: Any, nodes: Any, trees: Any, roots: Any) -> None:
    """A new tree from every game."""
    t = cuda.grid(1)
    if t < games.shape[0]:
        plant(states, nodes, trees, roots, t, games[t])


@cuda.jit
def walk_down(
    states: Any,
    nodes: Any,
    edges: Any,
    trees: Any,
    leaves: Any,
    x: Any,
    exploration: float,
    reduction: float,
) -> None:
    """One leaf of every tree, and its features in `x[:, t]`."""
    t = cuda.grid(1)
    if t < trees.shape[0]:
        descend(states, nodes, edges, trees, leaves, t, t, exploration, reduction)
        write_features(states[t, leaves[t].node], x[:, t])


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
def walk_up(
    states: Any,
    nodes: Any,
    edges: Any,
    trees: Any,
    roots: Any,
    leaves: Any,
    logits: Any,
    values: Any,
    outcome: Any,
    logs: Any,
    noise: Any,
    softness: float,
    candidates: int,
) -> None:
    """Take in the network's answers."""
    t = cuda.grid(1)
    if t >= trees.shape[0]:
        return
    node = int64(leaves[t].node)
    if nodes[t, node].kind == PENDING:
        _set_outcome(values, int64(states[t, node].players), outcome, t)
        take_in(states, nodes, edges, trees, leaves, logits, outcome, t, logs, noise, softness, candidates, t)
    back_up(states, nodes, edges, trees, roots, leaves, t, t)


@cuda.jit
def halve_roots(
    nodes: Any, edges: Any, logs: Any, noise: Any, visit_offset: float, value_scale: float, stay: int
) -> None:
    """Let moves drop out at every root."""
    t = cuda.grid(1)
    if t < nodes.shape[0]:
        halve(nodes, edges, logs, noise, visit_offset, value_scale, stay, t)


@cuda.jit
def play_moves(
    games: Any,
    nodes: Any,
    edges: Any,
    roots: Any,
    logs: Any,
    noise: Any,
    visit_offset: float,
    value_scale: float,
    plies: Any,
    x: Any,
    policy: Any,
    search_win: Any,
    seats: Any,
    done: Any,
    cursor: Any,
) -> None:
    """Note each root as a sample and play the best of its moves."""
    t = cuda.grid(1)
    if t < games.shape[0]:
        root = nodes, edges, roots, logs, noise, visit_offset, value_scale
        play_move(games, *root, plies, x, policy, search_win, seats, done, cursor, t)


@cuda.jit
def finish_games(
    games: Any,
    config: Any,
    counters: Any,
    seed: int,
    win: Any,
    margin: Any,
    seats: Any,
    done: Any,
    cursor: Any,
    begun: Any,
    plies: Any,
    tally: Any,
) -> None:
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
    kind = config[t, 0], config[t, 1], seed, config[t, 2]
    finish_game(games, counters, *kind, win, margin, seats, done, begun, cursor, plies, t)
