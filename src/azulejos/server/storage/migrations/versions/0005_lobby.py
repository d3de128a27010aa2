"""Which tables are in the lobby, when somebody was last seen at them, and which programs can use the database."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

LISTED = sa.text("listing IS NOT NULL")


def upgrade() -> None:
    """None are yet; who brings a database up to date writes the oldest program that can go on."""
    op.add_column("tables", sa.Column("listing", sa.Text))
    op.add_column("tables", sa.Column("attended", sa.BigInteger))
    op.create_index("tables_listed", "tables", ["created"], sqlite_where=LISTED, postgresql_where=LISTED)
    op.create_table("compatibility", sa.Column("oldest", sa.String(32), nullable=False))
