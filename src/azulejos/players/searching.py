"""The searching players: `search` thinks by hand-made rules of thumb, `net` with the network where there is one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from azulejos.game.game import Game
from azulejos.game.moves import MOVES
from azulejos.game.view import Wall
from azulejos.net.choice import network_for
from azulejos.net.inference import Inference, WeightsError, read_weights
from azulejos.players.player import Choice, Limits, check_can_choose
from azulejos.players.registry import read_options
from azulejos.search.batches import BATCH
from azulejos.search.cache import ROWS
from azulejos.search.evaluators import ByHand, ByNetwork
from azulejos.search.report import Candidate, Report, draw
from azulejos.search.searcher import TRUSTED_SHARE, Evaluator, Searcher
from azulejos.search.tree import MOST_EDGES

DEFAULT_MILLISECONDS = 1000
"""How long it thinks if nobody sets a limit."""
MOST_NODES = 2_000_000
"""Looks at no more positions than this, whatever it is told."""
ROOM_PER_THREAD = 200_000
"""Nodes that a tree has room for where no limit of nodes is known; room that is not used takes no memory."""
MOST_KINDS = 2
"""Kinds of games, by players and wall, for which a player that thinks by the clock keeps its trees and answers: some
hundred MB each at the most."""
ROWS_PER_NODE = 64
"""Answers of the network that are remembered for each position of a limit: so many that few take each other's place."""
MOST_THREADS = 256
"""More threads than this are a mistake."""

EvaluatorFor = Callable[[int, Wall, int], Evaluator]
"""From players, wall and seed to an evaluator."""


class SearchingPlayer:
    """Looks ahead to the end of the round and values what it finds there.

    With a `temperature` it chooses among good moves by lot: with 1 each as often as the search looked at it, with less
    the best ones more often; and it does not solve the ends of rounds.
    """

    def __init__(
        self,
        name: str,
        evaluator_for: EvaluatorFor,
        seed: int,
        *,
        nodes: int | None = None,
        temperature: float = 0.0,
        threads: int = 1,
        solve: bool = True,
        trusted: float = TRUSTED_SHARE,
        halving: int | None = None,
        settled: bool = False,
        last_rounds_by_hand: frozenset[tuple[int, Wall]] = frozenset(),
    ) -> None:
        self.name = name
        """How tables and records call it."""
        self._evaluator_for = evaluator_for
        self._seed, self._random = seed, Random(seed)
        self._nodes, self._temperature, self._threads = nodes, temperature, threads
        self._solve, self._trusted = solve and temperature == 0, trusted
        self._halving = halving if temperature == 0 else 0
        self._settled = settled
        self._last_rounds_by_hand, self._hand = last_rounds_by_hand, ByHand(seed)
        self._searchers: dict[tuple[int, Wall, bool], Searcher] = {}
        self._kinds: list[tuple[int, Wall]] = []
        self._searcher(2, "std")

    def _searcher(self, players: int, wall: Wall, last_round: bool = False) -> Searcher:
        """The searcher for such games, made when first needed; a first short search has everything compiled."""
        if self._nodes is None and not last_round:
            self._forget_others(players, wall)
        if (players, wall, last_round) not in self._searchers:
            evaluator_for = by_hand if last_round else self._evaluator_for
            evaluators = [evaluator_for(players, wall, self._seed + at) for at in range(self._threads)]
            room = min(ROOM_PER_THREAD * self._threads, MOST_NODES) if self._nodes is None else 2 * self._nodes + 1000
            searcher = Searcher(evaluators, room, solve=self._solve, trusted=self._trusted, halving=self._halving)
            for phase_end in (False, True):
                searcher.search(_short_game(players, wall, phase_end).states, nodes=2)
            self._searchers[players, wall, last_round] = searcher
            if not last_round and (players, wall) in self._last_rounds_by_hand:
                self._leaves_to_the_hand(Game(players, wall))
                self._searcher(players, wall, last_round=True)
        return self._searchers[players, wall, last_round]

    def _forget_others(self, players: int, wall: Wall) -> None:
        """Keep only the kinds of games that were searched last, this one among them."""
        kept = [kind for kind in self._kinds if kind != (players, wall)][1 - MOST_KINDS :]
        self._kinds = [*kept, (players, wall)]
        self._searchers = {key: searcher for key, searcher in self._searchers.items() if key[:2] in self._kinds}

    def begin(self, seed: int) -> None:
        """Start a game: what follows depends on nothing before it."""
        self._random.seed(seed)

    def choose(self, game: Game, limits: Limits, **options: Any) -> Choice:
        """The move most looked at, or one nearly as good; `options` as for `search`."""
        report = self.search(game, limits, **options)
        chosen = self._soften(report) if self._temperature else report.best
        how = "solved to the end of the round" if report.solved else f"{report.depth} deep"
        return Choice(MOVES[chosen.action], chosen.win, chosen.margin[game.turn], f"{report.nodes} positions, {how}")

    def search(self, game: Game, limits: Limits, **options: Any) -> Report:
        """Everything the search found; `options` as for `Searcher.search`."""
        check_can_choose(game)
        nodes = min(self._nodes or MOST_NODES, limits.nodes or MOST_NODES)
        milliseconds = limits.milliseconds
        if milliseconds is None and nodes == MOST_NODES:
            milliseconds = DEFAULT_MILLISECONDS
        seconds = None if milliseconds is None else milliseconds / 1000
        last_round = nodes == MOST_NODES and self._leaves_to_the_hand(game)
        searcher = self._searcher(game.players, game.wall, last_round)
        return searcher.search(game.states, nodes=nodes, seconds=seconds, **{"settled": self._settled, **options})

    def _leaves_to_the_hand(self, game: Game) -> bool:
        """Whether the round is searched by hand because it will be the last: positions are cheap then, and exact."""
        return (game.players, game.wall) in self._last_rounds_by_hand and self._hand.expects_the_end(game.states)

    def _soften(self, report: Report) -> Candidate:
        visits = np.array([candidate.visits for candidate in report.candidates], np.int32)
        return report.candidates[draw(visits, self._temperature, self._random.random())]

    def close(self) -> None:
        """Let go of the trees."""
        self._searchers.clear()


def _short_game(players: int, wall: Wall, round_ends: bool) -> Game:
    """A game at its beginning, or so near the end of a round that it will be solved."""
    game = Game(players, wall, seed=0)
    while round_ends and sum(map(sum, (game.view.center, *game.view.displays))) > 2:
        game.play(game.legal_moves[0])
    return game


def by_hand(_players: int, _wall: Wall, seed: int, **tuning: float) -> Evaluator:
    """Hand-made rules of thumb."""
    return ByHand(seed, **tuning)


NET_AT_TABLES: Final[dict[tuple[int, Wall], dict[str, float]]] = {
    (2, "std"): {"deals": 8},
    (2, "gray"): {"endings": 0.5},
    (3, "std"): {"endings": 0.9, "deals": 8},
    (4, "std"): {"endings": 0.9, "deals": 8},
    (3, "gray"): {"playouts": 0.5, "endings": 0.9},
    (4, "gray"): {"playouts": 0.5, "endings": 0.9},
}
"""Tuning of `net` at the tables where matches have shown that it helps: how much a playout by hand counts beside the
network, one to the end of a round and one to the end of the game, and after how many deals the solver asks it."""


LAST_ROUNDS_BY_HAND: Final[frozenset[tuple[int, Wall]]] = frozenset({(3, "gray"), (4, "gray")})
"""Tables where `net` searches the last round by hand if time is the limit."""


def by_network(
    players: int, wall: Wall, seed: int, weights: Path | None = None, nodes: int | None = None, **tuning: float
) -> Evaluator:
    """The network, or rules of thumb where there is none for such games; a file that is named must be weights.

    A limit of nodes limits the memory for its answers.
    """
    tuning = {**NET_AT_TABLES.get((players, wall), {}), **tuning}
    rows = ROWS if nodes is None else min(ROWS, 1 << (ROWS_PER_NODE * nodes - 1).bit_length())
    if weights is not None:
        return ByNetwork(Inference(read_weights(weights), players, BATCH), seed, rows=rows, **tuning)
    try:
        return ByNetwork(network_for(players, wall, BATCH), seed, rows=rows, **tuning)
    except WeightsError:
        return ByHand(seed)


def _whole(least: int, most: int) -> Callable[[str], int]:
    """A reader of whole numbers in this range."""

    def read(text: str) -> int:
        if not least <= int(text) <= most:
            raise ValueError(f"expected a number from {least} to {most}")
        return int(text)

    return read


def _number(most: float) -> Callable[[str], float]:
    """A reader of numbers from 0 to this."""

    def read(text: str) -> float:
        if not 0 <= float(text) <= most:  # false for what is not a number, too
            raise ValueError(f"expected a number from 0 to {most:g}")
        return float(text)

    return read


def _yes_or_no(text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError("expected yes or no")
    return text == "yes"


TUNING: dict[str, Callable[[str], object]] = {"exploration": _number(100), "fpu": _number(1)}
"""Constants of the search that a spec may set, and how they are read."""
NET_TUNING: dict[str, Callable[[str], object]] = {
    **TUNING,
    "weights": Path,
    "playouts": _number(1),
    "endings": _number(1),
    "deals": _whole(0, 1000),
    "handover": _yes_or_no,
}
"""Options of `net` that tune its search, and how each is read."""
OPTIONS: dict[str, Callable[[str], object]] = {
    "nodes": _whole(1, MOST_NODES),
    "temperature": _number(100),
    "threads": _whole(1, MOST_THREADS),
    "solve": _yes_or_no,
    "trusted": _number(1),
    "halving": _whole(0, MOST_EDGES),
    "settled": _yes_or_no,
}
"""What a spec may say, and how it is read."""


def _make(name: str, evaluator: Callable[..., Evaluator], rest: str, seed: int) -> SearchingPlayer:
    allowed = NET_TUNING if evaluator is by_network else TUNING
    rest = rest.replace("heat=", "temperature=").replace("reduction=", "fpu=")  # what they were called once
    options: dict[str, Any] = read_options(rest, OPTIONS | allowed, name)
    tuning = {option: options.pop(option) for option in allowed if option in options}
    if evaluator is by_network and tuning.pop("handover", True):
        options["last_rounds_by_hand"] = LAST_ROUNDS_BY_HAND
    if evaluator is by_network:
        tuning["nodes"] = options.get("nodes")
    return SearchingPlayer(name, partial(evaluator, **tuning), seed, **options)


def make(rest: str, seed: int) -> SearchingPlayer:
    """The player `search`.

    `nodes=` limits every move, `temperature=` softens the choice, `threads=` is how many grow the tree together,
    `solve=no` leaves the solver out; `exploration=`, `fpu=` (first-play urgency) and `trusted=` tune the selection and
    the choice at the root, `halving=` is the number of moves compared there by sequential halving, 0 for none, and
    `settled=yes` goes by what best replies make of a move instead of means.
    """
    return _make("search", by_hand, rest, seed)


def make_net(rest: str, seed: int) -> SearchingPlayer:
    """The player `net`, with the options of `search`, `weights=` for a file of weights of your own, and
    `playouts=` for the share that a playout by hand has in the value of a leaf, `endings=` for one that ends the game;
    `deals=` is after how many deals the solver asks the network, and `handover=no` keeps last rounds from the search by
    hand.
    """
    return _make("net", by_network, rest, seed)
