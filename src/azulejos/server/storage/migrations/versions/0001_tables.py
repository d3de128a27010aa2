"""Tables, their seats, their events."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

KEY = sa.String(24).with_variant(sa.String(24, "C"), "postgresql")
TIME = sa.String(32).with_variant(sa.String(32, "C"), "postgresql")


def upgrade() -> None:
    """Make everything."""
    op.create_table(
        "tables",
        sa.Column("id", KEY, primary_key=True),
        sa.Column("created", TIME, nullable=False),
        sa.Column("setup", sa.Text, nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("finished", sa.BigInteger),
        sa.Column("summary", sa.Text),
    )
    op.create_index("tables_by_created", "tables", ["created", "id"])
    op.create_table(
        "seats",
        sa.Column("table_id", KEY, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.SmallInteger, primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("table_id", KEY, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
