"""The tables of the database as the store asks for them; `migrations` makes them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, MetaData, SmallInteger, String, Table, Text

HEAD: Final = "0001"
"""The newest step of `migrations`."""

metadata: Final = MetaData()

tables: Final = Table(
    "tables",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("created", String(32), nullable=False),
    Column("setup", Text, nullable=False),
    Column("secret", String(64), nullable=False),  # of the dealer; told to nobody before the game is over
    Column("finished", BigInteger),  # when the game ended, in milliseconds since 1970
    Column("summary", Text),  # for the list of past games
)
seats: Final = Table(
    "seats",
    metadata,
    Column("table_id", String(24), ForeignKey("tables.id"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("digest", String(64), nullable=False),  # of the secret in the seat's link
)
events: Final = Table(
    "events",
    metadata,
    Column("table_id", String(24), ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("payload", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
