"""The command that removes old tables from a server's database."""

from __future__ import annotations

import asyncio
from pathlib import Path


def prune(*, days: float, archive: Path | None = None, database: str | None = None, dry_run: bool = False) -> None:
    """Remove the tables at which nothing has happened for long from the database of a server that does not run.

    A server that runs does the same by itself with AZULEJOS_KEEP_DAYS.

    For example:

        azulejos prune --days 90
        azulejos prune --days 365 --archive records --database games.db

    Parameters
    ----------
    days
        For how many days nothing has happened.
    archive
        A folder: the records of the tables are added to a file for each month before they go.
    database
        The database, as for `azulejos serve`.
    dry_run
        Only say how many there are.
    """
    from azulejos.server.settings import from_environment
    from azulejos.server.storage.database import StorageError

    if not days >= 0:
        raise ValueError(f"--days must be a number from 0, not {days!r}")
    settings = from_environment(database=database)
    try:
        gone, left = asyncio.run(_prune(settings.database_url, days, archive, dry_run))
    except StorageError as fault:
        raise ValueError(str(fault)) from fault
    print(f"{gone} tables {'would go' if dry_run else 'have gone'}, {left} are left")


async def _prune(database: str, days: float, archive: Path | None, dry_run: bool) -> tuple[int, int]:
    """How many tables went, and how many are left."""
    from azulejos.server.pruning import prune as remove
    from azulejos.server.pruning import too_old
    from azulejos.server.storage.store import Store

    store = await Store.open(database)
    try:
        if dry_run:
            gone = len(await too_old(store, days))
            return gone, store.tables - gone
        return await remove(store, days, archive), store.tables
    finally:
        await store.close()
