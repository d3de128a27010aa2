"""Files and folders that are there whole or not at all, however suddenly a process ends."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors that say that the disk is full."""


def write_whole(path: Path, data: bytes | memoryview) -> None:
    """Write a file under another name and rename it; on a failure nothing is left behind."""
    fresh = path.with_name(f".{path.name}.new")
    try:
        with fresh.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise


def empty_folder(path: Path) -> Path:
    """The folder in which `path` is put together, without what an earlier try may have left."""
    fresh = path.with_name(f".{path.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    return fresh


def sweep(folder: Path, pattern: str = "*") -> None:
    """Remove what a sudden end has left half done."""
    for path in folder.glob(f".{pattern}.new"):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def out_of_room(fault: BaseException) -> bool:
    """Whether a failure means that the disk is full."""
    return isinstance(fault, OSError) and fault.errno in NO_ROOM
