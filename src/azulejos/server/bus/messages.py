"""What is told on the bus about a table, and what a bus is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from msgspec import Struct, field

from azulejos.server.protocol.shared import Emote
from azulejos.server.tables.absence import EmptySeat


class Told(Struct, frozen=True, omit_defaults=True, tag_field="type", kw_only=True):
    """Anything that one server tells the others."""

    server: int
    """The number of the server that tells it."""


class Changed(Told, frozen=True, tag="changed"):
    """Something was saved."""

    version: int
    """The version of the table since."""


class Connected(Told, frozen=True, tag="connected"):
    """Who is connected to a server."""

    seats: list[int]
    """The seats of its clients."""
    watchers: int
    """How many of its clients have none."""
    empty: list[EmptySeat] = field(default_factory=list)
    """The seats at which nobody is, as far as it knows."""
    asks: bool = False
    """Whether the others are to say the same of themselves."""


class Shown(Told, frozen=True, tag="shown"):
    """A seat shows a reaction."""

    seat: int
    """Who shows it."""
    emote: Emote
    """The reaction."""


Message: TypeAlias = Changed | Connected | Shown
"""Everything that is told on the bus."""
Hear: TypeAlias = Callable[[str, Message], None]
"""Takes what another server tells about the table with this id."""


class Bus(Protocol):
    """Carries hints between servers; never waits, never fails, and promises nothing."""

    @property
    def is_well(self) -> bool:
        """Whether messages arrive."""
        ...

    def start(self, hear: Hear, back: Callable[[], None]) -> None:
        """Begin to hear what is told about tables that are followed; `back` is called when some may have been lost."""
        ...

    def follow(self, table: str) -> None:
        """Hear from now on what is told about this table."""
        ...

    def leave(self, table: str) -> None:
        """Hear nothing of it any more."""
        ...

    def publish(self, table: str, message: Message) -> None:
        """Tell all other servers that follow this table."""
        ...

    async def close(self) -> None:
        """Tell what waits to be told, and end."""
        ...
