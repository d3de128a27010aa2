"""Words of the protocol that travel in both directions."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

PROTOCOL: Final = 1
"""The version of this protocol; a page that speaks another one is asked to reload."""

Wall: TypeAlias = Literal["std", "gray"]
"""The colored wall, or the gray one."""
SeatKind: TypeAlias = Literal["here", "friend", "computer"]
"""A person at the creator's device, a person who comes by a link, a computer."""
AtZero: TypeAlias = Literal["lose", "computer"]
"""What happens to a seat whose clock has run out: it loses, or a computer plays on for it."""
Emote: TypeAlias = Literal["hello", "thanks", "well_played", "wow", "oops", "thinking", "good_game", "again"]
"""The signs that can be shown."""


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much time a seat has."""

    seconds: int
    """For the whole game."""
    increment: int = 0
    """Seconds added after each move."""
    at_zero: AtZero = "lose"
    """What happens when the time is used up."""
