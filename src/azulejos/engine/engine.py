"""The engine without words: a position, options, and thinking in the background that tells callbacks what it finds."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from threading import Event, Lock, Thread
from typing import Final, TypeVar

from azulejos.engine.fault import CannotObey, quoted
from azulejos.engine.findings import check_required
from azulejos.game.arguments import MAX_SEED
from azulejos.game.game import Game
from azulejos.game.moves import Move
from azulejos.game.refusal import refuse
from azulejos.game.view import WALLS, Wall
from azulejos.players import registry
from azulejos.players.engine_process import Answer
from azulejos.players.hint import find_hint
from azulejos.players.player import Choice, Limits, Player, PlayerFailed, begin
from azulejos.players.process import ProcessPlayer
from azulejos.players.searching import SearchingPlayer
from azulejos.rules.perft import perft
from azulejos.rules.state import MAX_PLAYERS
from azulejos.search.report import Report

Result = TypeVar("Result")
"""What is worked out in the background."""
News = Callable[[Report | Answer], None]
"""Called with what a search has found so far, or with what a program of others has said."""
Failed = Callable[[Exception], None]
"""Called with what went wrong."""

DEEPEST_PERFT: Final = 12
"""The deepest tree that is counted."""
UNINTERRUPTED_DEPTH: Final = 3
"""Perft of so many moves takes milliseconds; only between such pieces it looks whether to stop."""
FOREVER: Final = Limits(milliseconds=10**12)
"""The limits of `go infinite`: some thirty years."""


@dataclass(frozen=True, slots=True)
class EngineOption:
    """A whole number that can be set."""

    name: str
    """What `setoption` calls it."""
    default: int
    """The value that the option has at the start."""
    low: int
    """The lowest value allowed."""
    high: int
    """The highest value allowed."""


OPTIONS: Final = (
    EngineOption("Threads", 1, 1, os.cpu_count() or 1),
    EngineOption("MultiPV", 1, 1, 20),
    EngineOption("Seed", 0, 0, MAX_SEED),
)
"""The options that can be set, beside the player."""
DEFAULT_PLAYER: Final = "net"
"""The strongest there is, which searches by hand where it has no network for the game."""
THREADED: Final = ("net", "search")
"""The players that the option `Threads` is for."""


class Engine:
    """A player with a position of its own, which thinks while its owner does something else.

    >>> engine = Engine("search:nodes=50")
    >>> engine.set_up(Game(seed=1, starter=0))
    >>> answers = []
    >>> engine.go(Limits(nodes=10), news=lambda report: None, done=answers.append, failed=answers.append)
    >>> engine.wait()
    >>> answers[0].why
    '10 positions, 3 deep'
    >>> engine.close()
    """

    def __init__(self, spec: str = DEFAULT_PLAYER) -> None:
        self.spec = self._first = spec
        """The player that thinks."""
        self._values = {option.name: option.default for option in OPTIONS}
        self._player = self._make(spec, self._values)
        self._players = {spec: self._player}
        self._ready: set[tuple[str, int, Wall]] = set()
        self._lock = Lock()
        self._stop = Event()
        self._thinking = self._endless = False
        self._thread: Thread | None = None
        self._game = Game.undealt()
        self._is_new = True

    @property
    def players(self) -> list[str]:
        """Players that `set_player` takes as they are named here, the one to begin with first."""
        names = (name for name in registry.names() if not registry.is_of_others(name))
        return list(dict.fromkeys((self._first, *names)))

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
        self._game, self._is_new = game, False
        self._prepare(game.players, game.wall)

    def get_ready(self) -> None:
        """Before the first position make ready for games of every kind: compile what they need, read their networks."""
        if self._is_new:
            self._is_new = False
            for players, wall in product(range(2, MAX_PLAYERS + 1), WALLS):
                self._prepare(players, wall)

    def _prepare(self, players: int, wall: Wall) -> None:
        kind = self.spec, players, wall
        if kind not in self._ready and isinstance(self._player, SearchingPlayer):
            self._player.search(Game(players, wall, seed=0), Limits(nodes=1))
            self._ready.add(kind)

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
            player = self._make(self.spec, values)
            self._close_players()
            self._players = {self.spec: player}
            self._ready.clear()
            self._take(self.spec)
        self._values = values

    def set_player(self, spec: str) -> None:
        """Have another player think: any that is registered, but no code of others that was not there at the start."""
        if registry.is_of_others(spec) and spec != self._first:
            raise CannotObey("bad_value", f"cannot have {quoted(spec)} play: no other program is started on demand")
        if spec not in self._players:
            self._players[spec] = self._make(spec, self._values)
        self._take(spec)

    def _make(self, spec: str, values: dict[str, int]) -> Player:
        name, _, rest = spec.partition(":")
        if name in THREADED and values["Threads"] > 1:
            spec = f"{name}:{rest},threads={values['Threads']}"
        try:
            return registry.make(spec, values["Seed"])
        except (ValueError, PlayerFailed) as fault:
            raise CannotObey("bad_value", str(fault)) from fault

    def _take(self, spec: str) -> None:
        self.spec, self._player = spec, self._players[spec]
        self._prepare(self._game.players, self._game.wall)

    def _close_players(self) -> None:
        for player in self._players.values():
            player.close()

    def go(
        self,
        limits: Limits | None,
        *,
        seed: int | None = None,
        required: Sequence[Move] = (),
        news: News,
        done: Callable[[Choice], None],
        failed: Failed,
    ) -> None:
        """Think about the position within limits, or for None until `stop`; the callbacks come from another thread.

        With a seed what the player chooses by lot depends on this number and not on what it chose before. The moves
        that are required are looked at whatever the search thinks of them.
        """
        check_can_think(self._game)
        self._check_required(required, limits)
        self._begin(partial(self._think, limits, seed, required, news), done, failed, endless=limits is None)

    def _check_required(self, required: Sequence[Move], limits: Limits | None) -> None:
        if required and limits is None:
            text = "searchmoves needs a search that ends, since it gets its share of that: expected nodes or movetime"
            raise CannotObey("bad_arguments", text)
        check_required(self._player, self._game, required)

    def hint(self, *, news: News, done: Callable[[Choice], None], failed: Failed) -> None:
        """Look for a hint in the background."""
        check_can_think(self._game)
        if not isinstance(self._player, SearchingPlayer):
            raise CannotObey("bad_value", f"the player {quoted(self.spec)} does not search")
        self._begin(partial(find_hint, self._player, self._game, news, self._stop.is_set), done, failed)

    def perft(self, depth: int, *, done: Callable[[int], None], failed: Failed) -> None:
        """Count the leaves of the tree of legal moves in the background."""
        if not 0 <= depth <= DEEPEST_PERFT:
            text = f"the depth must be a whole number from 0 to {DEEPEST_PERFT}, not {depth}"
            raise CannotObey("bad_arguments", text)
        self._begin(partial(self._count, self._game.copy(), depth), done, failed, endless=True)

    def stop(self) -> None:
        """Have the answer now; without effect when not thinking."""
        self._stop.set()

    def wait(self) -> None:
        """Wait for the answer."""
        if self._thread:
            self._thread.join()

    def finish(self) -> None:
        """Wait for an answer that comes by itself in time; have any other one now."""
        if self._endless:
            self.stop()
        self.wait()

    def close(self) -> None:
        """Stop thinking and let go of the players."""
        self.stop()
        self.wait()
        self._close_players()

    def _begin(
        self, work: Callable[[], Result], done: Callable[[Result], None], failed: Failed, *, endless: bool = False
    ) -> None:
        if self.thinking:
            raise CannotObey("busy", "thinking already")
        self._stop.clear()
        self._thinking, self._endless = True, endless
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

    def _think(self, limits: Limits | None, seed: int | None, required: Sequence[Move], news: News) -> Choice:
        player = self._player
        if seed is not None:
            begin(player, seed)
        if isinstance(player, SearchingPlayer):
            actions = [move.id for move in required]
            analysis = {"settled": True} if limits is None else {}  # nobody plays: first is what a review says
            choice = player.choose(
                self._game, limits or FOREVER, required=actions, tell=news, stop=self._stop.is_set, **analysis
            )
        elif isinstance(player, ProcessPlayer):  # it does not hear stop either
            answer = player.ask(self._game.copy(), limits or Limits(), self.option("MultiPV"), required)
            news(answer)
            choice = answer.choice
        else:  # it does not hear stop, and takes its own time
            choice = player.choose(self._game.copy(), limits or Limits())
        if limits is None:
            self._stop.wait()  # a full tree is no reason to answer before being asked
        return choice

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


def check_can_think(game: Game) -> None:
    """Raise `CannotObey` where nobody has a move to choose."""
    if not game.legal_moves:
        refusal = refuse("game_over" if game.is_over else "deal_due")
        raise CannotObey(refusal.code, str(refusal))
