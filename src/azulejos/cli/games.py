"""What `match` and `tournament` have in common: options, and games that are played while a bar shows how far."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import Parameter

from azulejos.cli.options import FAILED, AsJson, RayOption, progress_bar, ray_address
from azulejos.game.view import Wall

if TYPE_CHECKING:
    from azulejos.arena.running import OnGame, Setting
    from azulejos.players.player import Limits


@Parameter(name="*")
@dataclass(frozen=True)
class MatchOptions:
    """What both commands can be told."""

    wall: Wall = "std"
    "std for the colored wall, gray for the gray one."
    nodes: int | None = None
    "How many positions a player may look at for a move."
    milliseconds: int | None = None
    "How long a player may think about a move."
    seed: int = 0
    "The seed of the first deal; each further pair has the next number."
    workers: int | None = None
    "How many processes play; one for every core if not given."
    ray: RayOption = None
    "Play on a Ray cluster: its address, or none to start Ray here. Write it last."
    out: Path | None = None
    "Keep records and results in this folder; the same command again goes on from there."
    as_json: AsJson = False
    "Print JSON."

    def limits(self) -> Limits:
        """How long to think."""
        from azulejos.players.player import Limits

        return Limits(self.nodes, self.milliseconds)

    def setting(self) -> Setting:
        """Where to play."""
        from azulejos.arena.running import Setting

        if self.workers == 0:
            raise ValueError("workers must be a whole number of at least 1, not 0")
        return Setting(self.workers, ray_address(self.ray), self.out)


def check_some(specs: tuple[str, ...]) -> None:
    """Raise unless at least two players are named."""
    if len(specs) < 2:
        raise ValueError(f"{len(specs)} players named: expected at least 2, as in random greedy")


@contextlib.contextmanager
def showing_games(games: int, options: MatchOptions) -> Iterator[OnGame]:
    """A bar on the terminal while games are played; failing workers and Ctrl-C end with a word on what is kept."""
    from azulejos.arena.workers import WorkersFailed

    kept = f"; what is finished is in {str(options.out)!r}, the same command goes on" if options.out else ""
    try:
        with progress_bar() as bar:
            task = bar.add_task("games", total=games)
            yield lambda _: bar.advance(task)
    except WorkersFailed as fault:
        print(f"azulejos: {fault}{kept}", file=sys.stderr)
        sys.exit(FAILED)
    except KeyboardInterrupt:
        print(f"azulejos: stopped{kept}", file=sys.stderr)
        raise
