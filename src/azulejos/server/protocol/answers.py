"""What the server answers to requests over HTTP, besides `TableInfo`, `Summary` and `Refusal`."""

from __future__ import annotations

from azulejos.server.protocol.position import MessagePart
from azulejos.server.tables.info import Listing, TableInfo


class Created(MessagePart, frozen=True):
    """A new table, and the secrets of its people's seats (none for a computer's)."""

    table: TableInfo
    """The table."""
    secrets: list[str | None]
    """The secret of each seat."""


class LobbyList(MessagePart, frozen=True):
    """The tables of the lobby at which somebody is, the newest first."""

    offered: bool
    """Whether this server has a lobby."""
    now: str
    """When this was so, by the clock by which tables are made."""
    tables: list[Listing]
    """The tables."""


class ClaimedSeat(MessagePart, frozen=True):
    """A seat that was free and is mine now."""

    seat: int
    """The seat."""
    secret: str
    """Its secret, as in the link to a seat."""
