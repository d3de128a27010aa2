"""What matches and tournaments have in common: who plays, how many games, and from which seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import azulejos
from azulejos.arena.game_task import MAX_ROUNDS, GameTask, derived_seed
from azulejos.game.arguments import MAX_SEED, check_whole
from azulejos.game.view import WALLS, Wall
from azulejos.players.player import Limits

MOST_GAMES: Final = 10_000_000
"""More than this is a slip of the finger."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that decides how games go."""

    kind: ClassVar[str]
    """What the plan is for: a match or a tournament."""

    specs: tuple[str, ...]
    """The contestants, as the registry of players names them."""
    games: int = 100
    """Rounded up to whole pairs, or groups of rotations."""
    players: int = 2
    """Seats at the table."""
    wall: Wall = "std"
    """The colored wall or the gray one."""
    seed: int = 0
    """What all deals and all players' seeds follow from."""
    limits: Limits = field(default_factory=Limits)
    """How long each move may be thought about."""

    def __post_init__(self) -> None:
        check_whole("players", self.players, 2, 4)
        check_whole("games", self.games, 1, MOST_GAMES)
        check_whole("seed", self.seed, 0, MAX_SEED)
        if self.wall not in WALLS:
            raise ValueError(f"wall must be 'std' or 'gray', not {self.wall!r}")

    @property
    def whole_pairs(self) -> int:
        """How many deals are played, each once with every rotation of the seats."""
        return -(-self.games // self.players)

    def task(self, event: str, pair: int, rotation: int, seats: tuple[int, ...]) -> GameTask:
        """One game; its deals follow from the seed and the number of the pair."""
        copies = [seats[:seat].count(contestant) for seat, contestant in enumerate(seats)]
        return GameTask(
            pair=pair,
            rotation=rotation,
            seats=seats,
            specs=tuple(self.specs[contestant] for contestant in seats),
            player_seeds=tuple(derived_seed(self.seed, *which) for which in zip(seats, copies, strict=True)),
            seed=(self.seed + pair) % (MAX_SEED + 1),
            wall=self.wall,
            limits=self.limits,
            event=event,
        )

    def json(self) -> dict[str, Any]:
        """The plan as plain data for JSON."""
        return {
            "kind": self.kind,
            "version": azulejos.__version__,
            "specs": list(self.specs),
            "games": self.games,
            "players": self.players,
            "wall": self.wall,
            "seed": self.seed,
            "nodes": self.limits.nodes,
            "milliseconds": self.limits.milliseconds,
            "max_rounds": MAX_ROUNDS,
        }


def rotations(contestants: Sequence[int]) -> list[tuple[int, ...]]:
    """Every contestant on every seat once, always with the same neighbors.

    >>> rotations([5, 6, 7])
    [(5, 6, 7), (7, 5, 6), (6, 7, 5)]
    """
    count = len(contestants)
    return [tuple(contestants[(seat - shift) % count] for seat in range(count)) for shift in range(count)]
