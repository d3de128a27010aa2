"""Playing a list of games: those not yet in the folder, by workers, until all are done or enough is known."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from azulejos.arena.game_task import FinishedGame, GameTask, Key
from azulejos.arena.store import Folder
from azulejos.arena.workers import hired, play_all
from azulejos.game.arguments import check_whole
from azulejos.players.player import PlayerFailed
from azulejos.players.registry import make

OnGame = Callable[[FinishedGame], None]
"""Told of every game, also of those found in the folder."""

MOST_WORKERS: Final = 1024
"""More processes than this are refused."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Where games are played and kept; it has no influence on how they go."""

    workers: int | None = None
    """Processes: every core if None; 0 plays in this process."""
    ray: str | None = None
    """Address of a Ray cluster, "auto" or "local", instead of processes."""
    out: Path | None = None
    """The folder to keep games in, and to go on from."""

    def __post_init__(self) -> None:
        if self.workers is not None:
            check_whole("workers", self.workers, 0, MOST_WORKERS)


EVERY_CORE: Final = Setting()
"""As many processes as there are cores, and no folder."""


def check_players(specs: Sequence[str]) -> None:
    """Raise a `ValueError` unless every spec names a player that can be made here.

    Making them also compiles what they need, once instead of in every worker.
    """
    for spec in dict.fromkeys(specs):
        if not spec.isprintable() or not spec:
            raise ValueError(f"cannot read {spec!r} as a player: expected printable text")
        try:
            make(spec).close()
        except PlayerFailed as fault:
            raise ValueError(f"cannot make the player {spec!r}: {fault}") from fault


def run(
    tasks: Sequence[GameTask],
    plan: dict[str, Any],
    setting: Setting,
    on_game: OnGame,
    enough: Callable[[dict[Key, FinishedGame]], bool] = lambda _: False,
) -> dict[Key, FinishedGame]:
    """Play the games that are not yet in the folder; returns all, those found included."""
    finished: dict[Key, FinishedGame] = {}
    with contextlib.ExitStack() as stack:
        folder = None
        if setting.out is not None:
            folder = stack.enter_context(contextlib.closing(Folder(setting.out, plan)))
            for game in folder.finished:
                finished[game.key] = game
                on_game(game)
        missing = [task for task in tasks if task.key not in finished]
        if not missing or enough(finished):
            return finished
        workers = stack.enter_context(hired(setting.workers, setting.ray))
        for played in play_all(missing, workers):
            if folder:
                folder.add(played)
            finished[played.game.key] = played.game
            on_game(played.game)
            if enough(finished):
                workers.close(at_once=True)
                break
    return finished
