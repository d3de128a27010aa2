"""Samples of self-play on processor cores, and the replay buffer that the learner draws them from."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from azulejos.net.features import FEATURES
from azulejos.rules.state import ACTIONS, MAX_PLAYERS
from azulejos.training.atomic import write_atomic

SAMPLE: Final = np.dtype(
    [
        ("features", "i1", FEATURES),  # what the network sees
        ("policy", "f2", ACTIONS),  # what the search made of it; -1 if not legal, all -1 before a deal
        ("win", "f4", MAX_PLAYERS),  # each turn's share of the victory, the acting seat first; -1 where nobody sits
        ("margin", "f4", MAX_PLAYERS),  # the final margins
        ("search", "f4", MAX_PLAYERS),  # what the search expected of `win`; -1 where there was no search
    ]
)
"""A position of a finished game."""
ZIP_LEVEL: Final = 1
"""A tenth of the size in a third of the time of the usual level."""


class ReplayBuffer:
    """The newest samples, as many as there is room for; `save` keeps them on disk, in pieces."""

    def __init__(self, folder: Path, capacity: int) -> None:
        self.folder, self.capacity = folder, capacity
        self.size = self._next = self._unsaved = 0
        """How many samples there are."""
        self._samples = np.zeros(capacity, SAMPLE)

    def add(self, samples: NDArray[Any]) -> None:
        """Take in samples; the oldest make room."""
        newest = samples[-self.capacity :]
        self._samples[self._places(self._next, len(newest))] = newest
        self._next = (self._next + len(newest)) % self.capacity
        self.size = min(self.capacity, self.size + len(newest))
        self._unsaved = min(self.capacity, self._unsaved + len(newest))

    def _places(self, first: int, count: int) -> NDArray[Any]:
        return (first + np.arange(count)) % self.capacity

    def draw(self, random: np.random.Generator, count: int) -> NDArray[Any]:
        """So many samples by lot."""
        return self._samples[random.integers(self.size, size=count)]

    def save(self) -> None:
        """Write what has come since the last time, and delete what the buffer no longer holds."""
        files = self._files()
        if self._unsaved:
            number = int(files[-1].name.split(".")[0]) + 1 if files else 1
            fresh = self._samples[self._places(self._next - self._unsaved, self._unsaved)]
            buffer = io.BytesIO()
            np.save(buffer, fresh)
            write_atomic(
                self.folder / f"{number:07d}.{len(fresh)}.npy.gz", gzip.compress(buffer.getbuffer(), ZIP_LEVEL)
            )
            self._unsaved = 0
        kept = 0
        for path in reversed(self._files()):
            if kept >= self.capacity:
                path.unlink()
            kept += int(path.name.split(".")[1])

    def load(self) -> Iterator[str]:
        """Take in what was saved, the oldest first; says what is wrong with files that cannot be read."""
        for path in self._files():
            try:
                samples = np.load(io.BytesIO(gzip.decompress(path.read_bytes())), allow_pickle=False)
                if samples.dtype != SAMPLE:
                    raise ValueError(f"expected {len(SAMPLE.fields or ())} columns of samples, found {samples.dtype}")
            except (OSError, ValueError, EOFError, zlib.error) as fault:
                yield f"cannot read {str(path)!r} as samples: {fault}"
            else:
                self.add(samples)
        self._unsaved = 0

    def _files(self) -> list[Path]:
        """The saved pieces, the oldest first: `NUMBER.SAMPLES.npy.gz`."""
        return sorted(self.folder.glob("[0-9]*.npy.gz"))
