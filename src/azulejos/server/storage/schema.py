"""The tables of the database as the store asks for them; `migrations` makes them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, MetaData, SmallInteger, String, Table, Text

HEAD: Final = "0003"
"""The newest step of `migrations`."""

_KEY: Final = String(24).with_variant(String(24, "C"), "postgresql")
"""PostgreSQL is to order keys and times by their bytes: the order of a language may change with its version."""
_TIME: Final = String(32).with_variant(String(32, "C"), "postgresql")

metadata: Final = MetaData()
"""All tables of the database."""

tables: Final = Table(
    "tables",
    metadata,
    Column("id", _KEY, primary_key=True),
    Column("created", _TIME, nullable=False),
    Column("setup", Text, nullable=False),
    Column("secret", String(64), nullable=False),  # of the dealer; told to nobody before the game is over
    Column("finished", BigInteger),  # when the game ended, in milliseconds since 1970
    Column("summary", Text),  # for the list of past games
)
"""One row for each table that was made."""
seats: Final = Table(
    "seats",
    metadata,
    Column("table_id", _KEY, ForeignKey("tables.id"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("digest", String(64), nullable=False),  # of the secret in the seat's link
)
"""One row for each seat of each table."""
events: Final = Table(
    "events",
    metadata,
    Column("table_id", _KEY, ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("payload", Text, nullable=False),
    Column("at", BigInteger, nullable=False),  # in milliseconds since 1970
    sqlite_with_rowid=False,
)
"""What happened at each table, in order."""
