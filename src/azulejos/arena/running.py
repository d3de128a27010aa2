"""Playing a list of games: those not yet in the folder, by workers, until all are done or enough is known."""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from azulejos.arena.game_task import FinishedGame, GameTask, Key
from azulejos.arena.store import Folder
from azulejos.arena.workers import hired, play_all
from azulejos.game.arguments import check_whole
from azulejos.players.player import PlayerFailed
from azulejos.players.python_player import Chooser
from azulejos.players.registry import make

OnGame = Callable[[FinishedGame], None]
"""Told of every game, also of those found in the folder."""

MOST_WORKERS: Final = 1024
"""More processes than this are refused."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Where games are played and kept; it has no influence on how they go."""

    workers: int | None = None
    """Processes: every core if None, or none where a player cannot leave this process; 0 plays in this process."""
    ray: str | None = None
    """Address of a Ray cluster, "auto" or "local", instead of processes."""
    out: Path | None = None
    """The folder to keep games in, and to go on from."""

    def __post_init__(self) -> None:
        if self.workers is not None:
            check_whole("workers", self.workers, 0, MOST_WORKERS)


EVERY_CORE: Final = Setting()
"""As many processes as there are cores, and no folder."""


def check_players(specs: Sequence[str | Chooser]) -> None:
    """Raise a `ValueError` unless every spec names a player that can be made here.

    Making them also compiles what they need, once instead of in every worker.
    """
    for spec in dict.fromkeys(spec for spec in specs if isinstance(spec, str)):
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
        workers = stack.enter_context(hired(_processes(missing, setting), setting.ray))
        for played in play_all(missing, workers):
            if folder:
                folder.add(played)
            finished[played.game.key] = played.game
            on_game(played.game)
            if enough(finished):
                workers.close(at_once=True)
                break
    return finished


def _processes(tasks: Sequence[GameTask], setting: Setting) -> int | None:
    """How many processes: as wished; without a wish none where an object could not be sent to others."""
    named = (pair for task in tasks for pair in zip(task.specs, task.objects, strict=False))
    for name, one in {name: one for name, one in named if one is not None}.items():
        why = "" if setting.workers == 0 and setting.ray is None else _why_bound(one)
        if why and setting.workers is None and setting.ray is None:
            return 0
        if why:
            here = "Setting(workers=0) plays in this one"
            raise ValueError(f"the player {name!r} cannot be sent to other processes: {why}; {here}")
    return setting.workers


def _why_bound(player: Chooser) -> str:
    """Why a player cannot be sent to other processes; nothing if it can be."""
    kind = type(player)
    if kind.__module__ == "__main__":
        return f"the class {kind.__name__!r} is in no module that they could import"
    try:
        pickle.loads(pickle.dumps(player))
    except Exception as fault:  # whatever its own methods raise
        return f"it cannot be pickled: {fault}"
    return ""
