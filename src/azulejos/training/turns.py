"""A turn of self-play in one game, for a processor core and for a kernel's thread alike; and all games in turn.

Everything has a number t, the game's slot. The first half is called for one slot; the second half, for a processor,
goes through all slots. They stand in one file because compiled code is kept by the file it stands in.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from azulejos.net.features import write_features
from azulejos.rules.compiled import compiled, int64
from azulejos.rules.state import ACTIONS, DEAL_DUE, MAX_PLAYERS, OVER
from azulejos.rules.supply import deal, start_game
from azulejos.rules.turn import step
from azulejos.search.gumbel import begin_halving, end_halving, halve
from azulejos.search.mcts import back_up, expand, plant, select, set_value
from azulejos.search.tree import PENDING, ROOT
from azulejos.search.utility import final_margin, win_share

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


class Ring(NamedTuple):
    """The last samples of every slot, one game after the other; a slot that is full begins from the front again."""

    x: Any
    """[entry, slot, feature]: the positions."""
    policy: Any
    """[entry, slot, action]: what the search made of the policy."""
    search_win: Any
    """[entry, slot, turn]: what the search thought of each turn's chances."""
    win: Any
    """[entry, slot, turn]: how the game ended."""
    margin: Any
    """[entry, slot, turn]: by how many points."""
    seats: Any
    """[entry, slot]: who acts."""
    done: Any
    """[entry, slot]: `GAME_ON`, `GAME_OVER` or `TAKEN`."""
    cursor: Any
    """[slot]: how many entries were written."""
    begun: Any
    """[slot]: how many of them before the present game."""
    plies: Any
    """[slot]: moves of the round so far."""


@compiled
def begin_game(games: Any, counters: Any, players: int, gray: int, seed: int, round_limit: int, t: int) -> None:
    """A fresh game in a slot, with its first deal."""
    start_game(games[t], players, gray, seed, counters[t], -1, round_limit)
    deal(games[t])


@compiled
def take_in(forest: Any, logits: Any, outcome: Any, comparison: Any, t: int) -> None:
    """Take in what the network says of a leaf; at the root, choose the moves to compare."""
    node = int64(forest.leaves[t].node)
    set_value(forest, t, node, outcome)
    expand(forest, t, node, logits, 0.0)
    if node == ROOT:
        begin_halving(forest, comparison, t)


@compiled
def note(games: Any, ring: Any, at: int, t: int) -> None:
    """Begin a sample with the position of a game, and nothing that the search said yet."""
    write_features(games[t], ring.x[at, t])
    ring.seats[at, t] = games[t].seat
    ring.done[at, t] = GAME_ON
    for action in range(ACTIONS):
        ring.policy[at, t, action] = ILLEGAL
    for turn in range(MAX_PLAYERS):
        ring.search_win[at, t, turn] = ABSENT


@compiled
def note_search(games: Any, forest: Any, ring: Any, at: int, t: int) -> None:
    """What the search says of the position: a better policy, and each turn's share of the victory under it."""
    edges, roots = forest.edges, forest.roots
    count = int64(forest.nodes[t, ROOT].count)
    weight = 0.0
    for edge in range(count):
        ring.policy[at, t, edges[t, edge].action] = edges[t, edge].prior
        weight += edges[t, edge].prior if edges[t, edge].visits > 0 else 0.0
    players = int64(games[t].players)
    for turn in range(MAX_PLAYERS):
        ring.search_win[at, t, turn] = ABSENT
        if turn < players and weight > 0.0:
            seat = (int64(games[t].seat) + turn) % players
            total = 0.0
            for edge in range(count):
                if edges[t, edge].visits > 0:
                    total += edges[t, edge].prior * roots[t, edge, 0, seat] / edges[t, edge].visits
            ring.search_win[at, t, turn] = total / weight


@compiled
def play_move(games: Any, forest: Any, comparison: Any, ring: Any, t: int) -> None:
    """Note the root as a sample and play the best of its moves that are left.

    A position before a deal is a sample without a policy; the search thinks of it what it thinks after the deal.
    """
    length = ring.x.shape[0]
    at = int64(ring.cursor[t]) % length
    note(games, ring, at, t)
    best = end_halving(forest, comparison, t)
    note_search(games, forest, ring, at, t)
    if ring.plies[t] == 0 and games[t].round_number > 1:  # what is thought of a deal, of the position before it, too
        before = (int64(ring.cursor[t]) - 1) % length
        for turn in range(MAX_PLAYERS):
            ring.search_win[before, t, turn] = ring.search_win[at, t, turn]
    step(games[t], int64(forest.edges[t, best].action))
    ring.cursor[t] += 1
    ring.plies[t] += 1
    if games[t].phase == DEAL_DUE:
        note(games, ring, int64(ring.cursor[t]) % length, t)
        ring.cursor[t] += 1
        ring.plies[t] = 0
        deal(games[t])


@compiled
def give_outcome(games: Any, ring: Any, t: int) -> None:
    """Give the samples of a finished game, as far as they are still there, how it ended."""
    players = int64(games[t].players)
    length = ring.x.shape[0]
    first = max(int64(ring.begun[t]), int64(ring.cursor[t]) - length)
    for entry in range(first, int64(ring.cursor[t])):
        at = entry % length
        for turn in range(MAX_PLAYERS):
            ring.win[at, t, turn] = ABSENT
            ring.margin[at, t, turn] = 0.0
            if turn < players:
                seat = (int64(ring.seats[at, t]) + turn) % players
                ring.win[at, t, turn] = win_share(games[t], seat)
                ring.margin[at, t, turn] = final_margin(games[t], seat)
        ring.done[at, t] = GAME_OVER
    ring.begun[t] = ring.cursor[t]


@compiled
def finish_game(
    games: Any, counters: Any, players: int, gray: int, seed: int, round_limit: int, ring: Any, t: int
) -> None:
    """Give a finished game's samples their outcome and start the slot's next game."""
    give_outcome(games, ring, t)
    ring.plies[t] = 0
    counters[t] += games.shape[0]
    begin_game(games, counters, players, gray, seed, round_limit, t)


@compiled
def begin_games(games: Any, counters: Any, players: int, gray: int, seed: int, round_limit: int) -> None:
    """A fresh game in every slot."""
    for t in range(games.shape[0]):
        begin_game(games, counters, players, gray, seed, round_limit, t)


@compiled
def plant_all(games: Any, forest: Any) -> None:
    """A new tree from every game."""
    for t in range(games.shape[0]):
        plant(forest, t, games[t])


@compiled
def select_all(forest: Any, tuning: Any, x: Any, rows: Any) -> int:
    """One leaf of every tree; the features of those to be valued in the first rows of `x`; returns how many there are.

    `rows[t]` is the row of tree t, or -1 where the value was known and has been backed up.
    """
    found = 0
    for t in range(forest.trees.shape[0]):
        select(forest, t, t, tuning)
        node = int64(forest.leaves[t].node)
        if forest.nodes[t, node].kind == PENDING:
            write_features(forest.states[t, node], x[found])
            rows[t] = found
            found += 1
        else:
            back_up(forest, t, t)
            rows[t] = -1
    return found


@compiled
def back_up_all(forest: Any, logits: Any, outcome: Any, rows: Any, comparison: Any) -> None:
    """Take in the network's answers, and back them up."""
    for t in range(forest.trees.shape[0]):
        row = int64(rows[t])
        if row >= 0:
            take_in(forest, logits[row], outcome[row], comparison, t)
            back_up(forest, t, t)


@compiled
def halve_all(forest: Any, comparison: Any, stay: int) -> None:
    """Let moves drop out at every root."""
    for t in range(forest.trees.shape[0]):
        halve(forest, comparison, stay, t)


@compiled
def play_all_moves(games: Any, forest: Any, comparison: Any, ring: Any) -> None:
    """A move in every game."""
    for t in range(games.shape[0]):
        play_move(games, forest, comparison, ring, t)


@compiled
def finish_all_games(games: Any, counters: Any, players: int, gray: int, seed: int, round_limit: int, ring: Any) -> int:
    """Give finished games' samples their outcome and start new games; returns how many were finished."""
    finished = 0
    for t in range(games.shape[0]):
        if games[t].phase == OVER:
            finish_game(games, counters, players, gray, seed, round_limit, ring, t)
            finished += 1
    return finished
