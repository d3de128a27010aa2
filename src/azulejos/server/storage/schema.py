"""The tables of the database as the store asks for them; `migrations` makes them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, MetaData, SmallInteger, String, Table, Text

HEAD: Final = "0005"
"""The newest step of `migrations`."""
OLDEST: Final = "0005"
"""The step whose programs, and all newer ones, can go on with a database that has seen `HEAD`."""

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
    Column("holder", Integer),  # which of several servers runs its clocks and computers
    Column("held", BigInteger),  # since when, in milliseconds since 1970
    Column("listing", Text),  # for the lobby, as long as it is there
    Column("attended", BigInteger),  # when one of its people was last seen at it, in milliseconds since 1970
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
compatibility: Final = Table("compatibility", metadata, Column("oldest", String(32), nullable=False))
"""One row: the step of the oldest programs that can use the database."""
