"""What the server answers to requests over HTTP, besides `TableInfo`, `Summary` and `Refusal`."""

from __future__ import annotations

from azulejos.server.protocol.position import MessagePart
from azulejos.server.tables.info import TableInfo


class Created(MessagePart, frozen=True):
    """A new table, and the secrets of its people's seats (none for a computer's)."""

    table: TableInfo
    """The table."""
    secrets: list[str | None]
    """The secret of each seat."""
