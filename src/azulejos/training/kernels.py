"""CUDA kernels of self-play: one thread a game. They only call the functions that the processor runs too."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba-cuda still asks NumPy for it

from numba import cuda

from azulejos.net.features import write_features
from azulejos.net.inference import MARGIN_UNIT
from azulejos.rules.compiled import int64
from azulejos.rules.state import ACTIONS, DEAL_DUE, MAX_PLAYERS, OVER
from azulejos.rules.supply import deal, draw, start_game
from azulejos.rules.turn import step
from azulejos.search.tree import PENDING, ROOT
from azulejos.search.walk import back_up, descend, expand, final_margin, plant, set_value, win_share

ILLEGAL: Final = -1.0
"""Policy target of an action that was not legal; a sample without a policy has nothing else."""
ABSENT: Final = -1.0
"""Win target of a seat nobody has."""


@cuda.jit
def start_games(games: Any, counters: Any, config: Any, cursor: Any, begun: Any, seed: int) -> None:
    """A fresh game in every slot."""
    t = cuda.grid(1)
    if t < games.shape[0]:
        counters[t] = t
        start_game(games[t], config[t, 0], config[t, 1], seed, t, -1, config[t, 2])
        deal(games[t])
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
    noise: Any,
    noise_share: Any,
) -> None:
    """Take in the network's answers; the root's priors get some noise."""
    t = cuda.grid(1)
    if t >= trees.shape[0]:
        return
    node = int64(leaves[t].node)
    if nodes[t, node].kind == PENDING:
        _set_outcome(values, int64(states[t, node].players), outcome, t)
        set_value(states, nodes, t, node, outcome, t)
        expand(states, nodes, edges, trees, t, node, logits, t, 0.0)
        if node == ROOT and noise_share[t] > 0.0:
            total = 0.0
            for edge in range(nodes[t, ROOT].count):
                total += noise[t, edge]
            for edge in range(nodes[t, ROOT].count):
                mixed = (1.0 - noise_share[t]) * edges[t, edge].prior + noise_share[t] * noise[t, edge] / total
                edges[t, edge].prior = mixed
    back_up(states, nodes, edges, trees, roots, leaves, t, t)


@cuda.jit(device=True)
def _record(games: Any, x: Any, seats: Any, done: Any, at: int, t: int) -> None:
    write_features(games[t], x[at, t])
    seats[at, t] = games[t].seat
    done[at, t] = 0


@cuda.jit
def play_moves(
    games: Any,
    nodes: Any,
    edges: Any,
    roots: Any,
    temperature: float,
    late_temperature: float,
    opening: int,
    plies: Any,
    x: Any,
    policy: Any,
    search_win: Any,
    seats: Any,
    done: Any,
    cursor: Any,
) -> None:
    """Note each root as a sample and play one of its moves, drawn by visits."""
    t = cuda.grid(1)
    if t >= games.shape[0]:
        return
    at = int64(cursor[t]) % x.shape[0]
    _record(games, x, seats, done, at, t)
    for action in range(ACTIONS):
        policy[at, t, action] = ILLEGAL
    count = int64(nodes[t, ROOT].count)
    visits = 0
    most = 0
    for edge in range(count):
        visits += int64(edges[t, edge].visits)
        most = max(most, int64(edges[t, edge].visits))
    heat = temperature if plies[t] < opening else late_temperature
    weight = 0.0
    for edge in range(count):
        policy[at, t, edges[t, edge].action] = edges[t, edge].visits / visits
        weight += math.pow(edges[t, edge].visits / most, 1.0 / heat)
    seat = int64(games[t].seat)
    players = int64(games[t].players)
    for turn in range(players):
        total = 0.0
        for edge in range(count):
            total += roots[t, edge, 0, (seat + turn) % players]
        search_win[at, t, turn] = total / visits
    drawn = weight * draw(games[t], 1 << 24) / float(1 << 24)
    action = int64(edges[t, 0].action)
    for edge in range(count):
        if edges[t, edge].visits > 0:
            action = int64(edges[t, edge].action)
            drawn -= math.pow(edges[t, edge].visits / most, 1.0 / heat)
            if drawn < 0.0:
                break
    step(games[t], action)
    cursor[t] += 1
    plies[t] += 1
    if games[t].phase == DEAL_DUE:
        at = int64(cursor[t]) % x.shape[0]
        _record(games, x, seats, done, at, t)
        for a in range(ACTIONS):
            policy[at, t, a] = ILLEGAL
        search_win[at, t, 0] = -1.0
        cursor[t] += 1
        plies[t] = 0
        deal(games[t])


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
    first = max(int64(begun[t]), int64(cursor[t]) - win.shape[0])
    for entry in range(first, int64(cursor[t])):
        at = entry % win.shape[0]
        for turn in range(MAX_PLAYERS):
            win[at, t, turn] = ABSENT
            if turn < players:
                seat = (int64(seats[at, t]) + turn) % players
                win[at, t, turn] = win_share(games[t], seat)
                margin[at, t, turn] = final_margin(games[t], seat)
        done[at, t] = 1
    cuda.atomic.add(tally, 0, 1)
    cuda.atomic.add(tally, 1, int64(games[t].round_number))
    for seat in range(players):
        cuda.atomic.add(tally, 2, int64(games[t].score[seat]))
    cuda.atomic.add(tally, 3, players)
    begun[t] = cursor[t]
    plies[t] = 0
    counters[t] += games.shape[0]
    start_game(games[t], config[t, 0], config[t, 1], seed, counters[t], -1, config[t, 2])
    deal(games[t])
