"""A turn of self-play in one game, for a processor core and for a kernel's thread alike; and all games in turn.

Everything has a number t, the game's slot. The first half is called for one slot; the second half, for a processor,
goes through all slots. They stand in one file because compiled code is kept by the file it stands in.
"""

from __future__ import annotations

from typing import Any, Final

from azulejos.net.features import write_features
from azulejos.rules.compiled import compiled, int64
from azulejos.rules.state import ACTIONS, DEAL_DUE, MAX_PLAYERS, OVER
from azulejos.rules.supply import deal, start_game
from azulejos.rules.turn import step
from azulejos.search.gumbel import begin_halving, end_halving, halve
from azulejos.search.tree import PENDING, ROOT
from azulejos.search.walk import back_up, descend, expand, final_margin, plant, set_value, win_share

ILLEGAL: Final = -1.0
"""Policy target of an action that was not legal; a sample without a policy has nothing else."""
ABSENT: Final = -1.0
"""Win target of a seat nobody has, and the search's win where there was no search."""
GAME_ON: Final = 0
"""Where a sample stands: its game is on."""
GAME_OVER: Final = 1
"""Where a sample stands: its game is over, and how it ended is known."""
TAKEN: Final = 2
"""Where a sample stands: it has been taken away already."""


@compiled
def begin_game(games: Any, counters: Any, players: int, gray: int, seed: int, round_limit: int, t: int) -> None:
    """A fresh game in a slot, with its first deal."""
    start_game(games[t], players, gray, seed, counters[t], -1, round_limit)
    deal(games[t])


@compiled
def take_in(
    states: Any,
    nodes: Any,
    edges: Any,
    trees: Any,
    leaves: Any,
    logits: Any,
    outcome: Any,
    row: int,
    logs: Any,
    noise: Any,
    softness: float,
    candidates: int,
    t: int,
) -> None:
    """Take in what the network says of a leaf, in its row of the answers; at the root, choose the moves to compare."""
    node = int64(leaves[t].node)
    set_value(states, nodes, t, node, outcome, row)
    expand(states, nodes, edges, trees, t, node, logits, row, 0.0)
    if node == ROOT:
        begin_halving(nodes, edges, logs, noise, softness, candidates, t)


@compiled
def note(games: Any, x: Any, policy: Any, seats: Any, done: Any, at: int, t: int) -> None:
    """Begin a sample with the position of a game, and no policy yet."""
    write_features(games[t], x[at, t])
    seats[at, t] = games[t].seat
    done[at, t] = GAME_ON
    for action in range(ACTIONS):
        policy[at, t, action] = ILLEGAL


@compiled
def note_search(games: Any, nodes: Any, edges: Any, roots: Any, policy: Any, search_win: Any, at: int, t: int) -> None:
    """What the search says of the position: a better policy, and each turn's share of the victory under it."""
    count = int64(nodes[t, ROOT].count)
    weight = 0.0
    for edge in range(count):
        policy[at, t, edges[t, edge].action] = edges[t, edge].prior
        weight += edges[t, edge].prior if edges[t, edge].visits > 0 else 0.0
    players = int64(games[t].players)
    for turn in range(MAX_PLAYERS):
        search_win[at, t, turn] = ABSENT
        if turn < players and weight > 0.0:
            seat = (int64(games[t].seat) + turn) % players
            total = 0.0
            for edge in range(count):
                if edges[t, edge].visits > 0:
                    total += edges[t, edge].prior * roots[t, edge, 0, seat] / edges[t, edge].visits
            search_win[at, t, turn] = total / weight


@compiled
def play_move(
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
    t: int,
) -> None:
    """Note the root as a sample and play the best of its moves that are left.

    A position before a deal is a sample without a policy; the search thinks of it what it thinks after the deal.
    """
    at = int64(cursor[t]) % x.shape[0]
    note(games, x, policy, seats, done, at, t)
    best = end_halving(nodes, edges, logs, noise, visit_offset, value_scale, t)
    note_search(games, nodes, edges, roots, policy, search_win, at, t)
    if plies[t] == 0 and games[t].round_number > 1:  # what is thought of a deal is thought of the position before it
        before = (int64(cursor[t]) - 1) % x.shape[0]
        for turn in range(MAX_PLAYERS):
            search_win[before, t, turn] = search_win[at, t, turn]
    step(games[t], int64(edges[t, best].action))
    cursor[t] += 1
    plies[t] += 1
    if games[t].phase == DEAL_DUE:
        at = int64(cursor[t]) % x.shape[0]
        note(games, x, policy, seats, done, at, t)
        for turn in range(MAX_PLAYERS):
            search_win[at, t, turn] = ABSENT
        cursor[t] += 1
        plies[t] = 0
        deal(games[t])


@compiled
def give_outcome(games: Any, win: Any, margin: Any, seats: Any, done: Any, begun: Any, cursor: Any, t: int) -> None:
    """Give the samples of a finished game, as far as they are still there, how it ended."""
    players = int64(games[t].players)
    first = max(int64(begun[t]), int64(cursor[t]) - win.shape[0])
    for entry in range(first, int64(cursor[t])):
        at = entry % win.shape[0]
        for turn in range(MAX_PLAYERS):
            win[at, t, turn] = ABSENT
            margin[at, t, turn] = 0.0
            if turn < players:
                seat = (int64(seats[at, t]) + turn) % players
                win[at, t, turn] = win_share(games[t], seat)
                margin[at, t, turn] = final_margin(games[t], seat)
        done[at, t] = GAME_OVER
    begun[t] = cursor[t]


@compiled
def finish_game(
    games: Any,
    counters: Any,
    players: int,
    gray: int,
    seed: int,
    round_limit: int,
    win: Any,
    margin: Any,
    seats: Any,
    done: Any,
    begun: Any,
    cursor: Any,
    plies: Any,
    t: int,
) -> None:
    """Give a finished game's samples their outcome and start the slot's next game."""
    give_outcome(games, win, margin, seats, done, begun, cursor, t)
    plies[t] = 0
    counters[t] += games.shape[0]
    begin_game(games, counters, players, gray, seed, round_limit, t)


@compiled
def begin_games(games: Any, counters: Any, players: int, gray: int, seed: int, round_limit: int) -> None:
    """A fresh game in every slot."""
    for t in range(games.shape[0]):
        begin_game(games, counters, players, gray, seed, round_limit, t)


@compiled
def plant_all(games: Any, states: Any, nodes: Any, trees: Any, roots: Any) -> None:
    """A new tree from every game."""
    for t in range(games.shape[0]):
        plant(states, nodes, trees, roots, t, games[t])


@compiled
def walk_all_down(
    states: Any,
    nodes: Any,
    edges: Any,
    trees: Any,
    roots: Any,
    leaves: Any,
    x: Any,
    rows: Any,
    exploration: float,
    reduction: float,
) -> int:
    """One leaf of every tree; the features of those to be valued in the first rows of `x`; returns how many there are.

    `rows[t]` is the row of tree t, or -1 where the value was known and has been taken in.
    """
    found = 0
    for t in range(trees.shape[0]):
        descend(states, nodes, edges, trees, leaves, t, t, exploration, reduction)
        if nodes[t, int64(leaves[t].node)].kind == PENDING:
            write_features(states[t, int64(leaves[t].node)], x[found])
            rows[t] = found
            found += 1
        else:
            back_up(states, nodes, edges, trees, roots, leaves, t, t)
            rows[t] = -1
    return found


@compiled
def walk_all_up(
    states: Any,
    nodes: Any,
    edges: Any,
    trees: Any,
    roots: Any,
    leaves: Any,
    logits: Any,
    outcome: Any,
    rows: Any,
    logs: Any,
    noise: Any,
    softness: float,
    candidates: int,
) -> None:
    """Take in the network's answers."""
    for t in range(trees.shape[0]):
        row = int64(rows[t])
        if row >= 0:
            take_in(states, nodes, edges, trees, leaves, logits, outcome, row, logs, noise, softness, candidates, t)
            back_up(states, nodes, edges, trees, roots, leaves, t, t)


@compiled
def halve_all(
    nodes: Any, edges: Any, logs: Any, noise: Any, visit_offset: float, value_scale: float, stay: int
) -> None:
    """Let moves drop out at every root."""
    for t in range(nodes.shape[0]):
        halve(nodes, edges, logs, noise, visit_offset, value_scale, stay, t)


@compiled
def play_all_moves(
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
    """A move in every game."""
    root = nodes, edges, roots, logs, noise, visit_offset, value_scale
    for t in range(games.shape[0]):
        play_move(games, *root, plies, x, policy, search_win, seats, done, cursor, t)


@compiled
def finish_all_games(
    games: Any,
    counters: Any,
    players: int,
    gray: int,
    seed: int,
    round_limit: int,
    win: Any,
    margin: Any,
    seats: Any,
    done: Any,
    begun: Any,
    cursor: Any,
    plies: Any,
) -> int:
    """Give finished games' samples their outcome and start new games; returns how many were finished."""
    finished = 0
    for t in range(games.shape[0]):
        if games[t].phase == OVER:
            kind = players, gray, seed, round_limit
            finish_game(games, counters, *kind, win, margin, seats, done, begun, cursor, plies, t)
            finished += 1
    return finished
