"""Events are stored as clients are told of them, with a `type` where there was a `kind`.

Nothing is written anew, since both can be read; but an older program could not read what is written from now on, and
this step keeps it from trying.
"""

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Change nothing."""
