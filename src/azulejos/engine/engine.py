"""The engine without words: a position, options, and thinking in the background that tells callbacks what it finds."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from threading import Event, Lock, Thread
from typing import Final, TypeVar

from azulejos.engine.fault import CannotObey, quoted
from azulejos.game.arguments import MAX_SEED
from azulejos.game.game import Game
from azulejos.game.refusal import refuse
from azulejos.game.view import Wall
from azulejos.players import registry
from azulejos.players.player import Limits, PlayerFailed
from azulejos.players.searching import SearchingPlayer
from azulejos.rules.perft import perft
from azulejos.search.searcher import Report

Result = TypeVar("Result")
"""What a search answers."""
Failed = Callable[[Exception], None]
"""Called with what went wrong."""

DEEPEST_PERFT: Final = 12
"""The deepest tree that is counted."""
UNINTERRUPTED_DEPTH: Final = 3
"""Perft of so many moves takes milliseconds; only between such pieces it looks whether to stop."""
FOREVER: Final = Limits(milliseconds=10**12)
"""The limits of `go infinite`: some thirty years."""


@dataclass(frozen=True, slots=True)
class Option:
    """A whole number that can be set."""

    name: str
    """As `setoption` names it."""
    default: int
    """Its value at the start."""
    low: int
    """The lowest value allowed."""
    high: int
    """The highest value allowed."""


OPTIONS: Final = (
    Option("Threads", 1, 1, os.cpu_count() or 1),
    Option("MultiPV", 1, 1, 20),
    Option("Seed", 0, 0, MAX_SEED),
)
"""What can be set, beside the player."""
PLAYERS: Final = ("net", "search")
"""Who can think: `net` is the strongest there is, and searches by hand where it has no network for the game."""


class Engine:
    """A searching player with a position of its own, which thinks while its owner does something else.

    >>> engine = Engine("search:nodes=50")
    >>> engine.set_up(Game(seed=1, starter=0))
    >>> answers = []
    >>> engine.go(Limits(nodes=10), news=lambda report: None, done=answers.append, failed=answers.append)
    >>> engine.wait()
    >>> answers[0].nodes
    10
    >>> engine.close()
    """

    def __init__(self, spec: str = PLAYERS[0]) -> None:
        self._spec = spec
        self.players: Final = tuple(dict.fromkeys((spec, *PLAYERS)))
        """Whom `set_player` knows, the one to begin with first."""
        self._values = {option.name: option.default for option in OPTIONS}
        self._player = searching_player(spec, self._values["Seed"])
        self._ready: set[tuple[int, Wall]] = set()
        self._lock = Lock()
        self._stop = Event()
        self._thinking = False
        self._thread: Thread | None = None
        self._game = fresh_game()

    @property
    def thinking(self) -> bool:
        """Whether an answer is still to come."""
        with self._lock:
            return self._thinking

    @property
    def game(self) -> Game:
        """The position to think about."""
        return self._game

    def set_up(self, game: Game) -> None:
        """Take another position, and make ready for games of its kind so that thinking starts at once."""
        self._game = game
        if (game.players, game.wall) not in self._ready:
            self._player.search(Game(game.players, game.wall, seed=0), Limits(nodes=1))
            self._ready.add((game.players, game.wall))

    def option(self, name: str) -> int:
        """The value of an option."""
        return self._values[name]

    def set_option(self, name: str, value: int) -> None:
        """Change an option, whose name may be written in any case."""
        option = next((option for option in OPTIONS if option.name.lower() == name.lower()), None)
        if option is None:
            expected = ", ".join(["Player", *(option.name for option in OPTIONS)])
            raise CannotObey("no_such_option", f"there is no option {quoted(name)}: expected one of {expected}")
        if not option.low <= value <= option.high:
            text = f"{option.name} must be a whole number from {option.low} to {option.high}, not {value}"
            raise CannotObey("bad_value", text)
        values = {**self._values, option.name: value}
        if option.name in {"Seed", "Threads"} and values != self._values:
            self._replace_player(self._spec, values)
        self._values = values

    def set_player(self, spec: str) -> None:
        """Have another player think, one of `players`."""
        if spec not in self.players:
            raise CannotObey("bad_value", f"there is no player {quoted(spec)}: expected {' or '.join(self.players)}")
        if spec != self._spec:
            self._replace_player(spec, self._values)

    def _replace_player(self, spec: str, values: dict[str, int]) -> None:
        more = f"{',' if ':' in spec else ':'}threads={values['Threads']}" if values["Threads"] > 1 else ""
        player = searching_player(spec + more, values["Seed"])
        self._player.close()
        self._player, self._spec = player, spec
        self._ready.clear()
        self.set_up(self._game)

    def go(
        self,
        limits: Limits | None,
        *,
        news: Callable[[Report], None],
        done: Callable[[Report], None],
        failed: Failed,
    ) -> None:
        """Think about the position within limits, or for None until `stop`; the callbacks come from another thread."""
        check_can_think(self._game)
        self._begin(partial(self._think, limits, news), done, failed)

    def perft(self, depth: int, *, done: Callable[[int], None], failed: Failed) -> None:
        """Count the leaves of the tree of legal moves in the background."""
        if not 0 <= depth <= DEEPEST_PERFT:
            text = f"the depth must be a whole number from 0 to {DEEPEST_PERFT}, not {depth}"
            raise CannotObey("bad_arguments", text)
        self._begin(partial(self._count, self._game.copy(), depth), done, failed)

    def stop(self) -> None:
        """Have the answer now; without effect when not thinking."""
        self._stop.set()

    def wait(self) -> None:
        """Wait for the answer."""
        if self._thread:
            self._thread.join()

    def close(self) -> None:
        """Stop thinking and let go of the player."""
        self.stop()
        self.wait()
        self._player.close()

    def _begin(self, work: Callable[[], Result], done: Callable[[Result], None], failed: Failed) -> None:
        if self.thinking:
            raise CannotObey("busy", "thinking already")
        self._stop.clear()
        self._thinking = True
        self._thread = Thread(target=self._run, args=(work, done, failed), daemon=True)
        self._thread.start()

    def _run(self, work: Callable[[], Result], done: Callable[[Result], None], failed: Failed) -> None:
        try:
            answer = partial(done, work())
        except Exception as fault:  # whatever it was, nobody else would tell the caller
            answer = partial(failed, fault)
        with self._lock:  # who sees the answer may ask again at once, and who asks before it was given is refused
            self._thinking = False
            answer()

    def _think(self, limits: Limits | None, news: Callable[[Report], None]) -> Report:
        report = self._player.search(self._game, limits or FOREVER, tell=news, stop=self._stop.is_set)
        if limits is None:
            self._stop.wait()  # a full tree is no reason to answer before being asked
        return report

    def _count(self, game: Game, depth: int) -> int:
        if depth <= UNINTERRUPTED_DEPTH:
            return perft(game.states, depth)
        leaves = 0
        moves = game.legal_moves
        for move in moves:
            if self._stop.is_set():
                raise CannotObey("stopped", "perft was stopped before it had counted all")
            game.play(move)
            leaves += self._count(game, depth - 1)
            game.undo()
        return leaves if moves else 1


def searching_player(spec: str, seed: int = 0) -> SearchingPlayer:
    """The player that a spec names, which has to be one that searches."""
    try:
        player = registry.make(spec, seed)
    except PlayerFailed as fault:
        raise ValueError(str(fault)) from fault
    if not isinstance(player, SearchingPlayer):
        player.close()
        raise ValueError(f"the player {spec!r} does not search: expected one that does, such as 'search'")
    return player


def fresh_game(players: int = 2, wall: Wall = "std") -> Game:
    """A new game before its first deal, which is to be given as a move; seat 1 starts.

    >>> fresh_game().position
    'std -/-/-/-/- F 0:-/-/-/-/-:5/5/5/5/5:- 0:-/-/-/-/-:5/5/5/5/5:- B20Y20R20K20W20 r1 1@1'
    """
    return Game(players, wall, seed=0, starter=0).from_start()


def check_can_think(game: Game) -> None:
    """Raise `CannotObey` where nobody has a move to choose."""
    if not game.legal_moves:
        refusal = refuse("game_over" if game.is_over else "deal_due")
        raise CannotObey(refusal.code, str(refusal))
