"""What matches and tournaments have in common: who plays, how many games, and from which seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, ClassVar, Final

import azulejos
from azulejos.arena.game_task import MAX_ROUNDS, GameTask, derived_seed
from azulejos.game.arguments import MAX_SEED, check_whole
from azulejos.game.view import WALLS, Wall
from azulejos.players.player import Limits
from azulejos.players.python_player import Chooser, as_player

MOST_GAMES: Final = 10_000_000
"""More than this is a slip of the finger."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that decides how games go."""

    kind: ClassVar[str]
    """What the plan is for: a match or a tournament."""

    specs: tuple[str | Chooser, ...]
    """The contestants: as the registry of players names them, or objects that have a method `choose`."""
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
        _ = self.names  # raises a ValueError for what is no player
        check_whole("players", self.players, 2, 4)
        check_whole("games", self.games, 1, MOST_GAMES)
        check_whole("seed", self.seed, 0, MAX_SEED)
        if self.wall not in WALLS:
            raise ValueError(f"wall must be 'std' or 'gray', not {self.wall!r}")

    @property
    def names(self) -> tuple[str, ...]:
        """What the contestants are called: by their specs; objects by their own names, numbered where these are taken.

        >>> from azulejos.players import make
        >>> Plan(("greedy", make("greedy"), make("random"))).names
        ('greedy', 'greedy 2', 'random')
        """
        taken = {spec for spec in self.specs if isinstance(spec, str)}
        names = []
        for spec in self.specs:
            if not isinstance(spec, str):
                own = as_player(spec).name
                numbered = (f"{own} {number}" if number > 1 else own for number in count(1))
                taken.add(spec := next(name for name in numbered if name not in taken))
            names.append(spec)
        return tuple(names)

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
            specs=tuple(self.names[contestant] for contestant in seats),
            objects=self._objects(seats),
            player_seeds=tuple(derived_seed(self.seed, *which) for which in zip(seats, copies, strict=True)),
            seed=(self.seed + pair) % (MAX_SEED + 1),
            wall=self.wall,
            limits=self.limits,
            event=event,
        )

    def _objects(self, seats: tuple[int, ...]) -> tuple[Chooser | None, ...]:
        objects = [None if isinstance(spec, str) else spec for spec in self.specs]
        return tuple(objects[contestant] for contestant in seats) if any(one is not None for one in objects) else ()

    def json(self) -> dict[str, Any]:
        """The plan as plain data for JSON."""
        return {
            "kind": self.kind,
            "version": azulejos.__version__,
            "specs": list(self.names),
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
