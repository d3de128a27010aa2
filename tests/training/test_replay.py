"""The replay buffer: the newest samples, saved in pieces that survive sudden ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from azulejos.training.replay import SAMPLE, ReplayBuffer


def some_samples(count: int, first: int = 0) -> NDArray[Any]:
    random = np.random.default_rng(first)
    samples = np.zeros(count, SAMPLE)
    samples["features"] = random.integers(0, 5, samples["features"].shape)
    samples["policy"] = random.random(samples["policy"].shape)
    samples["win"] = np.arange(first, first + count)[:, None]
    samples["margin"] = -samples["win"]
    return samples


def held(buffer: ReplayBuffer) -> set[int]:
    drawn = buffer.draw(np.random.default_rng(0), 100 * buffer.size)
    assert (drawn["win"] == -drawn["margin"]).all()
    return set(drawn["win"][:, 0].astype(int))


def again(folder: Path, capacity: int) -> ReplayBuffer:
    buffer = ReplayBuffer(folder, capacity)
    assert list(buffer.load()) == []
    return buffer


def test_the_buffer_keeps_the_newest(tmp_path: Path) -> None:
    buffer = ReplayBuffer(tmp_path, 25)
    buffer.add(some_samples(10))
    assert held(buffer) == set(range(10))
    for first in (10, 20, 30):
        buffer.add(some_samples(10, first))
    assert held(buffer) == set(range(15, 40))
    buffer.add(some_samples(100, 100))
    assert held(buffer) == set(range(175, 200))


def test_what_was_saved_is_there_again_and_the_rest_is_deleted(tmp_path: Path) -> None:
    buffer = ReplayBuffer(tmp_path / "replay", 25)
    for first in range(0, 60, 10):
        buffer.add(some_samples(10, first))
        buffer.save()
        buffer.save()  # nothing new
    assert [path.name for path in sorted((tmp_path / "replay").iterdir())] == [
        f"000000{number}.10.npy.gz" for number in (4, 5, 6)
    ]
    there = again(tmp_path / "replay", 25)
    assert held(there) == held(buffer) == set(range(35, 60))
    there.add(some_samples(10, 60))
    there.save()
    assert held(again(tmp_path / "replay", 25)) == set(range(45, 70))
    assert held(again(tmp_path / "replay", 5)) == set(range(65, 70)), "another room, the same files"


def test_samples_are_read_as_they_were_written(tmp_path: Path) -> None:
    samples = some_samples(7)
    buffer = ReplayBuffer(tmp_path, 7)
    buffer.add(samples)
    buffer.save()
    assert (again(tmp_path, 7)._samples == samples).all()


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.999])
def test_a_truncated_file_is_left_out_by_name(tmp_path: Path, share: float) -> None:
    buffer = ReplayBuffer(tmp_path, 100)
    for first in (0, 50):
        buffer.add(some_samples(50, first))
        buffer.save()
    file = tmp_path / "0000001.50.npy.gz"
    whole = file.read_bytes()
    file.write_bytes(whole[: int(share * len(whole))])
    there = ReplayBuffer(tmp_path, 100)
    (complaint,) = there.load()
    assert "0000001.50.npy.gz' as samples" in complaint
    assert held(there) == set(range(50, 100))


def test_a_flipped_byte_and_foreign_arrays_are_found(tmp_path: Path) -> None:
    buffer = ReplayBuffer(tmp_path, 100)
    buffer.add(some_samples(50))
    buffer.save()
    (file,) = tmp_path.iterdir()
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 255
    file.write_bytes(data)
    assert len(list(ReplayBuffer(tmp_path, 100).load())) == 1
    np.save(tmp_path / "numbers.npy", np.zeros(3))
    import gzip

    file.write_bytes(gzip.compress((tmp_path / "numbers.npy").read_bytes()))
    (complaint,) = ReplayBuffer(tmp_path, 100).load()
    assert "found float64" in complaint


WRITER = """
import sys
from pathlib import Path
from azulejos.training.replay import ReplayBuffer
from tests.training.test_replay import some_samples
samples, buffer = some_samples(300), ReplayBuffer(Path(sys.argv[1]), 2000)
list(buffer.load())
buffer.add(samples)
buffer.save()
print("ready", flush=True)
while True:
    buffer.add(samples)
    buffer.save()
"""


def test_killed_at_any_moment_a_writer_leaves_only_whole_files(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    seen = 0
    for moment in (0.13, 0.31):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, tmp_path], stdout=subprocess.PIPE, cwd=root)
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(moment)
        os.kill(writer.pid, signal.SIGKILL)
        writer.communicate()
        assert again(tmp_path, 2000).size >= 300
        newest = max(int(path.name.split(".")[0]) for path in tmp_path.glob("[0-9]*"))
        assert newest > seen
        seen = newest
