"""Full strength is stored as 100 and no longer as 9, the number after the last level, which a ninth level will have."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

TABLES = sa.table("tables", sa.column("setup"))
BEFORE, NOW = '"level":9', '"level":100'  # in a name the quotation marks would be escaped


def upgrade() -> None:
    """Change the number in every setup."""
    setup = TABLES.c.setup
    op.execute(sa.update(TABLES).where(setup.contains(BEFORE)).values(setup=sa.func.replace(setup, BEFORE, NOW)))
