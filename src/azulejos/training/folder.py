"""The folder of a training run: everything that its processes have in common.

run.json      versions, shape of the network, seed, options of the last piece
selfplay/     shards of finished games
learner/      the learner's state
candidates/   networks that wait for their gate match
accepted/     networks that passed, the newest plays; rejected/ those that did not
gate/         games of the gate matches
log.jsonl     what happened, a line each
curves.png    the same as a picture
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

import azulejos
from azulejos.net.features import FEATURES_VERSION
from azulejos.training.options import Options
from azulejos.training.whole import write_whole

PROGRAM: Final = "azulejos train"
"""What wrote the folder."""
FOLDER_FORMAT: Final = 1
"""The version of the folder's layout."""
RUN: Final = "run.json"
"""The file that describes the run."""
LOG: Final = "log.jsonl"
"""The file with what happened."""
CURVES: Final = "curves.png"
"""The picture of the run's course."""
LOCK_SECONDS: Final = 60.0
"""How long to wait for a process of an earlier piece that is still at its end."""

Shape = dict[str, int]
"""The size of a network."""


class FolderError(ValueError):
    """A folder that this program must not write into."""


@dataclass(frozen=True)
class RunFolder:
    """The folder of a run, made or found fit."""

    path: Path
    """Where it is."""
    shape: Shape
    """The size of the network."""
    seed: int
    """What all random numbers follow from."""
    options: Options
    """What the run was told."""

    @staticmethod
    def open(path: Path, shape: Shape | None = None, seed: int | None = None) -> RunFolder:
        """The run in a folder; refused if it is of another version, shape or seed than asked for."""
        data = _read(path)
        here = {"program": PROGRAM, "format": FOLDER_FORMAT, "features_version": FEATURES_VERSION}
        wanted = {**here, **({} if shape is None else {"shape": shape}), **({} if seed is None else {"seed": seed})}
        wrong = [
            f"{name.replace('_', ' ')} {data.get(name)!r} there, {value!r} here"
            for name, value in wanted.items()
            if data.get(name) != value
        ]
        if wrong:
            raise FolderError(f"{str(path)!r} is a training folder of another version: {'; '.join(wrong)}")
        try:
            options = Options.from_json(data["options"])
            return RunFolder(path, dict(data["shape"]), int(data["seed"]), options)
        except (KeyError, TypeError, ValueError) as fault:
            raise FolderError(f"cannot read {str(path / RUN)!r} as a training run: {fault}") from fault

    @staticmethod
    def create(path: Path, shape: Shape, seed: int, options: Options) -> RunFolder:
        """A new run in a folder that is empty or not there yet."""
        check_free(path)
        path.mkdir(parents=True, exist_ok=True)
        run = RunFolder(path, shape, seed, options)
        for folder in (run.selfplay, run.learner, run.candidates, run.accepted, run.rejected, run.gate, run.locks):
            folder.mkdir(exist_ok=True)
        run._save({"created": now()})
        return run

    def with_options(self, options: Options) -> RunFolder:
        """The same run with other options from now on."""
        changed = RunFolder(self.path, self.shape, self.seed, options)
        changed._save(_read(self.path))
        return changed

    def _save(self, kept: dict[str, Any]) -> None:
        data = {
            **kept,
            "program": PROGRAM,
            "format": FOLDER_FORMAT,
            "azulejos": azulejos.__version__,
            "features_version": FEATURES_VERSION,
            "shape": self.shape,
            "seed": self.seed,
            "options": self.options.json(),
        }
        write_whole(self.path / RUN, json.dumps(data, indent=2).encode() + b"\n")

    @property
    def selfplay(self) -> Path:
        """Shards."""
        return self.path / "selfplay"

    @property
    def learner(self) -> Path:
        """The learner's state."""
        return self.path / "learner"

    @property
    def candidates(self) -> Path:
        """Networks that wait for their gate match."""
        return self.path / "candidates"

    @property
    def accepted(self) -> Path:
        """Networks that passed."""
        return self.path / "accepted"

    @property
    def rejected(self) -> Path:
        """Networks that did not."""
        return self.path / "rejected"

    @property
    def gate(self) -> Path:
        """Games of the gate matches."""
        return self.path / "gate"

    @property
    def locks(self) -> Path:
        """One file for each process."""
        return self.path / "locks"

    @contextlib.contextmanager
    def locked(self, name: str, patience: float = LOCK_SECONDS) -> Iterator[None]:
        """Nobody else is `name` in this folder; the lock goes with the process, however it ends."""
        self.locks.mkdir(exist_ok=True)
        with (self.locks / name).open("a") as file:
            _lock(file, self.path, name, patience)
            yield


SUBFOLDERS: Final = {"selfplay", "learner", "candidates", "accepted", "rejected", "gate", "locks"}
"""The folders that a run has."""


def check_free(path: Path) -> None:
    """Refuse a folder that holds anything; what a creation cut short has left does not count."""
    if not path.exists():
        return
    if not path.is_dir():
        raise FolderError(f"{str(path)!r} is not a folder")
    ours = SUBFOLDERS | {f".{RUN}.new"}
    strange = sorted(
        entry.name for entry in path.iterdir() if entry.name not in ours or (entry.is_dir() and any(entry.iterdir()))
    )
    if strange:
        named = ", ".join(map(repr, strange[:3])) + (" and more" if len(strange) > 3 else "")
        raise FolderError(f"{str(path)!r} is no training folder: it holds {named} but no {RUN}; choose another one")


def _read(path: Path) -> dict[str, Any]:
    file = path / RUN
    try:
        data = json.loads(file.read_bytes())
    except ValueError as fault:
        raise FolderError(f"cannot read {str(file)!r} as a training run: {fault}") from fault
    if not isinstance(data, dict):
        raise FolderError(f"cannot read {str(file)!r} as a training run: expected an object")
    return data


def _lock(file: IO[str], path: Path, name: str, patience: float) -> None:
    if sys.platform == "win32":
        return
    import fcntl  # noqa: PLC0415 - only where there is one

    end = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as fault:
            if time.monotonic() > end:
                raise FolderError(f"{str(path)!r} is being trained by another process ({name})") from fault
            time.sleep(0.1)
        else:
            return


def now() -> str:
    """The time, for people."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


class Journal:
    """`log.jsonl`: every process adds lines, in one write each."""

    def __init__(self, path: Path) -> None:
        self._file = path / LOG

    def add(self, kind: str, **data: Any) -> None:
        """Add a line."""
        line = json.dumps({"kind": kind, "time": now(), **data}, ensure_ascii=False).encode() + b"\n"
        file = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            os.write(file, line)
        finally:
            os.close(file)

    def lines(self) -> Iterator[dict[str, Any]]:
        """What happened so far; a line that cannot be read is left out."""
        with contextlib.suppress(FileNotFoundError), self._file.open("rb") as lines:
            for line in lines:
                with contextlib.suppress(ValueError):
                    data = json.loads(line)
                    if isinstance(data, dict):
                        yield data
