"""The folder of a training run.

run.json         versions, shape of the network, seed, and the options given so far
checkpoint.pt    everything that the learner needs to go on
weights.npz      the network to play with
networks/        networks along the way, each with a card
replay/          the newest positions, where self-play runs on processor cores
gate/            the games of the gate matches
log.jsonl        what happened, a line each
curves.png       the same as a picture
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import filelock
import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

import azulejos
from azulejos.net.features import FEATURES_VERSION
from azulejos.training.atomic import UNFINISHED, remove_unfinished, write_atomic
from azulejos.training.plan import Shape, TrainingPlan, plan_for, read_options

PROGRAM: Final = "azulejos train"
"""What wrote the folder."""
FOLDER_FORMAT: Final = 2
"""The version of the folder's layout."""
RUN: Final = "run.json"
"""The file that describes the run."""
LOCK: Final = ".lock"
"""The file that a training process holds."""
LOCK_SECONDS: Final = 1.0
"""How long to wait for a process that is at its end."""
OURS: Final = {LOCK, UNFINISHED.format(RUN)}
"""What a creation that was cut short may have left."""
FIXED: Final = {"seed", *Shape.__struct_fields__}
"""What stays as it is for a whole run."""


class FolderError(ValueError):
    """A folder that this program must not write into."""


class Head(Struct):
    """What a run file must say before it is read any further."""

    program: str = ""
    """What wrote the folder."""
    format: int = 0
    """The version of the folder's layout."""
    features_version: int = 0
    """The version of what the network sees."""


class RunFile(Head, kw_only=True):
    """What `run.json` says."""

    azulejos: str
    """The version of the program that wrote it last."""
    created: str
    """When the run began."""
    shape: Shape
    """The size of the network."""
    seed: Annotated[int, Meta(ge=0, lt=1 << 31)]
    """What all random numbers follow from."""
    options: dict[str, Any]
    """The options given so far; the others are the usual ones of the device."""


HERE: Final = Head(PROGRAM, FOLDER_FORMAT, FEATURES_VERSION)
"""What this program writes and reads."""


class RunFolder:
    """The folder of a run, found fit; nothing is written until `locked`."""

    def __init__(self, path: Path, given: Mapping[str, Any] | None = None) -> None:
        self.path = path
        """The path of the folder."""
        told = {name: value for name, value in (given or {}).items() if value is not None}
        self.is_new = not (path / RUN).exists()
        """Whether there was no run in it."""
        self.file = _begin(path, told) if self.is_new else _go_on(path, told)
        """What the run file says, with what was given."""

    @property
    def shape(self) -> Shape:
        """The size of the network."""
        return self.file.shape

    @property
    def seed(self) -> int:
        """What all random numbers follow from."""
        return self.file.seed

    def plan(self, *, cuda: bool) -> TrainingPlan:
        """How to train on such a device."""
        return plan_for(self.file.options, cuda=cuda)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else trains in this folder; the lock goes with the process, however it ends."""
        self.path.mkdir(parents=True, exist_ok=True)
        try:
            with filelock.FileLock(self.path / LOCK, timeout=LOCK_SECONDS):
                remove_unfinished(self.path)
                data = msgspec.json.format(msgspec.json.encode(self.file))
                write_atomic(self.path / RUN, data + b"\n")
                yield
        except filelock.Timeout as fault:
            raise FolderError(f"{str(self.path)!r} is being trained by another process") from fault


def _begin(path: Path, given: Mapping[str, Any]) -> RunFile:
    """The file of a new run; refused if the folder holds anything else."""
    if path.exists() and not path.is_dir():
        raise FolderError(f"{str(path)!r} is not a folder")
    strange = sorted(each.name for each in path.iterdir() if each.name not in OURS) if path.exists() else []
    if strange:
        named = ", ".join(map(repr, strange[:3])) + (" and more" if len(strange) > 3 else "")
        raise FolderError(f"{str(path)!r} is no training folder: it holds {named} but no {RUN}; choose another one")
    shape = read_options(Shape, {name: given[name] for name in Shape.__struct_fields__ if name in given})
    parts = {**asdict(HERE), "azulejos": azulejos.__version__, "created": now(), "shape": asdict(shape)}
    return read_options(RunFile, {**parts, "seed": given.get("seed", 1), "options": _options(given)})


def _go_on(path: Path, given: Mapping[str, Any]) -> RunFile:
    """The file of the run that is there, with what was given; refused if it is another run than asked for."""
    text = (path / RUN).read_bytes()
    try:
        different = _different(asdict(msgspec.json.decode(text, type=Head)), asdict(HERE))
        file = None if different else msgspec.json.decode(text, type=RunFile)
        options = _options(file.options) if file else {}
    except (msgspec.DecodeError, ValueError) as fault:
        raise FolderError(f"cannot read {str(path / RUN)!r} as a training run: {fault}") from fault
    if file is None:
        raise FolderError(f"{str(path)!r} is a training folder of another version: {different}")
    different = _different(
        {**asdict(file.shape), "seed": file.seed}, {name: given[name] for name in FIXED & set(given)}
    )
    if different:
        raise FolderError(f"{str(path)!r} holds another run: {different}; choose another folder")
    return replace(file, azulejos=azulejos.__version__, options={**options, **_options(given)})


def _options(given: Mapping[str, Any]) -> dict[str, Any]:
    """What was given of a plan, checked."""
    options = {name: value for name, value in given.items() if name not in FIXED}
    plan_for(options, cuda=False)
    return options


def _different(there: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    return "; ".join(
        f"{name.replace('_', ' ')} {there[name]!r} there, {value!r} here"
        for name, value in wanted.items()
        if there[name] != value
    )


def now() -> str:
    """The time, for people."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


class Journal:
    """`log.jsonl`: what happened, a line each."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "log.jsonl"

    def add(self, kind: str, **data: Any) -> None:
        """Add a line, in one write."""
        line = msgspec.json.encode({"kind": kind, "time": now(), **data}) + b"\n"
        with self._file.open("ab") as file:
            file.write(line)

    def lines(self) -> Iterator[dict[str, Any]]:
        """What happened so far; a line that cannot be read is left out."""
        with contextlib.suppress(FileNotFoundError), self._file.open("rb") as lines:
            for line in lines:
                with contextlib.suppress(msgspec.DecodeError):
                    yield msgspec.json.decode(line, type=dict[str, Any])
