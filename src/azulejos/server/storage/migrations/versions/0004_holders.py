"""Which of several servers runs the clocks and the computers of a table, and since when."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Nobody does yet."""
    op.add_column("tables", sa.Column("holder", sa.Integer))
    op.add_column("tables", sa.Column("held", sa.BigInteger))
