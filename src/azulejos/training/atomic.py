"""Atomic files: there is the old one or the new one, however suddenly a process ends."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Final

NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors that say that the disk is full."""
UNFINISHED: Final = ".{}.new"
"""The name of a file that is being written, from the name that it will have."""


def write_atomic(path: Path, data: bytes | memoryview) -> None:
    """Write a file under another name and rename it; on a failure nothing is left behind."""
    path.parent.mkdir(exist_ok=True)
    fresh = path.with_name(UNFINISHED.format(path.name))
    try:
        with fresh.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise


def remove_unfinished(folder: Path) -> None:
    """Remove what processes that were killed had begun to write; nobody may be writing there now."""
    for path in folder.rglob(UNFINISHED.format("*")):
        path.unlink(missing_ok=True)


def out_of_room(fault: OSError) -> bool:
    """Whether a failure means that the disk is full."""
    return fault.errno in NO_ROOM
