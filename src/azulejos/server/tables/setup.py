"""How a table is set up: who sits down, at which wall, by which clock."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from azulejos.game.view import Wall
from azulejos.players.levels import SPECS

SeatKind: TypeAlias = Literal["here", "friend", "computer"]
"""A person at the creator's device, a person who comes by a link, a computer."""
AtZero: TypeAlias = Literal["lose", "computer"]
"""What happens to a seat whose clock has run out: it loses, or a computer plays on for it."""
LONGEST_NAME: Final = 24
"""Characters of a name."""
DEFAULT_LEVEL: Final = 2
"""The level of a computer if nobody says which."""
SUBSTITUTE_LEVEL: Final = 3
"""The level of the computer that plays on for a seat that is away, has resigned or has no time left."""
WATCHING_PACE_MS: Final = 900
"""Between the moves of computers that play among themselves, so that people can follow."""
Name: TypeAlias = Annotated[str, Meta(max_length=LONGEST_NAME)]
"""What a person or a player is called."""
Opponent: TypeAlias = Annotated[int, Meta(ge=1, le=max(SPECS))]
"""The number of a computer to sit down with: a level, or 100 for full strength."""


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """How much time a seat has."""

    seconds: int
    """Seconds for the whole game."""
    increment: int = 0
    """Seconds added after each move."""
    at_zero: AtZero = "lose"
    """What happens when the time is used up."""


class NewSeat(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A seat of a table to be made."""

    kind: SeatKind
    """Who sits there: a person or a computer."""
    name: Name = ""
    """What the person is called."""
    level: Opponent | None = None
    """The level of a computer, or 100 for full strength."""
    player: Name | None = None
    """A computer that is no level: one of those that this server offers, by name."""

    def __post_init__(self) -> None:
        if self.level is not None and self.level not in SPECS:
            raise ValueError(f"there is no level {self.level}")


class Setup(Struct, frozen=True, omit_defaults=True):
    """How a table was set up, as it is stored."""

    wall: Wall
    """The colored wall or the gray one."""
    seats: list[NewSeat]
    """Who sat down, in turn order."""
    starter: int
    """Who starts the first round."""
    clock: Clock | None = None
    """How much time everybody has, if there is a limit."""
    same_tiles: bool = False
    """Whether the tiles of an earlier game are dealt again."""
    previous: str | None = None
    """The table that this one is the rematch of."""
    position: str = ""
    """The position line that the game goes on from; a fresh game without one."""
    hints: bool = True
    """Whether people may take hints; until this could be chosen they always could."""
    open: bool = False
    """Whether it began in the lobby, where anybody may take the seats of friends."""
