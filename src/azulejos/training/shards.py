"""Shards: the samples of some finished games in a file, and the window of recent ones that the learner draws from.

A shard is a zip of NumPy arrays. It is written under another name first and renamed, so that a file with the name of a
shard is whole, unless somebody else cut it short; such a file is set aside with a warning.
"""

from __future__ import annotations

import contextlib
import io
import json
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from azulejos.net.features import FEATURES, FEATURES_VERSION
from azulejos.rules.state import ACTIONS, MAX_PLAYERS
from azulejos.training.whole import write_whole

SHARD_FORMAT: Final = 1
"""The version of the files."""
LAYOUT: Final[dict[str, tuple[str, int]]] = {
    "features": ("i1", FEATURES),
    "policy": ("f2", ACTIONS),
    "win": ("f4", MAX_PLAYERS),
    "margin": ("f4", MAX_PLAYERS),
    "search": ("f4", MAX_PLAYERS),
}
"""Type and width of each array; the rows are the samples."""
PRUNED: Final = "pruned.json"
"""Counts what was in shards that are gone."""
SET_ASIDE: Final = "set-aside"
"""The folder of shards that could not be read."""
ZIP_LEVEL: Final = 1
"""A tenth of the size in a third of the time of the usual level."""


class ShardError(ValueError):
    """A file that is no shard, or not one of this version."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Positions of finished games, one row each."""

    features: NDArray[np.int8]
    """What the network sees."""
    policy: NDArray[np.float16]
    """What the search made of it, shares of 1; -1 for actions that were not legal; all -1 before a deal."""
    win: NDArray[np.float32]
    """Each turn's share of the victory, the acting seat first; -1 where nobody sits."""
    margin: NDArray[np.float32]
    """The final margins."""
    search: NDArray[np.float32]
    """What the search expected of `win`; -1 where there was no search."""

    def __len__(self) -> int:
        return len(self.features)

    @staticmethod
    def joined(parts: Sequence[Samples]) -> Samples:
        """All samples of some, in order."""
        columns = {
            name: np.concatenate([np.zeros((0, width), kind), *(getattr(part, name) for part in parts)], dtype=kind)
            for name, (kind, width) in LAYOUT.items()
        }
        return Samples(**columns)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the samples of a shard come from."""

    network: str
    """Name of the network that played."""
    games: int
    """How many games."""
    positions: int
    """How many positions."""
    seconds: float
    """Time of the process that played them."""
    device: str
    """What played them."""
    simulations: int
    """How many simulations a move had."""


def write_shard(path: Path, samples: Samples, origin: Origin) -> None:
    """Write a shard; it is there whole or not at all."""
    head = {"format": SHARD_FORMAT, "features_version": FEATURES_VERSION, **asdict(origin)}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=ZIP_LEVEL) as file:
        file.writestr("head.json", json.dumps(head))
        for name, (kind, _) in LAYOUT.items():
            with file.open(f"{name}.npy", "w") as entry:
                np.lib.format.write_array(entry, np.ascontiguousarray(getattr(samples, name), kind))
    write_whole(path, buffer.getbuffer())


def read_origin(path: Path) -> Origin:
    """Where the samples of a shard come from, without reading them."""
    with _opened(path) as file:
        return _origin(file, path)


def read_shard(path: Path) -> tuple[Samples, Origin]:
    """The samples of a shard and where they come from."""
    with _opened(path) as file:
        origin = _origin(file, path)
        arrays: dict[str, Any] = {}
        for name, (kind, width) in LAYOUT.items():
            with file.open(f"{name}.npy") as entry:
                arrays[name] = np.lib.format.read_array(entry, allow_pickle=False)
            expected = (origin.positions, width)
            if arrays[name].dtype != np.dtype(kind) or arrays[name].shape != expected:
                found = f"{arrays[name].dtype} {arrays[name].shape}"
                raise ShardError(f"{str(path)!r} has {name} of {found}: expected {kind} {expected}")
            if not np.isfinite(arrays[name]).all():
                raise ShardError(f"{str(path)!r} has {name} that are no numbers")
        return Samples(**arrays), origin


@contextlib.contextmanager
def _opened(path: Path) -> Any:
    try:
        with zipfile.ZipFile(path) as file:
            yield file
    except FileNotFoundError:
        raise
    except ShardError:
        raise
    except (OSError, ValueError, EOFError, KeyError, TypeError, zipfile.BadZipFile, zlib.error) as fault:
        raise ShardError(f"cannot read {str(path)!r} as a shard: {fault}") from fault


def _origin(file: zipfile.ZipFile, path: Path) -> Origin:
    head = json.loads(file.read("head.json"))
    here = {"format": SHARD_FORMAT, "features_version": FEATURES_VERSION}
    for name, expected in here.items():
        if head.pop(name) != expected:
            raise ShardError(f"{str(path)!r} has another {name.replace('_', ' ')}: expected {expected}")
    return Origin(**head)


@dataclass(frozen=True, slots=True)
class Totals:
    """How much self-play there has been."""

    games: int = 0
    """How many games."""
    positions: int = 0
    """How many positions."""
    seconds: float = 0.0
    """How long it took."""

    def plus(self, origins: Iterable[Origin]) -> Totals:
        """With some more."""
        games, positions, seconds = self.games, self.positions, self.seconds
        for origin in origins:
            games, positions, seconds = games + origin.games, positions + origin.positions, seconds + origin.seconds
        return Totals(games, positions, round(seconds, 3))


class Shelf:
    """The folder of the shards of a run.

    Old shards can be pruned: `pruned.json` keeps their totals, and the names of those that may still have to go.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        """Where the shards are."""
        self._origins: dict[str, Origin] = {}
        self._unreadable: set[str] = set()

    def names(self) -> list[str]:
        """The shards there are, the oldest first."""
        return sorted(path.name for path in self.folder.glob("*.npz") if not path.name.startswith("."))

    def add(self, samples: Samples, origin: Origin, writer: str) -> str:
        """Write a shard; every writer has a name of its own."""
        newest = max((int(name.split("-")[0]) for name in self._numbered()), default=0)
        name = f"{newest + 1:07d}-{writer}.npz"
        write_shard(self.folder / name, samples, origin)
        return name

    def _numbered(self) -> list[str]:
        gone = self._pruned()["names"]
        return [name for name in [*self.names(), *gone] if name.split("-")[0].isdigit()]

    def totals(self) -> Totals:
        """Games, positions and seconds of all shards, the pruned ones too."""
        while True:
            pruned = self._pruned()
            names = [name for name in self.names() if name not in set(pruned["names"])]
            origins = [origin for origin in map(self._origin, names) if origin]
            if self._pruned() == pruned:  # else shards went away while we looked
                return Totals(**pruned["totals"]).plus(origins)

    def _origin(self, name: str) -> Origin | None:
        if name not in self._origins and name not in self._unreadable:
            try:
                self._origins[name] = read_origin(self.folder / name)
            except FileNotFoundError:
                return None
            except ShardError:
                self._unreadable.add(name)
        return self._origins.get(name)

    def _pruned(self) -> dict[str, Any]:
        try:
            pruned: dict[str, Any] = json.loads((self.folder / PRUNED).read_bytes())
        except FileNotFoundError:
            return {"totals": asdict(Totals()), "names": []}
        return pruned

    def prune(self, keep_positions: int) -> None:
        """Delete the oldest shards as long as the others have so many positions; what they counted stays counted."""
        pruned = self._pruned()
        for name in pruned["names"]:
            (self.folder / name).unlink(missing_ok=True)  # a sudden end may have left them
        left, old = 0, []
        for name in reversed(self.names()):
            origin = self._origin(name)
            if origin and left >= keep_positions:
                old.append((name, origin))
            elif origin:
                left += origin.positions
        if old:
            totals = Totals(**pruned["totals"]).plus(origin for _, origin in old)
            told = {"totals": asdict(totals), "names": sorted(name for name, _ in old)}
            write_whole(self.folder / PRUNED, json.dumps(told).encode())
            for name, _ in old:
                (self.folder / name).unlink(missing_ok=True)

    def set_aside(self, name: str) -> Path:
        """Move a file that is no shard out of the way; returns where it is now."""
        aside = self.folder / SET_ASIDE
        aside.mkdir(exist_ok=True)
        return (self.folder / name).rename(aside / name)


class Window:
    """The newest samples, as many as there is room for."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        """How many samples there is room for."""
        self.size = self._next = 0
        """How many there are."""
        self._columns = {name: np.empty((capacity, width), kind) for name, (kind, width) in LAYOUT.items()}

    def add(self, samples: Samples) -> None:
        """Take in samples; the oldest make room."""
        at = (self._next + np.arange(len(samples))[-self.capacity :]) % self.capacity
        for name, column in self._columns.items():
            column[at] = getattr(samples, name)[-self.capacity :]
        self._next = (self._next + len(samples)) % self.capacity
        self.size = min(self.capacity, self.size + len(samples))

    def draw(self, random: np.random.Generator, count: int) -> Samples:
        """So many samples by lot."""
        at = random.integers(self.size, size=count)
        return Samples(**{name: column[at] for name, column in self._columns.items()})
